// Moving a deadline out (rest-api.md 6), and who may do any of the operator's acts.
import { describe, expect, test } from "bun:test";
import { request as http } from "../../support/operator.ts";
import { ask, dayMs, decide, expectNoTrace, itemOf, refusalOf, request, wholeFeed } from "../conversation.ts";
import { at, badField, conflict, finish, on, openLab, operatorItem } from "./lab.ts";

describe("extend", () => {
  test("moves the deadline out, counted from now; the outcome stays, everybody reads it, no event tells", async () => {
    await using lab = await openLab();
    const { hub, ann, ticks } = lab;
    const id = await request(ann, "lab", { expires_in_seconds: 60, on_expiry: "approve" });
    hub.clock.now += 30_000;
    ticks();
    const extended = await on(hub, "extendItem", id, { seconds: 90 });
    expect(extended).toEqual({ event_id: id, expires_at: at(120_000) });
    expect(ticks()).toBe(1);
    for (const item of [await itemOf(ann, id), await operatorItem(hub, id)]) {
      expect(item).toMatchObject({
        status: "action",
        expires_at: at(120_000),
        on_expiry: "approve",
        updated_at: at(0),
      });
    }
    hub.clock.now += 89_999;
    expect((await itemOf(ann, id)).status).toBe("action");
    hub.clock.now += 1;
    expect(await itemOf(ann, id)).toMatchObject({
      status: "resolved",
      decision: { decision: "approved", expired: true },
    });
    expect((await wholeFeed(hub, "lab", ["system"])).length).toBe(0);
    expect((await wholeFeed(hub, "lab")).length).toBe(2);
    expect(hub.log.join("")).toContain(`deadline extended event=${id} project=lab`);
  });

  test("moves nothing back, and leaves the rest of the item as it is", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const id = await ask(ann, "lab", { expires_in_seconds: 600 });
    hub.clock.now += 100_000;
    // 500 s from now is the present deadline: it must be later.
    for (const seconds of [60, 499, 500]) {
      await expectNoTrace(hub, () => on(hub, "extendItem", id, { seconds }), badField("seconds"));
    }
    await on(hub, "extendItem", id, { seconds: 501 });
    expect((await itemOf(ann, id)).expires_at).toBe(at(601_000));
    // As far out as 30 days from now, again and again.
    await on(hub, "extendItem", id, { seconds: 2_592_000 });
    hub.clock.now += dayMs;
    await on(hub, "extendItem", id, { seconds: 2_592_000 });
    expect((await itemOf(ann, id)).expires_at).toBe(at(100_000 + 31 * dayMs));
  });

  test("is refused out of range, without a deadline, on a resolved item and on one past its deadline", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const id = await ask(ann, "lab", { expires_in_seconds: 60 });
    for (const seconds of [59, 2_592_001, 60.5, "600", null, undefined]) {
      await expectNoTrace(hub, () => on(hub, "extendItem", id, { seconds }), badField("seconds"));
    }
    const resolved = await request(ann, "lab", { expires_in_seconds: 60 });
    await decide(hub, resolved);
    const finished = await finish(ann);
    for (const entry of [await ask(ann, "lab"), resolved, finished]) {
      await expectNoTrace(hub, () => on(hub, "extendItem", entry, { seconds: 600 }), conflict);
    }
    expect((await refusalOf(on(hub, "extendItem", finished, { seconds: 600 }))).message).not.toContain("resolved");
    hub.clock.now += 60_000;
    expect((await refusalOf(on(hub, "extendItem", id, { seconds: 600 }))).code).toBe("conflict");
    expect(await itemOf(ann, id)).toMatchObject({ status: "resolved", answer: { expired: true } });
  });

  test("and snooze are the operator's alone", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const id = await ask(ann, "lab", { expires_in_seconds: 60 });
    const url = await hub.listen();
    await http(url, ann.token, "getVersion"); // the first use of a token is noted, whatever it asks for
    const before = await hub.snapshot();
    const bodies = new Set<string>();
    for (const [call, body] of [
      ["markRead", undefined],
      ["markUnread", undefined],
      ["markAllRead", undefined],
      ["snoozeItem", { until: at(dayMs) }],
      ["wakeItem", undefined],
      ["extendItem", { seconds: 600 }],
      ["listInbox", undefined],
      ["listFeed", undefined],
      ["listProjectFeed", undefined],
      ["markFeedSeen", { event_id: id }],
      ["answerQuestion", { body: "a" }],
      ["decideApproval", { decision: "approve" }],
    ] as const) {
      for (const event_id of [id, "nothing"]) {
        const input = { params: { event_id, id: "lab" }, ...(body === undefined ? {} : { body }) };
        const { status, body: problem } = await http(url, ann.token, call, input);
        expect([call, status]).toEqual([call, 401]);
        bodies.add(JSON.stringify(problem));
      }
    }
    expect(bodies.size).toBe(1);
    expect(await hub.snapshot()).toBe(before);
  });
});
