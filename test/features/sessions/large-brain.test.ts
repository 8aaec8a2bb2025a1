// A brain of 100,000 entries: every call on it works as on a small one. How long each takes, and the longest the event
// loop stood still meanwhile, is printed and gates nothing.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { putDocument } from "../../../src/features/corpus/index.ts";
import { brainDocument } from "../../../src/features/sessions/brain-documents.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { objectsIn, rows } from "../as-caller.ts";
import { hitsOf, search } from "../search/finding.ts";
import { sweep, windowMs } from "./ended-lab.ts";
import { end, type Named, named, prune, put, read, remove, startNamed } from "./working.ts";

const entryCount = 100_000;
const pathAt = (index: number): string =>
  index % 2 === 0 ? `/kv/group-${index % 100}/${index}` : `/fs/dir-${index % 50}/sub-${index % 7}/file-${index}.md`;

let hub: TestHub;
let alice: Caller;
let bob: Caller;
let session: Named;
const lines: string[] = [];

beforeAll(async () => {
  hub = await openTestHub();
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
  await hub.project("p");
  session = await startNamed(alice, "p", "large");
  // One value through the door, and the rows of as many like it as would take minutes that way.
  const { size_bytes } = await put(alice, session, pathAt(0), "a shared value");
  const [blob] = rows(hub, "SELECT id FROM blobs");
  for (let from = 1; from < entryCount; from += 2000) {
    await hub.hub.kernel.services.write((tx) => {
      for (let index = from; index < Math.min(from + 2000, entryCount); index += 1) {
        const path = pathAt(index);
        tx.db.run(
          "INSERT INTO brain_entries (session_id, path, blob, size, written_at) VALUES (?, ?, ?, ?, ?)",
          session.session_id,
          path,
          Number(blob?.["id"]),
          Number(size_bytes),
          tx.now,
        );
        const owner = { id: session.session_id, projectId: "p" };
        putDocument(tx.db, brainDocument(owner, path, index === 777 ? "a shared needle" : "a shared value", tx.now));
      }
      const bytes = "UPDATE sessions SET brain_bytes = (SELECT sum(size) FROM brain_entries WHERE session_id = id)";
      tx.db.run(bytes);
    });
  }
}, 120_000);

afterAll(async () => {
  process.stderr.write(`a brain of ${entryCount} entries, ms (longest gap of the event loop):\n${lines.join("\n")}\n`);
  await hub[Symbol.asyncDispose]();
});

/** Runs something and notes how long it took and how long nothing else could run. */
async function timed<T>(what: string, act: () => Promise<T>): Promise<T> {
  let longest = 0;
  let last = performance.now();
  const beat = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(beat, 1);
  const started = performance.now();
  try {
    return await act();
  } finally {
    beat();
    clearInterval(timer);
    lines.push(`  ${what.padEnd(34)} ${(performance.now() - started).toFixed(1).padStart(8)} (${longest.toFixed(1)})`);
  }
}

const entriesOf = async (what: string, path?: string): Promise<number> => {
  const listed = await timed(what, () => bob.call("brain_list", { session, ...(path === undefined ? {} : { path }) }));
  return objectsIn(listed, "entries").length;
};

describe("a brain of 100,000 entries", () => {
  test("is listed whole, by prefix and by directory", async () => {
    expect(await entriesOf("list everything")).toBe(entryCount / 2 + 25);
    expect(await entriesOf("list a prefix", "/kv/group-4/")).toBe(entryCount / 100);
    expect(await entriesOf("list a prefix of none", "/kv/a")).toBe(0);
    expect(await entriesOf("list /fs", "/fs")).toBe(25);
    expect(await entriesOf("list a directory", "/fs/dir-1")).toBe(7);
    const rest = (path?: string) =>
      timed(`REST ${path ?? "/"}`, () =>
        hub.rest("listBrain", { params: { id: session.session_id }, query: path === undefined ? {} : { path } }),
      );
    expect(objectsIn(await rest(), "entries").map((entry) => entry["path"])).toEqual(["/fs", "/kv"]);
    expect(await rest("/kv")).toMatchObject({ truncated: true });
    expect(await rest("/fs")).toMatchObject({ truncated: false });
  }, 60_000);

  test("is read, written, deleted and searched", async () => {
    expect(await timed("get", () => read(bob, session, pathAt(70_001)))).toBe("a shared value");
    await timed("put over an entry", () => put(alice, session, pathAt(4), "changed"));
    await timed("put a new entry", () => put(alice, session, "/fs/new/file", "new"));
    await timed("delete", () => remove(alice, session, pathAt(6)));
    expect((await timed("search, a word of one", () => hitsOf(bob, "needle", session))).length).toBe(1);
    expect(await timed("search, a word of all", () => search(bob, "shared", session))).toMatchObject({ count: 50 });
    expect(await timed("search, a prefix", () => search(bob, "s", { project_id: "p" }))).toMatchObject({ count: 50 });
  }, 60_000);

  test("is forked, and its fork is pruned, while the source stays", async () => {
    const fork = named(
      await timed("fork", () => bob.call("session_start", { project_id: "p", session_name: "f", from: session })),
    );
    expect(rows(hub, "SELECT count(*) AS n FROM brain_entries WHERE session_id = ?", fork.session_id)).toEqual([
      { n: entryCount },
    ]);
    expect(await search(bob, "shared", fork)).toMatchObject({ count: 50, truncated: true });
    await end(bob, fork);
    await timed("prune", () => prune(hub, fork));
    expect(await timed("search beside a pruned one", () => search(bob, "shared"))).toMatchObject({ count: 50 });
    hub.clock.now += windowMs;
    await timed("the end of the prune", () => sweep(hub));
    expect(rows(hub, "SELECT count(*) AS n FROM brain_entries WHERE session_id = ?", fork.session_id)).toEqual([
      { n: 0 },
    ]);
    expect(rows(hub, "SELECT count(*) AS n FROM search_docs WHERE session_id = ?", fork.session_id)).toEqual([
      { n: 0 },
    ]);
    expect((await hitsOf(bob, "needle")).map((hit) => hit.session_id)).toEqual([session.session_id]);
    await timed("the storage report", () => hub.rest("getStorage"));
  }, 120_000);
});
