import { timestamp } from "../../kernel/clock.ts";
import { type Route, route } from "../../kernel/route.ts";
import { deleteComment, listComments, markComment, postComment } from "./comments.ts";
import { forgetVersions } from "./forget.ts";
import { listVersionsOperation, revertPageOperation } from "./history.ts";
import { deletePageOperation, getPageOperation, putPageOperation } from "./operations.ts";
import { lintBase, listBaseLevel, listBaseLog, readBacklinks, readStats } from "./overview.ts";
import { versionOf } from "./page-bytes.ts";
import { promoteEntry } from "./promote.ts";
import { DeletePageAt, ListVersionsAt, PutPageAt, ReadPageAt, RevertPageAt } from "./rest-schema.ts";
import { reviewPage } from "./review.ts";
import { viewComment, viewFinding, viewListing, viewVersions, viewWritten } from "./views.ts";

const inProject = { id: "project_id" };

export const knowledgeRoutes: readonly Route[] = [
  route("listPages", { operation: listBaseLevel, rename: inProject, present: viewListing }),
  route("getPage", {
    operation: getPageOperation("getPageAt", ReadPageAt),
    rename: inProject,
    present: ({ path, content, version, sizeBytes, lastWrite, ofVersion }) => ({
      path,
      content,
      version,
      size_bytes: sizeBytes,
      ...(ofVersion === null
        ? { last_write: { actor: lastWrite.actor, at: timestamp(lastWrite.at) } }
        : { current: ofVersion.isCurrent, at: timestamp(ofVersion.at), actor: ofVersion.actor }),
    }),
  }),
  route("putPage", {
    operation: putPageOperation("putPageAt", PutPageAt),
    // Apart from the body's, so that two guards are seen as two.
    rename: { ...inProject, if_version: "?if_version" },
    present: viewWritten,
  }),
  route("deletePage", {
    operation: deletePageOperation("deletePageAt", DeletePageAt),
    rename: inProject,
    present: ({ path }) => ({ ok: true, path }),
  }),
  route("reviewPage", {
    operation: reviewPage,
    rename: inProject,
    present: ({ path, version }) => ({ ok: true, path, version }),
  }),
  route("revertPage", {
    operation: revertPageOperation("revertPageAt", RevertPageAt),
    rename: inProject,
    present: (reverted) => ({ ...viewWritten(reverted), changed: reverted.isChanged }),
  }),
  route("promoteEntry", {
    operation: promoteEntry,
    rename: inProject,
    present: ({ path, version, lint }) => ({ ok: true, path, version, lint }),
  }),
  route("listPageLog", {
    operation: listBaseLog,
    rename: inProject,
    present: ({ rows, total, nextBefore, isTruncated }) => ({
      rows: rows.map(({ op, path, actor, at, blob }) => ({
        op,
        path,
        actor,
        at: timestamp(at),
        version: blob === null ? null : versionOf(blob),
      })),
      total,
      next_before: nextBefore,
      truncated: isTruncated,
    }),
  }),
  route("listPageVersions", {
    operation: listVersionsOperation("listPageVersionsAt", ListVersionsAt),
    rename: inProject,
    present: viewVersions,
  }),
  route("forgetVersions", {
    operation: forgetVersions,
    rename: inProject,
    present: ({ path, versions, bytes }) => ({
      ok: true,
      path,
      versions_forgotten: versions,
      bytes_forgotten: bytes,
      unreferenced_forgotten: 0,
    }),
  }),
  route("listBacklinks", {
    operation: readBacklinks,
    rename: inProject,
    present: (pages) => pages.map(({ path, title }) => ({ path, title: title ?? path })),
  }),
  route("lintPages", {
    operation: lintBase,
    rename: inProject,
    present: ({ checkedAt, findings }) => ({ checked_at: timestamp(checkedAt), findings: findings.map(viewFinding) }),
  }),
  route("getPageStats", {
    operation: readStats,
    rename: inProject,
    present: ({ totals, stale }) => {
      const { unverified, machine_confirmed, edited_since_review } = totals;
      return {
        pages: totals.pages,
        bytes: totals.bytes,
        unverified,
        stale,
        last_change_at: totals.changed_at === null ? null : timestamp(totals.changed_at),
        last_change_by: totals.changed_by,
        needs_review: {
          unverified,
          machine_confirmed,
          edited_since_review,
          total: unverified + machine_confirmed + edited_since_review,
        },
      };
    },
  }),
  route("listPageComments", {
    operation: listComments,
    rename: inProject,
    present: (comments) => ({ comments: comments.map(viewComment) }),
  }),
  route("postPageComment", {
    operation: postComment,
    rename: inProject,
    present: (comment) => ({ comment: viewComment(comment) }),
  }),
  route("markPageComment", {
    operation: markComment,
    rename: inProject,
    present: (comment) => ({ comment: viewComment(comment) }),
  }),
  route("deletePageComment", { operation: deleteComment, rename: inProject, present: () => undefined }),
];
