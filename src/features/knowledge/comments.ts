// The operator's remarks on pages (rest-api.md 13.3). They hang on a path, not on what it holds.

import type { Who } from "../../kernel/operation.ts";
import { readOperation, writeOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import type { Json } from "../../shared/json.ts";
import type { Db } from "../../storage/database.ts";
import { operatorOnly } from "../projects/index.ts";
import { readsBase } from "./base.ts";
import {
  deleteCommentRow,
  findComment,
  insertComment,
  listCommentsOn,
  markDone,
  type PageComment,
} from "./comment-store.ts";
import { CommentRef, MarkComment, PathRef, PostComment } from "./rest-schema.ts";

const access = (who: Who, input: { project_id: string }): void => {
  operatorOnly(who, input);
  readsBase(who, input);
};

function requireComment(db: Db, ref: CommentRef): PageComment {
  const comment = findComment(db, ref.project_id, ref.comment_id);
  if (comment !== undefined) return comment;
  throw new HubError("not_found", `there is no comment ${JSON.stringify(ref.comment_id)} in this project`);
}

export const listComments = readOperation({
  name: "listComments",
  input: PathRef,
  access,
  run: (ctx, input) => listCommentsOn(ctx.db, input.project_id, input.path),
});

export const postComment = writeOperation({
  name: "postComment",
  input: PostComment,
  access,
  run(tx, ctx, input): PageComment {
    const comment = {
      id: tx.id(),
      projectId: input.project_id,
      path: input.path,
      author: ctx.principal.actor,
      body: input.body,
      // Checked to be a JSON object on the way in.
      anchor: (input.anchor ?? null) as Json,
      isDone: false,
      createdAt: tx.now,
    };
    insertComment(tx.db, comment);
    tx.wake(`kb:${input.project_id}`);
    return comment;
  },
});

export const markComment = writeOperation({
  name: "markComment",
  input: MarkComment,
  access,
  run(tx, _ctx, input): PageComment {
    const comment = requireComment(tx.db, input);
    markDone(tx.db, comment.id, input.done);
    tx.wake(`kb:${input.project_id}`);
    return { ...comment, isDone: input.done };
  },
});

export const deleteComment = writeOperation({
  name: "deleteComment",
  input: CommentRef,
  access,
  run(tx, _ctx, input) {
    deleteCommentRow(tx.db, requireComment(tx.db, input).id);
    tx.wake(`kb:${input.project_id}`);
  },
});
