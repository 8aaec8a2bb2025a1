// SQL of the walk over the pages of many knowledge bases.
import type { Db } from "../../storage/database.ts";
import type { ProjectSet } from "../projects/index.ts";

export type WalkedBase = { id: string; display_name: string };

/** The knowledge bases of a set of projects that hold pages, from one project id on, by id. */
export function listBasesFrom(db: Db, set: ProjectSet, projectId: string, limit: number): WalkedBase[] {
  return db.all<WalkedBase>(
    `SELECT p.id, p.display_name FROM projects p JOIN knowledge_bases k ON k.project_id = p.id
     WHERE p.id IN (${set.sql}) AND p.id >= ? AND k.pages > 0 ORDER BY p.id LIMIT ?`,
    ...set.values,
    projectId,
    limit,
  );
}

export type WalkedRow = { path: string; size: number; description: string | null };

/** The pages of one knowledge base behind a path, in path order; "" is before all. */
export function listPagesAfter(db: Db, projectId: string, path: string, limit: number): WalkedRow[] {
  return db.all<WalkedRow>(
    `SELECT path, size, description FROM pages
     WHERE project_id = ? AND path > ? AND size IS NOT NULL ORDER BY path LIMIT ?`,
    projectId,
    path,
    limit,
  );
}
