import type { Feature } from "../../kernel/feature.ts";
import { sweepPruned } from "./prune.ts";
import { sessionRoutes } from "./routes.ts";
import { sessionTools } from "./tools.ts";

export { deleteBrain, getBrain, listBrain, putBrain, valuesReleased, valueWritten } from "./brain.ts";
export { brainDocuments, brainRef, readBrainDocument } from "./brain-documents.ts";
export { findEntry as findBrainEntry } from "./brain-store.ts";
export { recoveryPath } from "./operations.ts";
export { brainPathExpected, canonicalPath as canonicalBrainPath } from "./paths.ts";
export { findSession as sessionRecord, type SessionRecord } from "./store.ts";
export {
  activeSessionRecord,
  byId as sessionById,
  dropLostSession,
  requireActiveSession,
  touchActiveSession,
} from "./target.ts";

export const sessions: Feature = {
  name: "sessions",
  tools: sessionTools,
  routes: sessionRoutes,
  sweeps: [{ name: "pruned sessions", pace: "sweeper", run: sweepPruned }],
  ids: [{ table: "sessions", column: "id" }],
  blobs: [{ table: "brain_entries", column: "blob", by: "id" }],
};
