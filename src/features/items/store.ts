// SQL of inbox items. What an item says stands in its event; this table holds its state.
import type { InboxStatus, ItemKind, OnExpiry } from "../../shared/views.ts";
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
  snoozedUntil: number | null;
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
  snoozed_until: number | null;
};

const columns =
  "event_id, project_id, kind, actor, subject_kind, subject_id, status, created_at, updated_at, expires_at, on_expiry, answer_id, snoozed_until";

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
    snoozedUntil: row.snoozed_until,
  };
}

export function insertItem(db: Db, item: ItemRecord): void {
  db.run(
    `INSERT INTO items (${columns}, effective_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
    item.snoozedUntil,
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

/** An item past its deadline, and its place in the order they are settled in. */
export type DueItem = { eventId: string; expiresAt: number };

/** Open items whose deadline has passed, the longest overdue first, behind `after`. */
export function listDueItems(db: Db, page: { now: number; after: DueItem; limit: number }): DueItem[] {
  return db
    .all<{ event_id: string; expires_at: number }>(
      `SELECT event_id, expires_at FROM items
       WHERE expires_at IS NOT NULL AND status IN ('action', 'waiting') AND expires_at <= ?
         AND (expires_at, event_id) > (?, ?)
       ORDER BY expires_at, event_id LIMIT ?`,
      page.now,
      page.after.expiresAt,
      page.after.eventId,
      page.limit,
    )
    .map((row) => ({ eventId: row.event_id, expiresAt: row.expires_at }));
}

/** True when the entry moved; only `unread` and `read` ones do. */
export function moveReadState(
  db: Db,
  eventId: string,
  from: "unread" | "read",
  to: "unread" | "read",
  now: number,
): boolean {
  return (
    db.run("UPDATE items SET status = ?, updated_at = ? WHERE event_id = ? AND status = ?", to, now, eventId, from) > 0
  );
}

/** Ids of the entries that were unread, newest first. Null takes every project, and every event id. */
export function markUnreadRead(db: Db, projectId: string | null, upTo: string | null, now: number): string[] {
  const moved = db.all<{ event_id: string }>(
    `UPDATE items SET status = 'read', updated_at = ?
     WHERE status = 'unread' AND (? IS NULL OR project_id = ?) AND (? IS NULL OR event_id <= ?) RETURNING event_id`,
    now,
    projectId,
    projectId,
    upTo,
    upTo,
  );
  return moved.map((row) => row.event_id).sort((a, b) => (a < b ? 1 : -1));
}

export function setSnooze(db: Db, eventId: string, until: number | null): void {
  db.run("UPDATE items SET snoozed_until = ? WHERE event_id = ?", until, eventId);
}

/** True when snoozes had run out by `now`; they are cleared. */
export function clearOldSnoozes(db: Db, now: number): boolean {
  return (
    db.run("UPDATE items SET snoozed_until = NULL WHERE snoozed_until IS NOT NULL AND snoozed_until <= ?", now) > 0
  );
}

export function hasOldSnoozes(db: Db, now: number): boolean {
  return (
    db.get("SELECT 1 FROM items WHERE snoozed_until IS NOT NULL AND snoozed_until <= ? LIMIT 1", now) !== undefined
  );
}

export function setDeadline(db: Db, eventId: string, expiresAt: number): void {
  db.run("UPDATE items SET expires_at = ? WHERE event_id = ?", expiresAt, eventId);
}
