// SQL of share links.
import type { Db } from "../../storage/database.ts";

export type Share = { artifactId: string; token: string; version: number; createdAt: number };

type Row = { artifact_id: string; token: string; version: number; created_at: number };

const columns = "artifact_id, token, version, created_at";

function toShare(row: Row): Share {
  return { artifactId: row.artifact_id, token: row.token, version: row.version, createdAt: row.created_at };
}

/** In place of the link there was, which is dead from then on. */
export function putShare(db: Db, share: Share): void {
  db.run(
    `INSERT OR REPLACE INTO artifact_shares (${columns}) VALUES (?, ?, ?, ?)`,
    share.artifactId,
    share.token,
    share.version,
    share.createdAt,
  );
}

export function findShare(db: Db, artifactId: string): Share | undefined {
  const row = db.get<Row>(`SELECT ${columns} FROM artifact_shares WHERE artifact_id = ?`, artifactId);
  return row === undefined ? undefined : toShare(row);
}

export function findShareByToken(db: Db, token: string): Share | undefined {
  const row = db.get<Row>(`SELECT ${columns} FROM artifact_shares WHERE token = ?`, token);
  return row === undefined ? undefined : toShare(row);
}

/** True when there was one. */
export function deleteShareRow(db: Db, artifactId: string): boolean {
  return db.run("DELETE FROM artifact_shares WHERE artifact_id = ?", artifactId) > 0;
}
