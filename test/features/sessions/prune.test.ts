// Pruning (rest-api.md 14): gone for every reader at once, back within 30 s, gone for good after that.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import type { TestHub } from "../../support/hub.ts";
import { objectsIn, refusal, rows } from "../as-caller.ts";
import { expectNoTrace, wholeFeed } from "../conversation.ts";
import { find } from "../search/finding.ts";
import { endedLab as lab, sweep, windowMs } from "./ended-lab.ts";
import { end, type Named, prune, startNamed, undo } from "./working.ts";

const token = expect.stringMatching(/^[0-9a-f]{64}$/);
const storage = (hub: TestHub) => hub.rest("getStorage");
const projectRow = async (hub: TestHub) =>
  objectsIn(await storage(hub), "projects").find((row) => row["project_id"] === "p");

describe("a pruned session", () => {
  test("is answered with a token and the end of the window", async () => {
    await using all = await lab();
    const { hub, session } = all;
    expect(await hub.rest("pruneSession", { params: { id: session.session_id } })).toEqual({
      undo_token: token,
      undo_expires_at: new Date(hub.clock.now + windowMs).toISOString(),
    });
  });

  test("is gone from every list, count and read at once, and back after an undo as it was", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    const id = session.session_id;
    const seen = async () => ({
      tool: await alice.call("session_list", { project_id: "p" }),
      rest: await hub.rest("listSessions", { query: { project: "p" } }),
      byAgent: await hub.rest("listSessions", { query: { agent: "alice" } }),
      storage: await projectRow(hub),
      totals: (await storage(hub))["by_kind"],
      prunable: (await storage(hub))["prunable"],
      home: (await hub.rest("getHome"))["prunable"],
      feed: objectsIn(await hub.rest("listProjectFeed", { params: { id: "p" }, query: { session: id } }), "events"),
      agents: objectsIn(await hub.rest("listProjects"), "projects").map((project) => project["agents_active"]),
      search: await find(alice, "wombat", { type: "brain" }),
      stored: rows(hub, "SELECT * FROM brain_entries ORDER BY path"),
    });
    const before = await seen();
    expect(before.search).toEqual(["/fs/plan.md"]);
    expect(before.prunable).toEqual({ sessions: 1, bytes: 16 });
    expect(before.storage).toMatchObject({ session_bytes: 16, prunable_sessions: 1, prunable_bytes: 16 });

    const undoToken = await prune(hub, session);
    const after = await seen();
    expect(after.tool).toEqual({ sessions: [], truncated: false });
    expect(after.rest).toEqual({ sessions: [] });
    expect(after.byAgent).toEqual({ sessions: [] });
    expect(after.storage).toMatchObject({ session_bytes: 0, prunable_sessions: 0, prunable_bytes: 0 });
    expect(after.totals).toMatchObject({ sessions: 0 });
    expect(after.prunable).toEqual({ sessions: 0, bytes: 0 });
    expect(after.home).toEqual({ sessions: 0, bytes: 0 });
    expect(after.feed).toEqual([]);
    expect(Math.max(...after.agents.map(Number))).toBe(0);
    expect(after.search).toEqual([]);
    const named = { agent: "alice", name: "work", project_id: "p" };
    for (const ref of [session, named]) {
      expect(await refusal(alice.call("brain_get", { session: ref, path: "/kv/k" }))).toMatchObject({
        code: "not_found",
      });
      expect(await refusal(alice.call("brain_list", { session: ref }))).toMatchObject({ code: "not_found" });
      expect(
        await refusal(alice.call("brain_put", { session: ref, store: "session", path: "/kv/k", content: "w" })),
      ).toMatchObject({ code: "not_found" });
      expect(
        await refusal(alice.call("brain_delete", { session: ref, store: "session", path: "/kv/k" })),
      ).toMatchObject({ code: "not_found" });
    }
    expect(await refusal(end(alice, session))).toMatchObject({ code: "not_found" });
    expect(await refusal(alice.call("session_start", { project_id: "p", session_name: "work" }))).toMatchObject({
      code: "conflict",
      details: { pruned_session_id: id },
    });
    for (const call of ["getSession", "endSession", "listBrain"] as const) {
      expect(await refusal(hub.rest(call, { params: { id } }))).toMatchObject({ code: "not_found" });
    }
    expect(await refusal(hub.rest("getBrainEntry", { params: { id }, query: { path: "/kv/k" } }))).toMatchObject({
      code: "not_found",
    });
    expect(await refusal(hub.rest("reassignSession", { params: { id }, body: { agent: "alice" } }))).toMatchObject({
      code: "not_found",
    });

    hub.clock.now += windowMs - 1;
    expect(await undo(hub, undoToken)).toEqual({ ok: true });
    hub.clock.now -= windowMs - 1;
    expect(await seen()).toEqual(before);
    expect(await alice.call("session_start", { project_id: "p", session_name: "work" })).toMatchObject({
      ...session,
      resumed: true,
      handoff: "a note",
      brain_bytes: 16,
    });
  });

  test("keeps what it said: only its own session events go, and only for good", async () => {
    await using all = await lab();
    const { hub, session } = all;
    const summaries = async () => (await wholeFeed(hub, "p")).map(({ summary }) => summary);
    const before = await summaries();
    await prune(hub, session);
    expect(await summaries()).toEqual(before);
    hub.clock.now += windowMs;
    await sweep(hub);
    expect(await summaries()).toEqual(["wombat signal", "wombat?"]);
    expect(await find(hub.operator, "wombat")).toEqual(["wombat?", "wombat signal"]);
    expect(await find(hub.operator, "session")).toEqual([]);
  });
});

describe("it is refused", () => {
  test("of a session that is not there, runs, or is pruned already", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    const act = (id: string) => () => hub.rest("pruneSession", { params: { id } });
    await expectNoTrace(hub, act("01ARZ3NDEKTSV4RRFFQ69G5FAV"), { code: "not_found", details: {} });
    const running = await startNamed(alice, "p", "running");
    await expectNoTrace(hub, act(running.session_id), { code: "conflict", details: {} });
    await prune(hub, session);
    await expectNoTrace(hub, act(session.session_id), { code: "conflict", details: {} });
  });

  test("to take back what nobody pruned, twice, or too late; after the sweep nothing is known of it", async () => {
    await using all = await lab();
    const { hub, session } = all;
    const take = (undoToken: string) => () => undo(hub, undoToken);
    await expectNoTrace(hub, take("0".repeat(64)), { code: "not_found", details: {} });
    const first = await prune(hub, session);
    await undo(hub, first);
    await expectNoTrace(hub, take(first), { code: "not_found", details: {} });
    const second = await prune(hub, session);
    expect(second).not.toBe(first);
    await expectNoTrace(hub, take(first), { code: "not_found", details: {} });
    hub.clock.now += windowMs;
    await expectNoTrace(hub, take(second), { code: "conflict", details: {} });
    await sweep(hub);
    await expectNoTrace(hub, take(second), { code: "not_found", details: {} });
  });
});

describe("many at once", () => {
  async function several(hub: TestHub): Promise<{ ended: Named[]; running: Named }> {
    const bob = await hub.agent("bob");
    await hub.project("q");
    const ended: Named[] = [];
    for (const [project, name] of [
      ["p", "a"],
      ["p", "b"],
      ["q", "c"],
    ] as const) {
      const session = await startNamed(bob, project, name);
      await end(bob, session);
      ended.push(session);
    }
    return { ended, running: await startNamed(bob, "p", "running") };
  }
  const pruned = (answer: JsonObject) =>
    objectsIn(answer, "sessions")
      .map((entry) => entry["session_id"])
      .sort();
  const ids = (sessions: readonly Named[]) => sessions.map(({ session_id }) => session_id).sort();

  test("are every ended session of the hub, each with its own token", async () => {
    await using all = await lab();
    const { hub, session } = all;
    const { ended } = await several(hub);
    const answer = await hub.rest("pruneSessions");
    expect(pruned(answer)).toEqual(ids([session, ...ended]));
    expect(answer).toEqual({
      sessions: expect.any(Array),
      undo_expires_at: new Date(hub.clock.now + windowMs).toISOString(),
    });
    const entries = objectsIn(answer, "sessions");
    expect(entries.every((entry) => Object.keys(entry).length === 2)).toBe(true);
    expect(new Set(entries.map((entry) => entry["undo_token"])).size).toBe(4);
    for (const entry of entries) expect(await undo(hub, String(entry["undo_token"]))).toEqual({ ok: true });
    expect(rows(hub, "SELECT status FROM sessions WHERE pruned_at IS NOT NULL")).toEqual([]);
  });

  test("are one project's when one is named; a second time there are none", async () => {
    await using all = await lab();
    const { hub, session } = all;
    const { ended } = await several(hub);
    const inProject = () => hub.rest("pruneProjectSessions", { params: { id: "p" } });
    expect(pruned(await inProject())).toEqual(ids([session, ...ended.slice(0, 2)]));
    expect(await inProject()).toEqual({ sessions: [], undo_expires_at: expect.any(String) });
    expect(pruned(await hub.rest("pruneSessions"))).toEqual(ids(ended.slice(2)));
    expect(await refusal(hub.rest("pruneProjectSessions", { params: { id: "no-such" } }))).toMatchObject({
      code: "not_found",
    });
  });

  test("racing each other and the sessions' own agents report each session once", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    const { ended } = await several(hub);
    const answers = await Promise.all([
      hub.rest("pruneProjectSessions", { params: { id: "p" } }),
      alice.call("session_start", { project_id: "p", session_name: "work" }).catch(() => "pruned first"),
      hub.rest("pruneSessions"),
      hub.rest("pruneSession", { params: { id: ended[2]?.session_id ?? "" } }).catch(() => ({ sessions: [] })),
      hub.rest("pruneSessions"),
    ]);
    const reported = answers.flatMap((answer) => (typeof answer === "object" ? pruned(answer) : []));
    const held = rows(hub, "SELECT id FROM sessions WHERE pruned_at IS NOT NULL ORDER BY id").map((row) =>
      String(row["id"]),
    );
    expect(reported.map(String).sort()).toEqual(held);
    expect(reported).toContain(session.session_id);
    expect(rows(hub, "SELECT count(*) AS n FROM sessions WHERE pruned_at IS NOT NULL AND status = 'active'")).toEqual([
      { n: 0 },
    ]);
  });
});

test("a prune, an undo and the end of one are ticks for the operator's screens", async () => {
  await using all = await lab();
  const { hub, session } = all;
  const published: string[][] = [];
  using _tap = hub.hub.kernel.bus.tap((topics) => published.push([...topics].sort()));
  const topics = ["sessions:p", "storage"];
  const take = () => published.splice(0);
  const undoToken = await prune(hub, session);
  expect(take()).toEqual([topics]);
  await undo(hub, undoToken);
  expect(take()).toEqual([topics]);
  await hub.rest("pruneSessions");
  expect(take()).toEqual([topics]);
  hub.clock.now += windowMs;
  await sweep(hub);
  expect(take().flat()).toEqual(expect.arrayContaining([...topics, "feed:p"]));
  await hub.rest("pruneSessions");
  expect(take()).toEqual([]);
});
