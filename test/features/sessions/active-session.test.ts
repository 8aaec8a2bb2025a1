// The active session of a connection (mcp-tools.md 13.2): what binds it, what clears it, and what a call is told then.
import { describe, expect, test } from "bun:test";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { objectsIn, refusal, rows, sql } from "../as-caller.ts";

type Desk = { hub: TestHub; alice: Caller; bob: Caller; connection: string; id: string };

/** Alice at work in session `work` of project `p`, bound to a connection of hers. */
async function openDesk(hub: TestHub): Promise<Desk> {
  const [alice, bob] = [await hub.agent("alice"), await hub.agent("bob")];
  await hub.project("p");
  const connection = await hub.connect(alice);
  const started = await alice.call("session_start", { project_id: "p", session_name: "work" }, { connection });
  await alice.call("brain_put", { path: "/kv/k", content: "v", store: "session" }, { connection });
  return { hub, alice, bob, connection, id: String(started["session_id"]) };
}

const get = ({ alice, connection }: Desk) => alice.call("brain_get", { path: "/kv/k" }, { connection });
const put = ({ alice, connection }: Desk, content = "w") =>
  alice.call("brain_put", { path: "/kv/k", content, store: "session" }, { connection });
const slots = (hub: TestHub) =>
  rows(hub, "SELECT active_session_id FROM connections ORDER BY id").map((row) => row["active_session_id"]);

const noneActive = { code: "conflict", details: {}, message: expect.stringContaining("no session is active") };

describe("without an active session", () => {
  test("a caller with a connection is told to start one, one without to pass session", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    await hub.project("p");
    const connection = await hub.connect(alice);
    for (const call of [
      (on: object) => alice.call("brain_get", { path: "/kv/k" }, on),
      (on: object) => alice.call("brain_put", { path: "/kv/k", content: "v", store: "session" }, on),
    ]) {
      const bound = await refusal(call({ connection }));
      expect(bound["message"]).toContain("session_start");
      expect(bound).toMatchObject(noneActive);
      const unbound = await refusal(call({}));
      expect(unbound["message"]).toContain("pass session");
      expect(unbound).toMatchObject(noneActive);
    }
  });

  test("session_start on no connection binds nothing and says so", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    await hub.project("p");
    const connection = await hub.connect(alice);
    const started = await alice.call("session_start", { project_id: "p", session_name: "work" });
    expect(started["bound"]).toBe(false);
    expect(slots(hub)).toEqual([null]);
    expect(await refusal(alice.call("brain_get", { path: "/kv/k" }, { connection }))).toMatchObject(noneActive);
    const named = { session: { session_id: started["session_id"] ?? "" } };
    await alice.call("brain_put", { path: "/kv/k", content: "v", store: "session", ...named });
    expect(await alice.call("brain_get", { path: "/kv/k", ...named })).toMatchObject({ content: "v" });
  });

  test("an own session named by owner and name needs its project", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    const session = { agent: "alice", name: "work" };
    expect(await refusal(desk.alice.call("brain_get", { path: "/kv/k", session }))).toMatchObject({
      code: "invalid_argument",
      details: { field: "session.project_id" },
    });
    const { connection } = desk;
    expect(await desk.alice.call("brain_get", { path: "/kv/k", session }, { connection })).toMatchObject({
      content: "v",
    });
  });
});

describe("the slot", () => {
  test("is the connection's own: another of the same agent, and one of another agent, has none", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    const second = await hub.connect(desk.alice);
    expect(await refusal(get({ ...desk, connection: second }))).toMatchObject(noneActive);
    // The name of a connection is nothing without its identity.
    expect(await refusal(desk.bob.call("brain_get", { path: "/kv/k" }, { connection: desk.connection }))).toMatchObject(
      noneActive,
    );
  });

  test("moves with the next session_start; the session held before stays active", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    const { alice, connection } = desk;
    const next = await alice.call("session_start", { project_id: "p", session_name: "next" }, { connection });
    expect(slots(hub)).toEqual([next["session_id"] ?? ""]);
    expect(rows(hub, "SELECT status FROM sessions")).toEqual([{ status: "active" }, { status: "active" }]);
    expect(await refusal(get(desk))).toMatchObject({ code: "not_found" });
  });

  test("a refused session_start leaves it", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    const { alice, connection } = desk;
    await refusal(alice.call("session_start", { project_id: "nowhere", session_name: "x" }, { connection }));
    expect(slots(hub)).toEqual([desk.id]);
  });

  test("is cleared on every connection when the session ends, from wherever", async () => {
    for (const ender of ["alice", "human"]) {
      await using hub = await openTestHub();
      const desk = await openDesk(hub);
      const second = await hub.connect(desk.alice);
      await desk.alice.call("session_start", { project_id: "p", session_name: "work" }, { connection: second });
      expect(slots(hub)).toEqual([desk.id, desk.id]);
      const caller = ender === "alice" ? desk.alice : hub.operator;
      await caller.call("session_end", { session_id: desk.id });
      expect(slots(hub)).toEqual([null, null]);
      expect(await refusal(put(desk))).toMatchObject(noneActive);
    }
  });

  test("of a session reassigned meanwhile: the next write names the new owner and clears it, once", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    await sql(hub, "UPDATE sessions SET agent = 'bob'");
    // Reading what one may read goes on.
    expect(await get(desk)).toMatchObject({ content: "v" });
    const error = await refusal(put(desk));
    expect(error).toMatchObject({ code: "conflict", details: { owner: "bob" } });
    expect(error["message"]).toContain("bob");
    expect(slots(hub)).toEqual([null]);
    expect(await refusal(put(desk))).toMatchObject(noneActive);
    expect(rows(hub, "SELECT count(*) AS n FROM brain_entries")).toEqual([{ n: 1 }]);
  });

  test("of the new owner is not cleared with the old one's", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    await sql(hub, "UPDATE sessions SET agent = 'bob'");
    const theirs = await hub.connect(desk.bob);
    await desk.bob.call("session_start", { project_id: "p", session_name: "work" }, { connection: theirs });
    await refusal(put(desk));
    expect(await desk.bob.call("brain_get", { path: "/kv/k" }, { connection: theirs })).toMatchObject({ content: "v" });
  });

  test.each(["brain_get", "brain_put"])(
    "of a pruned session: the next %s is a conflict and clears it",
    async (tool) => {
      await using hub = await openTestHub();
      const desk = await openDesk(hub);
      await sql(hub, "UPDATE sessions SET pruned_at = 1");
      const use = tool === "brain_get" ? get : put;
      const error = await refusal(use(desk));
      expect(error).toMatchObject({ code: "conflict", details: {} });
      expect(error["message"]).toContain("pruned");
      expect(slots(hub)).toEqual([null]);
      expect(await refusal(use(desk))).toMatchObject(noneActive);
    },
  );

  test("is stored with the connection, so a restart of the hub leaves it", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    await hub.reopen();
    expect(await put(desk)).toMatchObject({ ok: true });
    expect(await get(desk)).toMatchObject({ content: "w" });
  });

  test("is no use once the agent lost the project", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    await hub.rest("updateProject", { params: { id: "p" }, body: { confidential: true } });
    for (const attempt of [get(desk), put(desk)]) {
      expect(await refusal(attempt)).toMatchObject({ code: "forbidden", message: "not found or not permitted" });
    }
    await hub.rest("createGrant", { params: { id: "alice" }, body: { project_id: "p" } });
    expect(await put(desk)).toMatchObject({ ok: true });
  });
});

describe("a session named in the call", () => {
  const forms = (id: string): [object, string][] => [
    [{}, "neither form"],
    [{ agent: "alice" }, "half of one"],
    [{ name: "work" }, "half of one"],
    [{ name: "work", project_id: "p" }, "half of one"],
    [{ project_id: "p" }, "half of one"],
    [{ session_id: id, agent: "alice" }, "both"],
    [{ session_id: id, agent: "alice", name: "work" }, "both"],
    [{ session_id: id, project_id: "p" }, "session_id with project_id"],
  ];

  test("has exactly one form", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    const { connection } = desk;
    for (const [session] of forms(desk.id)) {
      const error = await refusal(desk.alice.call("brain_get", { path: "/kv/k", session }, { connection }));
      expect([session, error["code"], error["details"]]).toEqual([
        session,
        "invalid_argument",
        { field: "session", expected: "either session_id, or agent and name with an optional project_id" },
      ]);
    }
    for (const session of ["work", 5, ["a"], true]) {
      const error = await refusal(desk.alice.call("brain_get", { path: "/kv/k", session }, { connection }));
      expect([error["code"], error["details"]]).toMatchObject(["invalid_argument", { field: "session" }]);
    }
    for (const session of [{ session_id: 5 }, { agent: 5, name: "work" }]) {
      const error = await refusal(desk.alice.call("brain_get", { path: "/kv/k", session }, { connection }));
      expect(error["details"]).toMatchObject({ field: expect.stringMatching(/^session\.(?:session_id|agent)$/) });
    }
  });

  test("members sent as null are absent, and so is the whole", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    const { alice, connection, id } = desk;
    for (const session of [
      { session_id: id, agent: null, name: null, project_id: null },
      { session_id: null, agent: "alice", name: "work", project_id: "p" },
      null,
    ]) {
      expect(await alice.call("brain_get", { path: "/kv/k", session }, { connection })).toMatchObject({ content: "v" });
    }
  });

  test("is read by who may read its project; it is written by its owner", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    const refs = [{ session_id: desk.id }, { agent: "alice", name: "work", project_id: "p" }];
    for (const session of refs) {
      for (const caller of [desk.bob, hub.operator]) {
        expect(await caller.call("brain_get", { path: "/kv/k", session })).toMatchObject({ content: "v" });
        const before = await hub.snapshot();
        const write = { path: "/kv/k", content: "mine", store: "session", session };
        const error = await refusal(caller.call("brain_put", write));
        expect(error).toMatchObject({ code: "forbidden", details: { owner: "alice" } });
        expect(error["message"]).toEndWith("owner=alice");
        expect(await hub.snapshot()).toBe(before);
      }
    }
  });

  test("that is missing or denied is the shared denial by id, and not_found by name in a project one may read", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    await hub.project("secret", { confidential: true });
    const hidden = await hub.operator.call("session_start", { project_id: "secret", session_name: "work" });
    const denial = { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} };
    const read = (caller: Caller, session: object) => refusal(caller.call("brain_get", { path: "/kv/k", session }));
    for (const session_id of [hidden["session_id"] ?? "", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "", "x"]) {
      expect(await read(desk.bob, { session_id })).toEqual(denial);
    }
    for (const project_id of ["secret", "nowhere"]) {
      expect(await read(desk.bob, { agent: "human", name: "work", project_id })).toEqual(denial);
    }
    for (const ref of [
      { agent: "alice", name: "other", project_id: "p" },
      { agent: "bob", name: "work", project_id: "p" },
    ]) {
      expect(await read(desk.bob, ref)).toMatchObject({ code: "not_found" });
      expect(await read(hub.operator, ref)).toMatchObject({ code: "not_found" });
    }
    expect(await read(hub.operator, { session_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" })).toMatchObject({ code: "not_found" });
  });

  test("that ended is read as before and not written; that was pruned is gone", async () => {
    await using hub = await openTestHub();
    const desk = await openDesk(hub);
    const session = { session_id: desk.id };
    const write = { path: "/kv/k", content: "w", store: "session", session };
    await desk.alice.call("session_end", session);
    expect(await desk.alice.call("brain_get", { path: "/kv/k", session })).toMatchObject({ content: "v" });
    expect(await refusal(desk.alice.call("brain_put", write))).toMatchObject({ code: "conflict", details: {} });
    await sql(hub, "UPDATE sessions SET pruned_at = 1");
    for (const ref of [session, { agent: "alice", name: "work", project_id: "p" }]) {
      expect(await refusal(desk.alice.call("brain_get", { path: "/kv/k", session: ref }))).toMatchObject({
        code: "not_found",
      });
      expect(await refusal(desk.alice.call("brain_put", { ...write, session: ref }))).toMatchObject({
        code: "not_found",
      });
    }
  });
});

test("events written at work carry the session in its own project, and none elsewhere or after it ended", async () => {
  await using hub = await openTestHub();
  const { alice, connection, id } = await openDesk(hub);
  await hub.project("q");
  const write = (project_id: string) =>
    alice.call("signal_append", { project_id, kind: "signal", summary: "note" }, { connection });
  await write("p");
  await write("q");
  await alice.call("session_end", { session_id: id });
  await write("p");
  const read = async (project_id: string) =>
    objectsIn(
      await hub.operator.call("feed_read", { project_id, kinds: ["signal"], before: "Z".repeat(26) }),
      "events",
    );
  expect((await read("p")).map(({ session_id }) => session_id)).toEqual([null, id]);
  expect((await read("q")).map(({ session_id }) => session_id)).toEqual([null]);
});

test("activity is noted at most once a minute, of own sessions alone", async () => {
  await using hub = await openTestHub();
  const desk = await openDesk(hub);
  const begun = hub.clock.now;
  const activity = async () => {
    await hub.hub.kernel.services.touches.flush();
    return rows(hub, "SELECT last_activity FROM sessions")[0]?.["last_activity"];
  };
  hub.clock.now = begun + 59_999;
  await get(desk);
  expect(await activity()).toBe(begun);
  hub.clock.now = begun + 60_000;
  await desk.bob.call("brain_get", { path: "/kv/k", session: { session_id: desk.id } });
  expect(await activity()).toBe(begun);
  await get(desk);
  expect(await activity()).toBe(begun + 60_000);
  hub.clock.now = begun + 130_000;
  await put(desk);
  expect(await activity()).toBe(begun + 130_000);
  // A clock that stepped back takes nothing away.
  hub.clock.now = begun - 1_000_000;
  await put(desk);
  expect(await activity()).toBe(begun + 130_000);
});
