// What an actor has not been told yet, and telling it: each thing once (mcp-tools.md 5).
import { timestamp } from "../../kernel/clock.ts";
import type { Ctx, Tx } from "../../kernel/ctx.ts";
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

type Collected = {
  items: PendingItem[];
  events: { subscription: Subscription; events: PendingEvent[] }[];
  /** A section was cut: more is pending. */
  isCut: boolean;
};

function collect(db: Db, caller: Pick<Ctx, "principal">): Collected {
  const visible = visibleProjects(caller.principal);
  const { actor } = caller.principal;
  const items = listPendingItems(db, actor, visible, trailerAttentionMax + 1);
  const events = listSubscriptionRows(db, actor).map((subscription) => ({
    subscription,
    events: listPendingEvents(db, subscription, visible, trailerEventsMax + 1),
  }));
  const isCut =
    items.length > trailerAttentionMax || events.some((section) => section.events.length > trailerEventsMax);
  return {
    items: items.slice(0, trailerAttentionMax),
    events: events.map((section) => ({ ...section, events: section.events.slice(0, trailerEventsMax) })),
    isCut,
  };
}

export function hasPending(db: Db, caller: Pick<Ctx, "principal">): boolean {
  const { items, events } = collect(db, caller);
  return items.length > 0 || events.some((section) => section.events.length > 0);
}

/** Takes what is pending and moves the positions over it, inside a write job. */
export function deliver(tx: Tx, caller: Pick<Ctx, "principal">): { pending: Pending[]; isCut: boolean } {
  const { items, events, isCut } = collect(tx.db, caller);
  for (const item of items) setAttention(tx.db, caller.principal.actor, item.project_id, item.effective_id);
  for (const section of events) {
    for (const event of section.events) setPosition(tx.db, section.subscription.id, event.project_id, event.id);
    const newest = section.events.at(-1);
    if (newest !== undefined) setCursor(tx.db, section.subscription.id, newest.id);
  }
  return { pending: [...items.map(viewItem), ...events.flatMap((section) => section.events.map(viewEvent))], isCut };
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
