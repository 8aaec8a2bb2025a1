// inbox_read (mcp-tools.md 9.3, 12.1, 17.9): cursors over effective ids, filters, and what an item shows.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { answer, append, ask, decide, idsOf, itemOf, itemsOf, refusalOf, reply, request } from "../conversation.ts";

type Lab = AsyncDisposable & { hub: TestHub; ann: Caller; bob: Caller };

async function openLab(): Promise<Lab> {
  const hub = await openTestHub();
  await hub.project("lab");
  await hub.project("other");
  const lab = { hub, ann: await hub.agent("ann"), bob: await hub.agent("bob") };
  return { ...lab, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const read = (by: Caller, args: object = {}): Promise<JsonObject> => by.call("inbox_read", args);

describe("without since", () => {
  test("newest event first, however late its answer; next_since is the greatest effective id", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    expect(await read(bob)).toEqual({ items: [], next_since: null });
    const [a, b, c] = [
      await ask(ann, "lab"),
      await append(ann, "lab", { kind: "finished" }),
      await request(ann, "other"),
    ];
    expect(await read(bob)).toMatchObject({ next_since: c });
    const late = await reply(hub, a);
    const page = await read(bob);
    expect([idsOf(page), page["next_since"]]).toEqual([[c, b, a], late]);
    const cut = await read(bob, { limit: 2 });
    expect([idsOf(cut), cut["next_since"]]).toEqual([[c, b], c]);
  });
});

describe("with since", () => {
  test("oldest effect first, exclusive; an item comes back when its answer is newer than the cursor", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const [a, b, c] = [await ask(ann, "lab"), await ask(ann, "lab"), await request(ann, "lab")];
    const page = await read(bob, { since: a });
    expect([idsOf(page), page["next_since"]]).toEqual([[b, c], c]);
    const empty = await read(bob, { since: c });
    expect(empty).toEqual({ items: [], next_since: c });
    const [forB, forA] = [await answer(bob, b), await answer(bob, a)];
    const answered = await read(bob, { since: c });
    expect([idsOf(answered), answered["next_since"]]).toEqual([[b, a], forA]);
    expect(idsOf(await read(bob, { since: forB }))).toEqual([a]);
    expect(await read(bob, { since: forA })).toEqual({ items: [], next_since: forA });
    expect(await read(bob, { since: "anything" })).toEqual({ items: [], next_since: "anything" });
    expect(idsOf(await read(bob, { since: "0", limit: 2 }))).toEqual([c, b]);
    expect(await decide(hub, c)).toBe(String((await read(bob, { since: forA }))["next_since"]));
  });

  test("a reader that keeps its place sees every item, and every resolution, once", async () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom("ask", "request", "finish") },
      { weight: 3, arbitrary: fc.constantFrom("resolve", "expire", "read") },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), fc.constantFrom(1, 2, 3, 50), async (steps, limit) => {
        await using lab = await openLab();
        const { hub, ann, bob } = lab;
        let since = "0";
        const open: string[] = [];
        const told: string[] = [];
        const poll = async (): Promise<void> => {
          for (let page = 0; page < 100; page += 1) {
            const answered = await read(bob, { since, limit });
            for (const item of itemsOf(answered)) {
              // What is new in it: the item itself, or what resolved it.
              told.push(item.decision?.event_id ?? item.answer?.event_id ?? item.event_id);
            }
            since = String(answered["next_since"]);
            if (itemsOf(answered).length < limit) return;
          }
          throw new Error("the inbox does not end");
        };
        for (const does of steps) {
          if (does === "ask") open.push(await ask(ann, "lab", { expires_in_seconds: 60 }));
          if (does === "request") open.push(await request(ann, "lab"));
          if (does === "finish") await append(ann, "lab", { kind: "finished" });
          if (does === "expire") hub.clock.now += 60_000;
          if (does === "resolve") {
            const id = open.shift();
            const item = id === undefined ? undefined : await itemOf(ann, id);
            if (item?.status === "action")
              await (item.kind === "question" ? reply(hub, item.event_id) : decide(hub, item.event_id));
          }
          if (does === "read") await poll();
        }
        await poll();
        expect(new Set(told).size).toBe(told.length);
        const last = itemsOf(await read(bob, { limit: 500 })).map(
          (item) => item.decision?.event_id ?? item.answer?.event_id ?? item.event_id,
        );
        for (const effect of last) expect(told).toContain(effect);
      }),
      { numRuns: 25 },
    );
  }, 120_000);
});

describe("filters", () => {
  test("status, project and actor, alone and together, with and without since", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const open = await ask(ann, "lab");
    const done = await append(bob, "lab", { kind: "finished" });
    const resolved = await request(ann, "other");
    const own = await ask(bob, "other");
    await decide(hub, resolved);
    await hub.rest("markRead", { params: { event_id: done } });
    for (const [args, ids] of [
      [{ status: "action" }, [own, open]],
      [{ status: "unread" }, [done]],
      [{ status: "waiting" }, []],
      [{ status: "resolved" }, [resolved]],
      [{ project_id: "lab" }, [done, open]],
      [{ project_id: "nowhere" }, []],
      [{ actor: "ann" }, [resolved, open]],
      [{ actor: "nobody" }, []],
      [{ actor: "ann", project_id: "other" }, [resolved]],
      [{ actor: "ann", status: "action" }, [open]],
      [{ actor: "ann", status: "resolved", project_id: "lab" }, []],
      [{ actor: "bob", status: "unread", project_id: "lab" }, [done]],
    ] as const) {
      expect(idsOf(await read(bob, args))).toEqual([...ids]);
      const forward = await read(bob, { ...args, since: "0" });
      expect(idsOf(forward).toSorted()).toEqual([...ids].toSorted());
    }
    for (const status of ["read", "open", "", 1]) {
      expect(await refusalOf(read(bob, { status }))).toMatchObject({
        code: "invalid_argument",
        details: { field: "status", expected: "one of unread, action, waiting, resolved" },
      });
    }
  });
});

describe("an item", () => {
  test("shows exactly the members of the contract", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const id = await append(ann, "lab", { kind: "finished", summary: "built", payload: { body: "b" } });
    const finished = {
      event_id: id,
      project_id: "lab",
      project_display_name: "Project lab",
      kind: "finished",
      actor: "ann",
      summary: "built",
      payload: { body: "b" },
      status: "unread",
      created_at: "2026-01-02T03:04:05.000Z",
      updated_at: "2026-01-02T03:04:05.000Z",
    };
    expect(JSON.stringify(await read(bob))).toBe(JSON.stringify({ items: [finished], next_since: id }));
    await hub.rest("updateProject", { params: { id: "lab" }, body: { display_name: "The lab" } });
    expect((await itemOf(bob, id)).project_display_name).toBe("The lab");
  });

  test("in the operator's own call reads as in an agent's", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const id = await append(ann, "lab", { kind: "finished" });
    await hub.rest("markRead", { params: { event_id: id } });
    expect(await read(hub.operator)).toEqual(await read(bob));
  });
});
