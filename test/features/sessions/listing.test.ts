// Sessions as agents and the operator list them, and the operator's own acts on one (mcp-tools.md 17.3, rest-api.md 8).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { objectsIn, agent as principal, refusal, restAs, rows, sql } from "../as-caller.ts";
import { expectNoTrace, wholeFeed } from "../conversation.ts";
import { end, type Named, prune, put, startNamed } from "./working.ts";

const denial = { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} };

let hub: TestHub;
let alice: Caller;
let bob: Caller;
beforeAll(async () => {
  hub = await openTestHub();
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
});
afterAll(() => hub[Symbol.asyncDispose]());

const time = (): string => new Date(hub.clock.now).toISOString();
const list = (by: Caller, args: object = {}): Promise<JsonObject> => by.call("session_list", args);
const namesOf = (listed: JsonObject) => objectsIn(listed, "sessions").map((session) => session["session_name"]);

describe("session_list", () => {
  test("says all about a session, and nothing more", async () => {
    await hub.project("one");
    hub.clock.now += 1000;
    const created_at = time();
    const session = await startNamed(alice, "one", "work");
    await put(alice, session, "/kv/k", "12345");
    hub.clock.now += 120_000;
    await put(alice, session, "/kv/l", "678");
    await hub.hub.kernel.services.touches.flush();
    expect(await list(bob, { project_id: "one" })).toEqual({
      sessions: [
        {
          ...session,
          project_id: "one",
          session_name: "work",
          agent: "alice",
          status: "active",
          created_at,
          last_activity: time(),
          handoff: null,
          handoff_truncated: false,
          forked_from: null,
          adopted_from: null,
          brain_bytes: 8,
        },
      ],
      truncated: false,
    });
  });

  test("shows the first 200 characters of a note, and whether there are more", async () => {
    await hub.project("notes");
    const notes: [string, string, boolean][] = [
      ["", "", false],
      ["𝒳".repeat(200), "𝒳".repeat(200), false],
      ["𝒳".repeat(201), "𝒳".repeat(200), true],
      [`${"a".repeat(199)}𝒳b`, `${"a".repeat(199)}𝒳`, true],
      ["y".repeat(4096), "y".repeat(200), true],
    ];
    for (const [index, [note]] of notes.entries()) {
      await end(alice, await startNamed(alice, "notes", `n${index}`), note);
    }
    const sessions = objectsIn(await list(bob, { project_id: "notes" }), "sessions");
    const shown = new Map(sessions.map((one) => [one["session_name"], [one["handoff"], one["handoff_truncated"]]]));
    for (const [index, [, handoff, isCut]] of notes.entries()) expect(shown.get(`n${index}`)).toEqual([handoff, isCut]);
    // Picking it up returns the whole of it.
    const from = { agent: "alice", name: "n4" };
    expect(await bob.call("session_start", { project_id: "notes", session_name: "x", from })).toMatchObject({
      handoff: "y".repeat(4096),
    });
  });

  test("has the latest activity first, and of equals the greater id", async () => {
    await hub.project("order");
    for (const name of ["a", "b", "c"]) await startNamed(alice, "order", name);
    hub.clock.now += 5000;
    await startNamed(bob, "order", "d");
    await startNamed(alice, "order", "b");
    expect(namesOf(await list(bob, { project_id: "order" }))).toEqual(["d", "b", "c", "a"]);
    // An end is no activity.
    hub.clock.now += 5000;
    await alice.call("session_end", {
      session_id: rows(hub, "SELECT id FROM sessions WHERE name = 'a' AND project_id = 'order'")[0]?.["id"],
    });
    expect(namesOf(await list(bob, { project_id: "order" }))).toEqual(["d", "b", "c", "a"]);
  });

  test("is narrowed by project, status and owner, each and together", async () => {
    await hub.project("narrow");
    await hub.project("other");
    const ended = await startNamed(alice, "narrow", "ended");
    await end(alice, ended);
    await startNamed(alice, "narrow", "active");
    await startNamed(bob, "narrow", "bobs");
    await startNamed(alice, "other", "elsewhere");
    const named = async (args: object) => new Set(namesOf(await list(bob, { limit: 200, ...args })));
    const inProject = { project_id: "narrow" };
    expect(await named(inProject)).toEqual(new Set(["ended", "active", "bobs"]));
    expect(await named({ ...inProject, status: "ended" })).toEqual(new Set(["ended"]));
    expect(await named({ ...inProject, status: "active" })).toEqual(new Set(["active", "bobs"]));
    expect(await named({ ...inProject, agent: "alice" })).toEqual(new Set(["ended", "active"]));
    expect(await named({ ...inProject, agent: "alice", status: "active" })).toEqual(new Set(["active"]));
    expect(await named({ ...inProject, agent: "nobody" })).toEqual(new Set());
    expect((await named({ agent: "alice" })).has("elsewhere")).toBe(true);
    expect((await named({ status: "ended" })).has("elsewhere")).toBe(false);
  });

  test("without a project is confined to what the caller may read; with one, missing and denied are one", async () => {
    await hub.project("secret", { confidential: true });
    const hidden = await startNamed(hub.operator, "secret", "hidden");
    const space = String((await alice.call("whoami"))["personal_project_id"]);
    await startNamed(alice, space, "personal");
    const seen = async (by: Caller) => namesOf(await list(by, { limit: 200 }));
    expect(await seen(bob)).not.toContain("hidden");
    expect(await seen(bob)).toContain("personal");
    expect(await seen(hub.operator)).toContain("hidden");
    expect(await refusal(list(bob, { project_id: "secret" }))).toEqual(denial);
    expect(await refusal(list(bob, { project_id: "no-such" }))).toEqual(denial);
    expect(await refusal(list(hub.operator, { project_id: "no-such" }))).toMatchObject({ code: "not_found" });
    await hub.rest("createGrant", { params: { id: "bob" }, body: { project_id: "secret" } });
    expect(await seen(bob)).toContain("hidden");
    await hub.rest("updateProject", { params: { id: space }, body: { confidential: true } });
    expect(await seen(bob)).not.toContain("personal");
    expect(await seen(alice)).toContain("personal");
    await end(hub.operator, hidden);
  });

  test("leaves out pruned ones, and frees their place", async () => {
    await hub.project("pruned");
    const sessions: Named[] = [];
    for (const name of ["a", "b", "c"]) sessions.push(await startNamed(alice, "pruned", name));
    for (const session of sessions.slice(1)) {
      await end(alice, session);
      await prune(hub, session);
    }
    expect(await list(bob, { project_id: "pruned", limit: 2 })).toMatchObject({ truncated: false });
    expect(namesOf(await list(bob, { project_id: "pruned" }))).toEqual(["a"]);
  });

  test("is a page of 50 unless said, of 200 at most, and says when it is full", async () => {
    await hub.project("many");
    await hub.hub.kernel.services.write((tx) => {
      for (let number = 0; number < 205; number += 1) {
        tx.db.run(
          "INSERT INTO sessions (id, project_id, agent, name, status, created_at, last_activity) VALUES (?, 'many', 'alice', ?, 'active', 0, ?)",
          tx.id(),
          `n${number}`,
          number,
        );
      }
    });
    const page = async (args: object) => {
      const listed = await list(bob, { project_id: "many", ...args });
      return [namesOf(listed).length, listed["truncated"]];
    };
    expect(await page({})).toEqual([50, true]);
    expect(await page({ limit: 1 })).toEqual([1, true]);
    expect(await page({ limit: 200 })).toEqual([200, true]);
    expect(await page({ limit: 10_000 })).toEqual([200, true]);
    expect(namesOf(await list(bob, { project_id: "many", limit: 2 }))).toEqual(["n204", "n203"]);
    await sql(hub, "DELETE FROM sessions WHERE project_id = 'many' AND last_activity >= 50");
    expect(await page({})).toEqual([50, true]);
    expect(await page({ limit: 51 })).toEqual([50, false]);
  });

  test.each([
    [{ status: "pruned" }, "status"],
    [{ limit: 0 }, "limit"],
    [{ limit: 2.5 }, "limit"],
    [{ limit: "9" }, "limit"],
    [{ agent: 7 }, "agent"],
  ])("of %j is refused", async (args, field) => {
    expect(await refusal(list(bob, args))).toMatchObject({ code: "invalid_argument", details: { field } });
  });
});

describe("the operator's list", () => {
  test("is that of a project, an agent, or both, with lineage", async () => {
    await hub.project("lineage");
    const source = await startNamed(alice, "lineage", "source");
    const fork = await startNamed(bob, "lineage", "fork", { from: source });
    await end(alice, source, "note ".repeat(100));
    const adopted = await startNamed(bob, "lineage", "adopted", { from: source });
    expect(adopted).toEqual(source);
    const listed = objectsIn(await hub.rest("listSessions", { query: { project: "lineage" } }), "sessions");
    expect(listed).toEqual([
      {
        id: fork.session_id,
        project_id: "lineage",
        session_name: "fork",
        agent: "bob",
        status: "active",
        created_at: time(),
        last_activity: time(),
        forked_from: source.session_id,
        adopted_from: null,
        handoff: null,
        lineage: { kind: "forked", session_id: source.session_id, agent: "bob", pruned: false },
        brain_bytes: 0,
      },
      {
        id: source.session_id,
        project_id: "lineage",
        session_name: "adopted",
        agent: "bob",
        status: "active",
        created_at: time(),
        last_activity: time(),
        forked_from: null,
        adopted_from: source.session_id,
        handoff: "note ".repeat(100),
        lineage: { kind: "adopted", session_id: source.session_id, agent: "bob", pruned: false },
        brain_bytes: 0,
      },
    ]);
    const narrowed = async (query: object) => objectsIn(await hub.rest("listSessions", { query }), "sessions").length;
    expect(await narrowed({ project: "lineage", agent: "alice" })).toBe(0);
    expect(await narrowed({ project: "lineage", agent: "bob" })).toBe(2);
    expect(await narrowed({ agent: "bob" })).toBeGreaterThan(2);
  });

  test("shows lineage while its source is pruned, and after it is gone", async () => {
    await hub.project("gone");
    const source = await startNamed(alice, "gone", "source");
    const fork = await startNamed(bob, "gone", "fork", { from: source });
    await end(alice, source);
    await prune(hub, source);
    const lineage = async () => (await hub.rest("getSession", { params: { id: fork.session_id } }))["lineage"];
    expect(await lineage()).toEqual({ kind: "forked", session_id: source.session_id, agent: "alice", pruned: true });
    await sql(hub, "DELETE FROM sessions WHERE id = ?", source.session_id);
    expect(await lineage()).toEqual({ kind: "forked", session_id: source.session_id, agent: null, pruned: true });
    const [listed] = objectsIn(await list(bob, { project_id: "gone" }), "sessions");
    expect(listed).toMatchObject({ forked_from: source.session_id });
  });

  test("needs a project or an agent, which are there", async () => {
    const asked = (query: object) => refusal(hub.rest("listSessions", { query }));
    expect(await asked({})).toMatchObject({ code: "invalid_argument" });
    expect(await asked({ project: "no-such" })).toMatchObject({ code: "not_found" });
    expect(await asked({ agent: "nobody" })).toMatchObject({ code: "not_found" });
    expect(await asked({ project: "order", agent: "nobody" })).toMatchObject({ code: "not_found" });
    expect(await refusal(restAs(hub, principal("alice"), "listSessions", { query: { agent: "alice" } }))).toEqual(
      denial,
    );
  });

  test("of one session counts what was written in it and shows the last", async () => {
    await hub.project("events");
    const connection = await hub.connect(alice);
    const started = await alice.call("session_start", { project_id: "events", session_name: "s" }, { connection });
    const one = () => hub.rest("getSession", { params: { id: String(started["session_id"]) } });
    expect(await one()).toMatchObject({
      events: 1,
      last_event: { at: time(), actor: "alice", summary: "session s started" },
    });
    hub.clock.now += 1000;
    await alice.call("signal_append", { project_id: "events", kind: "signal", summary: "done" }, { connection });
    await hub.rest("createGrant", { params: { id: "bob" }, body: { project_id: "events" } });
    expect(await one()).toMatchObject({ events: 2, last_event: { at: time(), actor: "alice", summary: "done" } });
    expect(await refusal(hub.rest("getSession", { params: { id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" } }))).toMatchObject({
      code: "not_found",
    });
  });
});

describe("reassign", () => {
  const reassign = (session: Named, agent: unknown) =>
    hub.rest("reassignSession", { params: { id: session.session_id }, body: { agent } });

  test("moves the session, brain and note and all, and says so once", async () => {
    await hub.project("moved");
    const session = await startNamed(alice, "moved", "work");
    await end(alice, session, "a note");
    await startNamed(alice, "moved", "work");
    await put(alice, session, "/kv/k", "v");
    const created_at = time();
    hub.clock.now += 1000;
    expect(await reassign(session, "bob")).toEqual({
      id: session.session_id,
      project_id: "moved",
      session_name: "work",
      agent: "bob",
      status: "active",
      created_at,
      last_activity: created_at,
      forked_from: null,
      adopted_from: null,
      handoff: "a note",
    });
    const feed = await wholeFeed(hub, "moved", ["session"]);
    expect(feed.slice(2)).toMatchObject([
      {
        kind: "session",
        actor: "human",
        summary: "session work reassigned to bob",
        session_id: session.session_id,
        payload: {
          action: "reassigned",
          session_id: session.session_id,
          session_name: "work",
          from_agent: "alice",
          to_agent: "bob",
        },
      },
    ]);
    expect(Object.keys(Object(feed[2]?.payload)).length).toBe(5);
    expect(await bob.call("brain_get", { session, path: "/kv/k" })).toMatchObject({ content: "v" });
    await put(bob, session, "/kv/k", "w");
    expect(await startNamed(bob, "moved", "work")).toEqual(session);
    expect(await startNamed(alice, "moved", "work")).not.toEqual(session);
  });

  test("is refused when there is nothing to move, nobody to move it to, or no room for its name", async () => {
    await hub.project("stays");
    await hub.rest("createAgent", { body: { id: "waiting", display_name: "w" } });
    await sql(hub, "UPDATE agents SET state = 'pending' WHERE id = 'waiting'");
    const running = await startNamed(alice, "stays", "running");
    const ended = await startNamed(alice, "stays", "ended");
    await end(alice, ended);
    const missing = { code: "not_found", details: {} } as const;
    for (const [session, agent] of [
      [{ session_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }, "bob"],
      [running, "nobody"],
      [running, "waiting"],
    ] as const) {
      await expectNoTrace(hub, () => reassign(session, agent), missing);
    }
    const taken = { code: "conflict", details: {} } as const;
    await expectNoTrace(hub, () => reassign(ended, "bob"), taken);
    await expectNoTrace(hub, () => reassign(running, "alice"), taken);
    const held = await startNamed(bob, "stays", "running");
    const holds = { code: "conflict", details: { existing_session_id: held.session_id } } as const;
    await expectNoTrace(hub, () => reassign(running, "bob"), holds);
    await end(bob, held);
    await expectNoTrace(hub, () => reassign(running, "bob"), holds);
    await prune(hub, held);
    await expectNoTrace(hub, () => reassign(running, "bob"), {
      code: "conflict",
      details: { pruned_session_id: held.session_id },
    });
    for (const agent of [undefined, 7, null]) {
      expect(await refusal(reassign(running, agent))).toMatchObject({ code: "invalid_argument" });
    }
    await prune(hub, ended);
    await expectNoTrace(hub, () => reassign(ended, "bob"), missing);
  });

  test("and an end at once: the session ends up in one of the two orders", async () => {
    await hub.project("race");
    for (let round = 0; round < 10; round += 1) {
      const session = await startNamed(alice, "race", `n${round}`);
      const [moved, ended] = await Promise.all([
        reassign(session, "bob").then(
          () => true,
          () => false,
        ),
        end(alice, session).then(
          () => true,
          () => false,
        ),
      ]);
      const [row] = rows(hub, "SELECT agent, status FROM sessions WHERE id = ?", session.session_id);
      expect(moved !== ended).toBe(true);
      expect(row).toEqual(moved ? { agent: "bob", status: "active" } : { agent: "alice", status: "ended" });
    }
  });
});

test("the operator's end leaves a stored note and says who did it", async () => {
  await hub.project("ending");
  const session = await startNamed(alice, "ending", "work");
  await end(alice, session, "kept");
  await startNamed(alice, "ending", "work");
  const act = () => hub.rest("endSession", { params: { id: session.session_id } });
  expect(await act()).toEqual({ ok: true });
  expect(await act()).toEqual({ ok: true });
  expect((await wholeFeed(hub, "ending", ["session"])).slice(2)).toMatchObject([
    {
      actor: "human",
      summary: "session work ended",
      payload: { action: "ended", session_id: session.session_id, session_name: "work", handoff: "kept" },
    },
  ]);
  expect(await refusal(put(alice, session, "/kv/k", "v"))).toMatchObject({ code: "conflict" });
});
