// The end of a prune (rest-api.md 14): what the first sweep past the window removes, what it leaves, and who may race it.
import { describe, expect, test } from "bun:test";
import { objectsIn, refusal, rows, sql } from "../as-caller.ts";
import { append, ask, wholeFeed } from "../conversation.ts";
import { find, settle } from "../search/finding.ts";
import { endedLab as lab, sweep, windowMs } from "./ended-lab.ts";
import { end, prune, put, putAll, read, startNamed, undo } from "./working.ts";

describe("for good", () => {
  test("nothing of it is left but what others hold, and its name is free", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    const bob = await hub.agent("bob");
    await alice.call("session_start", { project_id: "p", session_name: "work" });
    const fork = await startNamed(bob, "p", "fork", { from: session });
    await end(alice, session);
    await prune(hub, session);
    hub.clock.now += windowMs - 1;
    await sweep(hub);
    expect(rows(hub, "SELECT 1 FROM sessions WHERE id = ?", session.session_id).length).toBe(1);
    hub.clock.now += 1;
    await sweep(hub);
    for (const table of ["sessions WHERE id", "brain_entries WHERE session_id", "search_docs WHERE session_id"]) {
      expect(rows(hub, `SELECT 1 FROM ${table} = ?`, session.session_id)).toEqual([]);
    }
    expect(rows(hub, "SELECT 1 FROM events WHERE session_id = ? AND kind = 'session'", session.session_id)).toEqual([]);
    expect(await read(bob, fork, "/fs/plan.md")).toBe("the wombat plan");
    expect(await find(bob, "wombat", fork)).toEqual(["/fs/plan.md"]);
    expect(await find(bob, "wombat", { type: "brain" })).toEqual(["/fs/plan.md"]);
    const denied = await refusal(read(bob, session, "/kv/k"));
    expect(denied).toEqual(await refusal(read(bob, { session_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }, "/kv/k")));
    expect(denied).toMatchObject({ code: "forbidden", details: {} });
    const [listed] = objectsIn(await bob.call("session_list", { project_id: "p" }), "sessions");
    expect(listed).toMatchObject({ ...fork, forked_from: session.session_id });
    expect(await hub.rest("getSession", { params: { id: fork.session_id } })).toMatchObject({
      forked_from: session.session_id,
      lineage: { kind: "forked", session_id: session.session_id, agent: null, pruned: true },
    });
    expect(await alice.call("session_start", { project_id: "p", session_name: "work" })).toMatchObject({
      resumed: false,
      brain_bytes: 0,
    });
  });

  test("the last of those that share a value takes it from the index", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    await alice.call("session_start", { project_id: "p", session_name: "work" });
    const forks = [session];
    for (const name of ["f1", "f2"]) forks.push(await startNamed(alice, "p", name, { from: session }));
    const texts = () =>
      rows(hub, "SELECT count(*) AS n FROM search_texts WHERE search_texts MATCH 'wombat AND scope:fbrain'");
    await settle(hub);
    for (const one of forks) {
      expect(texts()).toEqual([{ n: 1 }]);
      await end(alice, one);
      await prune(hub, one);
      hub.clock.now += windowMs;
      await sweep(hub);
    }
    expect(texts()).toEqual([{ n: 0 }]);
  });

  test("counts follow: events of the project, its bytes, and the unseen ones", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    const naive = () => ({
      ...rows(
        hub,
        `SELECT count(*) FILTER (WHERE kind <> 'system') AS events,
        sum(length(CAST(summary AS BLOB)) + coalesce(length(CAST(payload AS BLOB)), 0)) AS bytes FROM events WHERE project_id = 'p'`,
      )[0],
    });
    const totals = () => ({ ...rows(hub, "SELECT events, bytes FROM event_totals WHERE project_id = 'p'")[0] });
    const unseen = async () =>
      objectsIn(await hub.rest("listProjects"), "projects").find((project) => project["id"] === "p")?.["unseen_events"];
    const naiveUnseen = () =>
      rows(
        hub,
        `SELECT count(*) AS n FROM events WHERE project_id = 'p' AND kind <> 'system'
        AND id > coalesce((SELECT event_id FROM seen_cursors WHERE project_id = 'p'), '')`,
      )[0]?.["n"];
    const others = [];
    for (const name of ["x", "é", "z"]) others.push(await startNamed(alice, "p", name.replace("é", "y"), {}));
    const feed = await wholeFeed(hub, "p");
    for (const seenUpTo of [feed[0], feed[2], feed.at(-1)]) {
      await hub.rest("markFeedSeen", { params: { id: "p" }, body: { event_id: seenUpTo?.id ?? "" } });
      expect(await unseen()).toBe(Number(naiveUnseen()));
    }
    await append(alice, "p", { summary: "later, ünseen" });
    for (const one of [session, ...others]) {
      await end(alice, one, "nöte").catch(() => undefined);
      await prune(hub, one);
    }
    hub.clock.now += windowMs;
    await sweep(hub);
    expect(totals()).toEqual(naive());
    expect(await unseen()).toBe(Number(naiveUnseen()));
    expect(await unseen()).toBe(1);
  });

  test("no connection holds it, and an item it asked for stays", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    const connection = await hub.connect(alice);
    await alice.call("session_start", { project_id: "p", session_name: "work" }, { connection });
    await ask(alice, "p");
    // Ended behind the connection's back, as no call does.
    await sql(hub, "UPDATE sessions SET status = 'ended' WHERE id = ?", session.session_id);
    await prune(hub, session);
    expect(await refusal(alice.call("brain_get", { path: "/kv/k" }, { connection }))).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("pruned"),
    });
    expect(rows(hub, "SELECT active_session_id FROM connections WHERE active_session_id IS NOT NULL")).toEqual([]);
    await sql(hub, "UPDATE connections SET active_session_id = ? WHERE id = ?", session.session_id, connection);
    hub.clock.now += windowMs;
    await sweep(hub);
    expect(rows(hub, "SELECT active_session_id FROM connections WHERE active_session_id IS NOT NULL")).toEqual([]);
    expect(objectsIn(await alice.call("inbox_read"), "items").length).toBe(2);
  });

  test("one that fails stays pending and holds up no other; the next sweep goes on", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    const other = await startNamed(alice, "p", "other");
    await end(alice, other);
    await prune(hub, session);
    await prune(hub, other);
    await sql(
      hub,
      `CREATE TEMP TRIGGER refuse BEFORE DELETE ON sessions WHEN OLD.name = 'work' BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`,
    );
    hub.clock.now += windowMs;
    await sweep(hub);
    expect(rows(hub, "SELECT name FROM sessions")).toEqual([{ name: "work" }]);
    expect(hub.log.join("\n")).toContain("a prune could not be made final and stays pending");
    expect((await wholeFeed(hub, "p", ["session"])).map(({ summary }) => summary)).toEqual([
      "session work started",
      "session work ended",
    ]);
    expect(await alice.call("session_list", { project_id: "p" })).toMatchObject({ sessions: [] });
    await sql(hub, "DROP TRIGGER refuse");
    await sweep(hub);
    expect(rows(hub, "SELECT name FROM sessions")).toEqual([]);
    expect(await wholeFeed(hub, "p", ["session"])).toEqual([]);
  });

  test("a sweep and an undo at the end of the window: exactly one wins", async () => {
    await using all = await lab();
    const { hub, alice } = all;
    let taken = 0;
    const rounds = 30;
    for (let round = 0; round < rounds; round += 1) {
      const one = await startNamed(alice, "p", `n${round}`);
      await put(alice, one, "/kv/k", "v");
      await end(alice, one);
      const undoToken = await prune(hub, one);
      // On either side of the moment at which the window is over.
      hub.clock.now += windowMs - 1 + (round % 2);
      const [undone] = await Promise.all([
        undo(hub, undoToken).then(
          () => true,
          () => false,
        ),
        sweep(hub),
        sweep(hub),
      ]);
      await sweep(hub);
      const left = rows(hub, "SELECT status FROM sessions WHERE id = ?", one.session_id);
      expect(left).toEqual(undone ? [{ status: "ended" }] : []);
      if (undone) expect(await read(alice, one, "/kv/k")).toBe("v");
      taken += undone ? 1 : 0;
    }
    expect(taken).toBe(rounds / 2);
  });

  test("a clock set back while it goes leaves no half of it to come back", async () => {
    await using all = await lab();
    const { hub, session } = all;
    const undoToken = await prune(hub, session);
    hub.clock.now += windowMs;
    await sql(
      hub,
      `CREATE TEMP TRIGGER refuse BEFORE DELETE ON sessions BEGIN SELECT RAISE(ABORT, 'refused by the test'); END`,
    );
    await sweep(hub);
    hub.clock.now -= windowMs;
    expect(await refusal(undo(hub, undoToken))).toMatchObject({ code: "not_found" });
    hub.clock.now += windowMs;
    await hub.reopen();
    await sweep(hub);
    expect(rows(hub, "SELECT 1 FROM sessions")).toEqual([]);
  });

  test("a large one goes in steps, and others write in between", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    await alice.call("session_start", { project_id: "p", session_name: "work" });
    await putAll(
      alice,
      session,
      Array.from({ length: 3000 }, (_, index) => [`/kv/${index}`, `value ${index}`] as const),
    );
    const other = await startNamed(alice, "p", "other");
    await settle(hub);
    await end(alice, session);
    await prune(hub, session);
    hub.clock.now += windowMs;
    let isSwept = false;
    const sweeping = sweep(hub).then(() => {
      isSwept = true;
    });
    let writes = 0;
    for (; !isSwept && writes < 10_000; writes += 1) await put(alice, other, "/kv/k", `${writes}`);
    await sweeping;
    expect(writes).toBeGreaterThan(5);
    await settle(hub);
    expect(rows(hub, "SELECT count(*) AS n FROM brain_entries")).toEqual([{ n: 1 }]);
    expect(rows(hub, "SELECT count(*) AS n FROM search_docs WHERE family = 'brain'")).toEqual([{ n: 1 }]);
  });
});
