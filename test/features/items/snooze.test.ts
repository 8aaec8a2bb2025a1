// Snooze (rest-api.md 6): by the clock, and unseen by agents.
import { describe, expect, test } from "bun:test";
import { openTestHub, type TestHub } from "../../support/hub.ts";
import { request as http } from "../../support/operator.ts";
import { ask, dayMs, decide, expectNoTrace, idsOf, itemOf, reply, request, until, wholeFeed } from "../conversation.ts";
import { at, badField, conflict, finish, on, openLab, operatorItem } from "./lab.ts";

describe("snooze", () => {
  const counts = async (hub: TestHub) => (await hub.rest("listInbox"))["counts"];
  const group = async (hub: TestHub, name: string) => idsOf(await hub.rest("listInbox", { query: { group: name } }));

  test("takes an item out of waiting until its time, by the clock alone", async () => {
    await using lab = await openLab();
    const { hub, ann, ticks } = lab;
    const id = await ask(ann, "lab");
    const other = await request(ann, "lab");
    ticks();
    expect(await on(hub, "snoozeItem", id, { until: at(5000) })).toEqual({ event_id: id, snoozed_until: at(5000) });
    expect(ticks()).toBe(1);
    expect([await group(hub, "waiting"), await group(hub, "snoozed")]).toEqual([[other], [id]]);
    expect(await counts(hub)).toEqual({ waiting: 1, snoozed: 1, unread: 0, earlier: 0 });
    expect(await operatorItem(hub, id)).toMatchObject({ status: "action", snoozed_until: at(5000), updated_at: at(0) });
    // A later one replaces it.
    await on(hub, "snoozeItem", id, { until: at(9000) });
    hub.clock.now += 8999;
    expect(await group(hub, "snoozed")).toEqual([id]);
    hub.clock.now += 1;
    expect([await group(hub, "waiting"), await group(hub, "snoozed")]).toEqual([[id, other], []]);
    expect(await counts(hub)).toEqual({ waiting: 2, snoozed: 0, unread: 0, earlier: 0 });
    expect(await operatorItem(hub, id)).not.toHaveProperty("snoozed_until");
  });

  test("ends by DELETE, also when there is none, and on resolution", async () => {
    await using lab = await openLab();
    const { hub, ann, ticks } = lab;
    const id = await ask(ann, "lab");
    await on(hub, "snoozeItem", id, { until: at(dayMs) });
    ticks();
    expect(await on(hub, "wakeItem", id)).toEqual({});
    expect([ticks(), await group(hub, "waiting")]).toEqual([1, [id]]);
    const before = await hub.snapshot();
    await on(hub, "wakeItem", id);
    expect([ticks(), await hub.snapshot()]).toEqual([0, before]);
    await on(hub, "snoozeItem", id, { until: at(dayMs) });
    await reply(hub, id);
    expect([await group(hub, "snoozed"), await group(hub, "earlier")]).toEqual([[], [id]]);
    expect(await operatorItem(hub, id)).not.toHaveProperty("snoozed_until");
    const url = await hub.listen();
    const input = { params: { event_id: id } };
    expect(await http(url, hub.operator.token, "wakeItem", input)).toEqual({ status: 204, body: {} });
  });

  test("is refused for a bad time and for an item that waits on nobody", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const id = await ask(ann, "lab");
    for (const until of [
      at(0), // not in the future
      at(-1),
      at(30 * dayMs + 1),
      "tomorrow",
      "2026-01-03",
      "2026-01-03T00:00:00", // no zone
      "2026-13-01T00:00:00Z",
      "",
      1_800_000_000_000,
      null,
      undefined,
    ]) {
      await expectNoTrace(hub, () => on(hub, "snoozeItem", id, { until }), badField("until"));
    }
    for (const until of [at(1), at(30 * dayMs), "2026-01-03T05:04:05+02:00", "2026-01-03T03:04:05.123456Z"]) {
      await on(hub, "snoozeItem", id, { until });
    }
    const resolved = await request(ann, "lab");
    await decide(hub, resolved);
    const due = await request(ann, "lab", { expires_in_seconds: 60 });
    for (const [entry, ms] of [
      [await finish(ann), 0],
      [resolved, 0],
      [due, 60_000],
    ] as const) {
      hub.clock.now += ms;
      // An item that is due is settled by the attempt, as by every look at it; what is refused is the snooze.
      await ann.call("inbox_read");
      await expectNoTrace(hub, () => on(hub, "snoozeItem", entry, { until: at(dayMs) }), conflict);
    }
  });

  test("is nothing an agent can see: every answer is byte for byte what it was", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const bob = await hub.agent("bob");
    const ids = [
      await ask(ann, "lab", { expires_in_seconds: 600 }),
      await request(ann, "lab"),
      await request(ann, "lab", { expires_in_seconds: 60 }),
    ];
    const seen = async (): Promise<string> => {
      const answers: unknown[] = [];
      for (const by of [ann, bob, hub.operator]) {
        answers.push(
          await by.call("feed_read", { project_id: "lab", before: "Z" }),
          await by.call("inbox_read"),
          await by.call("inbox_read", { status: "action" }),
          await by.call("inbox_read", { since: "0" }),
          await by.call("inbox_wait", { since: "0", wait_seconds: 0 }),
          await by.call("inbox_wait", { wait_seconds: 0 }),
        );
      }
      return JSON.stringify(answers);
    };
    const before = await seen();
    const events = await wholeFeed(hub, "lab");
    for (const id of ids) await on(hub, "snoozeItem", id, { until: at(30 * dayMs) });
    expect(await seen()).toBe(before);
    await on(hub, "snoozeItem", ids[0] ?? "", { until: at(1) });
    await on(hub, "wakeItem", ids[1] ?? "");
    expect(await seen()).toBe(before);
    // It appends no event, audit records included, and holds up no deadline.
    expect(await wholeFeed(hub, "lab")).toEqual(events);
    expect(await wholeFeed(hub, "lab", ["system"])).toEqual([]);
    hub.clock.now += 60_000;
    expect(await itemOf(bob, ids[2] ?? "")).toMatchObject({ status: "resolved", decision: { actor: "hub" } });
    expect(hub.log.join("")).toContain(`item snoozed event=${ids[0]} project=lab`);
  });

  test("wakes no wait of its agent", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const id = await ask(ann, "lab");
    let wakes = 0;
    using _listener = hub.hub.kernel.services.bus.subscribe(["actor:ann", "project:lab", "feed:lab"], () => {
      wakes += 1;
    });
    await on(hub, "snoozeItem", id, { until: at(1000) });
    await on(hub, "wakeItem", id);
    expect(wakes).toBe(0);
  });

  test("that ran out is told by the next sweep", async () => {
    await using hub = await openTestHub({ config: { sweepIntervalSecs: 1 } });
    await hub.project("lab");
    const id = await ask(await hub.agent("ann"), "lab");
    await on(hub, "snoozeItem", id, { until: at(5000) });
    let ticks = 0;
    using _listener = hub.hub.kernel.services.bus.subscribe(["inbox"], () => {
      ticks += 1;
    });
    hub.clock.now += 5000;
    await until("the tick of the snooze that ran out", () => ticks > 0);
    expect(ticks).toBe(1);
  });
});
