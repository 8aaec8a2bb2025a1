// What an actor has not been told yet, and telling it: each thing once (mcp-tools.md 5).
import { timestamp } from "../../kernel/clock.ts";
import type { Principal, Tx } from "../../kernel/ctx.ts";
import { isObject } from "../../shared/json.ts";
import { trailerAttentionMax, trailerEventsMax } from "../../shared/limits.ts";
import type { Db } from "../../storage/database.ts";
import { visibleProjects } from "../projects/index.ts";
import {
  listPendingEvents,
  listPendingItems,
  listSubscriptionRows,
  type PendingEvent,
  type PendingItem,
  type Subscription,
  setAttention,
  setCursor,
  setPosition,
} from "./store.ts";

export type Pending = {
  source: "attention" | "subscription";
  kind: string;
  id: string;
  project_id: string;
  title: string;
  at: string;
  expired?: true;
};

/** Where something may be pending. What is not named here is known to be told. */
export type Suspicion = {
  attention: boolean;
  /** Projects with new events, by subscription. */
  events: Map<string, Set<string>>;
};

type Collected = {
  items: PendingItem[];
  events: { subscription: Subscription; events: PendingEvent[] }[];
  /** A section was cut: more is pending. */
  isCut: boolean;
};

/** @param suspicion where to look; undefined looks everywhere */
function collect(db: Db, principal: Principal, suspicion: Suspicion | undefined): Collected {
  const visible = visibleProjects(principal);
  const { actor } = principal;
  const items = suspicion?.attention === false ? [] : listPendingItems(db, actor, visible, trailerAttentionMax + 1);
  const subscriptions = suspicion?.events.size === 0 ? [] : listSubscriptionRows(db, actor);
  const events = subscriptions
    .filter(({ id }) => suspicion === undefined || suspicion.events.has(id))
    .map((subscription) => {
      const projects = suspicion?.events.get(subscription.id);
      return { subscription, events: listPendingEvents(db, subscription, visible, projects, trailerEventsMax + 1) };
    });
  const isCut =
    items.length > trailerAttentionMax || events.some((section) => section.events.length > trailerEventsMax);
  return {
    items: items.slice(0, trailerAttentionMax),
    events: events.map((section) => ({ ...section, events: section.events.slice(0, trailerEventsMax) })),
    isCut,
  };
}

export function hasPending(db: Db, principal: Principal, suspicion: Suspicion | undefined): boolean {
  const { items, events } = collect(db, principal, suspicion);
  return items.length > 0 || events.some((section) => section.events.length > 0);
}

/** Takes what is pending and moves the positions over it, inside a write job. */
export function deliver(
  tx: Tx,
  principal: Principal,
  suspicion: Suspicion | undefined,
): { pending: Pending[]; isCut: boolean } {
  const { items, events, isCut } = collect(tx.db, principal, suspicion);
  // Both lists are in the order of their ids, so the last of a project is the one its position stops at.
  for (const [projectId, item] of lastOfEach(items)) setAttention(tx.db, principal.actor, projectId, item.effective_id);
  for (const section of events) {
    for (const [projectId, event] of lastOfEach(section.events)) {
      setPosition(tx.db, section.subscription.id, projectId, event.id);
    }
    const newest = section.events.at(-1);
    if (newest !== undefined) setCursor(tx.db, section.subscription.id, newest.id);
  }
  return { pending: [...items.map(viewItem), ...events.flatMap((section) => section.events.map(viewEvent))], isCut };
}

function lastOfEach<T extends { project_id: string }>(list: readonly T[]): Map<string, T> {
  return new Map(list.map((entry) => [entry.project_id, entry]));
}

function viewEvent(event: PendingEvent): Pending {
  return {
    source: "subscription",
    kind: event.kind,
    id: event.id,
    project_id: event.project_id,
    title: oneLine(event.summary),
    at: timestamp(event.created_at),
  };
}

function viewItem(item: PendingItem): Pending {
  const answer: unknown = item.answer_payload === null ? null : JSON.parse(item.answer_payload);
  const payload = isObject(answer) ? answer : {};
  const isExpired = payload["expired"] === true;
  return {
    source: "attention",
    kind: item.kind === "question" ? "question_answered" : "approval_decided",
    id: item.event_id,
    project_id: item.project_id,
    title: `${outcome(item.kind, payload["decision"], isExpired)}: ${oneLine(item.summary)}`,
    at: timestamp(item.answered_at),
    ...(isExpired ? { expired: true as const } : {}),
  };
}

function outcome(kind: "question" | "approval", decision: unknown, isExpired: boolean): string {
  if (kind === "question") return isExpired ? "expired, closed with no answer" : "answered";
  const word = decision === "approved" ? "approved" : "declined";
  return isExpired ? `expired, ${word}` : word;
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
