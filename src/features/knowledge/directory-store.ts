// SQL of the counts that stand for directories: what lies directly in each.
import type { Db } from "../../storage/database.ts";
import { directoriesAbove, directoryOf, pageRoot } from "./page/page-path.ts";

export function isDirectory(db: Db, projectId: string, path: string): boolean {
  return db.get("SELECT 1 FROM page_directories WHERE project_id = ? AND path = ?", projectId, path) !== undefined;
}

/** A page came into its directory; directories that were not there come with it. */
export function addFile(db: Db, projectId: string, path: string, size: number): void {
  for (const [index, directory] of directoriesAbove(path).entries()) {
    const isOwn = index === 0;
    const known = db.run(
      "UPDATE page_directories SET files = files + ?, directories = directories + ?, bytes = bytes + ? WHERE project_id = ? AND path = ?",
      isOwn ? 1 : 0,
      isOwn ? 0 : 1,
      isOwn ? size : 0,
      projectId,
      directory,
    );
    if (known > 0) return;
    db.run(
      "INSERT INTO page_directories (project_id, path, parent, files, directories, bytes) VALUES (?, ?, ?, ?, ?, ?)",
      projectId,
      directory,
      directory === pageRoot ? "" : directoryOf(directory),
      isOwn ? 1 : 0,
      isOwn ? 0 : 1,
      isOwn ? size : 0,
    );
  }
}

/** A page left its directory; directories that hold nothing any more go with it. */
export function removeFile(db: Db, projectId: string, path: string, size: number): void {
  for (const [index, directory] of directoriesAbove(path).entries()) {
    const isOwn = index === 0;
    db.run(
      "UPDATE page_directories SET files = files - ?, directories = directories - ?, bytes = bytes - ? WHERE project_id = ? AND path = ?",
      isOwn ? 1 : 0,
      isOwn ? 0 : 1,
      isOwn ? size : 0,
      projectId,
      directory,
    );
    const gone = db.run(
      "DELETE FROM page_directories WHERE project_id = ? AND path = ? AND files = 0 AND directories = 0",
      projectId,
      directory,
    );
    if (gone === 0) return;
  }
}

export function resizeFile(db: Db, projectId: string, path: string, growth: number): void {
  db.run(
    "UPDATE page_directories SET bytes = bytes + ? WHERE project_id = ? AND path = ?",
    growth,
    projectId,
    directoryOf(path),
  );
}

export type DirectoryRow = { path: string; files: number; directories: number; bytes: number };

/** The directories below one, at any depth. */
export function listDirectoriesBelow(db: Db, projectId: string, directory: string): DirectoryRow[] {
  return db.all<DirectoryRow>(
    `SELECT path, files, directories, bytes FROM page_directories
     WHERE project_id = ? AND path > ? AND path < ? ORDER BY path`,
    projectId,
    `${directory}/`,
    `${directory}0`,
  );
}

/** One entry of a level; `children` is null for a page. */
export type LevelEntry = { path: string; size: number; children: number | null };

/** What lies directly in a directory, pages and directories, in path order. A deleted page has no size, and the index does. */
export function listLevel(db: Db, projectId: string, directory: string, limit: number): LevelEntry[] {
  return db.all<LevelEntry>(
    `SELECT path, size, NULL AS children FROM pages WHERE project_id = ?1 AND parent = ?2 AND size IS NOT NULL
     UNION ALL
     SELECT path, bytes AS size, files + directories AS children FROM page_directories
     WHERE project_id = ?1 AND parent = ?2
     ORDER BY path LIMIT ?3`,
    projectId,
    directory,
    limit,
  );
}
