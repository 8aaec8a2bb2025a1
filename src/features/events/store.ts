// SQL of the log: events, their totals, and idempotency keys.

import { byteLength, type Json } from "../../shared/json.ts";
import type { EventKind, InboxStatus } from "../../shared/views.ts";
import type { Db } from "../../storage/database.ts";

export type EventRecord = {
  id: string;
  projectId: string;
  kind: EventKind;
  actor: string;
  summary: string;
  payload: Json;
  threadId: string | null;
  sessionId: string | null;
  createdAt: number;
};

export type EventRow = {
  id: string;
  project_id: string;
  kind: EventKind;
  actor: string;
  summary: string;
  payload: string | null;
  thread_id: string | null;
  session_id: string | null;
  created_at: number;
};

/** An event with the status of its inbox item, as every reader shows it. */
export type EventWithStatus = EventRecord & { inboxStatus: InboxStatus | null };

const columns = "e.id, e.project_id, e.kind, e.actor, e.summary, e.payload, e.thread_id, e.session_id, e.created_at";

function toRecord(row: EventRow): EventRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    actor: row.actor,
    summary: row.summary,
    // Written by insertEvent from JSON.
    payload: row.payload === null ? null : (JSON.parse(row.payload) as Json),
    threadId: row.thread_id,
    sessionId: row.session_id,
    createdAt: row.created_at,
  };
}

/** Writes the event and counts it: `system` events weigh, but are not counted. */
export function insertEvent(db: Db, event: EventRecord): void {
  const payload = event.payload === null ? null : JSON.stringify(event.payload);
  db.run(
    "INSERT INTO events (id, project_id, kind, actor, summary, payload, thread_id, session_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    event.id,
    event.projectId,
    event.kind,
    event.actor,
    event.summary,
    payload,
    event.threadId,
    event.sessionId,
    event.createdAt,
  );
  db.run(
    `INSERT INTO event_totals (project_id, events, bytes) VALUES (?, ?, ?)
     ON CONFLICT (project_id) DO UPDATE SET events = events + excluded.events, bytes = bytes + excluded.bytes`,
    event.projectId,
    event.kind === "system" ? 0 : 1,
    byteLength(event.summary) + byteLength(payload ?? ""),
  );
}

/** Removes the `session` events that tell of one session; returns what is gone. */
export function deleteSessionEvents(db: Db, projectId: string, sessionId: string): string[] {
  const gone = db.all<{ id: string; bytes: number }>(
    `DELETE FROM events WHERE session_id = ? AND kind = 'session' AND project_id = ?
     RETURNING id, octet_length(summary) + coalesce(octet_length(payload), 0) AS bytes`,
    sessionId,
    projectId,
  );
  const bytes = gone.reduce((sum, event) => sum + event.bytes, 0);
  db.run(
    "UPDATE event_totals SET events = events - ?, bytes = bytes - ? WHERE project_id = ?",
    gone.length,
    bytes,
    projectId,
  );
  return gone.map((event) => event.id);
}

/** The events after one id, over every project, oldest first. */
export function listEventsFrom(db: Db, after: string, limit: number): EventRecord[] {
  return db
    .all<EventRow>(`SELECT ${columns} FROM events e WHERE e.id > ? ORDER BY e.id LIMIT ?`, after, limit)
    .map(toRecord);
}

export function findEvent(db: Db, id: string): EventRecord | undefined {
  const row = db.get<EventRow>(`SELECT ${columns} FROM events e WHERE e.id = ?`, id);
  return row === undefined ? undefined : toRecord(row);
}

/** Events of the project, `system` ones left out. */
export function countEvents(db: Db, projectId: string): number {
  return db.get<{ events: number }>("SELECT events FROM event_totals WHERE project_id = ?", projectId)?.events ?? 0;
}

export type EventFilter = {
  /** Null reads every project. */
  projectId: string | null;
  kinds: readonly EventKind[];
  sessionId?: string | undefined;
  actor?: string | undefined;
  /** Exclusive event ids. */
  since?: string | undefined;
  before?: string | undefined;
  limit: number;
  oldestFirst: boolean;
};

/** One page of events with the status of their inbox items. */
export function listEvents(db: Db, filter: EventFilter): EventWithStatus[] {
  const where: string[] = [];
  const values: (string | number)[] = [];
  const add = (clause: string, ...given: string[]): void => {
    where.push(clause);
    values.push(...given);
  };
  if (filter.projectId !== null) add("e.project_id = ?", filter.projectId);
  if (filter.sessionId !== undefined) add("e.session_id = ?", filter.sessionId);
  if (filter.actor !== undefined) add("e.actor = ?", filter.actor);
  if (filter.since !== undefined) add("e.id > ?", filter.since);
  if (filter.before !== undefined) add("e.id < ?", filter.before);
  // The condition of the index that leaves signals out; SQLite uses it only when the text says so.
  if (!filter.kinds.includes("signal")) add("e.kind <> 'signal'");
  add(`e.kind IN (${filter.kinds.map(() => "?").join(", ")})`, ...filter.kinds);
  const rows = db.all<EventRow & { inbox_status: InboxStatus | null }>(
    `SELECT ${columns}, i.status AS inbox_status FROM events e LEFT JOIN items i ON i.event_id = e.id
     WHERE ${where.join(" AND ")} ORDER BY e.id ${filter.oldestFirst ? "ASC" : "DESC"} LIMIT ?`,
    ...values,
    filter.limit,
  );
  return rows.map((row) => ({ ...toRecord(row), inboxStatus: row.inbox_status }));
}

/** The event with the status of its inbox item. */
export function withStatus(db: Db, event: EventRecord): EventWithStatus {
  const row = db.get<{ status: InboxStatus }>("SELECT status FROM items WHERE event_id = ?", event.id);
  return { ...event, inboxStatus: row?.status ?? null };
}

type KeyRow = { target: string; result: string };

export function findKey(db: Db, scope: string, operation: string, key: string): KeyRow | undefined {
  return db.get<KeyRow>(
    "SELECT target, result FROM idempotency_keys WHERE project_id = ? AND operation = ? AND key = ?",
    scope,
    operation,
    key,
  );
}

export function insertKey(
  db: Db,
  row: { scope: string; operation: string; key: string; target: string; result: string },
): void {
  db.run(
    // A decision may remove the project it was made in, and with it whatever would replay it.
    `INSERT INTO idempotency_keys (project_id, operation, key, target, result)
     SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM projects WHERE id = ?1)`,
    row.scope,
    row.operation,
    row.key,
    row.target,
    row.result,
  );
}

/** Which keys go with a thing: those bound to it, and those whose first result made it. */
export type KeyedThing = {
  scope: string;
  targeted: { operations: readonly string[]; target: string };
  resulted: { operation: string; member: string; value: string };
};

/** The same keys then write afresh (mcp-tools.md 10). */
export function dropReplayKeys(db: Db, { scope, targeted, resulted }: KeyedThing): void {
  for (const operation of targeted.operations) {
    db.run(
      "DELETE FROM idempotency_keys WHERE project_id = ? AND operation = ? AND target = ?",
      scope,
      operation,
      targeted.target,
    );
  }
  db.run(
    "DELETE FROM idempotency_keys WHERE project_id = ? AND operation = ? AND result ->> ? = ?",
    scope,
    resulted.operation,
    resulted.member,
    resulted.value,
  );
}
