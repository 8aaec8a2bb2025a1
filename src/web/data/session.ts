// Signed in or not: what happens when the hub takes the token back, and what signing out removes (web-app.md 5.4, 6.16).
import { type ReadonlySignal, signal } from "@preact/signals";
import { eraseRecords } from "./database.ts";
import { eraseItems } from "./device-storage.ts";
import { keyOf } from "./scope.ts";
import { dropToken, token } from "./token.ts";

const leaving = new Set<() => unknown>();
const refused = signal(false);

/** A write was refused for its token. What was typed for it is on screen, so nobody is sent away without a press. */
export const isTokenRefused: ReadonlySignal<boolean> = refused;

export function noteRefusedWrite(): void {
  refused.value = true;
}

/** Runs before anything is erased: what must still be sent. */
export function beforeSignOut(work: () => unknown): () => void {
  leaving.add(work);
  return () => leaving.delete(work);
}

/** The hub no longer takes the token. Drafts and the snapshot stay: it may be the same operator who signs in again. */
export function loseSession(): void {
  refused.value = false;
  if (token.value !== undefined) dropToken();
}

/** This device forgets everything; other tabs follow. */
export async function signOut(): Promise<void> {
  for (const work of leaving) work();
  if ("BroadcastChannel" in globalThis) {
    const channel = new BroadcastChannel(keyOf("session"));
    channel.postMessage("signed-out");
    channel.close();
  }
  await erase();
}

/** Hears of a sign-out in another tab. */
export function followSignOut(): void {
  if (!("BroadcastChannel" in globalThis)) return;
  new BroadcastChannel(keyOf("session")).onmessage = () => void erase(); // nothing waits for it
}

async function erase(): Promise<void> {
  refused.value = false;
  dropToken();
  eraseItems();
  await eraseRecords();
}
