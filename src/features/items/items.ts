// Inbox items: how one enters, stays open, and is resolved exactly once (mcp-tools.md 11, 12).
import type { Services, Tx } from "../../kernel/ctx.ts";
import { defineFact } from "../../kernel/facts.ts";
import { defineSlot } from "../../kernel/parts.ts";
import type { ItemKind, OnExpiry } from "../../shared/api.ts";
import { HubError } from "../../shared/errors.ts";
import type { EventRecord } from "../events/index.ts";
import {
  countOpenItems,
  countOpenItemsOf,
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
    throw new HubError("conflict", `this ${item.kind} is already resolved; an item is resolved once`);
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

/** Resolves every item whose deadline has passed, before a read that shows whether items are open, and in the sweep. */
export async function settleDueItems(services: Services): Promise<void> {
  // Bounded by the number of items due now: each pass resolves all it sees or stops.
  for (let due = findDue(services); due.length > 0; due = findDue(services)) {
    const settled = await Promise.all(due.map((item) => expireItem(services, item.eventId)));
    if (!settled.some(Boolean)) return;
  }
}

function findDue(services: Services): ItemRecord[] {
  return listDueItems(services.db, services.now(), dueBatch);
}

// One item, one job: a subject that fails holds up no other. True when the item is no longer due.
async function expireItem(services: Services, eventId: string): Promise<boolean> {
  try {
    await services.write((tx) => {
      const item = findItem(tx.db, eventId);
      if (item === undefined || !isOpen(item) || item.expiresAt === null || item.expiresAt > tx.now) return;
      tx.parts.of(itemSubject, item.subjectKind).expire(tx, item);
    });
    return true;
  } catch (error) {
    services.log.warn("an item past its deadline could not be resolved", { event: eventId, cause: String(error) });
    return false;
  }
}
