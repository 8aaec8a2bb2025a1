import type { Feature } from "../../kernel/feature.ts";
import { identityRoutes } from "./routes.ts";
import { identityTools } from "./tools.ts";

export { addAgent, addToken, readListedAgent, removeAgent } from "./agents.ts";
export { type Authenticator, createAuthenticator } from "./authenticate.ts";
export { revokeReservedAgent } from "./operations.ts";
export { viewAgent } from "./routes.ts";
export { newAgentId } from "./schema.ts";
export { findAgent, type ListedAgent } from "./store.ts";

export const identity: Feature = {
  name: "identity",
  tools: identityTools,
  routes: identityRoutes,
  ids: [{ table: "tokens", column: "id" }],
};
