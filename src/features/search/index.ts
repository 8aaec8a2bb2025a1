import { listen } from "../../kernel/facts.ts";
import type { Feature } from "../../kernel/feature.ts";
import { eventAppended } from "../events/index.ts";
import { projectDeleted } from "../projects/index.ts";
import { dropProject, indexEvent, rebuildIfStale } from "./indexing.ts";
import { searchRoutes } from "./routes.ts";
import { searchTools } from "./tools.ts";

export const search: Feature = {
  name: "search",
  tools: searchTools,
  routes: searchRoutes,
  listeners: [
    listen(eventAppended, indexEvent),
    listen(projectDeleted, (tx, { projectId }) => dropProject(tx, projectId)),
  ],
  start: rebuildIfStale,
};
