// Names in this browser's storage. A public page lies one folder below the hub's root, whose path every name carries, so
// that two hubs under one origin share nothing (web-app.md 2.4).

const hubRoot: string = new URL("..", location.href).pathname;

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(keyOf(name));
  } catch {
    return null; // storage is blocked: nothing is remembered
  }
}

/** Null removes it. */
export function store(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(keyOf(name));
    else localStorage.setItem(keyOf(name), value);
  } catch {
    // Storage is blocked or full: nothing is remembered, and the page works all the same.
  }
}

function keyOf(name: string): string {
  return `hub:${hubRoot}:${name}`;
}
