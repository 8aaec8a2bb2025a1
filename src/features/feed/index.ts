import type { Feature } from "../../kernel/feature.ts";
import { feedRoutes } from "./routes.ts";
import { feedTools } from "./tools.ts";

export const feed: Feature = { name: "feed", tools: feedTools, routes: feedRoutes };
