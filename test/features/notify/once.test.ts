// Each thing is told once, whoever asks how often and from where (mcp-tools.md 5, 22: 16).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { drain, tell, toldBy } from "../../support/trailer.ts";

let hub: TestHub;
let alice: Caller;
let bob: Caller;

beforeEach(async () => {
  hub = await openTestHub();
  await hub.project("p");
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
});
afterEach(() => hub[Symbol.asyncDispose]());

async function signal(summary: string, project_id = "p"): Promise<string> {
  const { event_id } = await bob.call("signal_append", { project_id, kind: "signal", summary });
  return String(event_id);
}

async function askAndAnswer(subject: string, project_id = "p"): Promise<string> {
  const { question_id } = await alice.call("question_post", { project_id, subject });
  await hub.rest("answerQuestion", { params: { id: String(question_id) }, body: { body: "yes" } });
  return String(question_id);
}

const idsOf = (pending: JsonObject[]): string[] => pending.map((entry) => String(entry["id"]));
const sql = (statement: string): Promise<number> => hub.hub.kernel.services.write((tx) => tx.db.run(statement));

describe("told once", () => {
  test("to one of many calls at once, whatever tool and connection", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const connections = await Promise.all([hub.connect(alice), hub.connect(alice)]);
    for (let round = 0; round < 20; round += 1) {
      const ids = [await askAndAnswer(`q${round}`), await signal(`s${round}`)];
      const tools = ["whoami", "version", "notify_list", "inbox_read", "notify_wait"];
      const calls = Array.from({ length: 10 }, (_, index) =>
        tell(hub, alice, tools[index % tools.length] ?? "", index % tools.length === 4 ? { wait_seconds: 0 } : {}, {
          ...(index % 3 === 0 ? {} : { connection: connections[index % 2] ?? "" }),
        }),
      );
      const told = (await Promise.all(calls))
        .map(({ pending }) => idsOf(pending))
        .filter((pending) => pending.length > 0);
      expect(told).toEqual([ids]);
    }
  });

  test("across a restart: what was told stays told, what was not is told", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const told = [await askAndAnswer("before"), await signal("before")];
    expect(idsOf(await toldBy(hub, alice))).toEqual(told);
    const due = [await askAndAnswer("not yet told"), await signal("not yet told")];
    await hub.reopen();
    expect(idsOf(await toldBy(hub, alice))).toEqual(due);
    await hub.reopen();
    expect(await toldBy(hub, alice)).toEqual([]);
    expect(idsOf([...(await toldBy(hub, alice))])).toEqual([]);
    const after = await signal("after");
    expect(idsOf(await toldBy(hub, alice))).toEqual([after]);
  });

  test("across a token rotation", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const told = await signal("before");
    expect(idsOf(await toldBy(hub, alice))).toEqual([told]);
    const due = await signal("between");
    await hub.rest("issueToken", { params: { id: "alice" } });
    expect(idsOf(await toldBy(hub, alice))).toEqual([due]);
    expect(await toldBy(hub, alice)).toEqual([]);
  });

  test("to each actor apart", async () => {
    for (const caller of [alice, bob, hub.operator]) await caller.call("notify_subscribe", { kinds: ["signal"] });
    const id = await signal("for all");
    for (const caller of [alice, bob, hub.operator]) {
      expect(idsOf(await toldBy(hub, caller))).toEqual([id]);
      expect(await toldBy(hub, caller)).toEqual([]);
    }
  });

  test("not to a caller that left before it could be told", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const id = await signal("still due");
    const left = AbortSignal.abort();
    expect((await tell(hub, alice, "whoami", {}, { signal: left })).pending).toEqual([]);
    // One that leaves while the write that would tell it is queued.
    const leaving = new AbortController();
    const call = tell(hub, alice, "whoami", {}, { signal: leaving.signal });
    queueMicrotask(() => leaving.abort());
    expect((await call).pending).toEqual([]);
    expect(idsOf(await toldBy(hub, alice))).toEqual([id]);
  });
});

describe("in one commit", () => {
  test("an event right behind a new subscription is told", async () => {
    // Alice is known to be up to date, so only the write itself can say that there is news.
    expect(await toldBy(hub, alice)).toEqual([]);
    const [subscribed, id] = await Promise.all([
      alice.call("notify_subscribe", { kinds: ["signal"] }),
      signal("next to it"),
    ]);
    expect(String(subscribed["subscription_id"]) < id).toBe(true);
    expect(idsOf(await toldBy(hub, alice))).toEqual([id]);
  });

  test("an event right before a new subscription is its cursor and is not told", async () => {
    expect(await toldBy(hub, alice)).toEqual([]);
    const [id, subscribed] = await Promise.all([
      signal("just before"),
      alice.call("notify_subscribe", { kinds: ["signal"] }),
    ]);
    expect(subscribed["cursor"]).toBe(id);
    expect(await toldBy(hub, alice)).toEqual([]);
  });

  test("events on both sides of a delivery are told, each once", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    for (let round = 0; round < 30; round += 1) {
      const first = signal(`first of ${round}`);
      await first;
      const [before, told, after] = await Promise.all([signal("before"), tell(hub, alice, "whoami"), signal("after")]);
      const rest = await drain(hub, alice);
      expect([...idsOf(told.pending), ...idsOf(rest)]).toEqual([await first, before, after]);
    }
  });

  // However many turns of its promises later it comes: before, beside or behind the write that tells.
  test("an event a few turns behind a call is told once", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    for (let turns = 0; turns < 10; turns += 1) {
      const first = await signal("due");
      const call = tell(hub, alice, "whoami");
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const second = signal("beside it");
      const { pending } = await call;
      const ids = [first, await second];
      expect([turns, ...idsOf(pending), ...idsOf(await drain(hub, alice))]).toEqual([turns, ...ids]);
    }
  });

  test("a commit that fails a few turns behind a call loses nothing", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    for (let turns = 0; turns < 10; turns += 1) {
      const id = await signal("due");
      const call = tell(hub, alice, "whoami");
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      // Ends the transaction under everything else in it.
      const sabotage = hub.hub.kernel.services.write((tx) => tx.db.run("ROLLBACK"));
      await expect(sabotage).rejects.toThrow();
      const { pending, isError } = await call;
      expect(isError).toBe(false);
      expect([turns, ...idsOf(pending), ...idsOf(await drain(hub, alice))]).toEqual([turns, id]);
    }
  });

  test("a write that fails tells nothing and loses nothing", async () => {
    await alice.call("notify_subscribe", { kinds: ["question"] });
    expect(await toldBy(hub, alice)).toEqual([]);
    await sql(
      "CREATE TEMP TRIGGER refuse BEFORE INSERT ON items BEGIN SELECT RAISE(ABORT, 'refused by the test'); END",
    );
    await expect(bob.call("question_post", { project_id: "p", subject: "lost" })).rejects.toThrow();
    expect(await toldBy(hub, alice)).toEqual([]);
    await sql("DROP TRIGGER refuse");
    const { question_id } = await bob.call("question_post", { project_id: "p", subject: "kept" });
    expect(idsOf(await toldBy(hub, alice))).toEqual([String(question_id)]);
  });
});

describe("a collection that fails", () => {
  test.each([
    ["subscription_positions", "INSERT"],
    ["attention_positions", "INSERT"],
    ["subscriptions", "UPDATE"],
  ])("because %s takes no %s is logged, fails no call and loses nothing", async (table, verb) => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const ids = [await askAndAnswer("due"), await signal("due")];
    await sql(
      `CREATE TEMP TRIGGER refuse BEFORE ${verb} ON ${table} BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`,
    );
    const logged = hub.log.length;
    for (const tool of ["whoami", "inbox_read"]) {
      const { isError, pending } = await tell(hub, alice, tool);
      expect([isError, pending]).toEqual([false, []]);
    }
    const lines = hub.log.slice(logged).filter((line) => line.includes("notifications could not be collected"));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("alice");
    await sql("DROP TRIGGER refuse");
    expect(idsOf(await toldBy(hub, alice))).toEqual(ids);
    expect(await toldBy(hub, alice)).toEqual([]);
  });

  test("because the store cannot be read is logged and fails no call", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const id = await signal("due");
    await sql("ALTER TABLE subscription_positions RENAME TO elsewhere");
    expect(await tell(hub, alice, "whoami")).toMatchObject({ isError: false, pending: [] });
    expect(hub.log.filter((line) => line.includes("notifications could not be collected"))).toHaveLength(1);
    await sql("ALTER TABLE elsewhere RENAME TO subscription_positions");
    expect(idsOf(await toldBy(hub, alice))).toEqual([id]);
  });
});

// A script of groups: the acts of one group are started at once, so they share commits in every way there is.
const act = fc.oneof(
  fc.record({ do: fc.constant("signal" as const), project: fc.constantFrom("p", "c") }),
  fc.record({ do: fc.constant("ask" as const), project: fc.constantFrom("p", "c") }),
  fc.record({ do: fc.constant("subscribe" as const), project: fc.constantFrom("p", null) }),
  fc.record({ do: fc.constant("call" as const) }),
);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.array(act, { minLength: 1, maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constant("grant" as const) },
  { weight: 1, arbitrary: fc.constant("revoke" as const) },
  { weight: 1, arbitrary: fc.constant("reopen" as const) },
);

test("any script of writes, grants, restarts and calls at once tells each thing exactly once, and never what is hidden", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      await using world = await openTestHub();
      await world.project("p");
      await world.project("c", { confidential: true });
      const reader = await world.agent("reader");
      const writer = await world.agent("writer");
      await world.rest("createGrant", { params: { id: "writer" }, body: { agent_id: "writer", project_id: "c" } });
      const events: { id: string; project: string }[] = [];
      const subscriptions: { id: string; project: string | null }[] = [];
      const answered: string[] = [];
      const told: string[] = [];
      let hasGrant = false;

      async function perform(given: typeof act extends fc.Arbitrary<infer A> ? A : never): Promise<void> {
        if (given.do === "call") {
          const { pending } = await tell(world, reader, "whoami");
          for (const entry of pending) {
            if (!hasGrant) expect(entry["project_id"]).toBe("p");
            told.push(String(entry["id"]));
          }
        } else if (given.do === "subscribe") {
          const scope = given.project === null ? {} : { project_id: given.project };
          const { subscription_id } = await reader.call("notify_subscribe", { kinds: ["signal"], ...scope });
          subscriptions.push({ id: String(subscription_id), project: given.project });
        } else if (given.do === "signal") {
          const { event_id } = await writer.call("signal_append", {
            project_id: given.project,
            kind: "signal",
            summary: "s",
          });
          events.push({ id: String(event_id), project: given.project });
        } else {
          // Only where the reader may write.
          if (given.project === "c" && !hasGrant) return;
          const { question_id } = await reader.call("question_post", { project_id: given.project, subject: "q" });
          await world.rest("answerQuestion", { params: { id: String(question_id) }, body: { body: "a" } });
          answered.push(String(question_id));
        }
      }

      async function setGrant(wanted: boolean): Promise<void> {
        if (hasGrant === wanted) return;
        hasGrant = wanted;
        if (wanted) {
          await world.rest("createGrant", { params: { id: "reader" }, body: { agent_id: "reader", project_id: "c" } });
        } else {
          await world.rest("deleteGrant", { params: { id: "reader", project_id: "c" } });
        }
      }

      for (const given of steps) {
        if (given === "reopen") await world.reopen();
        else if (given === "grant" || given === "revoke") await setGrant(given === "grant");
        else await Promise.all(given.map(perform));
      }
      told.push(...idsOf(await drain(world, reader)));
      await setGrant(true);
      told.push(...idsOf(await drain(world, reader)));

      const expected = [...answered];
      for (const { id, project } of subscriptions) {
        for (const event of events) {
          if (event.id > id && (project === null || project === event.project)) expected.push(event.id);
        }
      }
      expect(told.sort()).toEqual(expected.sort());
    }),
    { numRuns: 20 },
  );
}, 120_000);
