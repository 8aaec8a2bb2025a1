// What the hot reads walk along: each query of a feed page, the inbox, a wait's look, the due items and the counts goes
// through an index that ends with the page, not with the table. The names are those of SQLite's EXPLAIN QUERY PLAN.
import { describe, expect, test } from "bun:test";
import { listEvents } from "../../../src/features/events/index.ts";
import { countInbox, type InboxGroup, listByEffect, listGroup } from "../../../src/features/inbox/store.ts";
import { countOpenItems, countOpenItemsOf, hasOldSnoozes, listDueItems } from "../../../src/features/items/store.ts";
import { visibleProjects } from "../../../src/features/projects/index.ts";
import { findListedProject } from "../../../src/features/projects/store.ts";
import { eventKinds } from "../../../src/shared/views.ts";
import type { Db, SqlValue } from "../../../src/storage/database.ts";
import { openTestHub } from "../../support/hub.ts";

const readable = eventKinds.filter((kind) => kind !== "system");
const visible = visibleProjects({ kind: "agent", actor: "ann", tokenId: "t" });

const feed = (db: Db, over: Partial<Parameters<typeof listEvents>[1]>) =>
  listEvents(db, { projectId: "lab", kinds: readable, limit: 50, oldestFirst: false, ...over });
const group = (db: Db, name: InboxGroup | undefined, after?: { key: number; eventId: string }) =>
  listGroup(db, {}, { group: name, after, now: 1, limit: 51 });

type Query = { name: string; run: (db: Db) => unknown; walks: RegExp };
const byId = /^(SCAN|SEARCH) . USING (COVERING )?INDEX sqlite_autoindex_(events|items)_1/;

const queries: Query[] = [
  {
    name: "feed, newest",
    run: (db) => feed(db, {}),
    walks: /^SEARCH e USING INDEX events_in_project \(project_id=\?\)/,
  },
  {
    name: "feed, forward",
    run: (db) => feed(db, { since: "1", oldestFirst: true }),
    walks: /events_in_project \(project_id=\? AND id>\?\)/,
  },
  {
    name: "feed, back",
    run: (db) => feed(db, { before: "Z" }),
    walks: /events_in_project \(project_id=\? AND id<\?\)/,
  },
  {
    name: "feed without signals",
    run: (db) => feed(db, { kinds: ["question"] }),
    walks: /events_besides_signals \(project_id=\?/,
  },
  {
    name: "feed without signals, forward",
    run: (db) => feed(db, { kinds: ["answer", "idea"], since: "1", oldestFirst: true }),
    walks: /events_besides_signals \(project_id=\? AND id>\?\)/,
  },
  { name: "audit trail", run: (db) => feed(db, { kinds: ["system"] }), walks: /events_besides_signals/ },
  {
    name: "feed of a session",
    run: (db) => feed(db, { sessionId: "s", since: "1" }),
    walks: /events_in_session \(session_id=\?/,
  },
  { name: "global feed", run: (db) => feed(db, { projectId: null }), walks: byId },
  {
    name: "global feed, back",
    run: (db) => feed(db, { projectId: null, before: "Z" }),
    walks: /autoindex_events_1 \(id<\?\)/,
  },

  { name: "inbox, newest", run: (db) => listByEffect(db, { visible }, undefined, 50), walks: byId },
  {
    name: "inbox, forward",
    run: (db) => listByEffect(db, { visible }, "1", 50),
    walks: /items_by_effect \(effective_id>\?\)/,
  },
  {
    name: "inbox of a project, newest",
    run: (db) => listByEffect(db, { visible, projectId: "lab" }, undefined, 50),
    walks: /items_in_project \(project_id=\?\)/,
  },
  {
    name: "inbox of a project, forward",
    run: (db) => listByEffect(db, { visible, projectId: "lab" }, "1", 50),
    walks: /items_by_effect \(effective_id>\?\)/,
  },
  {
    name: "open items",
    run: (db) => listByEffect(db, { visible, statuses: ["action"] }, undefined, 50),
    walks: /INDEX items_open/,
  },
  {
    name: "a wait's look, with since",
    run: (db) => listByEffect(db, { visible, actor: "ann" }, "1", 500),
    walks: /items_of_actor \(actor=\? AND effective_id>\?\)/,
  },
  {
    name: "a wait's look, without since",
    run: (db) => listByEffect(db, { visible, actor: "ann", statuses: ["resolved"] }, undefined, 500),
    walks: /items_(answered_of_actor|resolved) \(actor=\?\)/,
  },

  { name: "the operator's inbox", run: (db) => group(db, undefined), walks: byId },
  {
    name: "the operator's inbox, next page",
    run: (db) => group(db, undefined, place),
    walks: /autoindex_items_1 \(event_id<\?\)/,
  },
  { name: "waiting", run: (db) => group(db, "waiting"), walks: /INDEX items_open/ },
  { name: "snoozed", run: (db) => group(db, "snoozed"), walks: /INDEX items_(snoozed|open)/ },
  { name: "unread", run: (db) => group(db, "unread"), walks: /INDEX items_unread/ },
  { name: "unread, next page", run: (db) => group(db, "unread", place), walks: /items_unread \(event_id<\?\)/ },
  { name: "earlier", run: (db) => group(db, "earlier"), walks: /INDEX items_earlier/ },
  {
    name: "earlier, next page",
    run: (db) => group(db, "earlier", place),
    walks: /items_earlier \(\(updated_at,event_id\)<\(\?,\?\)\)/,
  },
  {
    name: "counts of the inbox",
    run: (db) => countInbox(db, {}, 1),
    walks: /INDEX items_(open|snoozed|unread|earlier)/,
  },

  {
    name: "items that are due",
    run: (db) => listDueItems(db, { now: 1, after: { expiresAt: 0, eventId: "" }, limit: 64 }),
    walks: /INDEX items_due \(\(expires_at,event_id\)>/,
  },
  { name: "snoozes that ran out", run: (db) => hasOldSnoozes(db, 1), walks: /COVERING INDEX items_snoozed/ },
  {
    name: "cap of an actor",
    run: (db) => countOpenItemsOf(db, "lab", "ann"),
    walks: /items_open \(project_id=\? AND actor=\?\)/,
  },
  { name: "cap of a project", run: (db) => countOpenItems(db, "lab"), walks: /items_open \(project_id=\?\)/ },
];
const place = { key: 5, eventId: "01KE0000000000000000000000" };

/** The plan of every statement the query sends. */
function plansOf(db: Db, run: Query["run"]): string[][] {
  const plans: string[][] = [];
  const explain = (sql: string, values: SqlValue[]): void => {
    plans.push(db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values).map(({ detail }) => detail));
  };
  run({
    get(sql, ...values) {
      explain(sql, values);
      return db.get(sql, ...values);
    },
    all(sql, ...values) {
      explain(sql, values);
      return db.all(sql, ...values);
    },
    run: () => {
      throw new Error("a read writes nothing");
    },
  });
  return plans;
}

describe("the plan of", () => {
  for (const { name, run, walks } of queries) {
    test(name, async () => {
      await using hub = await openTestHub();
      const plans = plansOf(hub.hub.kernel.services.db, run);
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) {
        expect(plan.some((step) => walks.test(step))).toBe(true);
        // Neither table is ever walked without an index; a list of ids that was picked may be.
        expect(plan.filter((step) => /^SCAN (?!picked|projects)\w+(?! USING (COVERING )?INDEX)$/.test(step))).toEqual(
          [],
        );
      }
    });
  }

  test("a feed page, forward or newest first, sorts nothing", async () => {
    await using hub = await openTestHub();
    const { db } = hub.hub.kernel.services;
    for (const { name, run } of queries.filter((query) => query.name.includes("feed"))) {
      expect([
        name,
        plansOf(db, run)
          .flat()
          .filter((step) => step.includes("TEMP B-TREE")),
      ]).toEqual([name, []]);
    }
  });

  test("the events above the operator's cursor are not counted but known", async () => {
    await using hub = await openTestHub();
    const plan = plansOf(hub.hub.kernel.services.db, (db) => findListedProject(db, "lab", 1)).flat();
    expect(plan.filter((step) => /\be\b|events/.test(step))).toEqual([]);
  });
});
