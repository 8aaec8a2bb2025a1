// Comments on artifacts (artifacts.md 8): flat, no edit, no event. Whoever holds a comment's token may close or remove it
// without access to the project.
import { randomBytes } from "node:crypto";
import type { Tx } from "../../kernel/ctx.ts";
import { invalid } from "../../kernel/input.ts";
import { type Access, readOperation, type Who, writeOperation } from "../../kernel/operation.ts";
import type { Db } from "../../storage/database.ts";
import { missing } from "../projects/index.ts";
import { readsArtifact, requireArtifact, writesArtifact } from "./access.ts";
import {
  type ArtifactComment,
  deleteCommentRow,
  findComment,
  hasToken,
  insertComment,
  listCommentsOn,
  markDone,
} from "./comment-store.ts";
import { ArtifactRef, DeleteComment, PostComment, ResolveComment } from "./schema.ts";
import { type ArtifactRecord, findArtifact, findVersion } from "./store.ts";

const tokenBytes = 32;

export const listComments = readOperation({
  name: "listComments",
  input: ArtifactRef,
  access: readsArtifact,
  run: (ctx, input) => listCommentsOn(ctx.db, input.artifact_id),
});

/** `deleteToken` comes once, to an agent: neither a replay nor a list has it. */
export type PostedComment = { comment: ArtifactComment; deleteToken?: string };

export const postComment = writeOperation({
  name: "postComment",
  input: PostComment,
  access: writesArtifact,
  replay(db, { idempotency_key: key, artifact_id: target }) {
    const artifact = key === undefined ? undefined : findArtifact(db, target);
    return key === undefined || artifact === undefined
      ? undefined
      : { scope: artifact.projectId, operation: "comment", key, target };
  },
  kept: ({ comment }: PostedComment): PostedComment => ({ comment }),
  run(tx, ctx, input): PostedComment {
    const artifact = requireArtifact({ ...ctx, db: tx.db }, "write", input.artifact_id);
    const current = artifact.current.version;
    const anchorVersion = Math.min(Math.max(input.anchor_version ?? current, 1), current);
    if (input.anchor?.mode === "text" && isCiphertext(tx.db, artifact, anchorVersion)) {
      throw invalid("anchor", input.anchor, "no quote: that version is held only as ciphertext");
    }
    const comment = {
      id: tx.id(),
      artifactId: artifact.id,
      author: ctx.principal.actor,
      body: input.body,
      anchor: input.anchor ?? null,
      anchorVersion,
      isDone: false,
      createdAt: tx.now,
    };
    // The operator needs none.
    const deleteToken = ctx.principal.kind === "agent" ? randomBytes(tokenBytes).toString("hex") : undefined;
    insertComment(tx.db, comment, deleteToken === undefined ? null : hashOf(deleteToken));
    nudge(tx, artifact);
    return deleteToken === undefined ? { comment } : { comment, deleteToken };
  },
});

function isCiphertext(db: Db, artifact: ArtifactRecord, version: number): boolean {
  const found = findVersion(db, artifact.id, version);
  return found === undefined || found.envelope !== null;
}

function hashOf(token: string): string {
  return Bun.SHA256.hash(token, "hex");
}

/** A comment and its artifact, for a caller that holds its token or may write there. */
function requireComment(who: Pick<Who, "db" | "principal">, ref: DeleteComment) {
  const comment = findComment(who.db, ref.artifact_id, ref.comment_id);
  const artifact = findArtifact(who.db, ref.artifact_id);
  if (comment === undefined || artifact === undefined) {
    throw missing(who.principal, `comment ${JSON.stringify(ref.comment_id)} on this artifact`);
  }
  const isHolder = ref.delete_token !== undefined && hasToken(who.db, comment.id, hashOf(ref.delete_token));
  if (!isHolder) requireArtifact(who, "write", ref.artifact_id);
  return { comment, artifact };
}

const ownsComment: Access<DeleteComment> = (who, input) => {
  requireComment(who, input);
};

export const resolveComment = writeOperation({
  name: "resolveComment",
  input: ResolveComment,
  access: ownsComment,
  run(tx, ctx, input): ArtifactComment {
    const { comment, artifact } = requireComment({ ...ctx, db: tx.db }, input);
    markDone(tx.db, comment, input.done);
    if (comment.isDone !== input.done) nudge(tx, artifact);
    return { ...comment, isDone: input.done };
  },
});

export const deleteComment = writeOperation({
  name: "deleteComment",
  input: DeleteComment,
  access: ownsComment,
  run(tx, ctx, input) {
    const { comment, artifact } = requireComment({ ...ctx, db: tx.db }, input);
    deleteCommentRow(tx.db, comment);
    nudge(tx, artifact);
  },
});

// The operator's stream alone: lists show the counts, a page its thread.
function nudge(tx: Tx, artifact: Pick<ArtifactRecord, "id" | "projectId">): void {
  tx.wake(`artifact:${artifact.id}`, `artifacts:${artifact.projectId}`);
}
