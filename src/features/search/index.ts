import type { Services } from "../../kernel/ctx.ts";
import { listen } from "../../kernel/facts.ts";
import type { Feature } from "../../kernel/feature.ts";
import { dropProjectDocuments } from "../corpus/index.ts";
import { eventAppended } from "../events/index.ts";
import { projectDeleted } from "../projects/index.ts";
import { valueWritten } from "../sessions/index.ts";
import { createBacklog } from "./backlog.ts";
import { rebuildIfStale } from "./indexing.ts";
import { searchRoutes } from "./routes.ts";
import { searchTools } from "./tools.ts";

export function createSearch(): Feature {
  const backlog = createBacklog();
  return {
    name: "search",
    tools: searchTools,
    routes: searchRoutes,
    listeners: [
      listen(eventAppended, (tx) => tx.afterCommit(() => backlog.grew(true))),
      listen(valueWritten, (tx, { isNew }) => tx.afterCommit(() => backlog.grew(isNew))),
      listen(projectDeleted, (tx, { projectId }) => dropProjectDocuments(tx.db, projectId)),
    ],
    ids: [{ table: "search_feed_mark", column: "event_id" }],
    sweeps: [{ name: "search index", pace: "quick", run: backlog.sweep }],
    start: async (services: Services) => {
      await rebuildIfStale(services);
      backlog.open(services);
    },
  };
}
