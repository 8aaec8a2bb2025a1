// SQL of the brief: other nouns' tables, read only. Whatever a feed holds, each statement reads a bounded part of it.
import type { EventKind } from "../../shared/views.ts";
import type { Db } from "../../storage/database.ts";

/** Whose brief, and the cursor its window begins above; "" takes every event. */
export type Window = { projectId: string; actor: string; since: string };

export type PreviousSession = {
  id: string;
  name: string;
  status: "active" | "ended";
  last_activity: number;
  handoff: string | null;
};

/** The actor's latest session in the project but for one. */
export function findPreviousSession(
  db: Db,
  projectId: string,
  actor: string,
  activeId: string | undefined,
): PreviousSession | undefined {
  return db.get<PreviousSession>(
    `SELECT id, name, status, last_activity, handoff FROM sessions
     WHERE project_id = ? AND agent = ? AND pruned_at IS NULL AND id <> ?
     ORDER BY last_activity DESC, id DESC LIMIT 1`,
    projectId,
    actor,
    activeId ?? "",
  );
}

export type Answer = {
  id: string;
  kind: "question" | "approval";
  summary: string;
  answer_id: string;
  actor: string;
  payload: string | null;
  created_at: number;
};

const answered = "i.actor = ? AND i.project_id = ? AND i.status = 'resolved' AND i.answer_id > ?";

/** Resolutions in the window of what the actor asked, newest first. */
export function listAnswers(db: Db, { actor, projectId, since }: Window, limit: number): Answer[] {
  // The effective id of a resolved item is never below its answer's: the bound on it is what the index seeks.
  return db.all<Answer>(
    `SELECT i.event_id AS id, i.kind, q.summary, i.answer_id, a.actor, a.payload, a.created_at
     FROM items i JOIN events q ON q.id = i.event_id JOIN events a ON a.id = i.answer_id
     WHERE ${answered} AND i.effective_id > ? AND i.kind IN ('question', 'approval')
     ORDER BY i.effective_id DESC LIMIT ?`,
    actor,
    projectId,
    since,
    since,
    limit,
  );
}

export function countAnswers(db: Db, { actor, projectId, since }: Window, limit: number): number {
  return count(
    db,
    `SELECT 1 FROM items i WHERE ${answered} AND i.effective_id > ? AND i.kind IN ('question', 'approval')`,
    [actor, projectId, since, since],
    limit,
  );
}

export type EventEntry = {
  id: string;
  kind: EventKind;
  actor: string;
  summary: string;
  thread_id: string | null;
  created_at: number;
};

const columns = "e.id, e.kind, e.actor, e.summary, e.thread_id, e.created_at";

/** Events of the window that wait on somebody, newest first. */
export function listOpen(db: Db, { projectId, since }: Window, limit: number): EventEntry[] {
  // By the index of open items: the other one is in the right order, and holds every resolved item too.
  return db.all<EventEntry>(
    `SELECT ${columns} FROM items i INDEXED BY items_open JOIN events e ON e.id = i.event_id
     WHERE i.project_id = ? AND i.status IN ('action', 'waiting') AND i.event_id > ?
     ORDER BY i.event_id DESC LIMIT ?`,
    projectId,
    since,
    limit,
  );
}

/** Events of the window that wait on nobody, audit records left out, newest first. */
export function listSettled(db: Db, { projectId, since }: Window, limit: number): EventEntry[] {
  return db.all<EventEntry>(
    `SELECT ${columns} FROM events e WHERE e.project_id = ? AND e.id > ? AND e.kind <> 'system'
       AND NOT (e.kind IN ('question', 'approval') AND EXISTS
         (SELECT 1 FROM items i WHERE i.event_id = e.id AND i.status IN ('action', 'waiting')))
     ORDER BY e.id DESC LIMIT ?`,
    projectId,
    since,
    limit,
  );
}

/** Events of the window, audit records left out; stops at `limit`. */
export function countWindow(db: Db, { projectId, since }: Window, limit: number): number {
  return count(
    db,
    "SELECT 1 FROM events WHERE project_id = ? AND id > ? AND kind <> 'system'",
    [projectId, since],
    limit,
  );
}

export type StalePage = { path: string; title: string | null; stale_after: string };

/** Pages whose date lies before today, `YYYY-MM-DD`, the longest overdue first. */
export function listStale(db: Db, projectId: string, today: string, limit: number): StalePage[] {
  return db.all<StalePage>(
    `SELECT path, title, stale_after FROM pages WHERE project_id = ? AND stale_on IS NOT NULL AND stale_on < ?
     ORDER BY stale_on, path LIMIT ?`,
    projectId,
    today,
    limit,
  );
}

export function countStale(db: Db, projectId: string, today: string, limit: number): number {
  return count(
    db,
    "SELECT 1 FROM pages WHERE project_id = ? AND stale_on IS NOT NULL AND stale_on < ?",
    [projectId, today],
    limit,
  );
}

function count(db: Db, rows: string, values: string[], limit: number): number {
  return db.get<{ n: number }>(`SELECT count(*) AS n FROM (${rows} LIMIT ?)`, ...values, limit)?.n ?? 0;
}
