import type { Feature } from "../../kernel/feature.ts";
import { inboxRoutes } from "./routes.ts";
import { inboxTools } from "./tools.ts";

export const inbox: Feature = { name: "inbox", tools: inboxTools, routes: inboxRoutes };
