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
};

const columns = "id, project_id, agent, name, status, created_at, last_activity, handoff, brain_bytes, pruned_at";

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
  };
}

export function insertSession(db: Db, session: SessionRecord): void {
  db.run(
    `INSERT INTO sessions (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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

/** False for an unknown and for a pruned session. */
export function isSessionKnown(db: Db, id: string): boolean {
  return db.get("SELECT 1 FROM sessions WHERE id = ? AND pruned_at IS NULL", id) !== undefined;
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
  db.run("UPDATE sessions SET brain_bytes = brain_bytes + ? WHERE id = ?", difference, id);
}
