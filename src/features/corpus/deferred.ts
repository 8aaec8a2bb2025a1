// What the index does not hold yet, as rows of the store, so that a crash forgets nothing: events after a mark, values of
// brains, and the brains of forks. The search feature adds them to the index, always before it is asked.
import type { Db } from "../../storage/database.ts";

/** The newest event that was added to the index; the empty text when none was. */
export function findFeedMark(db: Db): string {
  return db.get<{ event_id: string }>("SELECT event_id FROM search_feed_mark")?.event_id ?? "";
}

export function setFeedMark(db: Db, eventId: string): void {
  db.run(
    "INSERT INTO search_feed_mark (only, event_id) VALUES (1, ?) ON CONFLICT (only) DO UPDATE SET event_id = excluded.event_id",
    eventId,
  );
}

export type DeferredValue = {
  sessionId: string;
  path: string;
  /** Minted with the write. */
  id: string;
};

/** Has the index take in what the path holds; once, however often it is written before that. True for the first time. */
export function deferValue(db: Db, { sessionId, path, id }: DeferredValue): boolean {
  const isWaiting =
    db.run("UPDATE search_pending SET id = ? WHERE session_id = ? AND path = ?", id, sessionId, path) > 0;
  if (!isWaiting) db.run("INSERT INTO search_pending (session_id, path, id) VALUES (?, ?, ?)", sessionId, path, id);
  return !isWaiting;
}

export function dropDeferred(db: Db, { sessionId, path }: Pick<DeferredValue, "sessionId" | "path">): void {
  db.run("DELETE FROM search_pending WHERE session_id = ? AND path = ?", sessionId, path);
}

/** What was written up to an id, in the order of the writes. */
export function listDeferred(db: Db, upTo: string, limit: number): DeferredValue[] {
  return db.all(
    "SELECT session_id AS sessionId, path, id FROM search_pending WHERE id <= ? ORDER BY id, session_id, path LIMIT ?",
    upTo,
    limit,
  );
}

/** Has the index take in the whole brain of a fork, which shares the texts of its source where both hold the same. */
export function deferFork(db: Db, sessionId: string): void {
  db.run("INSERT INTO search_forks (session_id, after_path) VALUES (?, '')", sessionId);
}

/** Of a session that is going nothing more is added. */
export function dropDeferredSession(db: Db, sessionId: string): void {
  db.run("DELETE FROM search_pending WHERE session_id = ?", sessionId);
  db.run("DELETE FROM search_forks WHERE session_id = ?", sessionId);
}

export type DeferredFork = { sessionId: string; afterPath: string };

/** The oldest fork up to an id: a fork of a fork finds its source's documents in place. */
export function findFork(db: Db, upTo: string): DeferredFork | undefined {
  return db.get<DeferredFork>(
    `SELECT session_id AS sessionId, after_path AS afterPath FROM search_forks
     WHERE session_id <= ? ORDER BY session_id LIMIT 1`,
    upTo,
  );
}

/** True when something up to the id is not in the index. */
export function isDeferredUpTo(db: Db, id: string): boolean {
  return (
    db.get("SELECT 1 FROM events WHERE id > ? AND id <= ? LIMIT 1", findFeedMark(db), id) !== undefined ||
    db.get("SELECT 1 FROM search_pending WHERE id <= ? LIMIT 1", id) !== undefined ||
    findFork(db, id) !== undefined
  );
}

/**
 * Writes the documents of some entries of a fork: rows alone where its source holds the same value and the index knows
 * it; the other entries are deferred one by one.
 */
export function forkSome(db: Db, { sessionId, afterPath }: DeferredFork, limit: number): void {
  const last = db.get<{ path: string | null }>(
    `SELECT max(path) AS path FROM
       (SELECT path FROM brain_entries WHERE session_id = ? AND path > ? ORDER BY path LIMIT ?)`,
    sessionId,
    afterPath,
    limit,
  )?.path;
  if (last === undefined || last === null) {
    db.run("DELETE FROM search_forks WHERE session_id = ?", sessionId);
    return;
  }
  const rest = `f.session_id = ?1 AND f.path > ?2 AND f.path <= ?3
    AND NOT EXISTS (SELECT 1 FROM search_docs o WHERE o.ref_id = f.path AND o.session_id = ?1 AND o.family <> 'feed')
    AND NOT EXISTS (SELECT 1 FROM search_pending o WHERE o.session_id = ?1 AND o.path = f.path)`;
  db.run(
    `INSERT INTO search_docs (text_id, family, project_id, ref_id, session_id, title, snippet, updated_at)
     SELECT d.text_id, d.family, d.project_id, d.ref_id, ?1, d.title, d.snippet, f.written_at
     FROM sessions x CROSS JOIN brain_entries f
     CROSS JOIN brain_entries s ON s.session_id = x.forked_from AND s.path = f.path AND s.blob = f.blob
     CROSS JOIN search_docs d ON d.ref_id = f.path AND d.session_id = x.forked_from AND d.family <> 'feed'
     WHERE x.id = ?1 AND ${rest}
       AND NOT EXISTS (SELECT 1 FROM search_pending o WHERE o.session_id = x.forked_from AND o.path = f.path)`,
    sessionId,
    afterPath,
    last,
  );
  // As old as the fork, whose id is one.
  db.run(
    `INSERT INTO search_pending (session_id, path, id) SELECT ?1, f.path, ?1 FROM brain_entries f WHERE ${rest}`,
    sessionId,
    afterPath,
    last,
  );
  db.run("UPDATE search_forks SET after_path = ? WHERE session_id = ?", last, sessionId);
}
