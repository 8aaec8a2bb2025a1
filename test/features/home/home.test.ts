// GET /api/v1/home: its exact shape, with figures held against a naive recount (rest-api.md 3).
import { describe, expect, test } from "bun:test";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import type { HomeView } from "../../../src/shared/views.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { request } from "../../support/operator.ts";

// Answers are typed by the table both sides share.
const readHome = async (hub: TestHub): Promise<HomeView> => (await hub.rest("getHome")) as unknown as HomeView;

type ItemRow = {
  event_id: string;
  project_id: string;
  kind: string;
  status: string;
  created_at: number;
  updated_at: number;
  expires_at: number | null;
  snoozed_until: number | null;
};
type EventRow = {
  id: string;
  project_id: string;
  kind: string;
  actor: string;
  summary: string;
  payload: string | null;
  thread_id: string | null;
  session_id: string | null;
  created_at: number;
};
type SessionRow = {
  id: string;
  project_id: string;
  agent: string;
  name: string;
  status: string;
  created_at: number;
  last_activity: number;
  brain_bytes: number;
};

const at = (ms: number): string => new Date(ms).toISOString();
const isOpen = ({ status }: ItemRow): boolean => status === "action" || status === "waiting";
const distinct = (values: string[]): number => new Set(values).size;

/** The whole answer, from nothing but the rows and plain loops; storage apart. */
function recount(hub: TestHub): Omit<HomeView, "storage"> {
  const { db, config } = hub.hub.kernel.services;
  const now = hub.clock.now;
  const items = db.all<ItemRow>("SELECT * FROM items");
  const events = db.all<EventRow>("SELECT * FROM events").filter(({ kind }) => kind !== "system");
  const sessions = db.all<SessionRow>("SELECT * FROM sessions");
  const projects = db.all<{ id: string; display_name: string; created_at: number }>("SELECT * FROM projects");
  const seen = new Map(
    db
      .all<{ project_id: string; event_id: string }>("SELECT * FROM seen_cursors")
      .map((row) => [row.project_id, row.event_id]),
  );
  const nameOf = (id: string): string | null => projects.find((project) => project.id === id)?.display_name ?? null;
  const isSnoozed = ({ snoozed_until }: ItemRow): boolean => snoozed_until !== null && snoozed_until > now;
  const waiting = items.filter((item) => isOpen(item) && !isSnoozed(item));
  const eventOf = (id: string): EventRow => {
    const event = events.find((candidate) => candidate.id === id);
    if (event === undefined) throw new Error(`no event ${id}`);
    return event;
  };
  const payloadOf = (event: EventRow) => (event.payload === null ? null : JSON.parse(event.payload));
  const recent = [...events].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, 10);
  const soonest = (a: ItemRow, b: ItemRow): number =>
    (a.expires_at ?? Number.POSITIVE_INFINITY) - (b.expires_at ?? Number.POSITIVE_INFINITY) ||
    (a.event_id < b.event_id ? -1 : 1);
  const ended = sessions.filter(({ status }) => status === "ended");
  return {
    unread: items.filter(({ status }) => status === "unread").length,
    waiting: waiting.length,
    snoozed: items.filter((item) => isOpen(item) && isSnoozed(item)).length,
    waiting_items: waiting
      .sort((a, b) => soonest(a, b) || 0)
      .slice(0, 5)
      .map((item) => ({
        event_id: item.event_id,
        project_id: item.project_id,
        project_display_name: nameOf(item.project_id),
        kind: item.kind as "question" | "approval", // the only kinds that open
        actor: eventOf(item.event_id).actor,
        summary: eventOf(item.event_id).summary,
        payload: payloadOf(eventOf(item.event_id)),
        status: "action",
        created_at: at(item.created_at),
        updated_at: at(item.updated_at),
        ...(item.expires_at === null
          ? {}
          : { expires_at: at(item.expires_at), on_expiry: item.kind === "question" ? "close" : "decline" }),
      })),
    node: { host: config.nodeName, mode: "local" },
    agents_active: distinct(
      sessions
        .filter(({ last_activity }) => last_activity >= now - config.activeWindowSecs * 1000)
        .map(({ agent }) => agent),
    ),
    active_sessions: sessions
      .filter(({ status }) => status === "active")
      .sort((a, b) => b.last_activity - a.last_activity || (a.id < b.id ? 1 : -1))
      .slice(0, 5)
      .map((session) => ({
        session_id: session.id,
        session_name: session.name,
        agent: session.agent,
        project_id: session.project_id,
        project_display_name: nameOf(session.project_id),
        since: at(session.created_at),
        last_activity: at(session.last_activity),
        last_event:
          events
            .filter(({ session_id }) => session_id === session.id)
            .sort((a, b) => (a.id < b.id ? 1 : -1))
            .at(0)?.summary ?? null,
      })),
    last_event_at: recent[0] === undefined ? null : at(recent[0].created_at),
    recent: recent.map((event) => ({
      id: event.id,
      project_id: event.project_id,
      kind: event.kind as "signal", // one of the closed set, written by the hub itself
      actor: event.actor,
      summary: event.summary,
      payload: payloadOf(event),
      thread_id: event.thread_id,
      session_id: event.session_id,
      needs_action: event.kind === "question" || event.kind === "approval",
      created_at: at(event.created_at),
      // Any status of the closed set.
      inbox_status: (items.find(({ event_id }) => event_id === event.id)?.status ?? null) as "unread" | null,
      project_display_name: nameOf(event.project_id),
    })),
    unseen: projects
      .sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
      .map(({ id, display_name }) => ({
        project_id: id,
        events: events.filter((event) => event.project_id === id && event.id > (seen.get(id) ?? "")).length,
        project_display_name: display_name,
      }))
      .filter((row) => row.events > 0),
    prunable: { sessions: ended.length, bytes: ended.reduce((sum, session) => sum + session.brain_bytes, 0) },
    needs_review: 0,
  };
}

const projectIds = ["p", "q", "r"] as const;
const agentIds = ["alice", "bob", "carol"] as const;
const place = {
  project: fc.constantFrom(...projectIds),
  agent: fc.nat({ max: agentIds.length - 1 }),
  pick: fc.nat({ max: 1000 }),
};
const act = fc.record({
  do: fc.constantFrom(
    "question",
    "deadline",
    "approval",
    "finished",
    "signal",
    "answer",
    "decide",
    "read",
    "snooze",
    "wake",
    "see",
    "start",
    "brain",
    "end",
    "later",
  ),
  ...place,
});
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

/** Anything may be refused, such as an answer to what is resolved: the recount looks at what is there. */
async function perform(
  hub: TestHub,
  agents: Caller[],
  connections: string[],
  { do: what, project, agent, pick }: Act,
): Promise<void> {
  const { db } = hub.hub.kernel.services;
  const caller = agents[agent];
  const connection = connections[agent];
  if (caller === undefined || connection === undefined) throw new Error("no such agent");
  const items = db.all<ItemRow>("SELECT * FROM items ORDER BY event_id");
  const item = items[pick % Math.max(1, items.length)];
  const event_id = item?.event_id ?? "none";
  const post = (tool: string, args: object): Promise<unknown> =>
    caller.call(tool, { project_id: project, ...args }, { connection });
  switch (what) {
    case "question":
      return void (await post("question_post", { subject: `question ${pick}`, body: "b" }));
    case "deadline":
      return void (await post("question_post", { subject: `late ${pick}`, expires_in_seconds: 60 + (pick % 600) }));
    case "approval":
      return void (await post("signal_append", {
        kind: "approval",
        summary: `approve ${pick}`,
        expires_in_seconds: 60 + (pick % 3) * 600,
      }));
    case "finished":
      return void (await post("signal_append", { kind: "finished", summary: `done ${pick}`, payload: { pick } }));
    case "signal":
      return void (await post("signal_append", { kind: "signal", summary: `signal ${pick}` }));
    case "answer":
      return void (await hub.rest("answerQuestion", { params: { id: event_id }, body: { body: "yes" } }));
    case "decide":
      return void (await hub.rest("decideApproval", { params: { id: event_id }, body: { decision: "approve" } }));
    case "read":
      return void (await hub.rest("markRead", { params: { event_id } }));
    case "snooze":
      return void (await hub.rest("snoozeItem", {
        params: { event_id },
        body: { until: at(hub.clock.now + 1000 * (1 + pick)) },
      }));
    case "wake":
      return void (await hub.rest("wakeItem", { params: { event_id } }));
    case "see": {
      const events = db.all<EventRow>("SELECT * FROM events WHERE project_id = ?", project);
      return void (await hub.rest("markFeedSeen", {
        params: { id: project },
        body: { event_id: events[pick % Math.max(1, events.length)]?.id ?? "none" },
      }));
    }
    case "start":
      return void (await post("session_start", { session_name: `s${pick % 4}` }));
    case "brain":
      return void (await caller.call(
        "brain_put",
        { store: "session", path: `/kv/k${pick % 5}`, content: "x".repeat(pick) },
        { connection },
      ));
    case "end": {
      const own = db.all<SessionRow>("SELECT * FROM sessions WHERE agent = ? AND status = 'active'", caller.actor);
      return void (await caller.call(
        "session_end",
        { session_id: own[pick % Math.max(1, own.length)]?.id ?? "none" },
        { connection },
      ));
    }
    case "later":
      hub.clock.now += 1000 * pick;
  }
}

describe("the figures", () => {
  test("of a new hub are nothing, and what cannot be known yet is null", async () => {
    await using hub = await openTestHub();
    const { storage, ...home } = await readHome(hub);
    expect(home).toEqual({
      unread: 0,
      waiting: 0,
      snoozed: 0,
      waiting_items: [],
      node: { host: hub.hub.config.nodeName, mode: "local" },
      agents_active: 0,
      active_sessions: [],
      last_event_at: null,
      recent: [],
      unseen: [],
      prunable: { sessions: 0, bytes: 0 },
      needs_review: 0,
    });
    expect(Object.keys(storage).sort()).toEqual(["capacity_bytes", "free_bytes", "used_bytes"]);
  });

  test("are those of a naive recount, whatever happened", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 60 }), async (acts) => {
        await using hub = await openTestHub({ config: { activeWindowSecs: 300 } });
        const agents: Caller[] = [];
        for (const id of projectIds) {
          await hub.project(id);
          hub.clock.now += 1;
        }
        for (const id of agentIds) agents.push(await hub.agent(id));
        const connections = await Promise.all(agents.map((agent) => hub.connect(agent)));
        for (const given of acts) await perform(hub, agents, connections, given).catch(() => undefined);
        // Settles what is due, so the rows are those it reads.
        const { storage, ...home } = await readHome(hub);
        expect(home).toEqual(recount(hub));
        expect(storage.used_bytes).toBeGreaterThan(0);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  test("of what is waiting leave out what is snoozed, and take it back when the snooze is over", async () => {
    await using hub = await openTestHub();
    await hub.project("p");
    const alice = await hub.agent("alice");
    const ids = [];
    for (let index = 0; index < 7; index += 1) {
      const { question_id } = await alice.call("question_post", { project_id: "p", subject: `q${index}` });
      ids.push(String(question_id));
    }
    const [first = ""] = ids;
    await hub.rest("snoozeItem", { params: { event_id: first }, body: { until: at(hub.clock.now + 60_000) } });
    const snoozed = await readHome(hub);
    expect([snoozed.waiting, snoozed.snoozed]).toEqual([6, 1]);
    expect(snoozed.waiting_items.map(({ event_id }) => event_id)).toEqual(ids.slice(1, 6));
    hub.clock.now += 60_000;
    const over = await readHome(hub);
    expect([over.waiting, over.snoozed]).toEqual([7, 0]);
    expect(over.waiting_items[0]).not.toContainKey("snoozed_until");
    expect(over.waiting_items.map(({ event_id }) => event_id)).toEqual(ids.slice(0, 5));
  });

  test("never show an item past its deadline as open", async () => {
    await using hub = await openTestHub();
    await hub.project("p");
    const alice = await hub.agent("alice");
    await alice.call("question_post", { project_id: "p", subject: "late", expires_in_seconds: 60 });
    hub.clock.now += 60_000;
    const home = await readHome(hub);
    expect([home.waiting, home.waiting_items]).toEqual([0, []]);
    expect(home.recent[0]).toMatchObject({ kind: "answer", actor: "hub", payload: { expired: true } });
  });
});

describe("storage", () => {
  test("is what the store's files and blobs take, and the volume", async () => {
    await using hub = await openTestHub();
    await hub.project("p");
    const alice = await hub.agent("alice");
    const connection = await hub.connect(alice);
    await alice.call("session_start", { project_id: "p", session_name: "s" }, { connection });
    await alice.call("brain_put", { store: "session", path: "/fs/big", content: "x".repeat(100_000) }, { connection });
    hub.clock.now += 10_000;
    const { storage } = await readHome(hub);
    let used = 100_000;
    for (const name of ["hub.db", "hub.db-wal", "hub.db-shm"]) used += (await stat(join(hub.dataDir, name))).size;
    expect(storage.used_bytes).toBe(used);
    expect(storage.capacity_bytes).toBeGreaterThan(used);
    expect(storage.free_bytes).toBeGreaterThan(0);
    expect(storage.free_bytes).toBeLessThanOrEqual(storage.capacity_bytes ?? 0);
  });

  test("of a volume that does not answer is null, not 0", async () => {
    await using hub = await openTestHub();
    await rm(hub.dataDir, { recursive: true });
    hub.clock.now += 10_000;
    expect((await readHome(hub)).storage).toMatchObject({ capacity_bytes: null, free_bytes: null });
  });
});

test("one request brings it all, to the operator alone", async () => {
  await using hub = await openTestHub();
  const url = await hub.listen();
  const alice = await hub.agent("alice");
  const answer = await request(url, hub.operator.token, "getHome");
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.body).sort()).toEqual([...Object.keys(recount(hub)), "storage"].sort());
  expect((await request(url, alice.token, "getHome")).status).toBe(401);
});

test("reading it leaves no trace", async () => {
  await using hub = await openTestHub();
  await hub.project("p");
  const before = await hub.snapshot();
  await readHome(hub);
  expect(await hub.snapshot()).toBe(before);
});
