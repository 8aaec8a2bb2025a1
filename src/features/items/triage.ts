// What the operator does with entries of the inbox besides resolving them (rest-api.md 6): read, snooze, extend. None of
// it appends an event, and agents see none of it but a moved deadline.
import { z } from "zod";
import type { Ctx, Services, Tx } from "../../kernel/ctx.ts";
import { anyId } from "../../kernel/fields.ts";
import { invalid } from "../../kernel/input.ts";
import { writeOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { snoozeMsMax } from "../../shared/limits.ts";
import { operatorOnly } from "../projects/index.ts";
import { isOpen, requireOpen, settleDueItems } from "./items.ts";
import { deadlineSeconds } from "./schema.ts";
import {
  clearOldSnoozes,
  findItem,
  hasOldSnoozes,
  type ItemRecord,
  markUnreadRead,
  moveReadState,
  setDeadline,
  setSnooze,
} from "./store.ts";

const reportedIds = 500;

const ItemRef = z.object({ event_id: anyId });

function requireEntry(tx: Tx, eventId: string): ItemRecord {
  const item = findItem(tx.db, eventId);
  if (item === undefined) throw new HubError("not_found", `event ${JSON.stringify(eventId)} has no inbox entry`);
  return item;
}

function moveRead(name: string, from: "unread" | "read", to: "unread" | "read") {
  return writeOperation({
    name,
    input: ItemRef,
    access: operatorOnly,
    run(tx, _ctx, input) {
      const item = requireEntry(tx, input.event_id);
      const isChanged = moveReadState(tx.db, item.eventId, from, to, tx.now);
      if (isChanged) tx.wake("inbox");
      return { eventId: item.eventId, status: isChanged ? to : item.status, isChanged };
    },
  });
}

export const markRead = moveRead("markRead", "unread", "read");
export const markUnread = moveRead("markUnread", "read", "unread");

export const markAllRead = writeOperation({
  name: "markAllRead",
  input: z.object({ project_id: anyId.optional(), up_to: anyId.optional() }),
  access: operatorOnly,
  run(tx, _ctx, input) {
    const moved = markUnreadRead(tx.db, unlessBlank(input.project_id), unlessBlank(input.up_to), tx.now);
    if (moved.length > 0) tx.wake("inbox");
    return { marked: moved.length, eventIds: moved.slice(0, reportedIds) };
  },
});

// A blank id means the whole inbox, as none does.
function unlessBlank(id: string | undefined): string | null {
  return id === undefined || id.trim() === "" ? null : id;
}

const untilExpected = "an RFC 3339 time in the future, at most 30 days ahead";

export const snoozeItem = writeOperation({
  name: "snoozeItem",
  input: z.object({
    event_id: anyId,
    until: z.iso.datetime({ offset: true, error: untilExpected }),
  }),
  access: operatorOnly,
  before: (ctx) => settleDueItems(ctx),
  run(tx, ctx, input) {
    const item = requireEntry(tx, input.event_id);
    const until = Date.parse(input.until);
    if (!(until > tx.now && until <= tx.now + snoozeMsMax)) throw invalid("until", input.until, untilExpected);
    if (!isOpen(item))
      throw new HubError("conflict", `this ${item.kind} waits on nobody; only an open item is snoozed`);
    setSnooze(tx.db, item.eventId, until);
    tx.wake("inbox");
    logTriage(tx, ctx, "item snoozed", item);
    return { eventId: item.eventId, until };
  },
});

export const wakeItem = writeOperation({
  name: "wakeItem",
  input: ItemRef,
  access: operatorOnly,
  run(tx, ctx, input) {
    const item = requireEntry(tx, input.event_id);
    if (item.snoozedUntil === null) return;
    setSnooze(tx.db, item.eventId, null);
    tx.wake("inbox");
    logTriage(tx, ctx, "item woken", item);
  },
});

export const extendItem = writeOperation({
  name: "extendItem",
  input: z.object({ event_id: anyId, seconds: deadlineSeconds }),
  access: operatorOnly,
  run(tx, ctx, input) {
    const item = requireEntry(tx, input.event_id);
    requireOpen(tx, item);
    if (item.expiresAt === null) {
      throw new HubError(
        "conflict",
        `this ${item.kind} has no deadline to extend; it waits for you as long as it takes`,
      );
    }
    const expiresAt = tx.now + input.seconds * 1000;
    if (expiresAt <= item.expiresAt) {
      throw invalid("seconds", input.seconds, "a deadline later than the present one");
    }
    setDeadline(tx.db, item.eventId, expiresAt);
    tx.wake("inbox", `actor:${item.actor}`, `item:${item.eventId}`);
    logTriage(tx, ctx, "deadline extended", item);
    return { eventId: item.eventId, expiresAt };
  },
});

/** Tells the inbox's readers that snoozes ran out; every read shows it already. */
export async function sweepSnoozes(services: Services): Promise<void> {
  if (!hasOldSnoozes(services.db, services.now())) return;
  await services.write((tx) => {
    if (clearOldSnoozes(tx.db, tx.now)) tx.wake("inbox");
  });
}

// These acts stay out of the feed; the log has one line each (rest-api.md 0.11).
function logTriage(tx: Tx, ctx: Ctx, message: string, item: ItemRecord): void {
  tx.afterCommit(() => ctx.log.info(message, { event: item.eventId, project: item.projectId }));
}
