// Inbox items: how one enters, stays open, and is resolved exactly once (mcp-tools.md 11, 12).
import type { Ctx, Services, Tx } from "../../kernel/ctx.ts";
import { defineFact } from "../../kernel/facts.ts";
import { defineSlot } from "../../kernel/parts.ts";
import { HubError } from "../../shared/errors.ts";
import type { ItemKind, OnExpiry } from "../../shared/views.ts";
import type { EventRecord } from "../events/index.ts";
import {
  countOpenItems,
  countOpenItemsOf,
  type DueItem,
  findItem,
  type ItemRecord,
  insertItem,
  listDueItems,
  markResolved,
} from "./store.ts";

const dueBatch = 64;

/** What an item's deadline means; called inside the item's transaction (architecture.md 14, item subjects). */
export type ItemSubject = {
  /** Resolves the item as its deadline says. */
  expire(tx: Tx, item: ItemRecord): void;
  /** Decides it instead of the ordinary way; may refuse. Returns the event that tells of the decision. */
  decide?(tx: Tx, ctx: Ctx, decided: ItemDecision): { eventId: string };
};

export type ItemDecision = {
  item: ItemRecord;
  event: EventRecord;
  decision: "approved" | "declined";
  note: string | null;
};
export const itemSubject = defineSlot<ItemSubject>("item_subject");

/** An open item got its answer, decision or expiry. */
export const itemResolved = defineFact<{ item: ItemRecord; answerId: string }>("item_resolved");
/** Something started waiting on the operator. */
export const itemOpened = defineFact<{ item: ItemRecord }>("item_opened");

export type Deadline = { expiresInSeconds: number; onExpiry: OnExpiry };

/** Enters an event into the inbox. Questions and approvals wait on the operator, finished work is there to be read. */
export function enterItem(
  tx: Tx,
  event: EventRecord,
  as: { kind: ItemKind; subjectKind: string; subjectId: string; deadline: Deadline | null },
): void {
  const item: ItemRecord = {
    eventId: event.id,
    projectId: event.projectId,
    kind: as.kind,
    actor: event.actor,
    subjectKind: as.subjectKind,
    subjectId: as.subjectId,
    status: as.kind === "finished" ? "unread" : "action",
    createdAt: tx.now,
    updatedAt: tx.now,
    expiresAt: as.deadline === null ? null : tx.now + as.deadline.expiresInSeconds * 1000,
    onExpiry: as.deadline?.onExpiry ?? null,
    answerId: null,
    snoozedUntil: null,
  };
  insertItem(tx.db, item);
  tx.wake("inbox", `actor:${item.actor}`);
  if (item.status === "action") tx.emit(itemOpened, { item });
}

/**
 * Holds the caps on open items; call it before the item's event is written.
 * @throws HubError `rate_limited` `{open, cap, setting}`
 */
export function holdOpenItemCaps(tx: Tx, projectId: string, actor: string): void {
  const { inboxActionPerAgent, inboxActionPerProject } = tx.config;
  holdCap(countOpenItemsOf(tx.db, projectId, actor), inboxActionPerAgent, "HUB_INBOX_ACTION_PER_AGENT", "you hold");
  holdCap(countOpenItems(tx.db, projectId), inboxActionPerProject, "HUB_INBOX_ACTION_PER_PROJECT", "the project holds");
}

function holdCap(open: number, cap: number, setting: string, who: string): void {
  if (cap === 0 || open < cap) return;
  throw new HubError(
    "rate_limited",
    `${who} ${open} open items here, the cap of ${cap} (${setting}); wait until one is resolved`,
    { open, cap, setting },
  );
}

export function isOpen(item: ItemRecord): boolean {
  return item.status === "action" || item.status === "waiting";
}

/**
 * The item, still open at the job's time.
 * @throws HubError `conflict` when it is resolved, or its deadline has passed even if no sweep has run yet
 */
export function requireOpen(tx: Tx, item: ItemRecord): void {
  if (!isOpen(item)) {
    const why = item.status === "resolved" ? "is already resolved; an item is resolved once" : "waits on nobody";
    throw new HubError("conflict", `this ${item.kind} ${why}`);
  }
  if (item.expiresAt !== null && item.expiresAt <= tx.now) {
    throw new HubError("conflict", `the deadline of this ${item.kind} has passed; the hub resolves it as it says`);
  }
}

/** Marks an open item resolved by the answer event just written. */
export function resolveItem(tx: Tx, item: ItemRecord, answerId: string): void {
  markResolved(tx.db, item.eventId, answerId, tx.now);
  tx.emit(itemResolved, { item, answerId });
  tx.wake("inbox", `actor:${item.actor}`, `item:${item.eventId}`);
}

/**
 * Resolves every item whose deadline has passed, before a read that shows whether items are open, and in the sweep.
 * @throws HubError `unavailable` when the store cannot write: no item past its deadline is ever shown as open
 */
export async function settleDueItems(services: Services): Promise<void> {
  // Each pass goes on behind the last one, so one that cannot be resolved is tried once and holds up no other.
  let after: DueItem = { expiresAt: 0, eventId: "" };
  for (;;) {
    const due = listDueItems(services.db, { now: services.now(), after, limit: dueBatch });
    const last = due.at(-1);
    if (last === undefined) return;
    await Promise.all(due.map((item) => expireItem(services, item.eventId)));
    after = last;
  }
}

// One item, one job: whoever comes second finds it resolved.
async function expireItem(services: Services, eventId: string): Promise<void> {
  try {
    await services.write((tx) => {
      const item = findItem(tx.db, eventId);
      if (item === undefined || !isOpen(item) || item.expiresAt === null || item.expiresAt > tx.now) return;
      tx.parts.of(itemSubject, item.subjectKind).expire(tx, item);
    });
  } catch (error) {
    if (error instanceof HubError && error.code === "unavailable") throw error;
    // A fault of ours: it stays open, refuses what comes late, and every pass says so again.
    services.log.warn("an item past its deadline could not be resolved", { event: eventId, cause: String(error) });
  }
}
