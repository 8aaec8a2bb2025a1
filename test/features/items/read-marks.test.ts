// Read, unread and read-all (rest-api.md 6).
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import type { TestHub } from "../../support/hub.ts";
import { append, ask, dayMs, decide, expectNoTrace, itemsOf, request } from "../conversation.ts";
import { at, badField, finish, notFound, on, openLab, operatorItem } from "./lab.ts";

describe("read and unread", () => {
  test("move an entry between the two and say whether they did; each move ticks", async () => {
    await using lab = await openLab();
    const { hub, ann, ticks } = lab;
    const id = await finish(ann);
    hub.clock.now += 1000;
    ticks();
    for (const [call, status, changed] of [
      ["markUnread", "unread", false],
      ["markRead", "read", true],
      ["markRead", "read", false],
      ["markUnread", "unread", true],
      ["markRead", "read", true],
    ] as const) {
      expect(await on(hub, call, id)).toEqual({ event_id: id, status, changed });
      expect(ticks()).toBe(changed ? 1 : 0);
      expect((await operatorItem(hub, id))?.status).toBe(status);
    }
    expect((await operatorItem(hub, id))?.updated_at).toBe(at(1000));
  });

  test("leave open and resolved entries as they are", async () => {
    await using lab = await openLab();
    const { hub, ann, ticks } = lab;
    const open = await ask(ann, "lab");
    const resolved = await request(ann, "lab");
    await decide(hub, resolved);
    ticks();
    const before = await hub.snapshot();
    for (const call of ["markRead", "markUnread"] as const) {
      expect(await on(hub, call, open)).toEqual({ event_id: open, status: "action", changed: false });
      expect(await on(hub, call, resolved)).toEqual({ event_id: resolved, status: "resolved", changed: false });
    }
    expect(await hub.snapshot()).toBe(before);
    expect(ticks()).toBe(0);
  });

  test("are 404 for an event without an entry", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    for (const id of [await append(ann, "lab"), "01KE0000000000000000000000", "x"]) {
      for (const call of ["markRead", "markUnread", "wakeItem"] as const) {
        await expectNoTrace(hub, () => on(hub, call, id), notFound);
      }
      await expectNoTrace(hub, () => on(hub, "snoozeItem", id, { until: at(dayMs) }), notFound);
      await expectNoTrace(hub, () => on(hub, "extendItem", id, { seconds: 600 }), notFound);
    }
  });
});

describe("read-all", () => {
  const readAll = (hub: TestHub, body?: object): Promise<JsonObject> =>
    hub.rest("markAllRead", body === undefined ? {} : { body });

  test("marks the whole inbox, one project, up to an event; newest first, and only what was unread", async () => {
    await using lab = await openLab();
    const { hub, ann, ticks } = lab;
    const [a, b, c] = [await finish(ann), await finish(ann, "other"), await finish(ann)];
    await ask(ann, "lab");
    const d = await finish(ann);
    ticks();
    expect(await readAll(hub, { project_id: "lab", up_to: c })).toEqual({ marked: 2, event_ids: [c, a] });
    expect(ticks()).toBe(1);
    expect(await readAll(hub, { project_id: "lab", up_to: c })).toEqual({ marked: 0, event_ids: [] });
    expect(ticks()).toBe(0);
    // Up to an event: newer entries stay unread.
    expect(await readAll(hub, { up_to: b })).toEqual({ marked: 1, event_ids: [b] });
    expect(await readAll(hub, { project_id: "nowhere" })).toEqual({ marked: 0, event_ids: [] });
    expect((await operatorItem(hub, d))?.status).toBe("unread");
    expect(await readAll(hub)).toEqual({ marked: 1, event_ids: [d] });
    expect(itemsOf(await hub.rest("listInbox")).map(({ status }) => status)).toEqual([
      "read",
      "action",
      "read",
      "read",
      "read",
    ]);
  });

  test("a blank id means the whole inbox, as an empty body does", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    for (const body of [undefined, {}, { project_id: "" }, { project_id: " ", up_to: "" }, { up_to: "  " }]) {
      const [a, b] = [await finish(ann), await finish(ann, "other")];
      expect(await readAll(hub, body)).toEqual({ marked: 2, event_ids: [b, a] });
    }
  });

  test("names at most 500 of them", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const ids = await Promise.all(Array.from({ length: 510 }, () => finish(ann)));
    const answer = await readAll(hub);
    expect(answer).toEqual({ marked: 510, event_ids: ids.toSorted().toReversed().slice(0, 500) });
  });

  test("a body that is not empty and not right is 400, over HTTP too", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    await finish(ann);
    await expectNoTrace(hub, () => readAll(hub, { project_id: 5 }), badField("project_id"));
    await expectNoTrace(hub, () => readAll(hub, { up_to: ["x"] }), badField("up_to"));
    const url = await hub.listen();
    const before = await hub.snapshot();
    for (const body of ["[]", "{", "5", '"x"', '{"project_id":true}']) {
      const response = await fetch(`${url}/api/v1/inbox/read-all`, {
        method: "POST",
        headers: { authorization: `Bearer ${hub.operator.token}`, "content-type": "application/json" },
        body,
      });
      expect([body, response.status]).toEqual([body, 400]);
    }
    expect(await hub.snapshot()).toBe(before);
    const empty = await fetch(`${url}/api/v1/inbox/read-all`, {
      method: "POST",
      headers: { authorization: `Bearer ${hub.operator.token}` },
    });
    expect(await empty.json()).toMatchObject({ marked: 1 });
  });
});
