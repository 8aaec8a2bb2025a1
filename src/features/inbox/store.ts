// SQL of the inbox views: items with what their events, answers and projects say.
import type { InboxStatus, ItemKind, OnExpiry } from "../../shared/api.ts";
import type { Json } from "../../shared/json.ts";
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

// An answer counts only when it lies in the item's own project.
const source = `FROM items i JOIN events e ON e.id = i.event_id
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
  visible: ProjectSet;
  statuses?: readonly InboxStatus[] | undefined;
  projectId?: string | undefined;
  actor?: string | undefined;
  kind?: string | undefined;
};

function conditions(filter: InboxFilter): { where: string[]; values: string[] } {
  const where = [`i.project_id IN (${filter.visible.sql})`];
  const values = [...filter.visible.values];
  const add = (clause: string, ...given: readonly string[]): void => {
    where.push(clause);
    values.push(...given);
  };
  if (filter.statuses !== undefined) {
    add(`i.status IN (${filter.statuses.map(() => "?").join(", ")})`, ...filter.statuses);
  }
  if (filter.projectId !== undefined) add("i.project_id = ?", filter.projectId);
  if (filter.actor !== undefined) add("i.actor = ?", filter.actor);
  if (filter.kind !== undefined) add("i.kind = ?", filter.kind);
  return { where, values };
}

/** Items with an effective id above `since`, oldest effect first; without it all, newest event first. */
export function listByEffect(db: Db, filter: InboxFilter, since: string | undefined, limit: number): InboxEntry[] {
  const { where, values } = conditions(filter);
  if (since !== undefined) {
    where.push("i.effective_id > ?");
    values.push(since);
  }
  const order = since === undefined ? "i.event_id DESC" : "i.effective_id ASC";
  return db
    .all<Row>(`SELECT ${columns} ${source} WHERE ${where.join(" AND ")} ORDER BY ${order} LIMIT ?`, ...values, limit)
    .map(toEntry);
}

export const inboxGroups = ["waiting", "snoozed", "unread", "earlier"] as const;
export type InboxGroup = (typeof inboxGroups)[number];

/** Where a page of the operator's list ended: the value it is ordered by, then the event. */
export type InboxPlace = { key: number; eventId: string };

const open = "i.status IN ('action', 'waiting')";
const never = Number.MAX_SAFE_INTEGER;
// What each list holds, what it is ordered by before the event itself, and which way (rest-api.md 6). Each `condition`
// takes the time once.
const lists = {
  all: { condition: "? IS NOT NULL", key: null, direction: "DESC" },
  waiting: {
    condition: `${open} AND coalesce(i.snoozed_until, 0) <= ?`,
    key: `coalesce(i.expires_at, ${never})`,
    direction: "ASC",
  },
  snoozed: { condition: `${open} AND i.snoozed_until > ?`, key: "i.snoozed_until", direction: "ASC" },
  unread: { condition: "i.status = 'unread' AND ? IS NOT NULL", key: null, direction: "DESC" },
  earlier: { condition: "i.status IN ('read', 'resolved') AND ? IS NOT NULL", key: "i.updated_at", direction: "DESC" },
} as const;

/** One page of the operator's inbox: a group in its own order, or everything newest first. */
export function listGroup(
  db: Db,
  filter: InboxFilter,
  page: { group: InboxGroup | undefined; after: InboxPlace | undefined; now: number; limit: number },
): { entry: InboxEntry; place: InboxPlace }[] {
  const { condition, key, direction } = lists[page.group ?? "all"];
  const { where, values } = conditions(filter);
  where.push(condition);
  const given: (string | number)[] = [...values, page.now];
  const beyond = direction === "ASC" ? ">" : "<";
  if (page.after !== undefined && key === null) {
    where.push(`i.event_id ${beyond} ?`);
    given.push(page.after.eventId);
  } else if (page.after !== undefined) {
    where.push(`(${key}, i.event_id) ${beyond} (?, ?)`);
    given.push(page.after.key, page.after.eventId);
  }
  const rows = db.all<Row & { place: number }>(
    `SELECT ${columns}, ${key ?? "0"} AS place ${source} WHERE ${where.join(" AND ")}
     ORDER BY ${key === null ? "" : `${key} ${direction},`} i.event_id ${direction} LIMIT ?`,
    ...given,
    page.limit,
  );
  return rows.map((row) => ({ entry: toEntry(row), place: { key: row.place, eventId: row.event_id } }));
}

export type InboxCounts = { waiting: number; snoozed: number; unread: number; earlier: number };

export function countInbox(db: Db, filter: InboxFilter, now: number): InboxCounts {
  const { where, values } = conditions(filter);
  const row = db.get<InboxCounts>(
    `SELECT count(*) FILTER (WHERE ${open} AND coalesce(i.snoozed_until, 0) <= ?) AS waiting,
       count(*) FILTER (WHERE ${open} AND i.snoozed_until > ?) AS snoozed,
       count(*) FILTER (WHERE i.status = 'unread') AS unread,
       count(*) FILTER (WHERE i.status IN ('read', 'resolved')) AS earlier
     FROM items i WHERE ${where.join(" AND ")}`,
    now,
    now,
    ...values,
  );
  return row ?? { waiting: 0, snoozed: 0, unread: 0, earlier: 0 };
}
