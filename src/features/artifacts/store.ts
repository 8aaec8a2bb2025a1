// SQL of artifacts and their versions.
import type { ArtifactKind } from "../../shared/artifacts.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { Db } from "../../storage/database.ts";

/** What a version holds. */
export type VersionRecord = {
  version: number;
  label: string | null;
  envelope: JsonObject | null;
  blob: string;
  size: number;
  excerpt: string | null;
  /** Who wrote it. */
  actor: string | null;
  createdAt: number;
};

export type ArtifactRecord = {
  id: string;
  projectId: string;
  sessionId: string | null;
  actor: string | null;
  kind: ArtifactKind;
  title: string;
  description: string;
  createdAt: number;
  updatedAt: number;
  comments: number;
  commentsOpen: number;
  /** The version being written, while one is. */
  live: { version: number; rev: number; sessionId: string | null } | null;
  /** The sealed version that is read unless another is named. */
  current: VersionRecord;
};

type VersionRow = {
  version: number;
  label: string | null;
  envelope: string | null;
  blob: string;
  size: number;
  excerpt: string | null;
  version_actor: string | null;
  version_created_at: number;
};

type ArtifactRow = VersionRow & {
  id: string;
  project_id: string;
  session_id: string | null;
  actor: string | null;
  kind: ArtifactKind;
  title: string;
  description: string;
  live_version: number | null;
  live_rev: number;
  live_session: string | null;
  comments: number;
  comments_open: number;
  created_at: number;
  updated_at: number;
};

const versionColumns =
  "v.version, v.label, v.envelope, v.blob, v.size, v.excerpt, v.actor AS version_actor, v.created_at AS version_created_at";
const artifactSql = `SELECT a.id, a.project_id, a.session_id, a.actor, a.kind, a.title, a.description, a.live_version,
    a.live_rev, a.live_session, a.comments, a.comments_open, a.created_at, a.updated_at, ${versionColumns}
  FROM artifacts a JOIN artifact_versions v ON v.artifact_id = a.id AND v.version = a.version`;

function toVersion(row: VersionRow): VersionRecord {
  return {
    version: row.version,
    label: row.label,
    // Written by putVersion from a JSON object.
    envelope: row.envelope === null ? null : (JSON.parse(row.envelope) as JsonObject),
    blob: row.blob,
    size: row.size,
    excerpt: row.excerpt,
    actor: row.version_actor,
    createdAt: row.version_created_at,
  };
}

function toArtifact(row: ArtifactRow): ArtifactRecord {
  const { live_version: version, live_rev: rev, live_session: sessionId } = row;
  return {
    id: row.id,
    projectId: row.project_id,
    sessionId: row.session_id,
    actor: row.actor,
    kind: row.kind,
    title: row.title,
    description: row.description,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    comments: row.comments,
    commentsOpen: row.comments_open,
    live: version === null ? null : { version, rev, sessionId },
    current: toVersion(row),
  };
}

export function insertArtifact(db: Db, artifact: Omit<ArtifactRecord, "comments" | "commentsOpen" | "live">): void {
  db.run(
    `INSERT INTO artifacts (id, project_id, session_id, actor, kind, title, description, version, bytes, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)`,
    artifact.id,
    artifact.projectId,
    artifact.sessionId,
    artifact.actor,
    artifact.kind,
    artifact.title,
    artifact.description,
    artifact.current.version,
    artifact.createdAt,
    artifact.updatedAt,
  );
  putVersion(db, artifact.id, artifact.current);
}

/** Writes a version in place of what its number held, a live or an abandoned one; returns the blob that was there. */
export function putVersion(db: Db, artifactId: string, version: VersionRecord): string | undefined {
  const replaced = findVersion(db, artifactId, version.version);
  db.run(
    `INSERT OR REPLACE INTO artifact_versions (artifact_id, version, label, envelope, blob, size, excerpt, actor, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    artifactId,
    version.version,
    version.label,
    version.envelope === null ? null : JSON.stringify(version.envelope),
    version.blob,
    version.size,
    version.excerpt,
    version.actor,
    version.createdAt,
  );
  db.run("UPDATE artifacts SET bytes = bytes + ? WHERE id = ?", version.size - (replaced?.size ?? 0), artifactId);
  return replaced?.blob;
}

/** Makes a version the current one; none is being written any more. */
export function sealVersion(db: Db, artifactId: string, version: number, now: number): void {
  db.run(
    `UPDATE artifacts SET version = ?, updated_at = ?, live_version = NULL, live_rev = 0, live_session = NULL
     WHERE id = ?`,
    version,
    now,
    artifactId,
  );
}

export function setLive(db: Db, artifactId: string, live: NonNullable<ArtifactRecord["live"]>): void {
  db.run(
    "UPDATE artifacts SET live_version = ?, live_rev = ?, live_session = ? WHERE id = ?",
    live.version,
    live.rev,
    live.sessionId,
    artifactId,
  );
}

export function findArtifact(db: Db, id: string): ArtifactRecord | undefined {
  const row = db.get<ArtifactRow>(`${artifactSql} WHERE a.id = ?`, id);
  return row === undefined ? undefined : toArtifact(row);
}

export function findVersion(db: Db, artifactId: string, version: number): VersionRecord | undefined {
  const row = db.get<VersionRow>(
    `SELECT ${versionColumns} FROM artifact_versions v WHERE v.artifact_id = ? AND v.version = ?`,
    artifactId,
    version,
  );
  return row === undefined ? undefined : toVersion(row);
}

/** Oldest first, a live or an abandoned one included. */
export function listVersionRows(db: Db, artifactId: string): VersionRecord[] {
  return db
    .all<VersionRow>(
      `SELECT ${versionColumns} FROM artifact_versions v WHERE v.artifact_id = ? ORDER BY v.version`,
      artifactId,
    )
    .map(toVersion);
}

const newestFirst = "ORDER BY a.updated_at DESC, a.id DESC";
// Of a session that is pruned nothing is listed.
const inSession = `a.session_id = ?1 AND EXISTS (SELECT 1 FROM sessions s WHERE s.id = ?1 AND s.pruned_at IS NULL)`;

/** Artifacts of a project, of a session, or of both where both are named; the latest update first. */
export function listArtifactRows(db: Db, of: { projectId?: string; sessionId?: string | undefined }): ArtifactRecord[] {
  const { projectId = null, sessionId = null } = of;
  const rows =
    sessionId === null
      ? db.all<ArtifactRow>(`${artifactSql} WHERE a.project_id = ? ${newestFirst}`, projectId)
      : db.all<ArtifactRow>(
          `${artifactSql} WHERE ${inSession} AND (?2 IS NULL OR a.project_id = ?2) ${newestFirst}`,
          sessionId,
          projectId,
        );
  return rows.map(toArtifact);
}

/** Artifacts after one id, in order; for building the index anew. */
export function listArtifactsFrom(db: Db, after: string, limit: number): ArtifactRecord[] {
  return db.all<ArtifactRow>(`${artifactSql} WHERE a.id > ? ORDER BY a.id LIMIT ?`, after, limit).map(toArtifact);
}

/** Removes the artifact with all that hangs off it; returns the blobs its versions named. */
export function deleteArtifactRow(db: Db, id: string): string[] {
  const versions = listVersionRows(db, id);
  db.run("DELETE FROM artifacts WHERE id = ?", id);
  return [...new Set(versions.map(({ blob }) => blob))];
}

/** Who holds a live version: the session, its agent, and when it was last at work there. */
export type Holder = { sessionId: string; agent: string; isRunning: boolean; lastActivity: number };

/** The session a live version names; undefined when it names none, or one that is gone. */
export function findHolder(db: Db, artifact: Pick<ArtifactRecord, "id" | "live">): Holder | undefined {
  const sessionId = artifact.live?.sessionId ?? null;
  if (sessionId === null) return undefined;
  const row = db.get<{ agent: string; running: number; last_activity: number }>(
    `SELECT agent, status = 'active' AND pruned_at IS NULL AS running, last_activity FROM sessions WHERE id = ?`,
    sessionId,
  );
  return row === undefined
    ? undefined
    : { sessionId, agent: row.agent, isRunning: row.running === 1, lastActivity: row.last_activity };
}

/** Live versions whose session no longer runs, or was quiet since a time, in milliseconds. */
export function listAbandoned(db: Db, activeSince: number): { id: string; project_id: string }[] {
  return db.all(
    `SELECT a.id, a.project_id FROM artifacts a
     LEFT JOIN sessions s ON s.id = a.live_session AND s.status = 'active' AND s.pruned_at IS NULL AND s.last_activity >= ?
     WHERE a.live_session IS NOT NULL AND s.id IS NULL`,
    activeSince,
  );
}

/** The version stays, as one that was never published. */
export function clearLive(db: Db, artifactId: string): void {
  db.run("UPDATE artifacts SET live_version = NULL, live_rev = 0, live_session = NULL WHERE id = ?", artifactId);
}
