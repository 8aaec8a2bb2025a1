// SQL of the inbox views: items with what their events, answers and projects say.

import type { Json } from "../../shared/json.ts";
import type { InboxStatus, ItemKind, OnExpiry } from "../../shared/views.ts";
import type { Db } from "../../storage/database.ts";
import type { ProjectSet } from "../projects/index.ts";

export type InboxEntry = {
  eventId: string;
  projectId: string;
  projectDisplayName: string | null;
  kind: ItemKind;
  actor: string;
  summary: string;
  payload: Json;
  status: InboxStatus;
  createdAt: number;
  updatedAt: number;
  expiresAt: number | null;
  onExpiry: OnExpiry | null;
  effectiveId: string;
  snoozedUntil: number | null;
  answer: { eventId: string; actor: string; payload: Json; at: number } | null;
};

type Row = {
  event_id: string;
  project_id: string;
  display_name: string | null;
  kind: ItemKind;
  actor: string;
  summary: string;
  payload: string | null;
  status: InboxStatus;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  on_expiry: OnExpiry | null;
  effective_id: string;
  snoozed_until: number | null;
  answer_id: string | null;
  answer_actor: string | null;
  answer_payload: string | null;
  answer_at: number | null;
};

// What an item shows lies in its event, its project and its answer; an answer counts only in the item's own project.
const joined = `JOIN items i ON i.event_id = picked.event_id
  JOIN events e ON e.id = i.event_id
  LEFT JOIN projects p ON p.id = i.project_id
  LEFT JOIN events a ON a.id = i.answer_id AND a.project_id = i.project_id`;

const columns = `i.event_id, i.project_id, p.display_name, i.kind, i.actor, e.summary, e.payload, i.status,
  i.created_at, i.updated_at, i.expires_at, i.on_expiry, i.effective_id, i.snoozed_until,
  a.id AS answer_id, a.actor AS answer_actor, a.payload AS answer_payload, a.created_at AS answer_at`;

// Payloads were written from JSON.
const fromJson = (text: string | null): Json => (text === null ? null : (JSON.parse(text) as Json));

function toEntry(row: Row): InboxEntry {
  return {
    eventId: row.event_id,
    projectId: row.project_id,
    projectDisplayName: row.display_name,
    kind: row.kind,
    actor: row.actor,
    summary: row.summary,
    payload: fromJson(row.payload),
    status: row.status,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
    onExpiry: row.on_expiry,
    effectiveId: row.effective_id,
    snoozedUntil: row.snoozed_until,
    answer:
      row.answer_id === null || row.answer_actor === null || row.answer_at === null
        ? null
        : { eventId: row.answer_id, actor: row.answer_actor, payload: fromJson(row.answer_payload), at: row.answer_at },
  };
}

export type InboxFilter = {
  /** Left out for the operator, who sees every project. */
  visible?: ProjectSet | undefined;
  statuses?: readonly InboxStatus[] | undefined;
  projectId?: string | undefined;
  actor?: string | undefined;
  kind?: string | undefined;
  eventId?: string | undefined;
};

const open = "i.status IN ('action', 'waiting')";

function isAllOpen(statuses: readonly InboxStatus[] | undefined): boolean {
  return statuses?.every((status) => status === "action" || status === "waiting") ?? false;
}

// Statuses stand in the text, and open ones under the condition of their index: SQLite uses a partial index only when
// the text of the query implies it.
function ofStatus(statuses: readonly InboxStatus[]): string {
  const [only, ...others] = statuses.map((status) => `'${status}'`);
  const listed = others.length === 0 ? `i.status = ${only}` : `i.status IN (${[only, ...others].join(", ")})`;
  return isAllOpen(statuses) ? `${open} AND ${listed}` : listed;
}

type Conditions = { where: string[]; values: (string | number)[] };

/** @param order what the page walks along; a `+` keeps the planner from gathering and sorting all of a project instead */
function conditions(filter: InboxFilter, order: "event" | "other"): Conditions {
  const where = ["true"];
  const values: string[] = [];
  const add = (clause: string, ...given: readonly string[]): void => {
    where.push(clause);
    values.push(...given);
  };
  if (filter.visible !== undefined) add(`+i.project_id IN (${filter.visible.sql})`, ...filter.visible.values);
  if (filter.statuses !== undefined) add(ofStatus(filter.statuses));
  if (filter.projectId !== undefined) add(`${order === "event" ? "" : "+"}i.project_id = ?`, filter.projectId);
  if (filter.actor !== undefined) add("i.actor = ?", filter.actor);
  if (filter.kind !== undefined) add("i.kind = ?", filter.kind);
  if (filter.eventId !== undefined) add("i.event_id = ?", filter.eventId);
  return { where, values };
}

/** Items with an effective id above `since`, oldest effect first; without it all, newest event first. */
export function listByEffect(db: Db, filter: InboxFilter, since: string | undefined, limit: number): InboxEntry[] {
  const { where, values } = conditions(filter, since === undefined ? "event" : "other");
  if (since !== undefined) {
    where.push("i.effective_id > ?");
    values.push(since);
  }
  // Open items are few: gathering and sorting them beats walking past all that is resolved.
  const newestFirst = isAllOpen(filter.statuses) ? "+i.event_id DESC" : "i.event_id DESC";
  const order = since === undefined ? newestFirst : "i.effective_id ASC";
  return db
    .all<Row>(
      `SELECT ${columns} FROM (SELECT i.event_id FROM items i WHERE ${where.join(" AND ")} ORDER BY ${order} LIMIT ?) picked
       ${joined} ORDER BY ${order}`,
      ...values,
      limit,
    )
    .map(toEntry);
}

export const inboxGroups = ["waiting", "snoozed", "unread", "earlier"] as const;
export type InboxGroup = (typeof inboxGroups)[number];

/** Where a page of the operator's list ended: the value it is ordered by, 0 without one, then the event. */
export type InboxPlace = { key: number; eventId: string };

type List = { condition: string; takesNow: boolean; key: string | null; direction: "ASC" | "DESC" };

// What each list holds, what it is ordered by before the event, and which way (rest-api.md 6).
const lists: Record<InboxGroup | "all", List> = {
  all: { condition: "true", takesNow: false, key: null, direction: "DESC" },
  waiting: {
    condition: `${open} AND coalesce(i.snoozed_until, 0) <= ?`,
    takesNow: true,
    key: `coalesce(i.expires_at, ${Number.MAX_SAFE_INTEGER})`,
    direction: "ASC",
  },
  snoozed: {
    condition: `${open} AND i.snoozed_until IS NOT NULL AND i.snoozed_until > ?`,
    takesNow: true,
    key: "i.snoozed_until",
    direction: "ASC",
  },
  unread: { condition: "i.status = 'unread'", takesNow: false, key: null, direction: "DESC" },
  earlier: { condition: "i.status IN ('read', 'resolved')", takesNow: false, key: "i.updated_at", direction: "DESC" },
};

/** One page of the operator's inbox: a group in its own order, or everything newest first. */
export function listGroup(
  db: Db,
  filter: InboxFilter,
  page: { group: InboxGroup | undefined; after: InboxPlace | undefined; now: number; limit: number },
): { entry: InboxEntry; place: InboxPlace }[] {
  const { condition, takesNow, key, direction } = lists[page.group ?? "all"];
  const { where, values } = conditions(filter, key === null ? "event" : "other");
  where.push(condition);
  if (takesNow) values.push(page.now);
  if (page.after !== undefined) {
    const beyond = direction === "ASC" ? ">" : "<";
    where.push(key === null ? `i.event_id ${beyond} ?` : `(${key}, i.event_id) ${beyond} (?, ?)`);
    values.push(...(key === null ? [] : [page.after.key]), page.after.eventId);
  }
  const order = `${key === null ? "" : `${key} ${direction}, `}i.event_id ${direction}`;
  const rows = db.all<Row & { place: number }>(
    `SELECT ${columns}, ${key ?? "0"} AS place
     FROM (SELECT i.event_id FROM items i WHERE ${where.join(" AND ")} ORDER BY ${order} LIMIT ?) picked
     ${joined} ORDER BY ${order}`,
    ...values,
    page.limit,
  );
  return rows.map((row) => ({ entry: toEntry(row), place: { key: row.place, eventId: row.event_id } }));
}

export type InboxCounts = { waiting: number; snoozed: number; unread: number; earlier: number };

export function countInbox(db: Db, filter: InboxFilter, now: number): InboxCounts {
  const count = (group: InboxGroup): number => {
    const { where, values } = conditions(filter, "event");
    const { condition, takesNow } = lists[group];
    const sql = `SELECT count(*) AS n FROM items i WHERE ${[...where, condition].join(" AND ")}`;
    return db.get<{ n: number }>(sql, ...values, ...(takesNow ? [now] : []))?.n ?? 0;
  };
  return { waiting: count("waiting"), snoozed: count("snoozed"), unread: count("unread"), earlier: count("earlier") };
}
