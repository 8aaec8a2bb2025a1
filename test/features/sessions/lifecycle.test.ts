// Starting, resuming and ending a session (mcp-tools.md 13.1, 13.5, 17.1, 17.2).
import { describe, expect, test } from "bun:test";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { objectsIn, refusal, rows, sql } from "../as-caller.ts";

const ulid = expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
const denial = { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} };

async function lifecycleOf(hub: TestHub, projectId = "p") {
  const page = await hub.operator.call("feed_read", {
    project_id: projectId,
    kinds: ["session"],
    before: "Z".repeat(26),
  });
  return objectsIn(page, "events").reverse();
}

const start = (caller: Caller, session_name = "work", connection?: string) =>
  caller.call("session_start", { project_id: "p", session_name }, connection === undefined ? {} : { connection });

describe("session_start", () => {
  test("opens a session, says all about it and leaves one event", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    await hub.project("p");
    const started = await start(alice, "work", await hub.connect(alice));
    expect(started).toEqual({
      session_id: ulid,
      project_id: "p",
      agent: "alice",
      session_name: "work",
      status: "active",
      resumed: false,
      pickup: null,
      namespaces: { kv: "/kv", fs: "/fs" },
      recovery_path: "/fs/RECOVERY.md",
      handoff: null,
      brain_bytes: 0,
      bound: true,
    });
    const id = started["session_id"] ?? "";
    expect(await lifecycleOf(hub)).toMatchObject([
      {
        kind: "session",
        actor: "alice",
        summary: "session work started",
        payload: { action: "started", session_id: id, session_name: "work" },
        session_id: id,
        inbox_status: null,
      },
    ]);
  });

  test("again resumes the same session, keeps its note and brain, and leaves no event", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    await hub.project("p");
    const connection = await hub.connect(alice);
    const { session_id: id } = await start(alice, "work", connection);
    await alice.call("brain_put", { path: "/kv/k", content: "five!", store: "session" }, { connection });
    await alice.call("session_end", { session_id: id ?? "", handoff: "left off here" });
    hub.clock.now += 5000;
    expect(await start(alice)).toMatchObject({
      session_id: id ?? "",
      status: "active",
      resumed: true,
      pickup: null,
      handoff: "left off here",
      brain_bytes: 5,
      bound: false,
    });
    expect(await start(alice)).toMatchObject({ session_id: id ?? "", resumed: true, handoff: "left off here" });
    expect(rows(hub, "SELECT status, last_activity FROM sessions")).toEqual([
      { status: "active", last_activity: hub.clock.now },
    ]);
    expect((await lifecycleOf(hub)).map(({ summary }) => summary)).toEqual([
      "session work started",
      "session work ended",
    ]);
  });

  test("names are the owner's own, in one project", async () => {
    await using hub = await openTestHub();
    const [alice, bob] = [await hub.agent("alice"), await hub.agent("bob")];
    await hub.project("p");
    await hub.project("q");
    const ids = [
      await start(alice),
      await start(bob),
      await start(alice, "Work"),
      await start(hub.operator),
      await alice.call("session_start", { project_id: "q", session_name: "work" }),
    ].map(({ session_id }) => String(session_id));
    expect(new Set(ids).size).toBe(5);
    expect(rows(hub, "SELECT agent FROM sessions ORDER BY id").map(({ agent }) => agent)).toEqual([
      "alice",
      "bob",
      "alice",
      "human",
      "alice",
    ]);
  });

  test("many at once under one name are one session with one event", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    await hub.project("p");
    const started = await Promise.all(Array.from({ length: 20 }, () => start(alice)));
    expect(new Set(started.map(({ session_id }) => session_id)).size).toBe(1);
    expect(started.filter(({ resumed }) => resumed === false)).toHaveLength(1);
    expect(await lifecycleOf(hub)).toHaveLength(1);
  });

  test("a name held by a pruned session is refused until the prune is final", async () => {
    await using hub = await openTestHub();
    const [alice, bob] = [await hub.agent("alice"), await hub.agent("bob")];
    await hub.project("p");
    const { session_id: id } = await start(alice);
    await sql(hub, "UPDATE sessions SET pruned_at = 1");
    const before = await hub.snapshot();
    const error = await refusal(start(alice));
    expect(error).toMatchObject({ code: "conflict", details: { pruned_session_id: id ?? "" } });
    expect(error["message"]).toEndWith(`pruned_session_id=${id}`);
    expect(await hub.snapshot()).toBe(before);
    expect(await start(bob)).toMatchObject({ resumed: false });
    expect(await start(alice, "other")).toMatchObject({ resumed: false });
  });

  test.each(["", " ", "a b", "ä", "a/b", "a.b", "😀", "x".repeat(129), 5, null, {}])(
    "a session cannot be called %p",
    async (session_name) => {
      await using hub = await openTestHub();
      const alice = await hub.agent("alice");
      await hub.project("p");
      const before = await hub.snapshot();
      expect(await refusal(alice.call("session_start", { project_id: "p", session_name }))).toMatchObject({
        code: "invalid_argument",
        details: { field: "session_name", expected: expect.any(String) },
      });
      expect(await hub.snapshot()).toBe(before);
    },
  );

  test("takes names up to 128 characters of its set", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    await hub.project("p");
    for (const name of ["a", "-", "_", "0", "x".repeat(128)]) expect(await start(alice, name)).toBeObject();
  });

  test("a project id of another form is a fault of the call, a missing project the shared denial", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    for (const project_id of ["", "a b", "-p", "p/q", "x".repeat(65)]) {
      expect(await refusal(alice.call("session_start", { project_id, session_name: "work" }))).toMatchObject({
        code: "invalid_argument",
        details: { field: "project_id" },
      });
    }
    const missing = alice.call("session_start", { project_id: "nowhere", session_name: "work" });
    expect(await refusal(missing)).toEqual(denial);
  });

  test("is under no event ceiling, nor is session_end", async () => {
    await using hub = await openTestHub({ config: { eventsPerProject: 1 } });
    const alice = await hub.agent("alice");
    await hub.project("p");
    const { session_id: id } = await start(alice);
    await start(alice, "more");
    await alice.call("session_end", { session_id: id ?? "" });
    expect(await lifecycleOf(hub)).toHaveLength(3);
  });
});

describe("session_end", () => {
  test("leaves the note on the session and in one event; a second end changes nothing", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    await hub.project("p");
    const { session_id: id } = await start(alice);
    const end = (handoff?: string) =>
      alice.call("session_end", { session_id: id ?? "", ...(handoff === undefined ? {} : { handoff }) });
    expect(await end("take it from here")).toEqual({ ok: true });
    const before = await hub.snapshot();
    expect(await end("another note")).toEqual({ ok: true });
    expect(await end()).toEqual({ ok: true });
    expect(await hub.snapshot()).toBe(before);
    expect((await lifecycleOf(hub)).at(-1)).toMatchObject({
      summary: "session work ended",
      payload: { action: "ended", session_id: id ?? "", session_name: "work", handoff: "take it from here" },
    });
    expect(await start(alice)).toMatchObject({ handoff: "take it from here" });
    // Ending it again without a note keeps the one it has.
    await end();
    expect((await lifecycleOf(hub)).at(-1)).toMatchObject({ payload: { handoff: "take it from here" } });
    await start(alice);
    await end("the newer note");
    expect(await start(alice)).toMatchObject({ handoff: "the newer note" });
  });

  test("without a note there is none", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    await hub.project("p");
    const { session_id: id } = await start(alice);
    await alice.call("session_end", { session_id: id ?? "", handoff: null });
    expect((await lifecycleOf(hub)).at(-1)).toMatchObject({ payload: { handoff: null } });
  });

  test("takes a note of 4096 characters, whatever their bytes, and not one more", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    await hub.project("p");
    const { session_id: id } = await start(alice);
    const before = await hub.snapshot();
    const error = await refusal(alice.call("session_end", { session_id: id ?? "", handoff: "😀".repeat(4097) }));
    expect(error).toMatchObject({ code: "payload_too_large", details: { limit: 4096, actual: 4097 } });
    expect(error["message"]).toEndWith("limit=4096");
    expect(await hub.snapshot()).toBe(before);
    await alice.call("session_end", { session_id: id ?? "", handoff: "😀".repeat(4096) });
    expect(await start(alice)).toMatchObject({ handoff: "😀".repeat(4096) });
  });

  test("is the owner's and the operator's", async () => {
    await using hub = await openTestHub();
    const [alice, bob] = [await hub.agent("alice"), await hub.agent("bob")];
    await hub.project("p");
    const { session_id: id } = await start(alice);
    const before = await hub.snapshot();
    const error = await refusal(bob.call("session_end", { session_id: id ?? "" }));
    expect(error).toMatchObject({ code: "forbidden", details: { owner: "alice" } });
    expect(error["message"]).toEndWith("owner=alice");
    expect(await hub.snapshot()).toBe(before);
    expect(await hub.operator.call("session_end", { session_id: id ?? "", handoff: "enough" })).toEqual({ ok: true });
    expect((await lifecycleOf(hub)).at(-1)).toMatchObject({ actor: "human", payload: { handoff: "enough" } });
  });

  test("of what is not there: the shared denial to an agent, a name to the operator", async () => {
    await using hub = await openTestHub();
    const [alice, bob] = [await hub.agent("alice"), await hub.agent("bob")];
    await hub.project("p");
    const { session_id: id } = await start(alice);
    const missing = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    await hub.rest("updateProject", { params: { id: "p" }, body: { confidential: true } });
    // Denied, also the owner who lost access, and missing are one answer.
    for (const [caller, session_id] of [
      [bob, id],
      [alice, id],
      [bob, missing],
      [bob, "nonsense"],
    ] as const) {
      expect(await refusal(caller.call("session_end", { session_id: session_id ?? "" }))).toEqual(denial);
    }
    expect(await refusal(hub.operator.call("session_end", { session_id: missing }))).toMatchObject({
      code: "not_found",
    });
  });

  test("of a pruned session is not_found", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    await hub.project("p");
    const { session_id: id } = await start(alice);
    await sql(hub, "UPDATE sessions SET pruned_at = 1");
    for (const caller of [alice, hub.operator]) {
      expect(await refusal(caller.call("session_end", { session_id: id ?? "" }))).toMatchObject({ code: "not_found" });
    }
  });
});
