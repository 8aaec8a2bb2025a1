// SQL of feed cursors: how far an actor has read a project's feed.
import type { Db } from "../../storage/database.ts";

export function findCursor(db: Db, actor: string, projectId: string): string | undefined {
  return db.get<{ event_id: string }>(
    "SELECT event_id FROM feed_cursors WHERE actor = ? AND project_id = ?",
    actor,
    projectId,
  )?.event_id;
}

/** Forward only: a cursor below the stored one leaves it (mcp-tools.md 9.2). */
export function advanceCursor(db: Db, actor: string, projectId: string, eventId: string): void {
  db.run(
    `INSERT INTO feed_cursors (actor, project_id, event_id) VALUES (?, ?, ?)
     ON CONFLICT (actor, project_id) DO UPDATE SET event_id = excluded.event_id WHERE excluded.event_id > event_id`,
    actor,
    projectId,
    eventId,
  );
}
