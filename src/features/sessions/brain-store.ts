// SQL of brain entries: a path of a session and the blob it holds.
import type { Db } from "../../storage/database.ts";

export type BrainEntry = { path: string; blob: string; size: number };

export function findEntry(db: Db, sessionId: string, path: string): BrainEntry | undefined {
  return db.get<BrainEntry>(
    "SELECT path, blob, size FROM brain_entries WHERE session_id = ? AND path = ?",
    sessionId,
    path,
  );
}

export function upsertEntry(db: Db, sessionId: string, entry: BrainEntry, now: number): void {
  db.run(
    `INSERT INTO brain_entries (session_id, path, blob, size, written_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (session_id, path) DO UPDATE SET blob = excluded.blob, size = excluded.size, written_at = excluded.written_at`,
    sessionId,
    entry.path,
    entry.blob,
    entry.size,
    now,
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
