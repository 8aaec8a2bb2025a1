// SQL of the search: candidates from the index, then the rows of the hits alone.
import type { EventKind } from "../../shared/views.ts";
import type { Db } from "../../storage/database.ts";
import type { Family } from "../corpus/index.ts";

/** The greatest id of what the index is to hold by now. */
export function newestWrite(db: Db): string {
  const row = db.get<{ id: string | null }>(
    `SELECT max(id) AS id FROM (SELECT max(id) AS id FROM events UNION ALL SELECT max(id) FROM search_pending
     UNION ALL SELECT max(session_id) FROM search_forks)`,
  );
  return row?.id ?? "";
}

/** Which texts: ids from and to, and a condition on them; null for none. */
export type Range = { from: number; to: number; rows: { sql: string; values: readonly string[] } | null };

function within({ from, to, rows }: Range): { sql: string; values: (string | number)[] } {
  const sql = `AND t.rowid >= ? AND t.rowid <= ? ${rows === null ? "" : `AND ${rows.sql}`}`;
  return { sql, values: [from, to, ...(rows?.values ?? [])] };
}

/** Ids of the texts that match, in order. */
export function listMatches(db: Db, match: string, range: Range, order: "ASC" | "DESC", limit: number): number[] {
  const { sql, values } = within(range);
  return db
    .all<{ id: number }>(
      `SELECT rowid AS id FROM search_texts t WHERE search_texts MATCH ? ${sql} ORDER BY rowid ${order} LIMIT ?`,
      match,
      ...values,
      limit,
    )
    .map((row) => row.id);
}

/** How many texts match, counted up to `limit`. */
export function countMatches(db: Db, match: string, range: Range, limit: number): number {
  const { sql, values } = within(range);
  return (
    db.get<{ n: number }>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM search_texts t WHERE search_texts MATCH ? ${sql} LIMIT ?)`,
      match,
      ...values,
      limit,
    )?.n ?? 0
  );
}

export type HitRow = {
  /** Of its text among those asked for. */
  place: number;
  family: Family;
  project_id: string;
  display_name: string | null;
  ref_id: string;
  session_id: string | null;
  title: string | null;
  snippet: string | null;
  updated_at: number;
  event_kind: EventKind | null;
  event_actor: string | null;
  event_summary: string | null;
  event_payload: string | null;
  session_name: string | null;
  session_status: string | null;
  artifact_version: number | null;
  artifact_size: number | null;
};

// The text's own document, or one of those that share it.
function ofSome(condition: string): string {
  return `(EXISTS (SELECT 1 FROM search_docs d WHERE d.id = t.rowid AND d.text_id = d.id AND ${condition})
    OR EXISTS (SELECT 1 FROM search_docs d WHERE d.text_id = t.rowid AND d.text_id <> d.id AND ${condition}))`;
}

const everyText = { from: 0, to: Number.MAX_SAFE_INTEGER };
// Up to here it is cheaper to look a text up among the session's than to ask each for its session.
const smallBrain = 5000;

/** A session that is not pruned, as far as a search needs it. */
export type SearchedSession = { id: string; projectId: string; isFork: boolean };

export function findSearchedSession(db: Db, sessionId: string): SearchedSession | undefined {
  const row = db.get<{ project_id: string; forked_from: string | null }>(
    "SELECT project_id, forked_from FROM sessions WHERE id = ? AND pruned_at IS NULL",
    sessionId,
  );
  return row === undefined ? undefined : { id: sessionId, projectId: row.project_id, isFork: row.forked_from !== null };
}

/** The texts of one session's brain. Those of a fork may be its source's, and so as old as that. */
export function rangeOfSession(db: Db, { id, isFork }: SearchedSession): Range {
  const ends = db.get<{ first: number | null; last: number | null }>(
    `SELECT (SELECT id FROM search_docs WHERE session_id = ?1 AND family = 'brain' ORDER BY id LIMIT 1) AS first,
       (SELECT id FROM search_docs WHERE session_id = ?1 AND family = 'brain' ORDER BY id DESC LIMIT 1) AS last`,
    id,
  );
  const to = ends?.last ?? 0;
  if (!isFork) {
    const rows = {
      sql: "EXISTS (SELECT 1 FROM search_docs d WHERE d.id = t.rowid AND d.session_id = ?)",
      values: [id],
    };
    return { from: ends?.first ?? 0, to, rows };
  }
  const count = db.get<{ n: number }>(
    "SELECT count(*) AS n FROM (SELECT 1 FROM search_docs WHERE session_id = ? LIMIT ?)",
    id,
    smallBrain + 1,
  );
  const isSmall = (count?.n ?? 0) <= smallBrain;
  const among = "+t.rowid IN (SELECT text_id FROM search_docs WHERE session_id = ? AND family = 'brain')";
  // With a plain `rowid` the index would be asked for each of them in turn.
  const rows = isSmall ? { sql: among, values: [id] } : { sql: ofSome("d.session_id = ?"), values: [id, id] };
  return { from: 0, to, rows };
}

/** All texts but those that only pruned sessions have. */
export function rangeUnpruned(db: Db): Range {
  const pruned = "SELECT id FROM sessions WHERE pruned_at IS NOT NULL";
  if (db.get(`${pruned} LIMIT 1`) === undefined) return { ...everyText, rows: null };
  return {
    ...everyText,
    rows: { sql: ofSome(`(d.family <> 'brain' OR d.session_id NOT IN (${pruned}))`), values: [] },
  };
}

// Fields of other rows are read by the hit's own ids, and only where those rows lie in the hit's own project.
function hitSql(ofText: string): string {
  return `SELECT j.key AS place, d.family, d.project_id, p.display_name, d.ref_id, d.session_id, d.title, d.snippet,
      d.updated_at, e.kind AS event_kind, e.actor AS event_actor, e.summary AS event_summary,
      e.payload AS event_payload, s.name AS session_name, s.status AS session_status,
      v.version AS artifact_version, v.size AS artifact_size
    FROM json_each(?1) j CROSS JOIN search_docs d ON ${ofText}
    LEFT JOIN projects p ON p.id = d.project_id
    LEFT JOIN events e ON d.family = 'feed' AND e.id = d.ref_id AND e.project_id = d.project_id
    LEFT JOIN sessions s ON d.family = 'brain' AND s.id = d.session_id AND s.project_id = d.project_id
    LEFT JOIN artifacts a ON d.family = 'artifact' AND a.id = d.ref_id AND a.project_id = d.project_id
    LEFT JOIN artifact_versions v ON v.artifact_id = a.id AND v.version = a.version
    WHERE (d.family <> 'brain' OR (s.id IS NOT NULL AND s.pruned_at IS NULL))
      AND (?2 IS NULL OR (d.family = 'brain' AND d.session_id = ?2))
    ORDER BY j.key, d.id LIMIT ?3`;
}

/** The documents of texts, in the texts' order: one of each, or several where forked sessions share it; \`limit\` at most. */
export function listHits(db: Db, textIds: readonly number[], sessionId: string | null, limit: number): HitRow[] {
  const ids = JSON.stringify(textIds);
  const own = db.all<HitRow>(hitSql("d.id = j.value AND d.text_id = d.id"), ids, sessionId, limit);
  const shared = db.all<HitRow>(hitSql("d.text_id = j.value AND d.text_id <> d.id"), ids, sessionId, limit);
  return [...own, ...shared].sort((a, b) => a.place - b.place).slice(0, limit);
}

/** Projects the agent may not read; far fewer than those it may. */
export function listHiddenProjects(db: Db, agentId: string): string[] {
  return db
    .all<{ id: string }>(
      `SELECT id FROM projects WHERE confidential = 1 AND owner_agent IS NOT ?1
       AND id NOT IN (SELECT project_id FROM grants WHERE agent_id = ?1)`,
      agentId,
    )
    .map((row) => row.id);
}
