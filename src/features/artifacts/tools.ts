import type { Ctx } from "../../kernel/ctx.ts";
import { type Tool, tool } from "../../kernel/tool.ts";
import { deleteComment, listComments, postComment, resolveComment } from "./comments.ts";
import { deleteArtifact } from "./deleting.ts";
import { getArtifact, listArtifacts, listVersions } from "./reading.ts";
import { viewArtifact, viewComment, viewContent, viewVersions } from "./views.ts";
import { draftArtifact, type Published, publishArtifact, updateArtifact } from "./writing.ts";

const viewPublished = ({ artifactId, version }: Published): object => ({ artifact_id: artifactId, version });

export const artifactTools: readonly Tool[] = [
  tool({
    name: "artifact_publish",
    description: "Publish an HTML or markdown document the human reads in the browser. Returns its id and version 1.",
    operation: publishArtifact,
    present: viewPublished,
  }),
  tool({
    name: "artifact_update",
    description:
      "Publish a new version of an artifact; a live one is sealed with this content. Earlier versions stay. base_version guards against overwriting.",
    operation: updateArtifact,
    present: viewPublished,
  }),
  tool({
    name: "artifact_draft",
    description:
      "Show an artifact's next version while you write it: each call rewrites that live version, and viewer_url follows it. artifact_update publishes it.",
    operation: draftArtifact,
    present: ({ artifactId, version, liveVersion, liveRev }, ctx: Ctx) => ({
      artifact_id: artifactId,
      version,
      live_version: liveVersion,
      live_rev: liveRev,
      viewer_url: `${ctx.origin}/artifacts/${artifactId}?live=1`,
    }),
  }),
  tool({
    name: "artifact_get",
    description: "Read an artifact with its content, or one version of it.",
    operation: getArtifact,
    hints: { readOnlyHint: true },
    present(read) {
      const { id, live: _live, ...view } = viewContent(read);
      return { artifact_id: id, ...view };
    },
  }),
  tool({
    name: "artifact_versions",
    description: "List an artifact's versions, oldest first.",
    operation: listVersions,
    hints: { readOnlyHint: true },
    present: (list) => ({ versions: viewVersions(list) }),
  }),
  tool({
    name: "artifact_list",
    description: "List a project's artifacts, the latest update first, with how many comments are open.",
    operation: listArtifacts,
    hints: { readOnlyHint: true },
    present: (artifacts) => ({ artifacts: artifacts.map((artifact) => viewArtifact(artifact)) }),
  }),
  tool({
    name: "artifact_delete",
    description: "Delete an artifact with its versions and comments, for good.",
    operation: deleteArtifact,
    hints: { destructiveHint: true },
    present: ({ artifactId }) => ({ ok: true, artifact_id: artifactId }),
  }),
  tool({
    name: "comment_post",
    description: "Comment on an artifact, on a point or a quote of it if you like. delete_token is shown once.",
    operation: postComment,
    present: ({ comment, deleteToken }) => ({
      comment: viewComment(comment),
      ...(deleteToken === undefined ? {} : { delete_token: deleteToken }),
    }),
  }),
  tool({
    name: "comment_list",
    description: "List an artifact's comments over all versions, oldest first.",
    operation: listComments,
    hints: { readOnlyHint: true },
    present: (comments) => ({ comments: comments.map(viewComment) }),
  }),
  tool({
    name: "comment_resolve",
    description: "Mark a comment done, or reopen it.",
    operation: resolveComment,
    present: (comment) => ({ comment: viewComment(comment) }),
  }),
  tool({
    name: "comment_delete",
    description: "Delete a comment.",
    operation: deleteComment,
    hints: { destructiveHint: true },
    present: () => ({ ok: true }),
  }),
];
