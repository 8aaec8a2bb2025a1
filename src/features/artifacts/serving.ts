// What a public page is served from (rest-api.md 12): which version an address means, and whether it is concealed. The
// unguessable id or token is the capability, so no caller is asked for.
import type { Services } from "../../kernel/ctx.ts";
import type { Db } from "../../storage/database.ts";
import { findProject } from "../projects/index.ts";
import type { ReadVersion } from "./reading.ts";
import { findShare, findShareByToken } from "./share-store.ts";
import { type ArtifactRecord, findArtifact, findVersion, type VersionRecord } from "./store.ts";

/** How an address names a version: by number, else the live one if it is asked for and held, else the current one. */
export type Addressed = { version?: number | undefined; isLive?: boolean };

/** Undefined for an unknown id or version. */
export function findServed(
  db: Db,
  artifactId: string,
  { version, isLive = false }: Addressed,
): ReadVersion | undefined {
  const artifact = findArtifact(db, artifactId);
  if (artifact === undefined) return undefined;
  const number = version ?? (isLive ? artifact.live?.version : undefined) ?? artifact.current.version;
  const found = number === artifact.current.version ? artifact.current : findVersion(db, artifact.id, number);
  return found === undefined ? undefined : { artifact, version: found };
}

/** The pinned version of an active share link; undefined for a token that is unknown or dead. */
export function findShared(db: Db, token: string): ReadVersion | undefined {
  const share = findShareByToken(db, token);
  return share === undefined ? undefined : findServed(db, share.artifactId, { version: share.version });
}

/** True when the plain address of the version answers as an unknown one, but for a valid pass. */
export function isConcealed(db: Db, artifact: ArtifactRecord, version: VersionRecord): boolean {
  if (version.envelope !== null) return false;
  return isClosed(db, artifact);
}

// A share link, or a confidential project, conceals every plain version.
function isClosed(db: Db, artifact: ArtifactRecord): boolean {
  return findShare(db, artifact.id) !== undefined || findProject(db, artifact.projectId)?.isConfidential === true;
}

/** True when a plain version of the artifact needs a pass at its plain address. */
export function needsPass({ db }: Pick<Services, "db">, artifact: ArtifactRecord): boolean {
  return isClosed(db, artifact);
}
