import type { Feature } from "../../kernel/feature.ts";
import { settleDueItems } from "./items.ts";
import { itemRoutes } from "./routes.ts";
import { itemTools } from "./tools.ts";
import { sweepSnoozes } from "./triage.ts";

export {
  enterItem,
  holdOpenItemCaps,
  type ItemSubject,
  itemOpened,
  itemResolved,
  itemSubject,
  requireOpen,
  resolveItem,
  settleDueItems,
} from "./items.ts";
export { deadlineSeconds, idempotencyKey, isEnrolRequest } from "./schema.ts";
export { findItem, type ItemRecord } from "./store.ts";

export const items: Feature = {
  name: "items",
  tools: itemTools,
  routes: itemRoutes,
  sweeps: [
    { name: "deadlines", pace: "quick", run: settleDueItems },
    { name: "snoozes", pace: "sweeper", run: sweepSnoozes },
  ],
};
