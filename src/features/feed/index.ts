import { listen } from "../../kernel/facts.ts";
import type { Feature } from "../../kernel/feature.ts";
import { eventsRemoved } from "../events/index.ts";
import { feedRoutes } from "./routes.ts";
import { forgetSeen } from "./store.ts";
import { feedTools } from "./tools.ts";

export { findCursor } from "./store.ts";

export const feed: Feature = {
  name: "feed",
  tools: feedTools,
  routes: feedRoutes,
  listeners: [listen(eventsRemoved, (tx, { projectId, ids }) => forgetSeen(tx.db, projectId, ids))],
};
