// SQL of inbox items. What an item says stands in its event; this table holds its state.
import type { InboxStatus, ItemKind, OnExpiry } from "../../shared/api.ts";
import type { Db } from "../../storage/database.ts";

export type ItemRecord = {
  eventId: string;
  projectId: string;
  kind: ItemKind;
  actor: string;
  subjectKind: string;
  subjectId: string;
  status: InboxStatus;
  createdAt: number;
  updatedAt: number;
  expiresAt: number | null;
  onExpiry: OnExpiry | null;
  answerId: string | null;
};

type ItemRow = {
  event_id: string;
  project_id: string;
  kind: ItemKind;
  actor: string;
  subject_kind: string;
  subject_id: string;
  status: InboxStatus;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  on_expiry: OnExpiry | null;
  answer_id: string | null;
};

const columns =
  "event_id, project_id, kind, actor, subject_kind, subject_id, status, created_at, updated_at, expires_at, on_expiry, answer_id";

function toRecord(row: ItemRow): ItemRecord {
  return {
    eventId: row.event_id,
    projectId: row.project_id,
    kind: row.kind,
    actor: row.actor,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    onExpiry: row.on_expiry,
    answerId: row.answer_id,
  };
}

export function insertItem(db: Db, item: ItemRecord): void {
  db.run(
    `INSERT INTO items (${columns}, effective_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    item.eventId,
    item.projectId,
    item.kind,
    item.actor,
    item.subjectKind,
    item.subjectId,
    item.status,
    item.createdAt,
    item.updatedAt,
    item.expiresAt,
    item.onExpiry,
    item.answerId,
    item.eventId,
  );
}

export function findItem(db: Db, eventId: string): ItemRecord | undefined {
  const row = db.get<ItemRow>(`SELECT ${columns} FROM items WHERE event_id = ?`, eventId);
  return row === undefined ? undefined : toRecord(row);
}

export function markResolved(db: Db, eventId: string, answerId: string, now: number): void {
  db.run(
    "UPDATE items SET status = 'resolved', answer_id = ?, effective_id = max(event_id, ?), updated_at = ?, snoozed_until = NULL WHERE event_id = ?",
    answerId,
    answerId,
    now,
    eventId,
  );
}

export function countOpenItems(db: Db, projectId: string): number {
  return count(
    db,
    "SELECT count(*) AS n FROM items WHERE project_id = ? AND status IN ('action', 'waiting')",
    projectId,
  );
}

export function countOpenItemsOf(db: Db, projectId: string, actor: string): number {
  return count(
    db,
    "SELECT count(*) AS n FROM items WHERE project_id = ? AND actor = ? AND status IN ('action', 'waiting')",
    projectId,
    actor,
  );
}

function count(db: Db, sql: string, ...values: string[]): number {
  return db.get<{ n: number }>(sql, ...values)?.n ?? 0;
}

/** Open items whose deadline has passed, the longest overdue first. */
export function listDueItems(db: Db, now: number, limit: number): ItemRecord[] {
  return db
    .all<ItemRow>(
      `SELECT ${columns} FROM items WHERE expires_at IS NOT NULL AND status IN ('action', 'waiting') AND expires_at <= ?
       ORDER BY expires_at, event_id LIMIT ?`,
      now,
      limit,
    )
    .map(toRecord);
}
