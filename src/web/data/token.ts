// The operator's token on this device: kept for good, or for the tab, or, where the browser refuses, for the page
// (web-app.md 2.6).
import { type ReadonlySignal, signal } from "@preact/signals";
import { readItem, removeItem, writeItem } from "./device-storage.ts";
import { keyOf } from "./scope.ts";

const name = "token";
const held = signal<string | undefined>(readItem("local", name) ?? readItem("session", name));

export const token: ReadonlySignal<string | undefined> = held;

/** False when the browser will not keep it. */
export function keepToken(value: string, isLasting: boolean): boolean {
  removeItem("local", name);
  removeItem("session", name);
  const isKept = writeItem(isLasting ? "local" : "session", name, value);
  held.value = value;
  return isKept;
}

/** Whether the token outlives the tab. */
export function isTokenLasting(): boolean {
  return readItem("local", name) !== undefined;
}

/** The hub took it back, or the operator signs out. */
export function dropToken(): void {
  removeItem("local", name);
  removeItem("session", name);
  held.value = undefined;
}

// Another tab signed in or out for all of them.
globalThis.addEventListener("storage", ({ key, newValue }) => {
  if (key === keyOf(name)) held.value = newValue ?? undefined;
});
