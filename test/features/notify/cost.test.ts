// What the trailer costs: nothing to a caller with nothing pending, and no more the longer a feed grows. Counted in
// statements and in what they walk, never in time.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { settleIndex } from "../../../src/features/search/settle.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { recordStatements, type Statement } from "../../support/statements.ts";
import { drain, tell, toldBy } from "../../support/trailer.ts";

const many = 10_000;

let hub: TestHub;
let alice: Caller;
let bob: Caller;

beforeEach(async () => {
  hub = await openTestHub();
  for (const id of ["p", "q"]) await hub.project(id);
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
});
afterEach(() => hub[Symbol.asyncDispose]());

async function append(of: Caller, project_id: string, kind = "signal"): Promise<string> {
  const { event_id } = await of.call("signal_append", { project_id, kind, summary: "s" });
  return String(event_id);
}

async function appendMany(of: Caller, count: number, project_id: string, kind = "signal"): Promise<void> {
  for (let done = 0; done < count; done += 500) {
    await Promise.all(Array.from({ length: 500 }, () => append(of, project_id, kind)));
  }
}

async function recorded(act: () => Promise<unknown>): Promise<Statement[]> {
  // The index takes in what was written at any time; a sweep of it is no part of a trailer.
  await settleIndex(hub.hub.kernel.services);
  using recording = await recordStatements(hub);
  await act();
  return recording.statements.splice(0);
}

const subscribe = (of: Caller, filter: object): Promise<JsonObject> => of.call("notify_subscribe", filter);

/** Tables a statement walks from end to end instead of seeking in an index. */
function walked({ sql, values }: Statement): string[] {
  if (!/^\s*SELECT/.test(sql)) return [];
  const plan = hub.hub.kernel.services.db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values);
  return plan
    .map(({ detail }) => /^SCAN (events|items|e|n|i|q|a)\b/.exec(detail)?.[0] ?? "")
    .filter((name) => name !== "");
}

describe("a caller with nothing pending", () => {
  test("pays no statement, whatever it has subscribed to and whatever is written", async () => {
    for (let index = 0; index < 100; index += 1) await subscribe(alice, { kinds: ["finished"], actor: "nobody" });
    await drain(hub, alice);
    const bare = await recorded(() => alice.call("whoami"));
    expect(bare.length).toBeLessThanOrEqual(1);
    for (const write of [
      () => append(bob, "p"),
      () => append(bob, "p", "finished"),
      () => bob.call("question_post", { project_id: "p", subject: "q" }),
      () => hub.rest("markFeedSeen", { params: { id: "p" }, body: { event_id: "0" } }),
      () => hub.rest("createAgent", { body: { id: crypto.randomUUID(), display_name: "another" } }),
      () => hub.rest("issueToken", { params: { id: "bob" } }),
      () => hub.project(crypto.randomUUID()),
      () => hub.rest("createGrant", { params: { id: "bob" }, body: { agent_id: "bob", project_id: "q" } }),
    ]) {
      await write();
      expect(await recorded(() => toldBy(hub, alice))).toEqual(bare);
    }
  });

  test("looks once after a start, and then pays nothing", async () => {
    await subscribe(alice, { kinds: ["signal"] });
    await drain(hub, alice);
    await hub.reopen();
    const bare = (await recorded(() => alice.call("whoami"))).length;
    expect((await recorded(() => toldBy(hub, alice))).length).toBeGreaterThan(bare);
    expect((await recorded(() => toldBy(hub, alice))).length).toBe(bare);
  });
});

test("a write pays nothing for subscriptions it does not match", async () => {
  await append(bob, "p");
  const alone = await recorded(() => append(bob, "p"));
  for (let index = 0; index < 50; index += 1) {
    await subscribe(alice, { kinds: ["finished", "idea"] });
    await subscribe(bob, { kinds: ["signal"], exclude_own: true });
    await subscribe(hub.operator, { kinds: ["signal"], project_id: "q" });
  }
  const beside = await recorded(() => append(bob, "p"));
  expect(beside.map(({ sql }) => sql)).toEqual(alone.map(({ sql }) => sql));
});

describe("a feed that grows", () => {
  test("by events that match nothing makes no later trailer walk them", async () => {
    await subscribe(alice, { kinds: ["signal"], exclude_own: true });
    await subscribe(alice, { kinds: ["finished"] });
    const costs: Statement[][] = [];
    async function measure(): Promise<void> {
      const id = await append(bob, "q");
      let told: JsonObject[] = [];
      costs.push(await recorded(async () => (told = await toldBy(hub, alice))));
      expect(told).toMatchObject([{ id }]);
    }
    await drain(hub, alice);
    await measure();
    // Her own signals in one project, which she does not want, and a kind nobody asked for in the other.
    await appendMany(alice, many, "p");
    await appendMany(bob, 1000, "q", "idea");
    await measure();
    await measure();
    const [few = [], , later = []] = costs;
    expect(later.map(({ sql }) => sql)).toEqual(few.map(({ sql }) => sql));
    // Nothing is looked for in the project of the many.
    expect(later.flatMap(({ values }) => values).filter((value) => String(value).includes('"p"'))).toEqual([]);
    expect(costs.flat().flatMap(walked)).toEqual([]);
  }, 60_000);

  test("by events that are due walks no more than a page of each project", async () => {
    await subscribe(alice, { kinds: ["signal"] });
    await appendMany(bob, many, "p");
    await appendMany(bob, 500, "q");
    const first = await recorded(() => toldBy(hub, alice));
    for (let call = 0; call < 20; call += 1) await toldBy(hub, alice);
    const later = await recorded(() => toldBy(hub, alice));
    expect(later.map(({ sql }) => sql)).toEqual(first.map(({ sql }) => sql));
    expect(first.flatMap(walked)).toEqual([]);
    // The inner query stops at a page, whatever is behind it.
    const inner = first.filter(({ sql }) => sql.includes("subscription_positions s"));
    expect(inner.length).toBeGreaterThan(0);
    for (const { sql } of inner) expect(sql).toMatch(/ORDER BY n\.id LIMIT \?/);
    expect(await drain(hub, alice)).toHaveLength(many + 500 - 22 * 50);
  }, 60_000);

  test("does not make the start of a subscription walk it", async () => {
    await appendMany(bob, 2000, "p");
    const statements = await recorded(() => subscribe(alice, { kinds: ["approval", "answer"] }));
    expect(statements.flatMap(walked)).toEqual([]);
    const seeks = statements
      .filter(({ sql }) => sql.includes("max(("))
      .flatMap(({ sql, values }) =>
        hub.hub.kernel.services.db.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...values),
      );
    expect(seeks.map(({ detail }) => detail).join("\n")).toContain("events_besides_signals (project_id=?)");
  });
});

test("one trailer asks for no more when its caller holds many subscriptions that did not match", async () => {
  for (let index = 0; index < 99; index += 1) await subscribe(alice, { kinds: ["finished"] });
  await subscribe(alice, { kinds: ["signal"] });
  await drain(hub, alice);
  await append(bob, "p");
  const statements = await recorded(() => tell(hub, alice, "version"));
  expect(statements.filter(({ sql }) => sql.includes("FROM events")).length).toBeLessThanOrEqual(2);
});
