// Where this app lives: the hub may be mounted below a prefix it does not know of, and two hubs may share one origin, so
// every address is relative to the document and every stored name carries its path (web-app.md 2.4).

const base = new URL(".", document.baseURI);

/** A stored name, a channel or a lock of this hub alone. */
export function keyOf(name: string): string {
  return `${keyPrefix}${name}`;
}

export const keyPrefix: string = `hub:${base.pathname}:`;

/** @param path relative to the hub's root, without a leading slash */
export function addressOf(path: string): string {
  return new URL(path, base).href;
}

/** The hub's address as a person would type it. */
export const hubAddress: string = base.href;

/** Id of the build this document came from. */
export const ownBuild: string = document.querySelector<HTMLMetaElement>('meta[name="hub-build"]')?.content ?? "";
