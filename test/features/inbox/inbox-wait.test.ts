// inbox_wait (mcp-tools.md 17.10): what ends a wait, what it returns, and that it misses and consumes nothing.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { within } from "../../support/processes.ts";
import { answer, append, ask, decide, idsOf, itemsOf, refusalOf, reply, request, until } from "../conversation.ts";

type Lab = AsyncDisposable & { hub: TestHub; ann: Caller; bob: Caller; leave: AbortController };
const boundMs = 20_000;

async function openLab(): Promise<Lab> {
  const hub = await openTestHub();
  await hub.project("lab");
  await hub.project("other");
  const leave = new AbortController();
  const lab = { hub, ann: await hub.agent("ann"), bob: await hub.agent("bob"), leave };
  return {
    ...lab,
    async [Symbol.asyncDispose]() {
      leave.abort();
      await hub[Symbol.asyncDispose]();
    },
  };
}

type Wait = { page: Promise<JsonObject>; isOver(): boolean };

/** Starts a wait and returns once it waits: it found nothing at first. */
async function startWait({ hub, leave }: Lab, by: Caller, args: object = {}): Promise<Wait> {
  const { bus } = hub.hub.kernel.services;
  const before = bus.size();
  let over = false;
  const page = by.call("inbox_wait", args, { signal: leave.signal }).finally(() => {
    over = true;
  });
  await until("the wait", () => bus.size() > before || over);
  return { page: within(boundMs, "end of the wait", page), isOver: () => over };
}

const poll = (by: Caller, args: object = {}): Promise<JsonObject> =>
  by.call("inbox_wait", { wait_seconds: 0, ...args });

describe("a poll (wait_seconds: 0)", () => {
  test("without since counts resolved items only, newest event first; with since what is above it, oldest effect first", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    expect(await poll(ann)).toEqual({ items: [], next_since: null });
    expect(await poll(ann, { since: "0" })).toEqual({ items: [], next_since: "0" });
    const [a, b, c] = [
      await ask(ann, "lab"),
      await request(ann, "lab"),
      await append(ann, "other", { kind: "finished" }),
    ];
    expect(await poll(ann)).toEqual({ items: [], next_since: null });
    expect(idsOf(await poll(ann, { since: "0" }))).toEqual([a, b, c]);
    expect(idsOf(await poll(ann, { since: a }))).toEqual([b, c]);
    await decide(hub, b);
    const last = await reply(hub, a);
    const page = await poll(ann);
    expect([idsOf(page), page["next_since"]]).toEqual([[b, a], last]);
    expect(idsOf(await poll(ann, { since: "0" }))).toEqual([c, b, a]);
    expect(await poll(ann, { since: last })).toEqual({ items: [], next_since: last });
  });

  test("is about the caller's own items: another actor matches nothing, whoever asks", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const id = await ask(ann, "lab");
    await reply(hub, id);
    expect(await poll(bob)).toEqual({ items: [], next_since: null });
    expect(await poll(bob, { since: "0" })).toEqual({ items: [], next_since: "0" });
    expect(await poll(bob, { actor: "ann", since: "0" })).toEqual({ items: [], next_since: "0" });
    expect(await poll(hub.operator, { actor: "ann" })).toEqual({ items: [], next_since: null });
    expect(idsOf(await poll(ann, { actor: "ann" }))).toEqual([id]);
  });

  test("takes the filters of inbox_read", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const [a, b, c] = [await ask(ann, "lab"), await ask(ann, "other"), await append(ann, "lab", { kind: "finished" })];
    await reply(hub, a);
    for (const [args, ids] of [
      [{ since: "0", status: "action" }, [b]],
      [{ since: "0", status: "unread" }, [c]],
      [{ since: "0", status: "resolved" }, [a]],
      [{ since: "0", project_id: "other" }, [b]],
      [{ since: "0", project_id: "nowhere" }, []],
      [{ project_id: "lab" }, [a]],
      [{ project_id: "other" }, []],
      [{ status: "resolved" }, [a]],
      // Without since only what is resolved counts.
      [{ status: "action" }, []],
      [{ status: "unread" }, []],
    ] as const) {
      expect([args, idsOf(await poll(ann, args))]).toEqual([args, [...ids]]);
    }
    expect((await refusalOf(poll(ann, { status: "read" }))).code).toBe("invalid_argument");
  });
});

describe("a wait", () => {
  test("returns at once when a match is on record", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const id = await ask(ann, "lab");
    expect(idsOf(await ann.call("inbox_wait", { since: "0" }))).toEqual([id]);
    await reply(hub, id);
    expect(idsOf(await ann.call("inbox_wait"))).toEqual([id]);
  });

  test("ends on an answer, by whomever, and on a decision", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    for (const resolve of [
      async () => reply(hub, await ask(ann, "lab")),
      async () => answer(bob, await ask(ann, "lab")),
      async () => decide(hub, await request(ann, "lab")),
    ]) {
      const last = String((await poll(ann))["next_since"] ?? "0");
      const plain = last === "0" ? await startWait(lab, ann) : undefined;
      const given = await resolve();
      const page = plain === undefined ? await ann.call("inbox_wait", { since: last }) : await plain.page;
      const [item, ...others] = itemsOf(page);
      expect(others).toEqual([]);
      expect([item?.decision?.event_id ?? item?.answer?.event_id, page["next_since"]]).toEqual([given, given]);
    }
  });

  test("since the question just posted waits past that question, to its answer", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const old = await ask(ann, "lab");
    await reply(hub, old);
    const id = await ask(ann, "lab");
    const wait = await startWait(lab, ann, { since: id });
    // What others ask, and signals of its own, are not what it waits for.
    await ask(bob, "lab");
    await append(ann, "lab");
    await append(bob, "lab", { thread_id: id });
    expect(wait.isOver()).toBe(false);
    const given = await answer(bob, id);
    const page = await wait.page;
    expect([idsOf(page), page["next_since"]]).toEqual([[id], given]);
  });

  test("with since ends on a new own item, without it does not", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const first = await ask(ann, "lab");
    const without = await startWait(lab, ann);
    const withSince = await startWait(lab, ann, { since: first });
    const second = await request(ann, "other");
    expect(idsOf(await withSince.page)).toEqual([second]);
    expect(without.isOver()).toBe(false);
    await decide(hub, second);
    expect(idsOf(await without.page)).toEqual([second]);
  });

  test("of many waiters of one actor all end", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const id = await ask(ann, "lab");
    const waits: Wait[] = [];
    for (let index = 0; index < 20; index += 1) waits.push(await startWait(lab, ann, { since: id }));
    await reply(hub, id);
    for (const { page } of waits) expect(idsOf(await page)).toEqual([id]);
    expect(hub.hub.kernel.services.bus.size()).toBe(0);
  });

  test("misses nothing that is written between its subscription and its first look", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    for (let round = 0; round < 50; round += 1) {
      const id = await ask(ann, "lab");
      const [page] = await Promise.all([
        within(boundMs, "wait", ann.call("inbox_wait", { since: id })),
        reply(hub, id),
      ]);
      expect(idsOf(page)).toEqual([id]);
    }
  });

  test("ends when its caller leaves or the hub drains, and has consumed nothing", async () => {
    await using lab = await openLab();
    const { hub, ann, leave } = lab;
    const id = await ask(ann, "lab");
    const before = await hub.snapshot();
    const left = await startWait(lab, ann, { since: id });
    leave.abort();
    await left.page;
    expect([await hub.snapshot(), hub.hub.kernel.services.bus.size()]).toEqual([before, 0]);
    const draining = ann.call("inbox_wait", { since: id });
    hub.hub.drain();
    expect(await within(boundMs, "end of the wait", draining)).toEqual({ items: [], next_since: id });
  });

  test("that times out returns the cursor it was given, else null", async () => {
    await using lab = await openLab();
    const { ann } = lab;
    const id = await ask(ann, "lab");
    const started = performance.now();
    const [given, none] = await Promise.all([
      ann.call("inbox_wait", { since: id, wait_seconds: 1 }),
      ann.call("inbox_wait", { wait_seconds: 1 }),
    ]);
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
    expect([given, none]).toEqual([
      { items: [], next_since: id },
      { items: [], next_since: null },
    ]);
  });
});
