import { timestamp } from "../../kernel/clock.ts";
import type { Ctx } from "../../kernel/ctx.ts";
import { readOperation } from "../../kernel/operation.ts";
import { type Route, route } from "../../kernel/route.ts";
import type { ShareView } from "../../shared/artifacts.ts";
import { operatorOnly } from "../projects/index.ts";
import { readsArtifact, requireArtifact } from "./access.ts";
import { deleteComment, listComments, postComment, resolveComment } from "./comments.ts";
import { deleteArtifact } from "./deleting.ts";
import { readLive } from "./live.ts";
import { mintPass } from "./pass.ts";
import { getArtifact, listArtifactsAt, listSessionArtifacts, listVersions, readRaw } from "./reading.ts";
import { ArtifactRef } from "./schema.ts";
import { needsPass } from "./serving.ts";
import type { Share } from "./share-store.ts";
import { createShare, getShare, revokeShare } from "./shares.ts";
import { onWire, viewComment, viewContent, viewListed, viewVersions } from "./views.ts";

function viewShare(share: Share, ctx: Ctx): ShareView {
  const path = `s/${share.token}`;
  const { publicUrl } = ctx.config;
  return {
    token: share.token,
    url: publicUrl === null ? path : `${publicUrl}/${path}`,
    version: share.version,
    created_at: timestamp(share.createdAt),
  };
}

const byId = { id: "artifact_id" };
const inProject = { id: "project_id" };

export const artifactRoutes: readonly Route[] = [
  route("listArtifacts", {
    operation: listArtifactsAt,
    rename: inProject,
    present: (artifacts) => ({ artifacts: artifacts.map(viewListed) }),
  }),
  route("listSessionArtifacts", {
    operation: listSessionArtifacts,
    present: (artifacts) => ({ artifacts: artifacts.map(viewListed) }),
  }),
  route("getArtifact", { operation: getArtifact, rename: byId, present: viewContent }),
  route("deleteArtifact", { operation: deleteArtifact, rename: byId, present: () => ({ ok: true }) }),
  route("listArtifactVersions", {
    operation: listVersions,
    rename: byId,
    present: (list) => ({ versions: viewVersions(list) }),
  }),
  route("getArtifactRaw", {
    operation: readRaw,
    rename: byId,
    present: (raw) =>
      raw.envelope === null ? raw.bytes : { envelope: raw.envelope, ciphertext: onWire(raw.ciphertext) },
  }),
  route("getArtifactLive", {
    operation: readLive,
    rename: byId,
    present: ({ artifact: { live }, state, agent }) => ({
      state,
      version: live?.version ?? null,
      live_rev: live?.rev ?? 0,
      session_id: live?.sessionId ?? null,
      actor: agent,
    }),
  }),
  route("getShare", { operation: getShare, rename: byId, present: viewShare }),
  route("createShare", { operation: createShare, rename: byId, present: viewShare }),
  route("revokeShare", { operation: revokeShare, rename: byId, present: () => undefined }),
  route("listArtifactComments", {
    operation: listComments,
    rename: byId,
    present: (comments) => ({ comments: comments.map(viewComment) }),
  }),
  route("postArtifactComment", {
    operation: postComment,
    rename: byId,
    present: ({ comment }) => viewComment(comment),
  }),
  route("resolveArtifactComment", { operation: resolveComment, rename: byId, present: viewComment }),
  route("deleteArtifactComment", { operation: deleteComment, rename: byId, present: () => ({ ok: true }) }),
];

/** @param key the admin token, under which passes are minted; null without a listener, where no page is served */
export function viewerPassRoute(key: string | null): Route {
  const readPass = readOperation({
    name: "readPass",
    input: ArtifactRef,
    access: (who, input) => {
      operatorOnly(who, input);
      readsArtifact(who, input);
    },
    run(ctx, input) {
      const artifact = requireArtifact(ctx, "read", input.artifact_id);
      return key === null || !needsPass(ctx, artifact) ? "" : mintPass(key, artifact.id, ctx.now());
    },
  });
  return route("getViewerPass", { operation: readPass, rename: byId, present: (pass) => ({ pass }) });
}
