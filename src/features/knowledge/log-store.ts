// SQL of the write log and of the versions that are kept (knowledge-base.md 9.5).
import type { PageOp } from "../../shared/knowledge.ts";
import type { Db } from "../../storage/database.ts";
import type { VerifyingWrite } from "./page/trust.ts";

export type LogEntry = {
  ordinal: number;
  pageId: number;
  op: PageOp;
  actor: string;
  /** Null on a delete. */
  bytes: { blob: string; size: number } | null;
  summary: string;
  verifies: boolean;
  at: number;
};

export function insertWrite(db: Db, projectId: string, entry: LogEntry): void {
  db.run(
    "INSERT INTO page_writes (project_id, ordinal, page_id, op, actor, blob, size, summary, verifies, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    projectId,
    entry.ordinal,
    entry.pageId,
    entry.op,
    entry.actor,
    entry.bytes?.blob ?? null,
    entry.bytes?.size ?? null,
    entry.summary,
    entry.verifies ? 1 : 0,
    entry.at,
  );
}

/** The newest write that brought in a verification. */
export function findVerifyingWrite(db: Db, pageId: number): VerifyingWrite | undefined {
  return db.get<VerifyingWrite>(
    "SELECT actor, blob FROM page_writes WHERE page_id = ? AND verifies = 1 ORDER BY ordinal DESC LIMIT 1",
    pageId,
  );
}

/** The newest write of some bytes to a page. */
export function findWriteOf(db: Db, pageId: number, blob: string): { actor: string; at: number } | undefined {
  return db.get<{ actor: string; at: number }>(
    "SELECT actor, at FROM page_writes WHERE page_id = ? AND blob = ? ORDER BY ordinal DESC LIMIT 1",
    pageId,
    blob,
  );
}

/** When those bytes were last written other than by a revert. */
export function findOriginalTime(db: Db, pageId: number, blob: string): number | undefined {
  return db.get<{ at: number }>(
    "SELECT at FROM page_writes WHERE page_id = ? AND blob = ? AND op <> 'kb.revert' ORDER BY ordinal DESC LIMIT 1",
    pageId,
    blob,
  )?.at;
}

/** Keeps a version of a page; the size it adds to what is kept, 0 when it was. */
export function keepVersion(db: Db, projectId: string, pageId: number, bytes: { blob: string; size: number }): void {
  const isNew = db.run(
    "INSERT INTO page_versions (page_id, blob, size) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    pageId,
    bytes.blob,
    bytes.size,
  );
  if (isNew > 0) addKeptBytes(db, projectId, bytes.size);
}

export function addKeptBytes(db: Db, projectId: string, difference: number): void {
  db.run("UPDATE knowledge_bases SET kept_bytes = kept_bytes + ? WHERE project_id = ?", difference, projectId);
}

/** Size of a version that is kept; undefined for any other. */
export function findKept(db: Db, pageId: number, blob: string): number | undefined {
  return db.get<{ size: number }>("SELECT size FROM page_versions WHERE page_id = ? AND blob = ?", pageId, blob)?.size;
}

export type KeptVersion = { blob: string; size: number };

/** The kept versions of a page besides what it holds now. */
export function listKeptBesides(db: Db, pageId: number, current: string | null): KeptVersion[] {
  return db.all<KeptVersion>(
    "SELECT blob, size FROM page_versions WHERE page_id = ? AND blob IS NOT ? ORDER BY blob",
    pageId,
    current,
  );
}

export function deleteKeptBesides(db: Db, pageId: number, current: string | null): void {
  db.run("DELETE FROM page_versions WHERE page_id = ? AND blob IS NOT ?", pageId, current);
}

export type VersionRow = {
  ordinal: number;
  op: PageOp;
  actor: string;
  at: number;
  blob: string | null;
  size: number | null;
  summary: string;
  kept: number;
};

/** Writes of one page before an ordinal, newest first. */
export function listVersions(db: Db, pageId: number, before: number, limit: number): VersionRow[] {
  return db.all<VersionRow>(
    `SELECT w.ordinal, w.op, w.actor, w.at, w.blob, w.size, w.summary,
       EXISTS (SELECT 1 FROM page_versions v WHERE v.page_id = w.page_id AND v.blob = w.blob) AS kept
     FROM page_writes w WHERE w.page_id = ? AND w.ordinal < ? ORDER BY w.ordinal DESC LIMIT ?`,
    pageId,
    before,
    limit,
  );
}

export type LogFilter = {
  path?: string | undefined;
  /** A directory. */
  prefix?: string | undefined;
  actor?: string | undefined;
  op?: PageOp | undefined;
};

export type LogRow = { ordinal: number; op: PageOp; path: string; actor: string; at: number; blob: string | null };

function condition(projectId: string, filter: LogFilter): { sql: string; values: string[] } {
  const where = ["w.project_id = ?"];
  const values = [projectId];
  const add = (clause: string, ...given: string[]): void => {
    where.push(clause);
    values.push(...given);
  };
  if (filter.path !== undefined) add("p.path = ?", filter.path);
  if (filter.prefix !== undefined) add("p.path > ? AND p.path < ?", `${filter.prefix}/`, `${filter.prefix}0`);
  if (filter.actor !== undefined) add("w.actor = ?", filter.actor);
  if (filter.op !== undefined) add("w.op = ?", filter.op);
  return { sql: `FROM page_writes w JOIN pages p ON p.id = w.page_id WHERE ${where.join(" AND ")}`, values };
}

/** Writes of the whole base before an ordinal, newest first. */
export function listLog(db: Db, projectId: string, filter: LogFilter, before: number, limit: number): LogRow[] {
  const { sql, values } = condition(projectId, filter);
  return db.all<LogRow>(
    `SELECT w.ordinal, w.op, p.path, w.actor, w.at, w.blob ${sql} AND w.ordinal < ? ORDER BY w.ordinal DESC LIMIT ?`,
    ...values,
    before,
    limit,
  );
}

export function countLog(db: Db, projectId: string, filter: LogFilter): number {
  const { sql, values } = condition(projectId, filter);
  return db.get<{ n: number }>(`SELECT count(*) AS n ${sql}`, ...values)?.n ?? 0;
}
