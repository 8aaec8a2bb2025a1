// Standing interests and the wait on them (mcp-tools.md 17.11 to 17.14).
import { z } from "zod";
import { invalid } from "../../kernel/input.ts";
import { readOperation, writeOperation } from "../../kernel/operation.ts";
import { waitFor } from "../../kernel/wait.ts";
import { HubError } from "../../shared/errors.ts";
import { subscriptionsMax, waitMsLongest, waitSecondsDefault } from "../../shared/limits.ts";
import { settleDueItems } from "../items/index.ts";
import { anyone, requireProject, visibleProjects } from "../projects/index.ts";
import { type Notifier, pendingTopics } from "./notifier.ts";
import { Subscribe, Unsubscribe, WaitNotify } from "./schema.ts";
import {
  deleteSubscription,
  insertSubscription,
  listSubscriptionRows,
  newestMatch,
  type Subscription,
} from "./store.ts";

export function notifyOperations(notifier: Notifier) {
  const subscribe = writeOperation({
    name: "subscribe",
    input: Subscribe,
    access: (who, input) => {
      if (input.project_id !== undefined) requireProject(who, "read", input.project_id);
      if (input.exclude_own === true && input.actor === who.principal.actor) {
        throw invalid(
          "exclude_own",
          true,
          "another actor beside it: your own events alone, without your own, are none",
        );
      }
    },
    run(tx, ctx, input): Subscription {
      const { actor } = ctx.principal;
      const open = listSubscriptionRows(tx.db, actor).length;
      if (open >= subscriptionsMax) {
        throw new HubError(
          "rate_limited",
          `you hold ${open} subscriptions, the cap of ${subscriptionsMax}; remove one with notify_unsubscribe`,
          { open, cap: subscriptionsMax },
        );
      }
      const filter = {
        actor,
        kinds: input.kinds,
        projectId: input.project_id ?? null,
        ofActor: input.actor ?? null,
        excludesOwn: input.exclude_own ?? false,
      };
      // Id and cursor in one transaction: nothing falls between them.
      const subscription: Subscription = {
        ...filter,
        id: tx.id(),
        cursor: newestMatch(tx.db, filter, visibleProjects(ctx.principal)),
        createdAt: tx.now,
      };
      insertSubscription(tx.db, subscription);
      notifier.noteSubscribed(tx, subscription);
      return subscription;
    },
  });

  const unsubscribe = writeOperation({
    name: "unsubscribe",
    input: Unsubscribe,
    access: anyone,
    run(tx, ctx, input) {
      if (!deleteSubscription(tx.db, ctx.principal.actor, input.subscription_id)) {
        throw new HubError("not_found", "you hold no such subscription; notify_list names yours");
      }
      notifier.noteUnsubscribed(tx, input.subscription_id);
    },
  });

  const listSubscriptions = readOperation({
    name: "listSubscriptions",
    input: z.object({}),
    access: anyone,
    run: (ctx) => listSubscriptionRows(ctx.db, ctx.principal.actor),
  });

  const waitNotify = readOperation({
    name: "waitNotify",
    input: WaitNotify,
    access: anyone,
    run(ctx, input) {
      const ms = Math.min((input.wait_seconds ?? waitSecondsDefault) * 1000, waitMsLongest);
      return waitFor(ctx, { topics: pendingTopics(ctx.principal.actor), ms }, async () => {
        await settleDueItems(ctx);
        return notifier.take(ctx);
      });
    },
  });

  return { subscribe, unsubscribe, listSubscriptions, waitNotify };
}
