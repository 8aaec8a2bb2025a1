// SQL of page comments.
import type { Json } from "../../shared/json.ts";
import type { Db } from "../../storage/database.ts";

export type PageComment = {
  id: string;
  projectId: string;
  path: string;
  author: string;
  body: string;
  anchor: Json;
  isDone: boolean;
  createdAt: number;
};

type Row = {
  id: string;
  project_id: string;
  path: string;
  author: string;
  body: string;
  anchor: string | null;
  done: number;
  created_at: number;
};

function toComment(row: Row): PageComment {
  return {
    id: row.id,
    projectId: row.project_id,
    path: row.path,
    author: row.author,
    body: row.body,
    // Written by insertComment from JSON.
    anchor: row.anchor === null ? null : (JSON.parse(row.anchor) as Json),
    isDone: row.done === 1,
    createdAt: row.created_at,
  };
}

export function insertComment(db: Db, comment: PageComment): void {
  db.run(
    "INSERT INTO page_comments (id, project_id, path, author, body, anchor, done, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    comment.id,
    comment.projectId,
    comment.path,
    comment.author,
    comment.body,
    comment.anchor === null ? null : JSON.stringify(comment.anchor),
    comment.isDone ? 1 : 0,
    comment.createdAt,
  );
}

export function findComment(db: Db, projectId: string, id: string): PageComment | undefined {
  const row = db.get<Row>("SELECT * FROM page_comments WHERE id = ? AND project_id = ?", id, projectId);
  return row === undefined ? undefined : toComment(row);
}

/** Oldest first. */
export function listCommentsOn(db: Db, projectId: string, path: string): PageComment[] {
  return db
    .all<Row>("SELECT * FROM page_comments WHERE project_id = ? AND path = ? ORDER BY id", projectId, path)
    .map(toComment);
}

export function markDone(db: Db, id: string, isDone: boolean): void {
  db.run("UPDATE page_comments SET done = ? WHERE id = ?", isDone ? 1 : 0, id);
}

export function deleteCommentRow(db: Db, id: string): void {
  db.run("DELETE FROM page_comments WHERE id = ?", id);
}
