import type { Feature } from "../../kernel/feature.ts";
import { sweepAbandoned } from "./live.ts";
import { artifactRoutes } from "./routes.ts";
import { artifactTools } from "./tools.ts";

export { type ArtifactComment, listCommentsOn as listArtifactComments } from "./comment-store.ts";
export { decodeContent, loadContent, loadText, readContent } from "./content.ts";
export { artifactDocuments } from "./document.ts";
export { contentReleased } from "./events.ts";
export { isPassValid } from "./pass.ts";
export type { ReadVersion } from "./reading.ts";
export { viewerPassRoute } from "./routes.ts";
export { type Addressed, findServed, findShared, isConcealed } from "./serving.ts";
export { type ArtifactRecord, listVersionRows as listArtifactVersions, type VersionRecord } from "./store.ts";

export const artifacts: Feature = {
  name: "artifacts",
  tools: artifactTools,
  routes: artifactRoutes,
  sweeps: [{ name: "abandoned live versions", pace: "sweeper", run: sweepAbandoned }],
  ids: [
    { table: "artifacts", column: "id" },
    { table: "artifact_comments", column: "id" },
  ],
  blobs: [{ table: "artifact_versions", column: "blob", by: "hash" }],
};
