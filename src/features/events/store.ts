// SQL of the log: events, their totals, and idempotency keys.
import type { EventKind, InboxStatus } from "../../shared/api.ts";
import type { Json } from "../../shared/json.ts";
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

export function insertEvent(db: Db, event: EventRecord): void {
  db.run(
    "INSERT INTO events (id, project_id, kind, actor, summary, payload, thread_id, session_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    event.id,
    event.projectId,
    event.kind,
    event.actor,
    event.summary,
    event.payload === null ? null : JSON.stringify(event.payload),
    event.threadId,
    event.sessionId,
    event.createdAt,
  );
}

export function findEvent(db: Db, id: string): EventRecord | undefined {
  const row = db.get<EventRow>(`SELECT ${columns} FROM events e WHERE e.id = ?`, id);
  return row === undefined ? undefined : toRecord(row);
}

export function addToTotal(db: Db, projectId: string): void {
  db.run(
    "INSERT INTO event_totals (project_id, events) VALUES (?, 1) ON CONFLICT (project_id) DO UPDATE SET events = events + 1",
    projectId,
  );
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
    "INSERT INTO idempotency_keys (project_id, operation, key, target, result) VALUES (?, ?, ?, ?, ?)",
    row.scope,
    row.operation,
    row.key,
    row.target,
    row.result,
  );
}
