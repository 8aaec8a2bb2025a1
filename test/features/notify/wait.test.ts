// notify_wait, and what it shares with inbox_wait (mcp-tools.md 17.10, 17.14; architecture.md 6).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { waitFor } from "../../../src/kernel/wait.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { within } from "../../support/processes.ts";
import { recordStatements } from "../../support/statements.ts";
import { pendingOf, tell, toldBy } from "../../support/trailer.ts";

const boundMs = 10_000;

let hub: TestHub;
let alice: Caller;
let bob: Caller;

beforeEach(async () => {
  hub = await openTestHub();
  await hub.project("p");
  await hub.project("vault", { confidential: true });
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
  await hub.rest("createGrant", { params: { id: "bob" }, body: { agent_id: "bob", project_id: "vault" } });
});
afterEach(() => hub[Symbol.asyncDispose]());

async function signal(summary: string, project_id = "p"): Promise<string> {
  const { event_id } = await bob.call("signal_append", { project_id, kind: "signal", summary });
  return String(event_id);
}

/** A wait that has looked once and sleeps. */
async function asleep(
  signal?: AbortSignal,
  seconds = 60,
): Promise<{ result: Promise<JsonObject>; isOver: () => boolean }> {
  const before = hub.hub.kernel.bus.size();
  let over = false;
  const result = tell(
    hub,
    alice,
    "notify_wait",
    { wait_seconds: seconds },
    signal === undefined ? {} : { signal },
  ).then(({ content }) => {
    over = true;
    return content;
  });
  await looked();
  expect(hub.hub.kernel.bus.size()).toBe(before + 1);
  return { result, isOver: () => over };
}

// Two writes later, whatever was under way has looked.
async function looked(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await hub.hub.kernel.services.write(() => undefined);
}

const done = (wait: { result: Promise<JsonObject> }): Promise<JsonObject> =>
  within(boundMs, "end of the wait", wait.result);

describe("notify_wait ends", () => {
  test.each([
    [
      "an answer",
      async () => {
        const { question_id } = await alice.call("question_post", { project_id: "p", subject: "s" });
        await hub.rest("answerQuestion", { params: { id: String(question_id) }, body: { body: "b" } });
        return String(question_id);
      },
    ],
    [
      "a decision",
      async () => {
        const { event_id } = await alice.call("signal_append", { project_id: "p", kind: "approval", summary: "s" });
        await hub.rest("decideApproval", { params: { id: String(event_id) }, body: { decision: "approve" } });
        return String(event_id);
      },
    ],
    ["a subscribed event", () => signal("s")],
  ])("with %s, once", async (_what, happen) => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const wait = await asleep();
    const id = await happen();
    const content = await done(wait);
    expect(content["timed_out"]).toBe(false);
    expect(Object.keys(content).sort()).toEqual(["notifications", "timed_out"]);
    expect(pendingOf(content)).toMatchObject([{ id }]);
    expect(await toldBy(hub, alice)).toEqual([]);
    expect(hub.hub.kernel.bus.size()).toBe(0);
  });

  test("with an expiry that the sweep resolves", async () => {
    await alice.call("question_post", { project_id: "p", subject: "late", expires_in_seconds: 60 });
    const wait = await asleep();
    hub.clock.now += 60_000;
    expect(pendingOf(await done(wait))).toMatchObject([{ kind: "question_answered", expired: true }]);
  });

  test("at once with what is pending already, settling what is due first", async () => {
    await alice.call("question_post", { project_id: "p", subject: "late", expires_in_seconds: 60 });
    hub.clock.now += 60_000;
    const { content } = await tell(hub, alice, "notify_wait", { wait_seconds: 60 });
    expect(pendingOf(content)).toMatchObject([{ expired: true }]);
  });

  test("when a grant makes something readable", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const id = await signal("hidden", "vault");
    const wait = await asleep();
    await hub.rest("createGrant", { params: { id: "alice" }, body: { agent_id: "alice", project_id: "vault" } });
    expect(pendingOf(await done(wait))).toMatchObject([{ id }]);
  });

  test("when a project opens to everybody", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const id = await signal("hidden", "vault");
    const wait = await asleep();
    await hub.rest("updateProject", { params: { id: "vault" }, body: { confidential: false } });
    expect(pendingOf(await done(wait))).toMatchObject([{ id }]);
  });

  test("with an event right behind a subscription made while it sleeps", async () => {
    const wait = await asleep();
    const [, id] = await Promise.all([alice.call("notify_subscribe", { kinds: ["signal"] }), signal("next to it")]);
    expect(pendingOf(await done(wait))).toMatchObject([{ id }]);
  });

  test("when its time is up", async () => {
    const { content } = await tell(hub, alice, "notify_wait", { wait_seconds: 1 });
    expect(content).toEqual({ timed_out: true });
    expect(hub.hub.kernel.bus.size()).toBe(0);
  });

  test("when the hub drains, as if its time were up", async () => {
    const wait = await asleep();
    hub.hub.drain();
    expect(await done(wait)).toEqual({ timed_out: true });
    // From now on nothing waits at all.
    expect((await tell(hub, alice, "notify_wait", { wait_seconds: 60 })).content).toEqual({ timed_out: true });
  });

  test("for one of several waits of an actor with the news, for the others later", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const waits = [await asleep(), await asleep(), await asleep()];
    const told: string[] = [];
    for (let round = 0; round < waits.length; round += 1) {
      const id = await signal(`s${round}`);
      await looked();
      const over = waits.filter((wait) => wait.isOver());
      expect(over).toHaveLength(round + 1);
      told.push(id);
    }
    const contents = await Promise.all(waits.map(done));
    expect(
      contents
        .flatMap(pendingOf)
        .map((entry) => String(entry["id"]))
        .sort(),
    ).toEqual(told.sort());
  });
});

describe("wait_seconds", () => {
  test.each([[0], [undefined], [null]])("%p looks at what is there", async (wait_seconds) => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const id = await signal("s");
    const { content } = await tell(hub, alice, "notify_wait", { wait_seconds });
    expect(pendingOf(content)).toMatchObject([{ id }]);
  });

  test("0 does not wait", async () => {
    expect((await tell(hub, alice, "notify_wait", { wait_seconds: 0 })).content).toEqual({ timed_out: true });
  });

  test.each([[-1], [0.5], ["5"], [Number.NaN]])("%p is refused", async (wait_seconds) => {
    const { content, isError } = await tell(hub, alice, "notify_wait", { wait_seconds });
    expect(isError).toBe(true);
    expect(content["error"]).toMatchObject({ code: "invalid_argument", details: { field: "wait_seconds" } });
  });

  test("above 60 is cut, not refused", async () => {
    const leaving = new AbortController();
    const wait = await asleep(leaving.signal, 86_400);
    leaving.abort();
    await done(wait);
  });
});

describe("a wait that sleeps", () => {
  test("and is left consumes nothing and leaves nothing behind", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const leaving = new AbortController();
    const wait = await asleep(leaving.signal);
    // It leaves in the very turn in which there is news for it.
    const written = signal("kept");
    leaving.abort();
    const id = await written;
    expect(pendingOf(await done(wait))).toEqual([]);
    expect(hub.hub.kernel.bus.size()).toBe(0);
    expect(await toldBy(hub, alice)).toMatchObject([{ id }]);
  });

  test("asks the store nothing for what is not its caller's", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    await tell(hub, alice, "whoami");
    const leaving = new AbortController();
    const wait = await asleep(leaving.signal);
    using recording = await recordStatements(hub);
    // Hidden, not subscribed to, another's item, and the operator's own doings.
    await signal("hidden", "vault");
    await bob.call("signal_append", { project_id: "p", kind: "idea", summary: "i" });
    const { question_id } = await bob.call("question_post", { project_id: "p", subject: "q" });
    await hub.rest("answerQuestion", { params: { id: String(question_id) }, body: { body: "b" } });
    await hub.project("another");
    await hub.agent("carol");
    await hub.rest("createGrant", { params: { id: "carol" }, body: { agent_id: "carol", project_id: "vault" } });
    await hub.rest("markFeedSeen", { params: { id: "p" }, body: { event_id: String(question_id) } });
    await looked();
    // Each look settles what is due first; the route that answers does not.
    expect(recording.statements.filter(({ sql }) => sql.includes("expires_at <= ?"))).toEqual([]);
    expect(wait.isOver()).toBe(false);
    leaving.abort();
    await done(wait);
  });
});

test("a look that fails ends its wait and leaves nothing behind", async () => {
  const ctx = hub.hub.kernel.ctx({
    principal: { kind: "agent", actor: "alice", tokenId: "test" },
    connection: null,
    origin: "http://hub.test",
    signal: new AbortController().signal,
    progress: null,
  });
  await expect(
    waitFor(ctx, { topics: ["t"], ms: 1000 }, () => Promise.reject(new Error("a look that fails"))),
  ).rejects.toThrow();
  expect(hub.hub.kernel.bus.size()).toBe(0);
});
