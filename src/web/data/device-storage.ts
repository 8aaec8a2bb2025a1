// `localStorage` and `sessionStorage` of this hub. A browser may refuse both; then words last as long as the page.
import { keyOf, keyPrefix } from "./scope.ts";

type Area = "local" | "session";

const inMemory = new Map<string, string>();

export function readItem(area: Area, name: string): string | undefined {
  const key = keyOf(name);
  try {
    return areaOf(area).getItem(key) ?? inMemory.get(`${area} ${key}`);
  } catch {
    return inMemory.get(`${area} ${key}`); // storage is blocked
  }
}

/** False when the browser refuses: the value then lasts as long as the page. */
export function writeItem(area: Area, name: string, value: string): boolean {
  const key = keyOf(name);
  try {
    areaOf(area).setItem(key, value);
    return true;
  } catch {
    inMemory.set(`${area} ${key}`, value); // storage is blocked or full
    return false;
  }
}

export function removeItem(area: Area, name: string): void {
  const key = keyOf(name);
  inMemory.delete(`${area} ${key}`);
  try {
    areaOf(area).removeItem(key);
  } catch {
    // Storage is blocked: there was nothing to remove.
  }
}

/** Removes all that this hub's app keeps here. */
export function eraseItems(): void {
  inMemory.clear();
  for (const area of ["local", "session"] as const) {
    try {
      const storage = areaOf(area);
      for (const key of Object.keys(storage)) if (key.startsWith(keyPrefix)) storage.removeItem(key);
    } catch {
      // Storage is blocked: there was nothing to remove.
    }
  }
}

function areaOf(area: Area): Storage {
  return area === "local" ? localStorage : sessionStorage;
}
