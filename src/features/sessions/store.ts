// SQL of sessions.
import type { Db } from "../../storage/database.ts";

export type SessionStatus = "active" | "ended";

export type SessionRecord = {
  id: string;
  projectId: string;
  agent: string;
  name: string;
  status: SessionStatus;
  createdAt: number;
  lastActivity: number;
  handoff: string | null;
  brainBytes: number;
  prunedAt: number | null;
  forkedFrom: string | null;
  adoptedFrom: string | null;
};

type Row = {
  id: string;
  project_id: string;
  agent: string;
  name: string;
  status: SessionStatus;
  created_at: number;
  last_activity: number;
  handoff: string | null;
  brain_bytes: number;
  pruned_at: number | null;
  forked_from: string | null;
  adopted_from: string | null;
};

const columns =
  "id, project_id, agent, name, status, created_at, last_activity, handoff, brain_bytes, pruned_at, forked_from, adopted_from";

function toRecord(row: Row): SessionRecord {
  return {
    id: row.id,
    projectId: row.project_id,
    agent: row.agent,
    name: row.name,
    status: row.status,
    createdAt: row.created_at,
    lastActivity: row.last_activity,
    handoff: row.handoff,
    brainBytes: row.brain_bytes,
    prunedAt: row.pruned_at,
    forkedFrom: row.forked_from,
    adoptedFrom: row.adopted_from,
  };
}

export function insertSession(db: Db, session: SessionRecord): void {
  db.run(
    `INSERT INTO sessions (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    session.id,
    session.projectId,
    session.agent,
    session.name,
    session.status,
    session.createdAt,
    session.lastActivity,
    session.handoff,
    session.brainBytes,
    session.prunedAt,
    session.forkedFrom,
    session.adoptedFrom,
  );
}

export function findSession(db: Db, id: string): SessionRecord | undefined {
  const row = db.get<Row>(`SELECT ${columns} FROM sessions WHERE id = ?`, id);
  return row === undefined ? undefined : toRecord(row);
}

export function findSessionNamed(db: Db, projectId: string, agent: string, name: string): SessionRecord | undefined {
  const row = db.get<Row>(
    `SELECT ${columns} FROM sessions WHERE project_id = ? AND agent = ? AND name = ?`,
    projectId,
    agent,
    name,
  );
  return row === undefined ? undefined : toRecord(row);
}

export function markResumed(db: Db, id: string, now: number): void {
  db.run("UPDATE sessions SET status = 'active', last_activity = ? WHERE id = ?", now, id);
}

/** A null note keeps the stored one. */
export function markEnded(db: Db, id: string, handoff: string | null): void {
  db.run("UPDATE sessions SET status = 'ended', handoff = coalesce(?, handoff) WHERE id = ?", handoff, id);
}

export function markActivity(db: Db, id: string, now: number): void {
  db.run("UPDATE sessions SET last_activity = ? WHERE id = ? AND last_activity < ?", now, id, now);
}

export function addBrainBytes(db: Db, id: string, difference: number): void {
  if (difference !== 0) db.run("UPDATE sessions SET brain_bytes = brain_bytes + ? WHERE id = ?", difference, id);
}

export type SessionFilter = {
  projects: { sql: string; values: string[] };
  status?: SessionStatus | undefined;
  agent?: string | undefined;
};

/** Sessions that are not pruned, latest activity first. */
export function listSessionRows(db: Db, filter: SessionFilter, limit: number): SessionRecord[] {
  const where = [`project_id IN (${filter.projects.sql})`, "pruned_at IS NULL"];
  const values: (string | number)[] = [...filter.projects.values];
  if (filter.status !== undefined) {
    where.push("status = ?");
    values.push(filter.status);
  }
  if (filter.agent !== undefined) {
    where.push("agent = ?");
    values.push(filter.agent);
  }
  return db
    .all<Row>(
      `SELECT ${columns} FROM sessions WHERE ${where.join(" AND ")} ORDER BY last_activity DESC, id DESC LIMIT ?`,
      ...values,
      limit,
    )
    .map(toRecord);
}

/** The session goes on under another owner and name, running. */
export function markAdopted(
  db: Db,
  id: string,
  by: { agent: string; name: string; adoptedFrom: string | null; now: number },
): void {
  db.run(
    "UPDATE sessions SET agent = ?, name = ?, adopted_from = ?, status = 'active', last_activity = ? WHERE id = ?",
    by.agent,
    by.name,
    by.adoptedFrom,
    by.now,
    id,
  );
}

export function setOwner(db: Db, id: string, agent: string): void {
  db.run("UPDATE sessions SET agent = ? WHERE id = ?", agent, id);
}

/** True when the session was ended and not pruned; it is pruned now. */
export function markPruned(db: Db, id: string, undoToken: string, now: number): boolean {
  return (
    db.run(
      "UPDATE sessions SET pruned_at = ?, undo_token = ? WHERE id = ? AND status = 'ended' AND pruned_at IS NULL",
      now,
      undoToken,
      id,
    ) > 0
  );
}

export function unmarkPruned(db: Db, id: string): void {
  db.run("UPDATE sessions SET pruned_at = NULL, undo_token = NULL WHERE id = ?", id);
}

/** True when the session is still pruned and its window was over by `prunedBefore`; it can no longer be taken back. */
export function dropUndoToken(db: Db, id: string, prunedBefore: number): boolean {
  return db.run("UPDATE sessions SET undo_token = NULL WHERE id = ? AND pruned_at <= ?", id, prunedBefore) > 0;
}

export function findByUndoToken(db: Db, undoToken: string): SessionRecord | undefined {
  const row = db.get<Row>(`SELECT ${columns} FROM sessions WHERE undo_token = ?`, undoToken);
  return row === undefined ? undefined : toRecord(row);
}

/** Ids of ended sessions that are not pruned; null takes every project. */
export function listPrunable(db: Db, projectId: string | null): string[] {
  return db
    .all<{ id: string }>(
      "SELECT id FROM sessions WHERE status = 'ended' AND pruned_at IS NULL AND (?1 IS NULL OR project_id = ?1) ORDER BY id",
      projectId,
    )
    .map((row) => row.id);
}

/** Sessions whose undo window was over by `prunedBefore`, in milliseconds. */
export function listFinallyPruned(db: Db, prunedBefore: number): SessionRecord[] {
  return db
    .all<Row>(`SELECT ${columns} FROM sessions WHERE pruned_at IS NOT NULL AND pruned_at <= ?`, prunedBefore)
    .map(toRecord);
}

export function deleteSession(db: Db, id: string): void {
  db.run("DELETE FROM sessions WHERE id = ?", id);
}

/** How many events were written in the session, and its newest; `system` events are nowhere among them. */
export function countSessionEvents(
  db: Db,
  id: string,
): { events: number; lastEvent: { at: number; actor: string; summary: string } | null } {
  const count = db.get<{ events: number }>("SELECT count(*) AS events FROM events WHERE session_id = ?", id);
  const last = db.get<{ at: number; actor: string; summary: string }>(
    "SELECT created_at AS at, actor, summary FROM events WHERE session_id = ? ORDER BY id DESC LIMIT 1",
    id,
  );
  return { events: count?.events ?? 0, lastEvent: last ?? null };
}
