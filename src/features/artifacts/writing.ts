// Publishing, updating and drafting (artifacts.md 2, 3): a sealed version never changes, the one above it may be written
// again and again until it is sealed.
import type { Ctx, Tx } from "../../kernel/ctx.ts";
import { preparedWriteOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import type { Db } from "../../storage/database.ts";
import { sessionOfWrite } from "../connections/index.ts";
import { writesProject } from "../projects/index.ts";
import { touchActiveSession } from "../sessions/index.ts";
import { requireArtifact, writesArtifact } from "./access.ts";
import { type PreparedContent, storeContent } from "./content.ts";
import { indexArtifact } from "./document.ts";
import { announce, contentReleased } from "./events.ts";
import { holderOf, holdLive } from "./live.ts";
import { DraftArtifact, PublishArtifact, UpdateArtifact } from "./schema.ts";
import {
  type ArtifactRecord,
  findArtifact,
  findVersion,
  insertArtifact,
  putVersion,
  sealVersion,
  setLive,
  type VersionRecord,
} from "./store.ts";
import { firstHeading } from "./text.ts";

export type Published = { artifactId: string; version: number };

export const publishArtifact = preparedWriteOperation({
  name: "publishArtifact",
  input: PublishArtifact,
  large: ["content"],
  access: writesProject,
  replay: (_db, { idempotency_key: key, project_id: projectId }) =>
    key === undefined ? undefined : { scope: projectId, operation: "artifact:publish", key, target: projectId },
  prepare(ctx, { kind, content }) {
    touchActiveSession(ctx);
    return storeContent(ctx, kind, content);
  },
  run(tx, ctx, input, prepared): Published {
    const projectId = input.project_id;
    const envelope = input.envelope ?? null;
    const current = versionOf(tx, ctx, { version: 1, label: labelOf(input.label), envelope }, prepared);
    const artifact = {
      id: tx.id(),
      projectId,
      kind: input.kind,
      title: titleOf(input),
      description: input.description ?? "",
      sessionId: sessionOfWrite(tx, ctx, projectId),
      actor: ctx.principal.actor,
      createdAt: tx.now,
      updatedAt: tx.now,
      current,
    };
    insertArtifact(tx.db, artifact);
    indexArtifact(tx.db, artifact, prepared.searched);
    announce(tx, ctx, "published", artifact);
    return { artifactId: artifact.id, version: current.version };
  },
});

function titleOf({ title = "", content }: PublishArtifact): string {
  const given = title.trim();
  // The schema let in a blank one only where the content has a heading.
  return given === "" ? (firstHeading(content) ?? "") : given;
}

function labelOf(label: string | undefined): string | null {
  return label === undefined || label === "" ? null : label;
}

export const updateArtifact = preparedWriteOperation({
  name: "updateArtifact",
  input: UpdateArtifact,
  large: ["content"],
  nullable: ["envelope", "label"],
  access: writesArtifact,
  replay(db, { idempotency_key: key, artifact_id: target }) {
    const artifact = key === undefined ? undefined : findArtifact(db, target);
    return key === undefined || artifact === undefined
      ? undefined
      : { scope: artifact.projectId, operation: "artifact:update", key, target };
  },
  prepare(ctx, input) {
    const artifact = requireArtifact(ctx, "write", input.artifact_id);
    // Refused writes store no bytes; the transaction checks again.
    holdUpdate(ctx, artifact, input, ctx.now());
    touchActiveSession(ctx);
    return storeContent(ctx, artifact.kind, input.content);
  },
  run(tx, ctx, input, prepared): Published {
    const artifact = requireArtifact({ ...ctx, db: tx.db }, "write", input.artifact_id);
    holdUpdate({ ...ctx, db: tx.db }, artifact, input, tx.now);
    const label = input.label === undefined ? artifact.current.label : labelOf(input.label);
    const version = writeAbove(tx, ctx, artifact, { label, envelope: envelopeOf(tx.db, artifact, input) }, prepared);
    sealVersion(tx.db, artifact.id, version.version, tx.now);
    const sealed = { ...artifact, current: version, updatedAt: tx.now };
    indexArtifact(tx.db, sealed, prepared.searched);
    announce(tx, ctx, "updated", sealed);
    return { artifactId: artifact.id, version: version.version };
  },
});

function holdUpdate(ctx: Ctx, artifact: ArtifactRecord, input: UpdateArtifact, now: number): void {
  if (input.force === true) return;
  const { version } = artifact.current;
  if (input.base_version !== undefined && input.base_version !== version) {
    throw new HubError(
      "conflict",
      `the artifact changed since version ${input.base_version}; read it again, or send force; current_version=${version}`,
      { current_version: version },
    );
  }
  holdLive(ctx, artifact, now);
}

export type Drafted = { artifactId: string; version: number; liveVersion: number; liveRev: number };

export const draftArtifact = preparedWriteOperation({
  name: "draftArtifact",
  input: DraftArtifact,
  large: ["content"],
  nullable: ["envelope"],
  access: writesArtifact,
  prepare(ctx, input) {
    const artifact = requireArtifact(ctx, "write", input.artifact_id);
    if (input.force !== true) holdLive(ctx, artifact, ctx.now());
    touchActiveSession(ctx);
    return storeContent(ctx, artifact.kind, input.content);
  },
  run(tx, ctx, input, prepared): Drafted {
    const who = { ...ctx, db: tx.db };
    const artifact = requireArtifact(who, "write", input.artifact_id);
    if (input.force !== true) holdLive(who, artifact, tx.now);
    const envelope = envelopeOf(tx.db, artifact, input);
    const { version } = writeAbove(tx, ctx, artifact, { label: null, envelope }, prepared);
    // A caller without a session leaves the version to the one that holds it.
    const holder = holderOf(who, artifact, tx.now)?.sessionId ?? null;
    const sessionId = sessionOfWrite(tx, ctx, artifact.projectId) ?? holder;
    const rev = (artifact.live?.rev ?? 0) + 1;
    setLive(tx.db, artifact.id, { version, rev, sessionId });
    tx.wake(`artifact:${artifact.id}`);
    // Lists show that a version is being written, not how often.
    if (artifact.live === null) tx.wake(`artifacts:${artifact.projectId}`);
    return { artifactId: artifact.id, version: artifact.current.version, liveVersion: version, liveRev: rev };
  },
});

// Whether the text is protected goes on as it was, in the version being written or else in the current one, unless the
// caller says otherwise.
function envelopeOf(
  db: Db,
  artifact: ArtifactRecord,
  { envelope }: { envelope?: JsonObject | null | undefined },
): JsonObject | null {
  if (envelope !== undefined) return envelope;
  const live = artifact.live === null ? undefined : findVersion(db, artifact.id, artifact.live.version);
  return (live ?? artifact.current).envelope;
}

type VersionFields = Pick<VersionRecord, "version" | "label" | "envelope">;

function versionOf(tx: Tx, ctx: Ctx, fields: VersionFields, { blob, opening }: PreparedContent): VersionRecord {
  tx.blobs.record(tx.db, blob, tx.now);
  return {
    ...fields,
    blob: blob.hash,
    size: blob.size,
    excerpt: fields.envelope === null ? opening : null,
    actor: ctx.principal.actor,
    createdAt: tx.now,
  };
}

// The number above the current one: of the live version, of one that was abandoned, or of none yet.
function writeAbove(
  tx: Tx,
  ctx: Ctx,
  artifact: ArtifactRecord,
  fields: Omit<VersionFields, "version">,
  prepared: PreparedContent,
): VersionRecord {
  const version = versionOf(tx, ctx, { ...fields, version: artifact.current.version + 1 }, prepared);
  const replaced = putVersion(tx.db, artifact.id, version);
  if (replaced !== undefined && replaced !== version.blob) tx.emit(contentReleased, { blobs: [replaced] });
  return version;
}
