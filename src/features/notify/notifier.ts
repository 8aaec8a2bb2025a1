// Knows in memory where something may be pending for whom, so that a call by anybody else costs no query, and a call of
// one that has something looks there alone (mcp-tools.md 5). A suspicion may be wrong, never missing: it is raised as
// soon as a write says so, even one that is undone, and after a start nobody is known at all.
import type { Ctx, Principal, Services, Tx } from "../../kernel/ctx.ts";
import type { EventKind } from "../../shared/views.ts";
import type { EventRecord } from "../events/index.ts";
import type { ItemRecord } from "../items/index.ts";
import { can } from "../projects/index.ts";
import { deliver, hasPending, type Pending, type Suspicion } from "./pending.ts";
import { listAllSubscriptions, type Subscription } from "./store.ts";

export type Notifications = { pending: Pending[] };

export type Notifier = {
  /** Call once, before the first event is written. */
  start(services: Services): void;
  /**
   * What rides on the result of a call; undefined when nothing is pending. Never throws.
   * @param listed ids of items whose answers the result itself holds: told with it, and left out here
   */
  trailer(ctx: Ctx, listed?: ReadonlySet<string>): Promise<Notifications | undefined>;
  /** The same for the wait that is its payload. @throws when the store fails */
  take(ctx: Ctx): Promise<Notifications | undefined>;
  noteEvent(tx: Tx, event: EventRecord): void;
  noteResolved(tx: Tx, item: ItemRecord): void;
  noteSubscribed(tx: Tx, subscription: Subscription): void;
  noteUnsubscribed(tx: Tx, id: string): void;
  noteProjectDeleted(tx: Tx, projectId: string): void;
};

/** The bus topics a wait for what is pending for an actor sleeps on: something new, or something now readable. */
export function pendingTopics(actor: string): string[] {
  return [pendingTopic(actor), grantTopic + actor, openedTopic];
}

const pendingTopic = (actor: string): string => `pending:${actor}`;
// Published when grants of an actor change, and when a project opens to everybody.
const grantTopic = "actor:";
const openedTopic = "access";

/** An actor that has called, and where something may be pending for it since. */
type Known = Suspicion & { principal: Principal };

export function createNotifier(): Notifier {
  const byKind = new Map<EventKind, Map<string, Subscription>>();
  const known = new Map<string, Known>();

  function remember(subscription: Subscription): void {
    for (const kind of subscription.kinds) {
      const of = byKind.get(kind) ?? new Map<string, Subscription>();
      byKind.set(kind, of.set(subscription.id, subscription));
    }
  }

  function forget(matches: (subscription: Subscription) => boolean): void {
    for (const of of byKind.values()) for (const [id, subscription] of of) if (matches(subscription)) of.delete(id);
  }

  /** What a grant hides is not suspected: the grant itself makes its actor unknown again. */
  function suspect(tx: Tx, actor: string, projectId: string, raise: (suspicion: Suspicion) => void): void {
    const caller = known.get(actor);
    if (caller !== undefined) {
      if (!can({ db: tx.db, principal: caller.principal }, "read", projectId)) return;
      raise(caller);
    }
    tx.wake(pendingTopic(actor));
  }

  function clear(principal: Principal): void {
    known.set(principal.actor, { principal, attention: false, events: new Map() });
  }

  async function take(ctx: Ctx, listed?: ReadonlySet<string>): Promise<Notifications | undefined> {
    const { principal } = ctx;
    const { actor } = principal;
    const suspicion = known.get(actor);
    if (suspicion !== undefined && !suspicion.attention && suspicion.events.size === 0) return undefined;
    if (!hasPending(ctx.db, principal, suspicion)) {
      clear(principal);
      return undefined;
    }
    try {
      const pending = await ctx.write((tx) => {
        // A caller that left gets nothing, so nothing of it may count as delivered.
        if (ctx.signal.aborted) return [];
        const delivered = deliver(tx, principal, known.get(actor));
        // At once, not after the commit: what a later job of the same commit raises must stay.
        if (!delivered.isCut) clear(principal);
        return delivered.pending.filter(({ source, id }) => source !== "attention" || listed?.has(id) !== true);
      });
      return pending.length === 0 ? undefined : { pending };
    } catch (error) {
      known.delete(actor);
      throw error;
    }
  }

  return {
    start(services) {
      for (const subscription of listAllSubscriptions(services.db)) remember(subscription);
      // Lives as long as the hub.
      services.bus.tap((topics) => {
        if (topics.includes(openedTopic)) known.clear();
        if (!topics.includes("agents")) return;
        for (const topic of topics) if (topic.startsWith(grantTopic)) known.delete(topic.slice(grantTopic.length));
      });
    },
    take: (ctx) => take(ctx),
    async trailer(ctx, listed) {
      try {
        return await take(ctx, listed);
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
        suspect(tx, subscription.actor, event.projectId, ({ events }) => {
          const projects = events.get(subscription.id) ?? new Set();
          events.set(subscription.id, projects.add(event.projectId));
        });
      }
    },
    noteResolved(tx, item) {
      suspect(tx, item.actor, item.projectId, (suspicion) => {
        suspicion.attention = true;
      });
    },
    // At once, so that an event of the same commit is not missed.
    noteSubscribed: (_tx, subscription) => remember(subscription),
    noteUnsubscribed: (tx, id) => tx.afterCommit(() => forget((subscription) => subscription.id === id)),
    noteProjectDeleted: (tx, projectId) =>
      tx.afterCommit(() => forget((subscription) => subscription.projectId === projectId)),
  };
}
