// notify_subscribe, notify_unsubscribe and notify_list (mcp-tools.md 17.11 to 17.13).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { ulidPattern } from "../../../src/shared/ids.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { tell, toldBy } from "../../support/trailer.ts";

let hub: TestHub;
let alice: Caller;
let bob: Caller;

beforeEach(async () => {
  hub = await openTestHub();
  await hub.project("p");
  await hub.project("q");
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
});
afterEach(() => hub[Symbol.asyncDispose]());

async function append(of: Caller, kind: string, project_id = "p"): Promise<string> {
  const { event_id } = await of.call("signal_append", { project_id, kind, summary: `${kind} of ${of.actor}` });
  return String(event_id);
}

async function listed(of: Caller): Promise<JsonObject[]> {
  return (await of.call("notify_list"))["subscriptions"] as JsonObject[]; // a list by contract
}

async function subscriptionRows(): Promise<number> {
  return hub.hub.kernel.services.db.all("SELECT 1 FROM subscriptions").length;
}

const allKinds = ["signal", "finished", "approval", "question", "answer", "artifact", "idea"];

describe("kinds", () => {
  test.each([
    ["signal", ["signal"]],
    ["idea,signal", ["signal", "idea"]],
    [" idea , signal ,, idea,", ["signal", "idea"]],
    [["finished"], ["finished"]],
    [[" finished ", "finished", ""], ["finished"]],
    [allKinds, allKinds],
    [allKinds.join(","), allKinds],
  ])("%j are taken", async (kinds, expected) => {
    const { subscription_id, cursor, ...rest } = await alice.call("notify_subscribe", { kinds });
    expect(rest).toEqual({});
    expect(String(subscription_id)).toMatch(ulidPattern);
    expect(cursor).toBe("");
    const [only] = await listed(alice);
    expect([...((only?.["kinds"] ?? []) as string[])].sort()).toEqual([...expected].sort()); // strings by contract
  });

  test.each([
    [undefined],
    [null],
    [""],
    [" , ,"],
    [[]],
    [[""]],
    ["session"],
    ["system"],
    [["signal", "session"]],
    [["signal", "system"]],
    ["signals"],
    ["Signal"],
    [["signal,idea"]],
    [[7]],
    [7],
    [{ kind: "signal" }],
    [["signal", null]],
  ])("%j are refused, the set named", async (kinds) => {
    const { content, isError } = await tell(hub, alice, "notify_subscribe", { kinds });
    expect(isError).toBe(true);
    expect(content["error"]).toMatchObject({ code: "invalid_argument", retryable: false, details: { field: "kinds" } });
    const { message } = content["error"] as { message: string }; // the error object of 4.1
    expect(message.split("expected ")[1]).toBe(`one or more of ${allKinds.join(", ")}`);
    expect(await subscriptionRows()).toBe(0);
  });
});

describe("refusals", () => {
  test.each([
    [{ kinds: ["signal"], project_id: "nowhere" }, "forbidden", {}],
    [{ kinds: ["signal"], project_id: "vault" }, "forbidden", {}],
    [{ kinds: ["signal"], actor: "alice", exclude_own: true }, "invalid_argument", { field: "exclude_own" }],
    [{ kinds: ["signal"], exclude_own: "yes" }, "invalid_argument", { field: "exclude_own" }],
    [{ kinds: ["signal"], actor: 7 }, "invalid_argument", { field: "actor" }],
    [{ kinds: ["signal"], project_id: 7 }, "invalid_argument", { field: "project_id" }],
  ])("%j", async (args, code, details) => {
    await hub.project("vault", { confidential: true });
    const { content } = await tell(hub, alice, "notify_subscribe", args);
    expect(content["error"]).toMatchObject({ code, details });
    expect(await subscriptionRows()).toBe(0);
  });

  test("a missing and a denied project answer with equal objects", async () => {
    await hub.project("vault", { confidential: true });
    const answers = [];
    for (const project_id of ["nowhere", "vault"]) {
      answers.push((await tell(hub, alice, "notify_subscribe", { kinds: "signal", project_id })).content);
    }
    expect(answers[0]).toEqual(answers[1] ?? {});
  });

  test("the 101st, counted for each actor apart; removing one frees its place", async () => {
    for (let index = 0; index < 100; index += 1) await alice.call("notify_subscribe", { kinds: ["signal"] });
    const { content } = await tell(hub, alice, "notify_subscribe", { kinds: ["signal"] });
    expect(content["error"]).toMatchObject({
      code: "rate_limited",
      retryable: false,
      details: { open: 100, cap: 100 },
    });
    expect(await subscriptionRows()).toBe(100);
    await bob.call("notify_subscribe", { kinds: ["signal"] });
    const [first] = await listed(alice);
    await alice.call("notify_unsubscribe", { subscription_id: first?.["subscription_id"] });
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    expect(await listed(alice)).toHaveLength(100);
  });

  test("many at once stop at the cap too", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 120 }, () => alice.call("notify_subscribe", { kinds: ["signal"] })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(100);
    expect(await subscriptionRows()).toBe(100);
  });
});

describe("the cursor at the start", () => {
  test("is the newest event that matches kinds, scope, actor and exclude_own and may be read", async () => {
    await hub.project("vault", { confidential: true });
    await hub.rest("createGrant", { params: { id: "bob" }, body: { agent_id: "bob", project_id: "vault" } });
    const bobIdea = await append(bob, "idea");
    const bobInQ = await append(bob, "signal", "q");
    const bobInP = await append(bob, "signal");
    const own = await append(alice, "signal");
    await append(bob, "signal", "vault");
    const cursorOf = async (filter: object): Promise<unknown> =>
      (await alice.call("notify_subscribe", filter))["cursor"];
    expect(await cursorOf({ kinds: ["signal"] })).toBe(own);
    expect(await cursorOf({ kinds: ["signal"], exclude_own: true })).toBe(bobInP);
    expect(await cursorOf({ kinds: ["signal"], actor: "bob" })).toBe(bobInP);
    expect(await cursorOf({ kinds: ["signal"], project_id: "q" })).toBe(bobInQ);
    expect(await cursorOf({ kinds: ["idea", "answer"] })).toBe(bobIdea);
    expect(await cursorOf({ kinds: ["idea"], project_id: "q" })).toBe("");
    expect(await cursorOf({ kinds: ["idea"], actor: "alice" })).toBe("");
    expect(await cursorOf({ kinds: ["answer"] })).toBe("");
  });

  test("moves with what is told, and with nothing else", async () => {
    const before = await append(bob, "signal");
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const cursor = async (): Promise<unknown> => (await listed(alice))[0]?.["cursor"];
    expect(await cursor()).toBe(before);
    await append(bob, "idea");
    await toldBy(hub, alice);
    expect(await cursor()).toBe(before);
    const ids = [await append(bob, "signal", "q"), await append(bob, "signal")];
    expect(await cursor()).toBe(before);
    await toldBy(hub, alice);
    expect(await cursor()).toBe(ids[1]);
    await hub.reopen();
    expect(await cursor()).toBe(ids[1]);
  });
});

describe("the list", () => {
  test("shows one's own, oldest first, whole", async () => {
    const first = await alice.call("notify_subscribe", { kinds: "signal,idea", project_id: "p" });
    hub.clock.now += 1000;
    await bob.call("notify_subscribe", { kinds: ["answer"] });
    const second = await alice.call("notify_subscribe", { kinds: ["finished"], actor: "bob", exclude_own: true });
    expect(await alice.call("notify_list")).toEqual({
      subscriptions: [
        {
          subscription_id: String(first["subscription_id"]),
          kinds: ["signal", "idea"],
          project_id: "p",
          actor: null,
          exclude_own: false,
          cursor: "",
          created_at: new Date(hub.clock.now - 1000).toISOString(),
        },
        {
          subscription_id: String(second["subscription_id"]),
          kinds: ["finished"],
          project_id: null,
          actor: "bob",
          exclude_own: true,
          cursor: "",
          created_at: new Date(hub.clock.now).toISOString(),
        },
      ],
    });
    expect(await hub.operator.call("notify_list")).toEqual({ subscriptions: [] });
  });

  test("two that are alike are two", async () => {
    for (let index = 0; index < 2; index += 1) await alice.call("notify_subscribe", { kinds: ["signal"] });
    const ids = (await listed(alice)).map((entry) => String(entry["subscription_id"]));
    expect(new Set(ids).size).toBe(2);
    expect([...ids].sort()).toEqual(ids);
  });
});

describe("removing", () => {
  test("an unknown one and another agent's are refused alike, and stay", async () => {
    const { subscription_id } = await bob.call("notify_subscribe", { kinds: ["signal"] });
    const answers = [];
    for (const id of [subscription_id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "", "no id at all"]) {
      const { content, isError } = await tell(hub, alice, "notify_unsubscribe", { subscription_id: id });
      expect(isError).toBe(true);
      answers.push(JSON.stringify(content));
    }
    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(answers[0] ?? "")).toMatchObject({ error: { code: "not_found", details: {} } });
    expect(await listed(bob)).toHaveLength(1);
    // The operator holds it no more than anybody else.
    const { content } = await tell(hub, hub.operator, "notify_unsubscribe", { subscription_id });
    expect(JSON.stringify(content)).toBe(answers[0] ?? "");
  });

  test("takes row and positions along, and reports nothing of it any more", async () => {
    const { subscription_id } = await alice.call("notify_subscribe", { kinds: ["signal"] });
    await append(bob, "signal");
    expect(await toldBy(hub, alice)).toHaveLength(1);
    await append(bob, "signal");
    const { content, pending } = await tell(hub, alice, "notify_unsubscribe", { subscription_id });
    expect(content).toEqual({ removed: true });
    expect(pending).toEqual([]);
    await append(bob, "signal");
    expect(await toldBy(hub, alice)).toEqual([]);
    const { db } = hub.hub.kernel.services;
    expect([db.all("SELECT 1 FROM subscriptions"), db.all("SELECT 1 FROM subscription_positions")]).toEqual([[], []]);
    const again = await tell(hub, alice, "notify_unsubscribe", { subscription_id });
    expect(again.content["error"]).toMatchObject({ code: "not_found" });
  });
});

test("subscribing, listing, waiting and removing leave no event, item or audit record", async () => {
  const { db } = hub.hub.kernel.services;
  const count = (): unknown => db.get("SELECT (SELECT count(*) FROM events) AS e, (SELECT count(*) FROM items) AS i");
  const before = count();
  const { subscription_id } = await alice.call("notify_subscribe", { kinds: ["signal"] });
  await alice.call("notify_list");
  await alice.call("notify_wait", { wait_seconds: 0 });
  await alice.call("notify_unsubscribe", { subscription_id });
  expect(count()).toEqual(before);
});
