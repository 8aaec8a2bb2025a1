import { timestamp } from "../../kernel/clock.ts";
import { type Tool, tool } from "../../kernel/tool.ts";
import type { Notifier } from "./notifier.ts";
import { notifyOperations } from "./operations.ts";

export function notifyTools(notifier: Notifier): readonly Tool[] {
  const { subscribe, unsubscribe, listSubscriptions, waitNotify } = notifyOperations(notifier);
  return [
    tool({
      name: "notify_subscribe",
      description:
        "Subscribe to feed events by kind, from now on. They come as notifications.pending on the results of your later calls, each once.",
      operation: subscribe,
      present: (subscription) => ({ subscription_id: subscription.id, cursor: subscription.cursor }),
    }),
    tool({
      name: "notify_unsubscribe",
      description: "Remove one of your subscriptions.",
      operation: unsubscribe,
      present: () => ({ removed: true }),
    }),
    tool({
      name: "notify_list",
      description: "List your subscriptions.",
      operation: listSubscriptions,
      hints: { readOnlyHint: true },
      present: (subscriptions) => ({
        subscriptions: subscriptions.map((subscription) => ({
          subscription_id: subscription.id,
          kinds: subscription.kinds,
          project_id: subscription.projectId,
          actor: subscription.ofActor,
          exclude_own: subscription.excludesOwn,
          cursor: subscription.cursor,
          created_at: timestamp(subscription.createdAt),
        })),
      }),
    }),
    tool({
      name: "notify_wait",
      description:
        "Wait until anything is pending for you, an answer, a decision or a subscribed event, up to 55 s; call again to go on.",
      operation: waitNotify,
      isTrailer: true,
      present: (notifications) =>
        notifications === undefined ? { timed_out: true } : { timed_out: false, notifications },
    }),
  ];
}
