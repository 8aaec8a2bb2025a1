// Taking up another session (mcp-tools.md 13.4, 17.1, 8.3): every row of the table, what is answered, what the feed says,
// and that a fork and its source go their own ways.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { recordStatements } from "../../support/statements.ts";
import { objectsIn, refusal, rows, sql } from "../as-caller.ts";
import { wholeFeed } from "../conversation.ts";
import { settle } from "../search/finding.ts";
import { end, put, read, remove, startNamed } from "./working.ts";

const ulid = expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);

let hub: TestHub;
let alice: Caller;
let bob: Caller;
let projects = 0;
let project_id = "";
beforeAll(async () => {
  hub = await openTestHub();
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
});
afterAll(() => hub[Symbol.asyncDispose]());

/** A project of its own for a test. */
async function freshProject(options?: { confidential: boolean }): Promise<string> {
  projects += 1;
  project_id = await hub.project(`pickup-${projects}`, options);
  return project_id;
}

const start = (by: Caller, session_name: string, args: JsonObject = {}, connection?: string): Promise<JsonObject> =>
  by.call("session_start", { project_id, session_name, ...args }, connection === undefined ? {} : { connection });
const told = async () => (await wholeFeed(hub, project_id, ["session"])).at(-1);

describe("an ended session is adopted", () => {
  test("with id, brain and note, under the caller's name", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "nightly");
    await put(alice, source, "/fs/RECOVERY.md", "half done");
    await end(alice, source, "the tests are red");
    hub.clock.now += 1000;
    const connection = await hub.connect(bob);
    expect(await start(bob, "mine", { from: source }, connection)).toEqual({
      session_id: source.session_id,
      project_id,
      agent: "bob",
      session_name: "mine",
      status: "active",
      resumed: false,
      pickup: {
        mode: "adopt",
        from_session_id: source.session_id,
        from_agent: "alice",
        handoff: "the tests are red",
        source_active: false,
      },
      namespaces: { kv: "/kv", fs: "/fs" },
      recovery_path: "/fs/RECOVERY.md",
      handoff: "the tests are red",
      brain_bytes: 9,
      bound: true,
    });
    expect(await told()).toMatchObject({
      kind: "session",
      actor: "bob",
      summary: "session mine picked up from alice",
      session_id: source.session_id,
      payload: {
        action: "adopted",
        session_id: source.session_id,
        session_name: "mine",
        from_session_id: source.session_id,
        from_agent: "alice",
        handoff: "the tests are red",
      },
    });
    expect(Object.keys(Object((await told())?.payload)).length).toBe(6);
    const [listed] = objectsIn(await bob.call("session_list", { project_id }), "sessions");
    expect(listed).toMatchObject({
      ...source,
      session_name: "mine",
      agent: "bob",
      status: "active",
      forked_from: null,
      adopted_from: source.session_id,
      last_activity: new Date(hub.clock.now).toISOString(),
    });
    // The connection works in it, and the brain is there.
    expect(await bob.call("brain_get", { path: "/fs/RECOVERY.md" }, { connection })).toMatchObject({
      content: "half done",
    });
    await bob.call("brain_put", { path: "/kv/k", content: "v", store: "session" }, { connection });
    expect(await refusal(put(alice, source, "/kv/k", "w"))).toMatchObject({
      code: "forbidden",
      details: { owner: "bob" },
    });
  });

  test("without a note there is none, and the old name is free again", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "nightly");
    await end(alice, source);
    expect(await start(bob, "nightly", { from: source })).toMatchObject({
      handoff: null,
      bound: false,
      pickup: { mode: "adopt", handoff: null },
    });
    expect(await start(alice, "nightly")).toMatchObject({ resumed: false, pickup: null });
  });

  test("by its owner under another name: nobody else's, so without lineage", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "old");
    await end(alice, source, "n");
    expect(await start(alice, "new", { from: source })).toMatchObject({
      ...source,
      session_name: "new",
      pickup: { mode: "adopt", from_agent: "alice" },
    });
    expect(objectsIn(await alice.call("session_list", { project_id }), "sessions")).toMatchObject([
      { session_name: "new", adopted_from: null },
    ]);
    expect(await told()).toMatchObject({ summary: "session new picked up from alice", actor: "alice" });
  });

  test("by two at once: one adopts, one forks, both succeed", async () => {
    for (let round = 0; round < 10; round += 1) {
      await freshProject();
      const source = await startNamed(alice, project_id, "work");
      await put(alice, source, "/kv/k", "v");
      await end(alice, source, "note");
      const carol = round % 2 === 0 ? hub.operator : alice;
      const both = await Promise.all([
        start(bob, "taken", { from: source }),
        start(carol, "taken", { from: source }),
        start(bob, "again", { from: { agent: "alice", name: "work" } }).catch(() => "the name is bob's by now"),
      ]);
      const [first, second] = both;
      expect(first).toMatchObject({ ...source, pickup: { mode: "adopt", source_active: false } });
      expect(second).toMatchObject({
        agent: carol.actor,
        handoff: "note",
        pickup: { mode: "fork", from_agent: "bob", from_session_id: source.session_id, source_active: true },
      });
      const forked = { session_id: String(Object(second)["session_id"]) };
      expect(forked.session_id).not.toBe(source.session_id);
      expect(await read(carol, forked, "/kv/k")).toBe("v");
      expect((await wholeFeed(hub, project_id, ["session"])).map(({ summary }) => summary)).toEqual([
        "session work started",
        "session work ended",
        "session taken picked up from alice",
        "session taken forked from bob",
      ]);
    }
  });

  test("by many at once: one adopts, the others fork", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "work");
    await end(alice, source);
    const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
    const started = await Promise.all(names.map((name) => start(bob, name, { from: source })));
    const modes = started.map((one) => Object(one["pickup"])["mode"]);
    expect(modes.filter((mode) => mode === "adopt").length).toBe(1);
    expect(modes.filter((mode) => mode === "fork").length).toBe(19);
    expect(new Set(started.map((one) => one["session_id"])).size).toBe(20);
  });
});

describe("a running session is forked", () => {
  test("into a new one with all its entries; the source is untouched", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "work");
    await put(alice, source, "/fs/a/b.md", "bee");
    await put(alice, source, "/kv/k", "kay");
    const before = rows(hub, "SELECT * FROM sessions WHERE id = ?", source.session_id);
    hub.clock.now += 1000;
    const started = await start(bob, "mine", { from: source });
    expect(started).toEqual({
      session_id: ulid,
      project_id,
      agent: "bob",
      session_name: "mine",
      status: "active",
      resumed: false,
      pickup: {
        mode: "fork",
        from_session_id: source.session_id,
        from_agent: "alice",
        handoff: null,
        source_active: true,
        note: expect.stringContaining("alice"),
      },
      namespaces: { kv: "/kv", fs: "/fs" },
      recovery_path: "/fs/RECOVERY.md",
      handoff: null,
      brain_bytes: 6,
      bound: false,
    });
    const fork = { session_id: String(started["session_id"]) };
    expect(fork.session_id > source.session_id).toBe(true);
    expect(rows(hub, "SELECT * FROM sessions WHERE id = ?", source.session_id)).toEqual(before);
    expect(await told()).toMatchObject({
      kind: "session",
      actor: "bob",
      summary: "session mine forked from alice",
      session_id: fork.session_id,
      payload: {
        action: "forked",
        session_id: fork.session_id,
        session_name: "mine",
        from_session_id: source.session_id,
        from_agent: "alice",
      },
    });
    expect(Object.keys(Object((await told())?.payload)).length).toBe(5);
    expect(await bob.call("brain_list", { session: fork })).toEqual(
      await alice.call("brain_list", { session: source }),
    );
    const [listed] = objectsIn(await bob.call("session_list", { agent: "bob", project_id }), "sessions");
    expect(listed).toMatchObject({ forked_from: source.session_id, adopted_from: null, brain_bytes: 6 });
  });

  test("with a note that an earlier owner left", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "work");
    await end(alice, source, "left here");
    await start(alice, "work");
    const started = await start(bob, "mine", { from: source });
    expect(started).toMatchObject({ handoff: "left here", pickup: { mode: "fork", handoff: "left here" } });
  });

  test("also an empty one, one's own, and a fork of a fork", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "work");
    const own = await start(alice, "second", { from: source });
    expect(own).toMatchObject({ brain_bytes: 0, pickup: { mode: "fork", from_agent: "alice" } });
    expect(await alice.call("brain_list", { session: { session_id: own["session_id"] } })).toMatchObject({
      entries: [],
    });
    const third = await start(bob, "third", { from: { session_id: own["session_id"] ?? "" } });
    expect(third).toMatchObject({ pickup: { from_session_id: own["session_id"] ?? "" } });
  });

  test("copies rows alone: no value is read, no blob is written, no text is indexed", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "work");
    await put(alice, source, "/fs/large", "x".repeat(100_000));
    for (let index = 0; index < 50; index += 1) await put(alice, source, `/kv/${index}`, `value ${index}`);
    const stored = () => [
      rows(hub, "SELECT * FROM blobs ORDER BY hash"),
      rows(
        hub,
        "SELECT id FROM search_texts_docsize WHERE id IN (SELECT text_id FROM search_docs WHERE family = 'brain')",
      ),
    ];
    await settle(hub);
    const before = stored();
    using recording = await recordStatements(hub);
    await start(bob, "mine", { from: source });
    const written = recording.statements.filter(({ sql }) => /^\s*(?:INSERT|UPDATE|DELETE)/i.test(sql));
    // The session, its entries, what the index is to take in, and the event with its count.
    expect(written.length).toBeLessThan(7);
    expect(recording.statements.filter(({ sql }) => /bytes\s+FROM blobs/.test(sql))).toEqual([]);
    await settle(hub);
    expect(stored()).toEqual(before);
    expect(recording.statements.filter(({ sql }) => /bytes\s+FROM blobs/.test(sql))).toEqual([]);
  });

  test("and both change apart from then on", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "work");
    for (const name of ["a", "b", "c"]) await put(alice, source, `/kv/${name}`, `${name} before`);
    const fork = { session_id: String((await start(bob, "mine", { from: source }))["session_id"]) };
    await put(alice, source, "/kv/a", "a in the source");
    await put(bob, fork, "/kv/b", "b in the fork");
    await remove(alice, source, "/kv/c");
    await put(bob, fork, "/kv/d", "d in the fork");
    expect(await read(bob, fork, "/kv/a")).toBe("a before");
    expect(await read(alice, source, "/kv/b")).toBe("b before");
    expect(await read(bob, fork, "/kv/c")).toBe("c before");
    expect(await refusal(read(alice, source, "/kv/c"))).toMatchObject({ code: "not_found" });
    expect(await refusal(read(alice, source, "/kv/d"))).toMatchObject({ code: "not_found" });
    const bytes = rows(hub, "SELECT name, brain_bytes FROM sessions WHERE project_id = ? ORDER BY name", project_id);
    expect(bytes).toEqual([
      { name: "mine", brain_bytes: "a beforeb in the forkc befored in the fork".length },
      { name: "work", brain_bytes: "a in the sourceb before".length },
    ]);
    await end(alice, source);
    await put(bob, fork, "/kv/e", "still running");
  });

  test("that fails leaves no row", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "work");
    await put(alice, source, "/kv/k", "v");
    // The store refuses the last thing a fork writes; what stands before it must go as well.
    await sql(
      hub,
      "CREATE TEMP TRIGGER refuse BEFORE INSERT ON events WHEN NEW.kind = 'session' BEGIN SELECT RAISE(ABORT, 'refused by the test'); END",
    );
    await refusal(start(bob, "mine", { from: source }));
    await sql(hub, "DROP TRIGGER refuse");
    expect(rows(hub, "SELECT name FROM sessions WHERE project_id = ?", project_id)).toEqual([{ name: "work" }]);
    expect(
      rows(hub, "SELECT count(*) AS n FROM brain_entries WHERE session_id NOT IN (SELECT id FROM sessions)"),
    ).toEqual([{ n: 0 }]);
    expect(await start(bob, "mine", { from: source })).toMatchObject({ pickup: { mode: "fork" } });
  });
});

describe("the caller's own session under its own name is resumed", () => {
  test("running or ended, with nothing said", async () => {
    await freshProject();
    const own = await startNamed(alice, project_id, "work");
    for (const from of [own, { agent: "alice", name: "work" }, { agent: "alice", name: "work", project_id }]) {
      expect(await start(alice, "work", { from })).toMatchObject({ ...own, resumed: true, pickup: null });
    }
    await end(alice, own, "note");
    expect(await start(alice, "work", { from: own })).toMatchObject({ resumed: true, pickup: null, handoff: "note" });
    expect((await wholeFeed(hub, project_id, ["session"])).map(({ summary }) => summary)).toEqual([
      "session work started",
      "session work ended",
    ]);
  });
});
