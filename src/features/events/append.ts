// The one way an event comes to be: minted, counted against the ceiling, announced (mcp-tools.md 8, 12.3).

import type { Tx } from "../../kernel/ctx.ts";
import { defineFact } from "../../kernel/facts.ts";
import { HubError } from "../../shared/errors.ts";
import { operatorActor } from "../../shared/ids.ts";
import { codePoints, type Json } from "../../shared/json.ts";
import { summaryChars } from "../../shared/limits.ts";
import type { EventKind } from "../../shared/views.ts";
import { countEvents, deleteSessionEvents, type EventRecord, insertEvent } from "./store.ts";

/** Something was written to a feed; search rows and subscriptions hang on it. */
export const eventAppended = defineFact<EventRecord>("event_appended");

/** Events were removed with the session they tell of. */
export const eventsRemoved = defineFact<{ projectId: string; ids: readonly string[] }>("events_removed");

export type NewEvent = {
  projectId: string;
  kind: Exclude<EventKind, "system">;
  actor: string;
  summary: string;
  payload?: Json | undefined;
  threadId?: string | null | undefined;
  /** The event is its own thread's root. */
  rootsThread?: boolean | undefined;
  sessionId?: string | null | undefined;
  /** Session lifecycle, expiries and what the operator does pass the ceiling (mcp-tools.md 12.3). */
  ceiling: "held" | "exempt";
};

/**
 * Appends an event inside a write job and returns it.
 * @throws HubError `conflict` `{cap, setting}` when the project is at its ceiling and the event is not exempt
 */
export function appendEvent(tx: Tx, event: NewEvent): EventRecord {
  if (event.ceiling === "held") holdCeiling(tx, event.projectId);
  const id = tx.id();
  const record: EventRecord = {
    id,
    projectId: event.projectId,
    kind: event.kind,
    actor: event.actor,
    summary: cutSummary(event.summary),
    payload: event.payload ?? null,
    threadId: event.rootsThread === true ? id : (event.threadId ?? null),
    sessionId: event.sessionId ?? null,
    createdAt: tx.now,
  };
  insertEvent(tx.db, record);
  tx.afterCommit(() => tx.metrics.events.add(record.kind));
  tx.emit(eventAppended, record);
  tx.wake(`feed:${event.projectId}`);
  return record;
}

/** Appends an audit record: kind `system`, the operator's eyes only, never counted (rest-api.md 0.11). */
export function appendAudit(
  tx: Tx,
  projectId: string,
  payload: { action: string; [fact: string]: Json },
  actor = operatorActor,
): void {
  insertEvent(tx.db, {
    id: tx.id(),
    projectId,
    kind: "system",
    actor,
    summary: payload.action.replaceAll("_", " "),
    payload,
    threadId: null,
    sessionId: null,
    createdAt: tx.now,
  });
  tx.afterCommit(() => tx.metrics.events.add("system"));
}

/** Removes the `session` events of one session, when its prune becomes final. */
export function removeSessionEvents(tx: Tx, projectId: string, sessionId: string): void {
  const ids = deleteSessionEvents(tx.db, projectId, sessionId);
  if (ids.length === 0) return;
  tx.emit(eventsRemoved, { projectId, ids });
  tx.wake(`feed:${projectId}`);
}

/** False when the project is at its event ceiling: a signal the hub adds by itself is then dropped and logged. */
export function hasRoom(tx: Tx, projectId: string): boolean {
  const cap = tx.config.eventsPerProject;
  return cap === 0 || countEvents(tx.db, projectId) < cap;
}

function holdCeiling(tx: Tx, projectId: string): void {
  if (hasRoom(tx, projectId)) return;
  const cap = tx.config.eventsPerProject;
  throw new HubError(
    "conflict",
    `the project holds ${cap} events, its ceiling; the operator can raise HUB_EVENTS_PER_PROJECT`,
    { cap, setting: "HUB_EVENTS_PER_PROJECT" },
  );
}

// A caller's own summary was checked on the way in; a derived one ("re: ...") is cut to fit (mcp-tools.md 8.3).
function cutSummary(summary: string): string {
  if (codePoints(summary) <= summaryChars) return summary;
  return [...summary].slice(0, summaryChars).join("");
}
