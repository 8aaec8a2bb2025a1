// SQL of feed cursors: how far an actor has read a project's feed.
import { lowestUlidAt } from "../../shared/ids.ts";
import type { Db } from "../../storage/database.ts";

export function findCursor(db: Db, actor: string, projectId: string): string | undefined {
  return db.get<{ event_id: string }>(
    "SELECT event_id FROM feed_cursors WHERE actor = ? AND project_id = ?",
    actor,
    projectId,
  )?.event_id;
}

/**
 * Forward only: a cursor below the stored one leaves it (mcp-tools.md 9.2). One above every event of the project is
 * stored as the newest there is: later ones are still read, and no cursor tells of what other projects hold.
 */
export function advanceCursor(db: Db, actor: string, projectId: string, eventId: string): void {
  db.run(
    `INSERT INTO feed_cursors (actor, project_id, event_id)
     SELECT ?1, ?2, min(?3, coalesce((SELECT max(id) FROM events WHERE project_id = ?2), ?4)) WHERE true
     ON CONFLICT (actor, project_id) DO UPDATE SET event_id = excluded.event_id WHERE excluded.event_id > event_id`,
    actor,
    projectId,
    eventId,
    lowestUlidAt(0),
  );
}

/** False for an unknown and for a pruned session, and for one of another project than the one given. */
export function isSessionOf(db: Db, projectId: string | null, sessionId: string): boolean {
  const row = db.get<{ project_id: string }>(
    "SELECT project_id FROM sessions WHERE id = ? AND pruned_at IS NULL",
    sessionId,
  );
  return row !== undefined && (projectId === null || row.project_id === projectId);
}

/** How far the operator has seen the project. */
export function findSeen(db: Db, projectId: string): string | undefined {
  return db.get<{ event_id: string }>("SELECT event_id FROM seen_cursors WHERE project_id = ?", projectId)?.event_id;
}

/** Moves it, with the number of events up to there, `system` ones left out. */
export function setSeen(db: Db, projectId: string, eventId: string): void {
  db.run(
    `INSERT INTO seen_cursors (project_id, event_id, seen)
     SELECT ?1, ?2, coalesce((SELECT events FROM event_totals WHERE project_id = ?1), 0)
       - (SELECT count(*) FROM events WHERE project_id = ?1 AND id > ?2 AND kind <> 'system')
     WHERE true ON CONFLICT (project_id) DO UPDATE SET event_id = excluded.event_id, seen = excluded.seen`,
    projectId,
    eventId,
  );
}

/** Events up to the operator's cursor were removed: the count of seen ones follows. */
export function forgetSeen(db: Db, projectId: string, ids: readonly string[]): void {
  const seen = findSeen(db, projectId);
  if (seen === undefined) return;
  const removed = ids.filter((id) => id <= seen).length;
  db.run("UPDATE seen_cursors SET seen = seen - ? WHERE project_id = ?", removed, projectId);
}
