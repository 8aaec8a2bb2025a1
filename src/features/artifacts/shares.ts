// Share links (artifacts.md 7): one an artifact, made and revoked by the operator alone, pinned to a sealed version.
import { randomBytes } from "node:crypto";
import type { Tx } from "../../kernel/ctx.ts";
import { type Access, readOperation, writeOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { operatorOnly } from "../projects/index.ts";
import { requireArtifact } from "./access.ts";
import { ArtifactRef, CreateShare } from "./schema.ts";
import { deleteShareRow, findShare, putShare, type Share } from "./share-store.ts";
import type { ArtifactRecord } from "./store.ts";

const tokenBytes = 32;

const sharesArtifact: Access<ArtifactRef> = (who, input) => {
  operatorOnly(who, input);
  requireArtifact(who, "write", input.artifact_id);
};

export const getShare = readOperation({
  name: "getShare",
  input: ArtifactRef,
  access: sharesArtifact,
  run(ctx, input): Share {
    const share = findShare(ctx.db, input.artifact_id);
    if (share !== undefined) return share;
    throw new HubError("not_found", "the artifact has no share link");
  },
});

export const createShare = writeOperation({
  name: "createShare",
  input: CreateShare,
  access: sharesArtifact,
  run(tx, ctx, input): Share {
    const artifact = requireArtifact({ ...ctx, db: tx.db }, "write", input.artifact_id);
    const current = artifact.current.version;
    const version = input.version ?? current;
    if (version > current) {
      throw new HubError("not_found", `the artifact has no sealed version ${version}; the current one is ${current}`);
    }
    const token = randomBytes(tokenBytes).toString("hex");
    const share = { artifactId: artifact.id, token, version, createdAt: tx.now };
    putShare(tx.db, share);
    wake(tx, artifact);
    return share;
  },
});

/** A success also when there is none. */
export const revokeShare = writeOperation({
  name: "revokeShare",
  input: ArtifactRef,
  access: sharesArtifact,
  run(tx, ctx, input) {
    const artifact = requireArtifact({ ...ctx, db: tx.db }, "write", input.artifact_id);
    if (deleteShareRow(tx.db, artifact.id)) wake(tx, artifact);
  },
});

function wake(tx: Tx, artifact: ArtifactRecord): void {
  tx.wake(`artifact:${artifact.id}`, `artifacts:${artifact.projectId}`);
}
