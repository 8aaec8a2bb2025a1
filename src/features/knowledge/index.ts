import type { Feature } from "../../kernel/feature.ts";
import { knowledgeRoutes } from "./routes.ts";
import { brainTools } from "./tools.ts";

export { versionsForgotten } from "./forget.ts";
export { getPage } from "./operations.ts";
export { canonicalPagePath } from "./page/page-path.ts";
export { pageDocuments } from "./page-document.ts";
export { type WalkedPage, walkPages } from "./walk.ts";

export const knowledge: Feature = {
  name: "knowledge",
  tools: brainTools,
  routes: knowledgeRoutes,
  ids: [{ table: "page_comments", column: "id" }],
  blobs: [{ table: "page_versions", column: "blob", by: "hash" }],
};
