// Addresses of the hub's own things, as routes of the app: `agenthub://kb/<project>/<path>` and
// `agenthub://session/<id>/brain<path>` (web-app.md 2.6).

/** Undefined for an address that is none of them. */
export function appAddress(href: string): string | undefined {
  const page = /^agenthub:\/\/kb\/([^/]+)\/(.+)$/.exec(href);
  if (page !== null) return `#/p/${page[1]}/kb/${page[2]}`;
  return undefined;
}
