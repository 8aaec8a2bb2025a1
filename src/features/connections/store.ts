// SQL of MCP connections: one row a connection and identity (mcp-tools.md 1, architecture.md 7).
import type { ConnectionRef } from "../../kernel/ctx.ts";
import type { Db } from "../../storage/database.ts";

export type ConnectionRecord = { activeSessionId: string | null; protocol: string | null; lastUsedAt: number };

type Row = { active_session_id: string | null; protocol: string | null; last_used_at: number };

export function findConnection(db: Db, ref: ConnectionRef): ConnectionRecord | undefined {
  const row = db.get<Row>(
    "SELECT active_session_id, protocol, last_used_at FROM connections WHERE identity = ? AND id = ?",
    ref.identity,
    ref.id,
  );
  return row === undefined
    ? undefined
    : { activeSessionId: row.active_session_id, protocol: row.protocol, lastUsedAt: row.last_used_at };
}

/** Creates the row, or refreshes what it says of the client. */
export function upsertConnection(
  db: Db,
  ref: ConnectionRef,
  seen: { client: string | null; protocol: string | null; now: number },
): void {
  db.run(
    `INSERT INTO connections (identity, id, client, protocol, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (identity, id) DO UPDATE SET client = coalesce(excluded.client, client),
       protocol = coalesce(excluded.protocol, protocol), last_used_at = excluded.last_used_at`,
    ref.identity,
    ref.id,
    seen.client,
    seen.protocol,
    seen.now,
    seen.now,
  );
}

export function markConnectionUsed(db: Db, ref: ConnectionRef, now: number): void {
  db.run("UPDATE connections SET last_used_at = ? WHERE identity = ? AND id = ?", now, ref.identity, ref.id);
}

/** True when there was one. */
export function deleteConnection(db: Db, ref: ConnectionRef): boolean {
  return db.run("DELETE FROM connections WHERE identity = ? AND id = ?", ref.identity, ref.id) > 0;
}

export function deleteIdleConnection(db: Db, ref: ConnectionRef, usedBefore: number): void {
  db.run(
    "DELETE FROM connections WHERE identity = ? AND id = ? AND last_used_at < ?",
    ref.identity,
    ref.id,
    usedBefore,
  );
}

export function deleteIdleConnections(db: Db, usedBefore: number): number {
  return db.run("DELETE FROM connections WHERE last_used_at < ?", usedBefore);
}

/** Makes a session the connection's active one. */
export function setActiveSession(db: Db, ref: ConnectionRef, sessionId: string): void {
  db.run("UPDATE connections SET active_session_id = ? WHERE identity = ? AND id = ?", sessionId, ref.identity, ref.id);
}

/** The connection no longer holds the session; one it took up meanwhile stays. */
export function releaseActiveSession(db: Db, ref: ConnectionRef, sessionId: string): void {
  db.run(
    "UPDATE connections SET active_session_id = NULL WHERE identity = ? AND id = ? AND active_session_id = ?",
    ref.identity,
    ref.id,
    sessionId,
  );
}

/** No connection holds the session any more. */
export function clearActiveSession(db: Db, sessionId: string): void {
  db.run("UPDATE connections SET active_session_id = NULL WHERE active_session_id = ?", sessionId);
}

/** Id and project of the connection's active session. */
export function findActiveSession(db: Db, ref: ConnectionRef): { id: string; projectId: string } | undefined {
  // Every write of a connected caller asks this: two look-ups by key take a third of the time of a join.
  const id = findConnection(db, ref)?.activeSessionId ?? null;
  if (id === null) return undefined;
  const session = db.get<{ project_id: string }>("SELECT project_id FROM sessions WHERE id = ?", id);
  return session && { id, projectId: session.project_id };
}
