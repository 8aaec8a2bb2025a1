// A token that was just made: shown once, held in memory alone, gone with the screen that shows it (web-app.md 6.17).
import { type ReadonlySignal, signal } from "@preact/signals";
import { call } from "../../data/call.ts";
import { beforeSignOut } from "../../data/session.ts";

export type FreshToken = { agent: string; token: string; isCopied: boolean };

const held = signal<FreshToken | undefined>(undefined);

export const freshToken: ReadonlySignal<FreshToken | undefined> = held;

/**
 * The one before stops with it.
 * @throws CallFailed
 */
export async function makeToken(agent: string): Promise<void> {
  const { token } = await call("issueToken", { params: { id: agent } });
  held.value = { agent, token, isCopied: false };
}

/** The one of this agent, if it is still known. */
export function tokenOf(agent: string): string | undefined {
  return held.value?.agent === agent ? held.value.token : undefined;
}

export function noteCopied(): void {
  if (held.value !== undefined) held.value = { ...held.value, isCopied: true };
}

export function forgetToken(): void {
  held.value = undefined;
}

beforeSignOut(forgetToken);
