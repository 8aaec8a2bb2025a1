import type { Feature } from "../../kernel/feature.ts";
import { sessionTools } from "./tools.ts";

export { isSessionKnown } from "./store.ts";

export const sessions: Feature = {
  name: "sessions",
  tools: sessionTools,
  ids: [{ table: "sessions", column: "id" }],
  blobs: [{ table: "brain_entries", column: "blob" }],
};
