// How far a page can be trusted (knowledge-base.md 5.1): derived from what it says and from who wrote it when, so that no
// text an agent writes makes a page reviewed by the operator.
import { operatorActor } from "../../../shared/ids.ts";
import { timestampMs } from "./calendar.ts";
import type { VerifiedEntry } from "./frontmatter-values.ts";

export type Trust = "unverified" | "human_reviewed" | "machine_confirmed" | "edited_since_review";

const freshBeforeMs = 300_000;
const freshAfterMs = 60_000;

/** The newest write that brought in a verification: who wrote it and what it stored. */
export type VerifyingWrite = { actor: string; blob: string };

export type Trusted = { trust: Trust; verifiedBy: string | null; verifiedAt: string | null };

/** True when the last entry is of the time of the write, give or take; whether it is new is for the caller to see. */
export function endsInFreshEntry(verified: readonly VerifiedEntry[], writtenAt: number): boolean {
  const at = timestampMs(verified.at(-1)?.at ?? "");
  return at !== undefined && at >= writtenAt - freshBeforeMs && at <= writtenAt + freshAfterMs;
}

/** True when the last entry was nowhere in the page that is replaced. */
export function bringsNewEntry(verified: readonly VerifiedEntry[], replaced: readonly VerifiedEntry[]): boolean {
  const last = verified.at(-1);
  return last !== undefined && !replaced.some((entry) => entry.by === last.by && entry.at === last.at);
}

export function trustOf(
  verified: readonly VerifiedEntry[],
  newest: { blob: string; writtenAt: number },
  verifying: VerifyingWrite | undefined,
): Trusted {
  const last = verified.at(-1);
  if (last === undefined) return { trust: "unverified", verifiedBy: null, verifiedAt: null };
  const shown = { verifiedBy: verifying?.actor ?? last.by, verifiedAt: last.at };
  if (isEdited(last, newest, verifying)) return { trust: "edited_since_review", ...shown };
  return { trust: verifying?.actor === operatorActor ? "human_reviewed" : "machine_confirmed", ...shown };
}

function isEdited(
  last: VerifiedEntry,
  newest: { blob: string; writtenAt: number },
  verifying: VerifyingWrite | undefined,
): boolean {
  if (verifying !== undefined) return verifying.blob !== newest.blob;
  // An entry that was copied in: no write to compare with, so the times are, to the second.
  const at = timestampMs(last.at);
  return at !== undefined && Math.floor(newest.writtenAt / 1000) > Math.floor(at / 1000);
}
