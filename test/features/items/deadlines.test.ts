// Deadlines (mcp-tools.md 11): what is refused, what is stored and shown, who settles them, and that nobody is late.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { within } from "../../support/processes.ts";
import {
  answer,
  append,
  ask,
  dayMs,
  decide,
  eventsOf,
  expectNoTrace,
  itemOf,
  itemsOf,
  refusalOf,
  reply,
  request,
  until,
  wholeFeed,
} from "../conversation.ts";

const minute = 60_000;
const boundMs = 20_000;

type Lab = AsyncDisposable & { hub: TestHub; ann: Caller; bob: Caller };

async function openLab(): Promise<Lab> {
  const hub = await openTestHub();
  await hub.project("lab");
  const lab = { hub, ann: await hub.agent("ann"), bob: await hub.agent("bob") };
  return { ...lab, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

/** Resolves when the item was written to, by whomever. */
function touched(hub: TestHub, eventId: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const subscription = hub.hub.kernel.services.bus.subscribe([`item:${eventId}`], resolve);
  return within(boundMs, `change of item ${eventId}`, promise).finally(() => subscription[Symbol.dispose]());
}

/** Resolves right after a pass of the sweep, so that the next one is nearly its whole interval away. */
async function afterSweep(hub: TestHub, by: Caller): Promise<void> {
  const id = await ask(by, "lab", { expires_in_seconds: 60 });
  const swept = touched(hub, id);
  hub.clock.now += minute;
  await swept;
}

async function answersOn(hub: TestHub, root: string): Promise<unknown[]> {
  return (await wholeFeed(hub, "lab"))
    .filter((event) => event.kind === "answer" && event.thread_id === root)
    .map((event) => [event.actor, event.payload]);
}

describe("refused, with nothing written", () => {
  const approval = { kind: "approval", expires_in_seconds: 60 };
  for (const [name, args, field] of [
    ["an outcome without a deadline", { kind: "approval", on_expiry: "approve" }, "on_expiry"],
    ["an unknown outcome", { ...approval, on_expiry: "close" }, "on_expiry"],
    ["an outcome of another type", { ...approval, on_expiry: true }, "on_expiry"],
    ["a deadline of another type", { kind: "approval", expires_in_seconds: "60" }, "expires_in_seconds"],
    ["a request to join", { ...approval, payload: { action: "enrol_request" } }, "expires_in_seconds"],
    [
      "a request to join, its outcome named",
      { ...approval, on_expiry: "approve", payload: { action: "enrol_request", x: 1 } },
      "expires_in_seconds",
    ],
    ...["signal", "finished", "idea"].flatMap(
      (kind) =>
        [
          [`a deadline on ${kind}`, { kind, expires_in_seconds: 60 }, "expires_in_seconds"],
          [`an outcome on ${kind}`, { kind, on_expiry: "decline" }, "on_expiry"],
          [`both on ${kind}`, { kind, expires_in_seconds: 60, on_expiry: "decline" }, "expires_in_seconds"],
        ] as const,
    ),
  ] as const) {
    test(name, async () => {
      await using lab = await openLab();
      const refusal = { code: "invalid_argument" as const, details: { field, expected: expect.any(String) } };
      await expectNoTrace(lab.hub, () => append(lab.ann, "lab", args), refusal);
    });
  }

  test("an outcome on a question, with a deadline or without", async () => {
    await using lab = await openLab();
    const refusal = {
      code: "invalid_argument" as const,
      details: { field: "on_expiry", expected: expect.any(String) },
    };
    for (const args of [
      { on_expiry: "close" },
      { on_expiry: "decline", expires_in_seconds: 60 },
      { on_expiry: false },
    ]) {
      await expectNoTrace(lab.hub, () => ask(lab.ann, "lab", args), refusal);
    }
    // null counts as absent.
    await ask(lab.ann, "lab", { on_expiry: null, expires_in_seconds: null });
    await request(lab.ann, "lab", { on_expiry: null, expires_in_seconds: 60, payload: { action: "other" } });
  });
});

describe("what an item shows", () => {
  test("its deadline, counted from acceptance, and its outcome; neither without one", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    hub.clock.now += 123;
    for (const [id, expected] of [
      [
        await ask(ann, "lab", { expires_in_seconds: 60 }),
        { expires_at: "2026-01-02T03:05:05.123Z", on_expiry: "close" },
      ],
      [
        await request(ann, "lab", { expires_in_seconds: 2_592_000 }),
        { expires_at: "2026-02-01T03:04:05.123Z", on_expiry: "decline" },
      ],
      [
        await request(ann, "lab", { expires_in_seconds: 61, on_expiry: "approve" }),
        { expires_at: "2026-01-02T03:05:06.123Z", on_expiry: "approve" },
      ],
    ] as const) {
      expect(await itemOf(ann, id)).toMatchObject({ status: "action", ...expected });
    }
    for (const id of [await ask(ann, "lab"), await request(ann, "lab")]) {
      const item = await itemOf(ann, id);
      expect(["expires_at" in item, "on_expiry" in item]).toEqual([false, false]);
    }
  });

  test("once it expired: the hub as the actor, expired, the outcome, everywhere the same", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const question = await ask(ann, "lab", { subject: "Q", expires_in_seconds: 60 });
    const approval = await request(ann, "lab", { summary: "A", expires_in_seconds: 60, on_expiry: "approve" });
    hub.clock.now += minute + 250;
    const [a, q] = itemsOf(await ann.call("inbox_read"));
    const base = {
      project_id: "lab",
      project_display_name: "Project lab",
      actor: "ann",
      payload: null,
      status: "resolved" as const,
      created_at: "2026-01-02T03:04:05.000Z",
      updated_at: "2026-01-02T03:05:05.250Z",
      expires_at: "2026-01-02T03:05:05.000Z",
    };
    const [questionAnswer, approvalAnswer] = await Promise.all(
      [question, approval].map(async (root) =>
        (await wholeFeed(hub, "lab")).find((event) => event.thread_id === root && event.id !== root),
      ),
    );
    expect(q).toEqual({
      ...base,
      event_id: question,
      kind: "question",
      summary: "Q",
      on_expiry: "close",
      answer: {
        body: null,
        actor: "hub",
        event_id: String(questionAnswer?.id),
        answered_at: base.updated_at,
        expired: true,
      },
    });
    expect(a).toEqual({
      ...base,
      event_id: approval,
      kind: "approval",
      summary: "A",
      on_expiry: "approve",
      decision: {
        decision: "approved",
        note: null,
        actor: "hub",
        event_id: String(approvalAnswer?.id),
        decided_at: base.updated_at,
        expired: true,
      },
    });
    expect(itemsOf(await hub.rest("listInbox"))).toEqual(itemsOf(await ann.call("inbox_read")));
  });
});

describe("a deadline that has passed", () => {
  const readers: Record<string, (hub: TestHub, by: Caller, id: string) => Promise<unknown>> = {
    feed_read: async (_hub, by, id) =>
      eventsOf(await by.call("feed_read", { project_id: "lab", before: "Z" })).find((event) => event.id === id)
        ?.inbox_status,
    inbox_read: async (_hub, by, id) => (await itemOf(by, id)).status,
    "inbox_read of open items": async (_hub, by, id) => openOf(await by.call("inbox_read", { status: "action" }), id),
    inbox_wait: async (_hub, by, id) =>
      openOf(await by.call("inbox_wait", { since: "0", wait_seconds: 0 }), id, ({ status }) => status),
    "the operator's inbox": async (hub, _by, id) => openOf(await hub.rest("listInbox"), id, ({ status }) => status),
    "the operator's waiting group": async (hub, _by, id) =>
      openOf(await hub.rest("listInbox", { query: { group: "waiting" } }), id),
    "the operator's counts": async (hub) => {
      const { counts } = await hub.rest("listInbox", { query: { group: "unread" } });
      return JSON.stringify(counts) === '{"waiting":1,"snoozed":0,"unread":0,"earlier":0}' ? "action" : "resolved";
    },
    "the operator's project feed": async (hub, _by, id) =>
      eventsOf(await hub.rest("listProjectFeed", { params: { id: "lab" } })).find((event) => event.id === id)
        ?.inbox_status,
    "the operator's global feed": async (hub, _by, id) =>
      eventsOf(await hub.rest("listFeed")).find((event) => event.id === id)?.inbox_status,
    "an event in the middle of the feed": async (hub, _by, id) =>
      eventsOf(await hub.rest("listProjectFeed", { params: { id: "lab" }, query: { around: id } })).find(
        (event) => event.id === id,
      )?.inbox_status,
  };
  type Shown = { event_id: string; status: string };
  function openOf(page: JsonObject, id: string, status: (item: Shown) => string = () => "action"): string {
    const found = itemsOf(page).find((item) => item.event_id === id);
    return found === undefined ? "resolved" : status(found);
  }

  for (const [name, read] of Object.entries(readers)) {
    test(`never reads as open in ${name}: open up to the last millisecond, resolved from then on`, async () => {
      await using lab = await openLab();
      const { hub, ann, bob } = lab;
      const id = await request(ann, "lab", { expires_in_seconds: 60 });
      hub.clock.now += minute - 1;
      expect(await read(hub, name === "inbox_wait" ? ann : bob, id)).toBe("action");
      expect(await answersOn(hub, id)).toEqual([]);
      hub.clock.now += 1;
      expect(await read(hub, name === "inbox_wait" ? ann : bob, id)).toBe("resolved");
      // It was settled by that read, once, and no later read does it again.
      hub.clock.now += minute;
      await read(hub, ann, id);
      expect((await answersOn(hub, id)).length).toBe(1);
    });
  }

  test("refuses an answer and a decision as a conflict, before any sweep or read has recorded it", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const question = await ask(ann, "lab", { expires_in_seconds: 120 });
    const approval = await request(ann, "lab", { expires_in_seconds: 120, on_expiry: "approve" });
    await afterSweep(hub, ann);
    hub.clock.now += minute;
    const late = { code: "conflict" as const, details: {} };
    for (const write of [
      () => answer(bob, question),
      () => answer(ann, question, { idempotency_key: "k" }),
      () => reply(hub, question),
      () => decide(hub, approval),
      () => decide(hub, approval, { decision: "decline", idempotency_key: "k" }),
      () => hub.rest("extendItem", { params: { event_id: question }, body: { seconds: 600 } }),
    ]) {
      const error = await expectNoTrace(hub, write, late);
      expect(error.message).toContain("deadline");
    }
    // The refusals wrote no key either: the same key works elsewhere.
    await answer(ann, await ask(ann, "lab"), { idempotency_key: "k" });
    // And what was asked for happens.
    await ann.call("inbox_read");
    expect(await answersOn(hub, question)).toEqual([["hub", { expired: true }]]);
    expect(await answersOn(hub, approval)).toEqual([
      ["hub", { expired: true, decision: "approved", body: "Expired: approved" }],
    ]);
    for (const write of [() => answer(bob, question), () => decide(hub, approval)])
      await expectNoTrace(hub, write, late);
  });

  test("is settled by the sweep when nobody reads, and the write wakes who waits for it", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const id = await ask(ann, "lab", { expires_in_seconds: 60 });
    const swept = touched(hub, id);
    hub.clock.now += minute;
    await swept;
    expect(await answersOn(hub, id)).toEqual([["hub", { expired: true }]]);
  });

  test("ends the asker's inbox_wait, with since and without, and nobody else's", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const id = await request(ann, "lab", { expires_in_seconds: 60 });
    const leave = new AbortController();
    const waits = [ann.call("inbox_wait", { since: id }), ann.call("inbox_wait")];
    let isBobAnswered = false;
    const bobs = bob.call("inbox_wait", { since: id }, { signal: leave.signal }).then(() => {
      isBobAnswered = true;
    });
    const bus = hub.hub.kernel.services.bus;
    await until("three waits", () => bus.size() >= 3);
    hub.clock.now += minute;
    for (const page of await within(boundMs, "end of the wait", Promise.all(waits))) {
      const [item, ...others] = itemsOf(page);
      expect(others).toEqual([]);
      expect(item).toMatchObject({ event_id: id, decision: { decision: "declined", actor: "hub", expired: true } });
      expect(page["next_since"]).toBe(item?.decision?.event_id ?? "");
    }
    expect(isBobAnswered).toBe(false);
    leave.abort();
    await bobs;
  });

  test("is settled for every item that is due in one read, however many, the longest overdue first", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const posted = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        ask(index % 2 === 0 ? ann : bob, "lab", { expires_in_seconds: 60 + ((index * 7) % 90) }),
      ),
    );
    hub.clock.now += 200_000;
    const statuses = itemsOf(await ann.call("inbox_read", { limit: 500 })).map(({ status }) => status);
    expect(statuses).toEqual(posted.map(() => "resolved"));
    const deadlines = new Map(
      itemsOf(await ann.call("inbox_read", { limit: 500 })).map((item) => [item.event_id, item.expires_at]),
    );
    const order = (await wholeFeed(hub, "lab", ["answer"])).map((event) =>
      String(deadlines.get(event.thread_id ?? "")),
    );
    expect(order).toEqual(order.toSorted());
  });

  test("of an item that cannot be resolved holds up no other, however many of them there are", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const stuck = await Promise.all(Array.from({ length: 70 }, () => ask(ann, "lab", { expires_in_seconds: 60 })));
    const good = await ask(bob, "lab", { expires_in_seconds: 61 });
    await hub.hub.kernel.services.write((tx) =>
      tx.db.run(
        "CREATE TRIGGER stuck BEFORE INSERT ON events WHEN new.actor = 'hub' AND (SELECT actor FROM events WHERE id = new.thread_id) = 'ann' BEGIN SELECT raise(ABORT, 'stuck'); END",
      ),
    );
    hub.clock.now += 2 * minute;
    expect((await itemOf(bob, good)).status).toBe("resolved");
    // They stay, refuse late answers, and go as soon as they can.
    const [first] = stuck;
    expect((await refusalOf(answer(bob, String(first)))).code).toBe("conflict");
    await hub.hub.kernel.services.write((tx) => tx.db.run("DROP TRIGGER stuck"));
    expect(itemsOf(await bob.call("inbox_read", { limit: 500, status: "action" }))).toEqual([]);
  });
});

describe("a clock that jumps, and restarts", () => {
  test("a 30-day deadline waits out 30 days over restarts, and no less", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const id = await request(ann, "lab", { expires_in_seconds: 2_592_000, on_expiry: "approve" });
    for (let day = 1; day <= 30; day += 1) {
      hub.clock.now += dayMs - (day === 30 ? 1 : 0);
      if (day % 3 === 0) await hub.reopen();
      expect((await itemOf(bob, id)).status).toBe("action");
    }
    await hub.reopen();
    hub.clock.now += 1;
    expect(await itemOf(bob, id)).toMatchObject({
      status: "resolved",
      decision: { decision: "approved", actor: "hub" },
    });
  });

  test("back and forth: what expired stays expired, what did not waits for its time", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const short = await ask(ann, "lab", { expires_in_seconds: 60 });
    const long = await ask(ann, "lab", { expires_in_seconds: 7200 });
    hub.clock.now += 61 * minute;
    expect((await itemOf(ann, short)).status).toBe("resolved");
    hub.clock.now -= 40 * dayMs;
    const duringThePast = await ask(ann, "lab", { expires_in_seconds: 60 });
    expect((await itemOf(ann, short)).status).toBe("resolved");
    expect((await itemOf(ann, long)).status).toBe("action");
    hub.clock.now += minute;
    expect((await itemOf(ann, duringThePast)).status).toBe("resolved");
    await hub.reopen();
    hub.clock.now += 40 * dayMs;
    expect((await itemOf(ann, long)).status).toBe("action");
    hub.clock.now += 59 * minute;
    expect((await itemOf(ann, long)).status).toBe("resolved");
    // Ids went on upwards all the while, so no cursor missed an answer.
    const ids = (await wholeFeed(hub, "lab")).map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
    expect(ids.length).toBe(6);
  });
});
