// Knows in memory who may have something pending, so that a call by anybody else costs no query (mcp-tools.md 5). Being
// unsure always means looking: after a start nobody is known to be up to date.
import type { Ctx, Services, Tx } from "../../kernel/ctx.ts";
import type { EventKind } from "../../shared/api.ts";
import type { EventRecord } from "../events/index.ts";
import { deliver, hasPending, type Pending } from "./pending.ts";
import { listAllSubscriptions, type Subscription } from "./store.ts";

export type Notifications = { pending: Pending[] };

export type Notifier = {
  /** Call once, before the first event is written. */
  start(services: Services): void;
  /** What rides on the result of a call; undefined when nothing is pending. Never throws. */
  trailer(ctx: Ctx): Promise<Notifications | undefined>;
  /** The same for the wait that is its payload. @throws when the store fails */
  take(ctx: Ctx): Promise<Notifications | undefined>;
  noteEvent(tx: Tx, event: EventRecord): void;
  noteResolved(tx: Tx, actor: string): void;
  noteSubscribed(tx: Tx, subscription: Subscription): void;
  noteUnsubscribed(tx: Tx, id: string): void;
  noteProjectDeleted(tx: Tx, projectId: string): void;
};

/** The bus topic of an actor that has something new pending. */
export function pendingTopic(actor: string): string {
  return `pending:${actor}`;
}

export function createNotifier(): Notifier {
  const byKind = new Map<EventKind, Map<string, Subscription>>();
  const upToDate = new Set<string>();

  function remember(subscription: Subscription): void {
    for (const kind of subscription.kinds) {
      const of = byKind.get(kind) ?? new Map<string, Subscription>();
      byKind.set(kind, of.set(subscription.id, subscription));
    }
  }

  function forget(matches: (subscription: Subscription) => boolean): void {
    for (const of of byKind.values()) for (const [id, subscription] of of) if (matches(subscription)) of.delete(id);
  }

  function note(tx: Tx, actor: string): void {
    tx.afterCommit(() => upToDate.delete(actor));
    tx.wake(pendingTopic(actor));
  }

  async function take(ctx: Ctx): Promise<Notifications | undefined> {
    const { actor } = ctx.principal;
    if (upToDate.has(actor)) return undefined;
    if (!hasPending(ctx.db, ctx)) {
      upToDate.add(actor);
      return undefined;
    }
    // A caller that left gets nothing, so nothing of it may count as delivered.
    if (ctx.signal.aborted) return undefined;
    const { pending } = await ctx.write((tx) => {
      const delivered = deliver(tx, ctx);
      if (!delivered.isCut) tx.afterCommit(() => upToDate.add(actor));
      return delivered;
    });
    return pending.length === 0 ? undefined : { pending };
  }

  return {
    start(services) {
      for (const subscription of listAllSubscriptions(services.db)) remember(subscription);
      // Access may have changed either way, and with it what is pending for anybody. The subscription lives as long as
      // the hub.
      services.bus.subscribe(["agents", "projects"], () => upToDate.clear());
    },
    take,
    async trailer(ctx) {
      try {
        return await take(ctx);
      } catch (error) {
        ctx.log.warn("notifications could not be collected", { actor: ctx.principal.actor, cause: String(error) });
        return undefined;
      }
    },
    noteEvent(tx, event) {
      for (const subscription of byKind.get(event.kind)?.values() ?? []) {
        if (subscription.projectId !== null && subscription.projectId !== event.projectId) continue;
        if (subscription.ofActor !== null && subscription.ofActor !== event.actor) continue;
        if (subscription.excludesOwn && subscription.actor === event.actor) continue;
        note(tx, subscription.actor);
      }
    },
    noteResolved: note,
    noteSubscribed: (tx, subscription) => tx.afterCommit(() => remember(subscription)),
    noteUnsubscribed: (tx, id) => tx.afterCommit(() => forget((subscription) => subscription.id === id)),
    noteProjectDeleted: (tx, projectId) =>
      tx.afterCommit(() => forget((subscription) => subscription.projectId === projectId)),
  };
}
