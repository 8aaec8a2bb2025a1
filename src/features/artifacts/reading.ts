// Reading artifacts: one with its content, its versions, the lists (mcp-tools.md 17.18 to 17.20).
import { readOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { Db } from "../../storage/database.ts";
import { operatorOnly, readsProject } from "../projects/index.ts";
import { readsArtifact, requireArtifact } from "./access.ts";
import { loadContent, loadText } from "./content.ts";
import { ArtifactRef, GetArtifact, ListArtifacts, ListArtifactsAt, ListSessionArtifacts } from "./schema.ts";
import { type ArtifactRecord, findVersion, listArtifactRows, listVersionRows, type VersionRecord } from "./store.ts";
import type { Content } from "./text.ts";

/** An artifact and one of its versions. */
export type ReadVersion = { artifact: ArtifactRecord; version: VersionRecord };

/** @throws HubError `not_found` when the artifact has no such version */
function requireVersion(db: Db, artifact: ArtifactRecord, number: number | undefined): VersionRecord {
  if (number === undefined || number === artifact.current.version) return artifact.current;
  const version = findVersion(db, artifact.id, number);
  if (version !== undefined) return version;
  throw new HubError("not_found", `the artifact has no version ${number}; artifact_versions lists those it has`);
}

export const getArtifact = readOperation({
  name: "getArtifact",
  input: GetArtifact,
  access: readsArtifact,
  async run(ctx, input): Promise<ReadVersion & { isNamed: boolean; content: Content }> {
    const artifact = requireArtifact(ctx, "read", input.artifact_id);
    const version = requireVersion(ctx.db, artifact, input.version);
    const content = await loadText(ctx, version);
    return { artifact, version, isNamed: input.version !== undefined, content };
  },
});

/** The bytes as they were stored, or the ciphertext with what opens it. */
export const readRaw = readOperation({
  name: "readRaw",
  input: GetArtifact,
  access: (who, input) => {
    operatorOnly(who, input);
    readsArtifact(who, input);
  },
  async run(
    ctx,
    input,
  ): Promise<{ envelope: JsonObject; ciphertext: Content } | { envelope: null; bytes: Uint8Array }> {
    const artifact = requireArtifact(ctx, "read", input.artifact_id);
    const version = requireVersion(ctx.db, artifact, input.version);
    const { envelope } = version;
    return envelope === null
      ? { envelope, bytes: await loadContent(ctx, version) }
      : { envelope, ciphertext: await loadText(ctx, version) };
  },
});

export type VersionList = { artifact: ArtifactRecord; versions: VersionRecord[] };

export const listVersions = readOperation({
  name: "listVersions",
  input: ArtifactRef,
  access: readsArtifact,
  run(ctx, input): VersionList {
    const artifact = requireArtifact(ctx, "read", input.artifact_id);
    return { artifact, versions: listVersionRows(ctx.db, artifact.id) };
  },
});

export const listArtifacts = readOperation({
  name: "listArtifacts",
  input: ListArtifacts,
  access: readsProject,
  run: (ctx, input) => listArtifactRows(ctx.db, { projectId: input.project_id, sessionId: input.session }),
});

export const listArtifactsAt = readOperation({
  name: "listArtifactsAt",
  input: ListArtifactsAt,
  access: (who, input) => {
    operatorOnly(who, input);
    readsProject(who, input);
  },
  run: (ctx, input) => listArtifactRows(ctx.db, { projectId: input.project_id, sessionId: input.session }),
});

export const listSessionArtifacts = readOperation({
  name: "listSessionArtifacts",
  input: ListSessionArtifacts,
  access: operatorOnly,
  run: (ctx, input) => listArtifactRows(ctx.db, { sessionId: input.session }),
});
