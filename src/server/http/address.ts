// A bind as text: where it listens, and how documents name it.

/** `host:port`, IPv6 in brackets. */
export function hostAndPort(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The same as documents name it: every address of this machine is called localhost (rest-api.md 0.7). */
export function addressOf({ host, port }: { host: string; port: number }): string {
  return hostAndPort(host === "0.0.0.0" || host === "::" ? "localhost" : host, port);
}
