// SQL of pages and of what is counted for a whole knowledge base.
import type { Db } from "../../storage/database.ts";
import type { LayoutState, ListedFields } from "./page/parsed-page.ts";
import type { Trust, Trusted } from "./page/trust.ts";

/** A path that was ever written; `blob` is null while the page is deleted. */
export type PageRecord = {
  id: number;
  path: string;
  blob: string | null;
  size: number;
  trust: Trust | null;
  writes: number;
  lastOrdinal: number;
  lastWriteAt: number;
  lastWriteBy: string;
};

type PageRow = {
  id: number;
  path: string;
  blob: string | null;
  size: number | null;
  trust: Trust | null;
  writes: number;
  last_ordinal: number | null;
  last_write_at: number | null;
  last_write_by: string | null;
};

const pageColumns = "id, path, blob, size, trust, writes, last_ordinal, last_write_at, last_write_by";

/** Deleted pages among them. */
export function findPath(db: Db, projectId: string, path: string): PageRecord | undefined {
  const row = db.get<PageRow>(`SELECT ${pageColumns} FROM pages WHERE project_id = ? AND path = ?`, projectId, path);
  if (row === undefined) return undefined;
  return {
    id: row.id,
    path: row.path,
    blob: row.blob,
    size: row.size ?? 0,
    trust: row.trust,
    writes: row.writes,
    lastOrdinal: row.last_ordinal ?? 0,
    lastWriteAt: row.last_write_at ?? 0,
    lastWriteBy: row.last_write_by ?? "",
  };
}

/** A page that holds something now. */
export type StoredPage = PageRecord & { blob: string };

export function findPage(db: Db, projectId: string, path: string): StoredPage | undefined {
  const page = findPath(db, projectId, path);
  return page?.blob == null ? undefined : { ...page, blob: page.blob };
}

/** True when the path holds a page now. */
export function isPage(db: Db, projectId: string, path: string): boolean {
  return (
    db.get("SELECT 1 FROM pages WHERE project_id = ? AND path = ? AND blob IS NOT NULL", projectId, path) !== undefined
  );
}

/** The first of some paths that holds a page. */
export function findPageAmong(db: Db, projectId: string, paths: readonly string[]): string | undefined {
  return db.get<{ path: string }>(
    "SELECT path FROM pages WHERE project_id = ? AND path IN (SELECT value FROM json_each(?)) AND blob IS NOT NULL LIMIT 1",
    projectId,
    JSON.stringify(paths),
  )?.path;
}

/** A row for a path that never had one; returns its id. */
export function insertPath(db: Db, projectId: string, path: string, parent: string): number {
  const row = db.get<{ id: number }>(
    "INSERT INTO pages (project_id, path, parent) VALUES (?, ?, ?) RETURNING id",
    projectId,
    path,
    parent,
  );
  return row?.id ?? 0;
}

export type Write = { ordinal: number; at: number; actor: string };

/** What the page holds from now on, with all that listings show of it. */
export function storePage(
  db: Db,
  id: number,
  bytes: { blob: string; size: number },
  shown: { fields: ListedFields; trusted: Trusted },
  write: Write,
): void {
  const { fields, trusted } = shown;
  db.run(
    `UPDATE pages SET blob = ?, size = ?, layout = ?, has_version = ?, page_type = ?, title = ?, description = ?,
       status = ?, tags = ?, stale_after = ?, stale_on = ?, trust = ?, verified_by = ?, verified_at = ?,
       writes = writes + 1, last_ordinal = ?, last_write_at = ?, last_write_by = ? WHERE id = ?`,
    bytes.blob,
    bytes.size,
    fields.layout,
    fields.hasVersion ? 1 : 0,
    fields.pageType,
    fields.title,
    fields.description,
    fields.status,
    fields.tags === null ? null : JSON.stringify(fields.tags),
    fields.staleAfter,
    fields.staleOn,
    trusted.trust,
    trusted.verifiedBy,
    trusted.verifiedAt,
    write.ordinal,
    write.at,
    write.actor,
    id,
  );
}

/** The page holds nothing from now on; its row stays for its history. */
export function emptyPage(db: Db, id: number, write: Write): void {
  db.run(
    `UPDATE pages SET blob = NULL, size = NULL, layout = NULL, has_version = NULL, page_type = NULL, title = NULL,
       description = NULL, status = NULL, tags = NULL, stale_after = NULL, stale_on = NULL, trust = NULL,
       verified_by = NULL, verified_at = NULL, writes = writes + 1, last_ordinal = ?, last_write_at = ?,
       last_write_by = ? WHERE id = ?`,
    write.ordinal,
    write.at,
    write.actor,
    id,
  );
}

export function markForgotten(db: Db, id: number): void {
  db.run("UPDATE pages SET forgotten_through = last_ordinal WHERE id = ?", id);
}

export type BaseTotals = {
  writes: number;
  pages: number;
  bytes: number;
  unverified: number;
  machine_confirmed: number;
  edited_since_review: number;
  changed_at: number | null;
  changed_by: string | null;
};

const noTotals: BaseTotals = {
  writes: 0,
  pages: 0,
  bytes: 0,
  unverified: 0,
  machine_confirmed: 0,
  edited_since_review: 0,
  changed_at: null,
  changed_by: null,
};

export function getTotals(db: Db, projectId: string): BaseTotals {
  return (
    db.get<BaseTotals>(
      `SELECT writes, pages, bytes, unverified, machine_confirmed, edited_since_review, changed_at, changed_by
       FROM knowledge_bases WHERE project_id = ?`,
      projectId,
    ) ?? noTotals
  );
}

/** Counts one more row of the log and returns its ordinal. */
export function countWrite(db: Db, projectId: string, actor: string, now: number): number {
  const row = db.get<{ writes: number }>(
    `INSERT INTO knowledge_bases (project_id, writes, changed_at, changed_by) VALUES (?, 1, ?, ?)
     ON CONFLICT (project_id) DO UPDATE SET writes = writes + 1, changed_at = excluded.changed_at,
       changed_by = excluded.changed_by
     RETURNING writes`,
    projectId,
    now,
    actor,
  );
  return row?.writes ?? 0;
}

/** One page as it counts: its size and trust. */
export type Counted = { size: number; trust: Trust } | undefined;

/** Moves the counts from what a page was to what it is; undefined stands for no page. */
export function countPage(db: Db, projectId: string, before: Counted, after: Counted): void {
  const of = (trust: Trust): number => Number(after?.trust === trust) - Number(before?.trust === trust);
  db.run(
    `UPDATE knowledge_bases SET pages = pages + ?, bytes = bytes + ?, unverified = unverified + ?,
       human_reviewed = human_reviewed + ?, machine_confirmed = machine_confirmed + ?,
       edited_since_review = edited_since_review + ? WHERE project_id = ?`,
    Number(after !== undefined) - Number(before !== undefined),
    (after?.size ?? 0) - (before?.size ?? 0),
    of("unverified"),
    of("human_reviewed"),
    of("machine_confirmed"),
    of("edited_since_review"),
    projectId,
  );
}

/** Pages whose date lies before today, `YYYY-MM-DD`. */
export function countStale(db: Db, projectId: string, today: string): number {
  return (
    db.get<{ n: number }>(
      "SELECT count(*) AS n FROM pages WHERE project_id = ? AND stale_on IS NOT NULL AND stale_on < ?",
      projectId,
      today,
    )?.n ?? 0
  );
}

/** A page as listings show it. */
export type ListedPage = {
  id: number;
  path: string;
  size: number;
  layout: LayoutState;
  has_version: number;
  page_type: string | null;
  title: string | null;
  description: string | null;
  status: string | null;
  tags: string | null;
  stale_after: string | null;
  stale_on: string | null;
  trust: Trust;
  verified_by: string | null;
  verified_at: string | null;
  last_write_at: number;
  last_write_by: string;
};

/** The pages below a directory, in path order. */
export function listPagesBelow(db: Db, projectId: string, directory: string, limit: number): ListedPage[] {
  // "0" is the character after "/": the range holds every path below the directory.
  return db.all<ListedPage>(
    `SELECT id, path, size, layout, has_version, page_type, title, description, status, tags, stale_after, stale_on,
       trust, verified_by, verified_at, last_write_at, last_write_by
     FROM pages WHERE project_id = ? AND path > ? AND path < ? AND blob IS NOT NULL ORDER BY path LIMIT ?`,
    projectId,
    `${directory}/`,
    `${directory}0`,
    limit,
  );
}

/** Pages over every project after an id, for building the index anew. */
export function listPagesFrom(
  db: Db,
  after: number,
  limit: number,
): { id: number; project_id: string; path: string; blob: string; last_write_at: number }[] {
  return db.all(
    `SELECT id, project_id, path, blob, last_write_at FROM pages WHERE id > ? AND blob IS NOT NULL ORDER BY id LIMIT ?`,
    after,
    limit,
  );
}
