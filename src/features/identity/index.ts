import type { Feature } from "../../kernel/feature.ts";
import { identityRoutes } from "./routes.ts";
import { identityTools } from "./tools.ts";

export { type Authenticator, createAuthenticator } from "./authenticate.ts";
export { revokeReservedAgent, tokenChanged } from "./operations.ts";

export const identity: Feature = {
  name: "identity",
  tools: identityTools,
  routes: identityRoutes,
  ids: [{ table: "tokens", column: "id" }],
};
