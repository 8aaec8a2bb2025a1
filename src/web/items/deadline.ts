// What happens to an item by itself, and when: the chip, the whole sentence, and how near it is. Hub time throughout.
import type { InboxItemView, OnExpiry } from "../../shared/views.ts";
import { itemText } from "../text/en-items.ts";
import { clockTime, countdown, whenComing } from "../text/time.ts";

export type Deadline = {
  atMs: number;
  leftMs: number;
  onExpiry: OnExpiry;
  /** "Declines itself in 14 min". */
  chip: string;
  tone: "lamp" | "hold" | "plain";
  /** Share of its time that is left; undefined when it is past. */
  left: number | undefined;
};

type Dated = Pick<InboxItemView, "kind" | "status" | "created_at" | "expires_at" | "on_expiry" | "snoozed_until">;

/** Below this a countdown changes every second. */
export const fineMs = 5 * 60_000;

export function isOpen(item: Pick<InboxItemView, "status">): boolean {
  return item.status === "action" || item.status === "waiting";
}

export function isSnoozed(item: Pick<InboxItemView, "snoozed_until">, nowMs: number): boolean {
  return item.snoozed_until !== undefined && Date.parse(item.snoozed_until) > nowMs;
}

/** Undefined for an item that has no deadline, or is settled. */
export function deadlineOf(item: Dated, nowMs: number): Deadline | undefined {
  if (item.expires_at === undefined || !isOpen(item)) return undefined;
  const atMs = Date.parse(item.expires_at);
  const leftMs = atMs - nowMs;
  const onExpiry = item.on_expiry ?? (item.kind === "question" ? "close" : "decline");
  const base = { atMs, leftMs, onExpiry };
  if (leftMs <= 0) return { ...base, chip: itemText.settling, tone: "plain", left: undefined };
  const whole = atMs - Date.parse(item.created_at);
  return {
    ...base,
    chip: chipWords[onExpiry](countdown(leftMs)),
    tone: isSnoozed(item, nowMs) ? "hold" : "lamp",
    left: whole > 0 ? Math.min(1, leftMs / whole) : undefined,
  };
}

const chipWords = { approve: itemText.chipApprove, decline: itemText.chipDecline, close: itemText.chipClose } as const;

/** "If you don't decide, the hub **declines** this at 14:05 (in 14 min)." in three parts; the middle one has weight. */
export function deadlineSentence(deadline: Deadline, nowMs: number): { before: string; weight: string; after: string } {
  const when = whenComing(deadline.atMs, nowMs);
  const at = when === clockTime(deadline.atMs) ? `at ${when}` : when;
  const after = ` this ${at} (in ${countdown(deadline.leftMs)}).`;
  switch (deadline.onExpiry) {
    case "approve":
      return { before: "If you don't decide, the hub ", weight: "approves", after };
    case "decline":
      return { before: "If you don't decide, the hub ", weight: "declines", after };
    case "close":
      return {
        before: "If you don't answer, this ",
        weight: "closes with no answer",
        after: ` ${at} (in ${countdown(deadline.leftMs)}).`,
      };
  }
}
