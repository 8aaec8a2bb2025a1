// SQL of the operator's home: figures over other nouns' tables, read only.
import type { Db } from "../../storage/database.ts";

export type ActiveSession = {
  id: string;
  name: string;
  agent: string;
  project_id: string;
  display_name: string | null;
  created_at: number;
  last_activity: number;
  last_event: string | null;
};

/** Distinct agents with a session touched since, in milliseconds. */
export function countAgentsActive(db: Db, since: number): number {
  return (
    db.get<{ n: number }>(
      "SELECT count(DISTINCT agent) AS n FROM sessions WHERE last_activity >= ? AND pruned_at IS NULL",
      since,
    )?.n ?? 0
  );
}

/** Running sessions, latest activity first. */
export function listActiveSessions(db: Db, limit: number): ActiveSession[] {
  return db.all<ActiveSession>(
    `SELECT s.id, s.name, s.agent, s.project_id, p.display_name, s.created_at, s.last_activity,
       (SELECT e.summary FROM events e WHERE e.session_id = s.id ORDER BY e.id DESC LIMIT 1) AS last_event
     FROM sessions s LEFT JOIN projects p ON p.id = s.project_id
     WHERE s.status = 'active' AND s.pruned_at IS NULL ORDER BY s.last_activity DESC, s.id DESC LIMIT ?`,
    limit,
  );
}

export function listUnseen(db: Db): { project_id: string; display_name: string; events: number }[] {
  return db.all(
    `SELECT p.id AS project_id, p.display_name, t.events - coalesce(s.seen, 0) AS events
     FROM projects p JOIN event_totals t ON t.project_id = p.id LEFT JOIN seen_cursors s ON s.project_id = p.id
     WHERE t.events > coalesce(s.seen, 0) ORDER BY p.created_at, p.id`,
  );
}

export function displayNames(db: Db, ids: readonly string[]): Map<string, string> {
  if (ids.length === 0) return new Map();
  const rows = db.all<{ id: string; display_name: string }>(
    `SELECT id, display_name FROM projects WHERE id IN (${ids.map(() => "?").join(", ")})`,
    ...ids,
  );
  return new Map(rows.map((row) => [row.id, row.display_name]));
}

/** Ended sessions that are not pruned, and what their brains weigh. */
export function countPrunable(db: Db): { sessions: number; bytes: number } {
  return (
    db.get<{ sessions: number; bytes: number }>(
      `SELECT count(*) AS sessions, coalesce(sum(brain_bytes), 0) AS bytes FROM sessions
       WHERE status = 'ended' AND pruned_at IS NULL`,
    ) ?? { sessions: 0, bytes: 0 }
  );
}

/** Pages whose trust asks for a look, over every project; counted where pages are written. */
export function countNeedsReview(db: Db): number {
  return (
    db.get<{ n: number }>(
      "SELECT coalesce(sum(unverified + machine_confirmed + edited_since_review), 0) AS n FROM knowledge_bases",
    )?.n ?? 0
  );
}
