// SQL of brain entries: a path of a session and the blob it holds, in the table by the number of the blob's row.
import { byteLength } from "../../shared/json.ts";
import type { Db } from "../../storage/database.ts";

export type BrainEntry = { path: string; blob: string; size: number };
/** With the time it was written, milliseconds. */
export type DatedEntry = BrainEntry & { written_at: number };

export function findEntry(db: Db, sessionId: string, path: string): DatedEntry | undefined {
  return db.get<DatedEntry>(
    `SELECT e.path, b.hash AS blob, e.size, e.written_at FROM brain_entries e JOIN blobs b ON b.id = e.blob
     WHERE e.session_id = ? AND e.path = ?`,
    sessionId,
    path,
  );
}

export function upsertEntry(db: Db, sessionId: string, entry: BrainEntry, now: number): void {
  db.run(
    `INSERT INTO brain_entries (session_id, path, blob, size, written_at)
     SELECT ?, ?, id, ?, ? FROM blobs WHERE hash = ?
     ON CONFLICT (session_id, path) DO UPDATE SET blob = excluded.blob, size = excluded.size, written_at = excluded.written_at`,
    sessionId,
    entry.path,
    entry.size,
    now,
    entry.blob,
  );
}

/** True when entries lie below the path, so that it is a directory. */
export function hasEntriesBelow(db: Db, sessionId: string, path: string): boolean {
  // "0" is the character after "/": the range holds every path that starts with `path/`.
  return (
    db.get(
      "SELECT 1 FROM brain_entries WHERE session_id = ? AND path >= ? AND path < ? LIMIT 1",
      sessionId,
      `${path}/`,
      `${path}0`,
    ) !== undefined
  );
}

export function deleteEntry(db: Db, sessionId: string, path: string): void {
  db.run("DELETE FROM brain_entries WHERE session_id = ? AND path = ?", sessionId, path);
}

/** Removes some entries of a session; the blobs they named. */
export function deleteEntries(db: Db, sessionId: string, limit: number): string[] {
  return db
    .all<{ blob: string }>(
      `DELETE FROM brain_entries WHERE session_id = ?1
         AND path IN (SELECT path FROM brain_entries WHERE session_id = ?1 LIMIT ?2)
         RETURNING (SELECT hash FROM blobs WHERE id = brain_entries.blob) AS blob`,
      sessionId,
      limit,
    )
    .map((row) => row.blob);
}

/** The same entries for another session: rows alone, no byte of a value. */
export function copyEntries(db: Db, fromSessionId: string, toSessionId: string, now: number): void {
  db.run(
    `INSERT INTO brain_entries (session_id, path, blob, size, written_at)
     SELECT ?, path, blob, size, ? FROM brain_entries WHERE session_id = ?`,
    toSessionId,
    now,
    fromSessionId,
  );
}

/** The first entries of a range of paths, in order; `to` is exclusive. */
export function listRange(
  db: Db,
  sessionId: string,
  range: { from: string; to: string },
  limit: number,
): { path: string; size: number }[] {
  return db.all(
    "SELECT path, size FROM brain_entries WHERE session_id = ? AND path >= ? AND path < ? ORDER BY path LIMIT ?",
    sessionId,
    range.from,
    range.to,
    limit,
  );
}

/** What the entries of a range of paths weigh together. */
export function sumRange(db: Db, sessionId: string, range: { from: string; to: string }): number {
  return (
    db.get<{ size: number }>(
      "SELECT coalesce(sum(size), 0) AS size FROM brain_entries WHERE session_id = ? AND path >= ? AND path < ?",
      sessionId,
      range.from,
      range.to,
    )?.size ?? 0
  );
}

/** What the files directly in a directory weigh. */
export function sumFilesIn(db: Db, sessionId: string, directory: string): number {
  const below = `${directory}/`;
  // As bytes: SQLite's functions on text stop at a NUL.
  return (
    db.get<{ size: number }>(
      `SELECT coalesce(sum(size), 0) AS size FROM brain_entries
       WHERE session_id = ? AND path >= ? AND path < ? AND instr(substr(CAST(path AS BLOB), ?), x'2F') = 0`,
      sessionId,
      below,
      `${directory}0`,
      byteLength(below) + 1,
    )?.size ?? 0
  );
}

/** Keys of all entries of the store in the order they were written; for rebuilding the index. */
export function listEntryKeys(db: Db): { session_id: string; path: string; written_at: number }[] {
  return db.all("SELECT session_id, path, written_at FROM brain_entries ORDER BY written_at, session_id, path");
}
