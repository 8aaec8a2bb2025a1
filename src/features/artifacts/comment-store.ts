// SQL of comments on artifacts.
import type { Anchor } from "../../shared/artifacts.ts";
import type { Db } from "../../storage/database.ts";

export type ArtifactComment = {
  id: string;
  artifactId: string;
  author: string;
  body: string;
  anchor: Anchor | null;
  anchorVersion: number;
  isDone: boolean;
  createdAt: number;
};

type Row = {
  id: string;
  artifact_id: string;
  author: string;
  body: string;
  anchor: string | null;
  anchor_version: number;
  done: number;
  created_at: number;
};

const columns = "id, artifact_id, author, body, anchor, anchor_version, done, created_at";

function toComment(row: Row): ArtifactComment {
  return {
    id: row.id,
    artifactId: row.artifact_id,
    author: row.author,
    body: row.body,
    // Written by insertComment from an anchor.
    anchor: row.anchor === null ? null : (JSON.parse(row.anchor) as Anchor),
    anchorVersion: row.anchor_version,
    isDone: row.done === 1,
    createdAt: row.created_at,
  };
}

/** Counts it as open. `tokenHash` is null when no token was given out for it. */
export function insertComment(db: Db, comment: ArtifactComment, tokenHash: string | null): void {
  db.run(
    `INSERT INTO artifact_comments (${columns}, token_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    comment.id,
    comment.artifactId,
    comment.author,
    comment.body,
    comment.anchor === null ? null : JSON.stringify(comment.anchor),
    comment.anchorVersion,
    comment.isDone ? 1 : 0,
    comment.createdAt,
    tokenHash,
  );
  count(db, comment.artifactId, 1, 1);
}

export function findComment(db: Db, artifactId: string, id: string): ArtifactComment | undefined {
  const row = db.get<Row>(`SELECT ${columns} FROM artifact_comments WHERE id = ? AND artifact_id = ?`, id, artifactId);
  return row === undefined ? undefined : toComment(row);
}

export function hasToken(db: Db, id: string, tokenHash: string): boolean {
  return db.get("SELECT 1 FROM artifact_comments WHERE id = ? AND token_hash = ?", id, tokenHash) !== undefined;
}

/** Oldest first, over every version. */
export function listCommentsOn(db: Db, artifactId: string): ArtifactComment[] {
  return db
    .all<Row>(`SELECT ${columns} FROM artifact_comments WHERE artifact_id = ? ORDER BY id`, artifactId)
    .map(toComment);
}

export function markDone(db: Db, comment: ArtifactComment, isDone: boolean): void {
  if (comment.isDone === isDone) return;
  db.run("UPDATE artifact_comments SET done = ? WHERE id = ?", isDone ? 1 : 0, comment.id);
  count(db, comment.artifactId, 0, isDone ? -1 : 1);
}

export function deleteCommentRow(db: Db, comment: ArtifactComment): void {
  db.run("DELETE FROM artifact_comments WHERE id = ?", comment.id);
  count(db, comment.artifactId, -1, comment.isDone ? 0 : -1);
}

function count(db: Db, artifactId: string, all: number, open: number): void {
  db.run(
    "UPDATE artifacts SET comments = comments + ?, comments_open = comments_open + ? WHERE id = ?",
    all,
    open,
    artifactId,
  );
}
