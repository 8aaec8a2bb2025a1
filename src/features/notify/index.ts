import type { Services } from "../../kernel/ctx.ts";
import { listen } from "../../kernel/facts.ts";
import type { Feature } from "../../kernel/feature.ts";
import type { Log } from "../../kernel/log.ts";
import { eventAppended } from "../events/index.ts";
import { itemOpened, itemResolved } from "../items/index.ts";
import { projectDeleted } from "../projects/index.ts";
import type { Notifier } from "./notifier.ts";
import { createNudge } from "./nudge.ts";
import { notifyRoutes } from "./routes.ts";
import { notifyTools } from "./tools.ts";

export { createNotifier, type Notifications, type Notifier } from "./notifier.ts";

/** Who has something pending is known in memory, so this feature is made once a hub. */
export function createNotify(notifier: Notifier, config: Services["config"], log: Log): Feature {
  let metrics: Services["metrics"] | undefined;
  let now: Services["now"] = Date.now;
  const nudge = createNudge(config, log, ({ isDelivered }) => {
    if (metrics === undefined) return;
    const result = isDelivered ? "delivered" : "failed";
    metrics.sends.add(result);
    metrics.lastSend = { result, at: now() };
  });
  return {
    name: "notify",
    tools: notifyTools(notifier),
    routes: notifyRoutes(nudge),
    listeners: [
      listen(eventAppended, (tx, event) => notifier.noteEvent(tx, event)),
      listen(itemResolved, (tx, { item }) => notifier.noteResolved(tx, item)),
      listen(itemOpened, (tx) => tx.afterCommit(() => nudge.trigger())),
      listen(projectDeleted, (tx, { projectId }) => notifier.noteProjectDeleted(tx, projectId)),
    ],
    ids: [{ table: "subscriptions", column: "id" }],
    start: (services) => {
      ({ metrics, now } = services);
      notifier.start(services);
    },
    trailer: async (ctx) => {
      const notifications = await notifier.trailer(ctx);
      return notifications === undefined ? undefined : { notifications };
    },
    stop: () => nudge[Symbol.dispose](),
  };
}
