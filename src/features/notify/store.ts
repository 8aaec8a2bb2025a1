// SQL of subscriptions and of the positions up to which an actor has been told.
import type { EventKind } from "../../shared/views.ts";
import type { Db } from "../../storage/database.ts";
import type { ProjectSet } from "../projects/index.ts";

export type Subscription = {
  id: string;
  actor: string;
  kinds: readonly EventKind[];
  /** Null covers every project the actor may read. */
  projectId: string | null;
  /** Only this actor's events; null takes any. */
  ofActor: string | null;
  excludesOwn: boolean;
  /** Newest event reported; the newest matching one at the start until then, "" when there was none. */
  cursor: string;
  createdAt: number;
};

type SubscriptionRow = {
  id: string;
  actor: string;
  kinds: string;
  project_id: string | null;
  of_actor: string | null;
  exclude_own: number;
  cursor: string;
  created_at: number;
};

function toSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    actor: row.actor,
    // Written by insertSubscription from checked kinds.
    kinds: row.kinds.split(",") as EventKind[],
    projectId: row.project_id,
    ofActor: row.of_actor,
    excludesOwn: row.exclude_own === 1,
    cursor: row.cursor,
    createdAt: row.created_at,
  };
}

const columns = "id, actor, kinds, project_id, of_actor, exclude_own, cursor, created_at";

export function insertSubscription(db: Db, subscription: Subscription): void {
  db.run(
    `INSERT INTO subscriptions (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    subscription.id,
    subscription.actor,
    subscription.kinds.join(","),
    subscription.projectId,
    subscription.ofActor,
    subscription.excludesOwn ? 1 : 0,
    subscription.cursor,
    subscription.createdAt,
  );
}

/** True when the actor held it. */
export function deleteSubscription(db: Db, actor: string, id: string): boolean {
  return db.run("DELETE FROM subscriptions WHERE id = ? AND actor = ?", id, actor) > 0;
}

/** In creation order. */
export function listSubscriptionRows(db: Db, actor: string): Subscription[] {
  return db
    .all<SubscriptionRow>(`SELECT ${columns} FROM subscriptions WHERE actor = ? ORDER BY id`, actor)
    .map(toSubscription);
}

export function listAllSubscriptions(db: Db): Subscription[] {
  return db.all<SubscriptionRow>(`SELECT ${columns} FROM subscriptions ORDER BY id`).map(toSubscription);
}

export type Filter = Pick<Subscription, "actor" | "kinds" | "projectId" | "ofActor" | "excludesOwn">;

// What the subscription asks of an event `n`, its project apart.
function conditions(filter: Filter): { sql: string; values: string[] } {
  const parts = [`n.kind IN (${filter.kinds.map(() => "?").join(", ")})`];
  const values: string[] = [...filter.kinds];
  // The condition of the index that leaves signals out; SQLite uses it only when the text says so.
  if (!filter.kinds.includes("signal")) parts.unshift("n.kind <> 'signal'");
  if (filter.ofActor !== null) {
    parts.push("n.actor = ?");
    values.push(filter.ofActor);
  }
  if (filter.excludesOwn) {
    parts.push("n.actor <> ?");
    values.push(filter.actor);
  }
  return { sql: parts.join(" AND "), values };
}

/** Id of the newest event that matches, in the projects given; "" when there is none. */
export function newestMatch(db: Db, filter: Filter, visible: ProjectSet): string {
  const { sql, values } = conditions(filter);
  // Project by project: one walk back over all events would not end before a match.
  const row = db.get<{ id: string | null }>(
    `SELECT max((SELECT n.id FROM events n WHERE n.project_id = p.id AND ${sql} ORDER BY n.id DESC LIMIT 1)) AS id
     FROM projects p WHERE p.id IN (${visible.sql}) AND p.id = coalesce(?, p.id)`,
    ...values,
    ...visible.values,
    filter.projectId,
  );
  return row?.id ?? "";
}

export type PendingEvent = { id: string; project_id: string; kind: EventKind; summary: string; created_at: number };

/**
 * Events a subscription has not reported yet, oldest first. Nothing from before it was made is ever among them.
 * @param within only these of the visible projects; all when left out
 */
export function listPendingEvents(
  db: Db,
  subscription: Subscription,
  visible: ProjectSet,
  within: ReadonlySet<string> | undefined,
  limit: number,
): PendingEvent[] {
  const { sql, values } = conditions(subscription);
  // At most `limit` from each project, so that what waits there is not walked whole for each page of it.
  return db.all<PendingEvent>(
    `SELECT e.id, e.project_id, e.kind, e.summary, e.created_at
     FROM projects p CROSS JOIN events e ON e.id IN (
       SELECT n.id FROM events n WHERE n.project_id = p.id AND n.id > coalesce(
         (SELECT s.event_id FROM subscription_positions s WHERE s.subscription_id = ? AND s.project_id = p.id), ?)
       AND ${sql} ORDER BY n.id LIMIT ?)
     WHERE p.id IN (${visible.sql}) AND p.id = coalesce(?, p.id)
       ${within === undefined ? "" : "AND p.id IN (SELECT value FROM json_each(?))"}
     ORDER BY e.id LIMIT ?`,
    subscription.id,
    subscription.id,
    ...values,
    limit,
    ...visible.values,
    subscription.projectId,
    ...(within === undefined ? [] : [JSON.stringify([...within])]),
    limit,
  );
}

export function setPosition(db: Db, subscriptionId: string, projectId: string, eventId: string): void {
  db.run(
    `INSERT INTO subscription_positions (subscription_id, project_id, event_id) VALUES (?, ?, ?)
     ON CONFLICT (subscription_id, project_id) DO UPDATE SET event_id = excluded.event_id`,
    subscriptionId,
    projectId,
    eventId,
  );
}

export function setCursor(db: Db, subscriptionId: string, eventId: string): void {
  db.run("UPDATE subscriptions SET cursor = max(cursor, ?) WHERE id = ?", eventId, subscriptionId);
}

export type PendingItem = {
  event_id: string;
  project_id: string;
  kind: "question" | "approval";
  summary: string;
  answer_payload: string | null;
  answered_at: number;
  effective_id: string;
};

/** The actor's own resolved items it has not been told of, oldest resolution first. */
export function listPendingItems(db: Db, actor: string, visible: ProjectSet, limit: number): PendingItem[] {
  return db.all<PendingItem>(
    `SELECT i.event_id, i.project_id, i.kind, q.summary, a.payload AS answer_payload, a.created_at AS answered_at,
       i.effective_id
     FROM projects p
     CROSS JOIN items i ON i.actor = ? AND i.project_id = p.id AND i.status = 'resolved' AND i.effective_id > coalesce(
       (SELECT c.effective_id FROM attention_positions c WHERE c.actor = ? AND c.project_id = p.id), '')
     JOIN events q ON q.id = i.event_id
     JOIN events a ON a.id = i.answer_id AND a.project_id = i.project_id
     WHERE p.id IN (${visible.sql}) AND i.kind IN ('question', 'approval')
     ORDER BY i.effective_id LIMIT ?`,
    actor,
    actor,
    ...visible.values,
    limit,
  );
}

export function setAttention(db: Db, actor: string, projectId: string, effectiveId: string): void {
  db.run(
    `INSERT INTO attention_positions (actor, project_id, effective_id) VALUES (?, ?, ?)
     ON CONFLICT (actor, project_id) DO UPDATE SET effective_id = max(effective_id, excluded.effective_id)`,
    actor,
    projectId,
    effectiveId,
  );
}
