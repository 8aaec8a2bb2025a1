// When the index takes in what was written (mcp-tools.md 16): before every search and with every sweep, many writes at
// once. Nothing acknowledged is lost on the way, and nothing that was taken back comes in.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { appendEvent } from "../../../src/features/events/index.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { rows, sql } from "../as-caller.ts";
import { sweep, windowMs } from "../sessions/ended-lab.ts";
import { end, type Named, prune, put, remove, startNamed } from "../sessions/working.ts";
import { find, hitsOf, say, settle } from "./finding.ts";

type Lab = { hub: TestHub; alice: Caller; session: Named } & AsyncDisposable;
async function lab(): Promise<Lab> {
  const hub = await openTestHub();
  const alice = await hub.agent("alice");
  await hub.project("p");
  const session = await startNamed(alice, "p", "work");
  return { hub, alice, session, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const texts = (hub: TestHub, word: string): number =>
  Number(rows(hub, "SELECT count(*) AS n FROM search_texts WHERE search_texts MATCH ?", word)[0]?.["n"]);

describe("what was written", () => {
  test("is found by the next search, also by one that comes with it", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    await put(alice, session, "/kv/k", "quokka value");
    await say(alice, "p", "quokka event");
    expect(texts(hub, "quokka")).toBe(0);
    expect(await find(alice, "quokka")).toEqual(["quokka event", "/kv/k"]);
    expect(texts(hub, "quokka")).toBe(2);
    const searches = Array.from({ length: 8 }, () => find(alice, "quokka"));
    expect(await Promise.all(searches)).toEqual(searches.map(() => ["quokka event", "/kv/k"]));
  });

  test("is taken in by a sweep, and after many writes by itself", async () => {
    await using all = await lab();
    const { hub, alice } = all;
    await say(alice, "p", "numbat once");
    await settle(hub);
    expect(texts(hub, "numbat")).toBe(1);
    await Promise.all(Array.from({ length: 600 }, (_, index) => say(alice, "p", `bilby ${index}`)));
    // Behind the first job that took some in.
    await sql(hub, "UPDATE marks SET value = value");
    expect(texts(hub, "bilby")).toBeGreaterThan(0);
    expect((await hitsOf(alice, "bilby")).length).toBe(100);
  });

  test("again is taken in once, as it is then", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    for (let round = 0; round < 5; round += 1) await put(alice, session, "/kv/k", `dunnart round${round}`);
    await settle(hub);
    expect(rows(hub, "SELECT count(*) AS n FROM search_docs WHERE family = 'brain'")).toEqual([{ n: 1 }]);
    expect([texts(hub, "round0"), texts(hub, "round4")]).toEqual([0, 1]);
    await put(alice, session, "/kv/k", "potoroo");
    expect(await find(alice, "dunnart")).toEqual([]);
    expect(await find(alice, "potoroo")).toEqual(["/kv/k"]);
  });

  test("and deleted before is not taken in, and what it replaced is gone", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    await put(alice, session, "/kv/k", "first bettong");
    await settle(hub);
    await put(alice, session, "/kv/k", "second bettong");
    await remove(alice, session, "/kv/k");
    expect(texts(hub, "bettong")).toBe(0);
    expect(await find(alice, "bettong")).toEqual([]);
    expect(rows(hub, "SELECT * FROM search_pending")).toEqual([]);
  });

  test("is found in the order of the commits, newest first, however many jobs it takes", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    const written: string[] = [];
    for (let index = 0; index < 400; index += 1) {
      const isValue = index % 3 === 0;
      const title = isValue ? `/kv/${index}` : `same ${index}`;
      if (isValue) await put(alice, session, title, "same");
      else await say(alice, "p", title);
      written.push(title);
    }
    await settle(hub);
    const indexed = rows(hub, "SELECT ref_id, family FROM search_docs ORDER BY id").filter(
      ({ ref_id, family }) =>
        family === "brain" ||
        rows(hub, "SELECT 1 FROM events WHERE id = ? AND kind = 'signal'", String(ref_id)).length > 0,
    );
    const titleOf = (id: unknown) => rows(hub, "SELECT summary FROM events WHERE id = ?", String(id))[0]?.["summary"];
    expect(indexed.map(({ ref_id }) => titleOf(ref_id) ?? ref_id)).toEqual(written);
  });

  test("survives a hub that ended before it was taken in", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    await put(alice, session, "/fs/a", "pademelon value");
    await say(alice, "p", "pademelon event");
    const fork = await startNamed(alice, "p", "fork", { from: session });
    await hub.reopen();
    expect(texts(hub, "pademelon")).toBe(0);
    expect((await find(alice, "pademelon")).sort()).toEqual(["/fs/a", "/fs/a", "pademelon event"]);
    expect(await find(alice, "pademelon", fork)).toEqual(["/fs/a"]);
  });

  test("in a job that failed leaves nothing to take in", async () => {
    await using all = await lab();
    const { hub, alice } = all;
    await settle(hub);
    const failing = hub.hub.kernel.services.write((tx) => {
      const event = { projectId: "p", kind: "signal", actor: "alice", summary: "thylacine", ceiling: "held" } as const;
      appendEvent(tx, event);
      throw new Error("refused by the test");
    });
    await expect(failing).rejects.toThrow("refused by the test");
    await say(alice, "p", "after it");
    expect(await find(alice, "thylacine")).toEqual([]);
    expect(await find(alice, "after")).toEqual(["after it"]);
  });

  test("and is refused by the index is left out, logged, and takes nothing else along", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    await sql(
      hub,
      "CREATE TEMP TRIGGER refuse BEFORE INSERT ON search_docs WHEN NEW.ref_id = '/kv/bad' BEGIN SELECT RAISE(ABORT, 'refused by the test'); END",
    );
    await say(alice, "p", "kowari one");
    await put(alice, session, "/kv/bad", "kowari");
    await put(alice, session, "/kv/good", "kowari");
    expect(await find(alice, "kowari")).toEqual(["kowari one", "/kv/good"]);
    expect(hub.log.filter((line) => line.includes("indexing failed")).length).toBeGreaterThan(0);
    await sql(hub, "DROP TRIGGER refuse");
    await put(alice, session, "/kv/bad", "kowari again");
    expect((await find(alice, "kowari")).sort()).toEqual(["/kv/bad", "/kv/good", "kowari one"]);
  });
});

describe("a fork", () => {
  test("finds what it was made of, whatever its source did before it was taken in", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    for (const name of ["kept", "changed", "gone", "moved"])
      await put(alice, session, `/kv/${name}`, `original ${name}`);
    await settle(hub);
    const fork = await startNamed(alice, "p", "fork", { from: session });
    const second = await startNamed(alice, "p", "second", { from: fork });
    await put(alice, session, "/kv/changed", "newer");
    await remove(alice, session, "/kv/gone");
    await put(alice, fork, "/kv/moved", "elsewhere");
    const found = async (at: Named, word: string) => (await find(alice, word, at)).sort();
    expect(await found(fork, "original")).toEqual(["/kv/changed", "/kv/gone", "/kv/kept"]);
    expect(await found(second, "original")).toEqual(["/kv/changed", "/kv/gone", "/kv/kept", "/kv/moved"]);
    expect(await found(session, "original")).toEqual(["/kv/kept", "/kv/moved"]);
    expect(await found(fork, "elsewhere")).toEqual(["/kv/moved"]);
    expect(texts(hub, "original AND kept")).toBe(1);
  });

  test("that is pruned for good before it was taken in leaves nothing", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    await put(alice, session, "/kv/k", "wallaroo");
    const fork = await startNamed(alice, "p", "fork", { from: session });
    await put(alice, fork, "/kv/own", "wallaroo too");
    await end(alice, fork);
    await prune(hub, fork);
    hub.clock.now += windowMs;
    await Promise.all([sweep(hub), settle(hub), settle(hub)]);
    await settle(hub);
    expect(rows(hub, "SELECT * FROM search_docs WHERE session_id = ?", fork.session_id)).toEqual([]);
    expect(rows(hub, "SELECT * FROM search_forks UNION ALL SELECT session_id, path FROM search_pending")).toEqual([]);
    expect(await find(alice, "wallaroo")).toEqual(["/kv/k"]);
  });

  test("goes with its project before it was taken in", async () => {
    await using all = await lab();
    const { hub, alice, session } = all;
    await put(alice, session, "/kv/k", "quoll");
    await startNamed(alice, "p", "fork", { from: session });
    await hub.rest("deleteProject", { params: { id: "p" } });
    expect(await find(hub.operator, "quoll")).toEqual([]);
    expect(rows(hub, "SELECT session_id FROM search_forks UNION ALL SELECT session_id FROM search_pending")).toEqual(
      [],
    );
  });
});

test("writes, deletions, forks and settling in any order: each session finds exactly what it holds", async () => {
  await using all = await lab();
  const { hub, alice } = all;
  const act = fc.oneof(
    fc.record({ kind: fc.constant("put" as const), at: fc.nat(3), path: fc.nat(3), word: fc.nat(2) }),
    fc.record({ kind: fc.constant("remove" as const), at: fc.nat(3), path: fc.nat(3) }),
    fc.record({ kind: fc.constant("fork" as const), at: fc.nat(3) }),
    fc.record({ kind: fc.constant("settle" as const) }),
  );
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 14 }), async (acts) => {
      run += 1;
      const sessions = [{ id: await startNamed(alice, "p", `run-${run}`), held: new Map<string, string>() }];
      for (const one of acts) {
        if (one.kind === "settle") {
          await settle(hub);
          continue;
        }
        const at = sessions[one.at % sessions.length];
        if (at === undefined) continue;
        if (one.kind === "put") {
          at.held.set(`/kv/${one.path}`, `word${one.word}`);
          await put(alice, at.id, `/kv/${one.path}`, `word${one.word}`);
        } else if (one.kind === "remove") {
          if (at.held.delete(`/kv/${one.path}`)) await remove(alice, at.id, `/kv/${one.path}`);
          else expect(await remove(alice, at.id, `/kv/${one.path}`)).toBeDefined();
        } else {
          const id = await startNamed(alice, "p", `run-${run}-${sessions.length}`, { from: at.id });
          sessions.push({ id, held: new Map(at.held) });
        }
      }
      for (const { id, held } of sessions) {
        for (const word of ["word0", "word1", "word2"]) {
          const expected = [...held].filter(([, value]) => value === word).map(([path]) => path);
          expect((await find(alice, `"${word}"`, id)).sort()).toEqual(expected.sort());
        }
      }
      const shared =
        "SELECT count(*) AS n FROM search_docs d WHERE NOT EXISTS (SELECT 1 FROM search_texts_docsize t WHERE t.id = d.text_id)";
      expect(rows(hub, shared)).toEqual([{ n: 0 }]);
    }),
    { numRuns: 40 },
  );
}, 60_000);
