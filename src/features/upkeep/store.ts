// SQL over every table that weighs something or names blobs, read only but for the blobs' own rows.
import type { BlobRef } from "../../kernel/feature.ts";
import type { Db } from "../../storage/database.ts";

// Tables and columns are names in the hub's own code, declared by the features that own them.
function isUnreferenced(references: readonly BlobRef[]): string {
  return references
    .map(({ table, column, by }) => `NOT EXISTS (SELECT 1 FROM ${table} r WHERE r.${column} = b.${by})`)
    .join(" AND ");
}

/** Marks those of the next blobs in order that nothing names; returns where to go on, undefined at the end. */
export function markUnreferenced(
  db: Db,
  references: readonly BlobRef[],
  after: string,
  limit: number,
  now: number,
): string | undefined {
  const last = db.get<{ hash: string | null }>(
    "SELECT max(hash) AS hash FROM (SELECT hash FROM blobs WHERE hash > ? ORDER BY hash LIMIT ?)",
    after,
    limit,
  )?.hash;
  if (last === undefined || last === null) return undefined;
  db.run(
    `INSERT INTO released_blobs (blob, released_at)
     SELECT b.id, ? FROM blobs b WHERE b.hash > ? AND b.hash <= ? AND ${isUnreferenced(references)}
     ON CONFLICT (blob) DO NOTHING`,
    now,
    after,
    last,
  );
  return last;
}

/** Marks blobs that lost a reference now. Those that something else names lose the mark when their time comes. */
export function markReleased(db: Db, hashes: readonly string[], now: number): void {
  for (const hash of hashes) {
    db.run(
      `INSERT INTO released_blobs (blob, released_at) SELECT id, ? FROM blobs WHERE hash = ?
       ON CONFLICT (blob) DO UPDATE SET released_at = excluded.released_at`,
      now,
      hash,
    );
  }
}

export type Garbage = { hash: string; isFile: number };

/** Blobs marked before a time, whether or not something names them again. */
export function listMarked(db: Db, markedBefore: number, limit: number): Garbage[] {
  return db.all<Garbage>(
    `SELECT b.hash, b.bytes IS NULL AS isFile FROM released_blobs r JOIN blobs b ON b.id = r.blob
     WHERE r.released_at <= ? ORDER BY r.released_at LIMIT ?`,
    markedBefore,
    limit,
  );
}

/**
 * True when nothing named the blob and its row is gone; one that is named again loses its mark. With `markedBefore` a
 * blob that was named meanwhile and let go again keeps its row until its new time comes.
 */
export function deleteUnreferenced(
  db: Db,
  references: readonly BlobRef[],
  hash: string,
  markedBefore?: number,
): boolean {
  const [gone] = db.all<{ id: number }>(
    `DELETE FROM blobs AS b WHERE b.hash = ?1 AND ${isUnreferenced(references)}
     AND (?2 IS NULL OR EXISTS (SELECT 1 FROM released_blobs r WHERE r.blob = b.id AND r.released_at <= ?2)) RETURNING id`,
    hash,
    markedBefore ?? null,
  );
  // Numbers are given again, so a mark goes with its blob.
  const unmarked = gone?.id ?? findNamed(db, references, hash);
  if (unmarked !== undefined) db.run("DELETE FROM released_blobs WHERE blob = ?", unmarked);
  return gone !== undefined;
}

function findNamed(db: Db, references: readonly BlobRef[], hash: string): number | undefined {
  return db.get<{ id: number }>(
    `SELECT b.id FROM blobs b WHERE b.hash = ? AND NOT (${isUnreferenced(references)})`,
    hash,
  )?.id;
}

export function hasBlobRow(db: Db, hash: string): boolean {
  return db.get("SELECT 1 FROM blobs WHERE hash = ?", hash) !== undefined;
}

export type ProjectWeight = {
  project_id: string;
  display_name: string;
  events_bytes: number;
  session_bytes: number;
  artifact_bytes: number;
  kb_bytes: number;
  prunable_sessions: number;
  prunable_bytes: number;
  last_event: number | null;
  last_activity: number | null;
};

/** Every project with what it weighs, by id. Sums over counted columns: no event and no value is read. */
export function listProjectWeights(db: Db): ProjectWeight[] {
  return db.all<ProjectWeight>(
    `SELECT p.id AS project_id, p.display_name, coalesce(t.bytes, 0) AS events_bytes,
       coalesce(s.bytes, 0) AS session_bytes, coalesce(k.kept_bytes, 0) AS kb_bytes,
       coalesce(a.bytes, 0) AS artifact_bytes, coalesce(s.prunable, 0) AS prunable_sessions,
       coalesce(s.prunable_bytes, 0) AS prunable_bytes, s.last_activity,
       (SELECT e.created_at FROM events e WHERE e.project_id = p.id ORDER BY e.id DESC LIMIT 1) AS last_event
     FROM projects p
     LEFT JOIN event_totals t ON t.project_id = p.id
     LEFT JOIN knowledge_bases k ON k.project_id = p.id
     LEFT JOIN (SELECT project_id, sum(bytes) AS bytes FROM artifacts GROUP BY project_id) a ON a.project_id = p.id
     LEFT JOIN (
       SELECT project_id, sum(brain_bytes) AS bytes, count(*) FILTER (WHERE status = 'ended') AS prunable,
         sum(brain_bytes) FILTER (WHERE status = 'ended') AS prunable_bytes, max(last_activity) AS last_activity
       FROM sessions WHERE pruned_at IS NULL GROUP BY project_id
     ) s ON s.project_id = p.id
     ORDER BY p.id`,
  );
}
