// Listing a brain (mcp-tools.md 14.1, 17.28, rest-api.md 8): keys by prefix, children of a directory, one level at a time.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { objectsIn, agent as principal, refusal, restAs, rows } from "../as-caller.ts";
import { end, type Named, prune, put, startNamed } from "./working.ts";

let hub: TestHub;
let alice: Caller;
let bob: Caller;
beforeAll(async () => {
  hub = await openTestHub();
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
  await hub.project("p");
});
afterAll(() => hub[Symbol.asyncDispose]());

let sessions = 0;
/** A session whose brain holds some paths; each value is as long as its place. */
async function holding(paths: readonly string[]): Promise<Named> {
  sessions += 1;
  const session = await startNamed(alice, "p", `s${sessions}`);
  for (const [index, path] of paths.entries()) await put(alice, session, path, "x".repeat(index));
  return session;
}

type Entry = { path: string; type: string; size_bytes: number };
const entries = (listed: JsonObject) => objectsIn(listed, "entries") as Entry[]; // by contract, mcp-tools.md 17.28
async function list(session: Named, path?: string): Promise<Entry[]> {
  const listed = await bob.call("brain_list", { session, ...(path === undefined ? {} : { path }) });
  expect(listed).toEqual({ store: "session", entries: expect.any(Array) });
  return entries(listed);
}
const pathsOf = async (session: Named, path?: string) => (await list(session, path)).map((entry) => entry.path);
const level = (session: Named, path?: string) =>
  hub.rest("listBrain", { params: { id: session.session_id }, query: path === undefined ? {} : { path } });

describe("brain_list", () => {
  const paths = [
    "/fs/z.md",
    "/fs/a/one",
    "/fs/a/two",
    "/fs/a/deep/er",
    "/fs/b/only/deep",
    "/kv/k",
    "/kv/k2",
    "/kv/other",
    "/kv/a/b",
  ];
  let session: Named;
  beforeAll(async () => {
    session = await holding(paths);
  });

  test("without a path has all keys, then what lies at the root of /fs", async () => {
    expect(await list(session)).toEqual([
      { path: "/kv/a/b", type: "key", size_bytes: 8 },
      { path: "/kv/k", type: "key", size_bytes: 5 },
      { path: "/kv/k2", type: "key", size_bytes: 6 },
      { path: "/kv/other", type: "key", size_bytes: 7 },
      { path: "/fs/a", type: "dir", size_bytes: 1 + 2 },
      { path: "/fs/b", type: "dir", size_bytes: 0 },
      { path: "/fs/z.md", type: "file", size_bytes: 0 },
    ]);
  });

  test.each([
    ["/kv", ["/kv/a/b", "/kv/k", "/kv/k2", "/kv/other"]],
    ["/kv/", ["/kv/a/b", "/kv/k", "/kv/k2", "/kv/other"]],
    ["/kv/k", ["/kv/k", "/kv/k2"]],
    ["/kv/a/", ["/kv/a/b"]],
    ["/kv/zzz", []],
    ["/kv/K", []],
    ["/kv/../fs", []],
    ["/fs", ["/fs/a", "/fs/b", "/fs/z.md"]],
    ["/fs/", ["/fs/a", "/fs/b", "/fs/z.md"]],
    ["/fs//.//", ["/fs/a", "/fs/b", "/fs/z.md"]],
    ["/fs/..", ["/fs/a", "/fs/b", "/fs/z.md"]],
    ["/fs/a", ["/fs/a/deep", "/fs/a/one", "/fs/a/two"]],
    ["/fs/a/", ["/fs/a/deep", "/fs/a/one", "/fs/a/two"]],
    ["/fs/b/../a/./", ["/fs/a/deep", "/fs/a/one", "/fs/a/two"]],
    ["/fs/../../a", ["/fs/a/deep", "/fs/a/one", "/fs/a/two"]],
    ["/fs/a/deep", ["/fs/a/deep/er"]],
    ["/fs/b", ["/fs/b/only"]],
    ["/fs/z.md", []],
    ["/fs/z", []],
    ["/fs/nothing/here", []],
  ])("of %s", async (path, expected) => {
    expect(await pathsOf(session, path)).toEqual(expected);
  });

  test.each(["", "/", "kv", "/kvx", "/fsx", "fs/a", "/tmp", "/FS", `/kv/${"x".repeat(1021)}`, "/kv/\uD800", 7])(
    "of %j is refused",
    async (path) => {
      expect(await refusal(bob.call("brain_list", { session, path }))).toMatchObject({
        code: "invalid_argument",
        details: { field: "path", expected: expect.any(String) },
      });
    },
  );

  test("of an empty brain is empty, creates nothing and moves nothing", async () => {
    const empty = await holding([]);
    const before = await hub.snapshot();
    for (const path of [undefined, "/kv", "/fs", "/fs/a", "/kv/x"]) expect(await list(empty, path)).toEqual([]);
    expect(await hub.snapshot()).toBe(before);
  });

  test("of another's session needs read access to its project, and no session of one's own", async () => {
    await hub.project("hidden", { confidential: true });
    const hidden = await startNamed(hub.operator, "hidden", "s");
    await put(hub.operator, hidden, "/kv/k", "v");
    const denied = { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} };
    expect(await refusal(list(hidden))).toEqual(denied);
    expect(await refusal(list({ session_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }))).toEqual(denied);
    await hub.rest("createGrant", { params: { id: "bob" }, body: { project_id: "hidden" } });
    expect(await pathsOf(hidden)).toEqual(["/kv/k"]);
    expect(await refusal(bob.call("brain_list"))).toMatchObject({ code: "conflict" });
    await end(hub.operator, hidden);
    expect(await pathsOf(hidden)).toEqual(["/kv/k"]);
    await prune(hub, hidden);
    expect(await refusal(list(hidden))).toMatchObject({ code: "not_found" });
  });

  test("of the active session needs no name", async () => {
    const connection = await hub.connect(alice);
    await alice.call("session_start", { project_id: "p", session_name: "bound" }, { connection });
    await alice.call("brain_put", { store: "session", path: "/kv/mine", content: "v" }, { connection });
    expect(entries(await alice.call("brain_list", { store: "session" }, { connection }))).toEqual([
      { path: "/kv/mine", type: "key", size_bytes: 1 },
    ]);
  });
});

describe("names of every kind", () => {
  const names = [
    "plain",
    "with space",
    "%",
    "_",
    "%_%",
    "*",
    "?",
    "[a-z]",
    "'",
    '"',
    "`",
    "\\",
    ";--",
    "a\u0000b",
    "\u0000",
    "\n",
    "\u0001",
    "\u007f",
    "Ünïcödé",
    "模型",
    "हिन्दी",
    "עברית",
    "👩‍👩‍👧",
    "𝒳",
    "\uFFFD",
    "\uE000",
    "\u{10FFFF}",
    "\u{10FFFF}\u{10FFFF}x",
    "~",
    "0",
    "...",
    ".hidden",
  ];

  test("are listed as they are, as keys, files and directories", async () => {
    const session = await holding([]);
    for (const name of names) {
      for (const path of [`/kv/${name}`, `/kv/in/${name}`, `/fs/files/${name}`, `/fs/dirs/${name}/x`]) {
        await put(alice, session, path, "v");
      }
    }
    const sorted = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(await pathsOf(session, "/fs/files")).toEqual(sorted.map((name) => `/fs/files/${name}`));
    expect(await list(session, "/fs/dirs")).toEqual(
      sorted.map((name) => ({ path: `/fs/dirs/${name}`, type: "dir", size_bytes: 1 })),
    );
    expect(await pathsOf(session, "/kv/in/")).toEqual(sorted.map((name) => `/kv/in/${name}`));
    for (const name of names) {
      expect(await pathsOf(session, `/kv/${name}`)).toEqual(
        [...sorted, ...sorted.map((other) => `in/${other}`)]
          .filter((other) => other.startsWith(name))
          .map((other) => `/kv/${other}`),
      );
      expect(await pathsOf(session, `/fs/dirs/${name}`)).toEqual([`/fs/dirs/${name}/x`]);
    }
  });

  test("up to 1024 bytes in all", async () => {
    const long = `/fs/${"é".repeat(500)}/${"x".repeat(19)}`;
    const key = `/kv/${"模".repeat(340)}`;
    expect([long, key].map((path) => Buffer.byteLength(path))).toEqual([1024, 1024]);
    const session = await holding([long, key]);
    expect(await pathsOf(session)).toEqual([key, `/fs/${"é".repeat(500)}`]);
    expect(await pathsOf(session, `/fs/${"é".repeat(500)}`)).toEqual([long]);
    expect(await pathsOf(session, key)).toEqual([key]);
  });

  const part = fc.array(fc.constantFrom("a", "b", "!", "-", ".a", "0", "é", "\u{1F600}", "\uFFFF", "\0", "%", "'"), {
    minLength: 1,
    maxLength: 3,
  });
  const path = fc.oneof(
    fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `/fs/${parts.map((one) => one.join("")).join("/")}`),
    part.map((one) => `/kv/${one.join("")}`),
  );

  test("make the level a naive walk makes, on both surfaces", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(path, { maxLength: 25 }), path, async (tried, other) => {
        sessions += 1;
        const session = await startNamed(alice, "p", `walk${sessions}`);
        const sizes = new Map<string, number>();
        for (const [index, one] of tried.entries()) {
          // A file where a directory is, or below a file, is refused.
          await put(alice, session, one, "x".repeat(index)).then(
            (written) => sizes.set(String(written["path"]), index),
            () => undefined,
          );
        }
        const directories = [...tried, other].flatMap((one) => {
          const parts = one.split("/");
          return parts.slice(1).map((_, index) => parts.slice(0, index + 2).join("/"));
        });
        for (const asked of new Set(["/fs", "/kv", ...directories])) {
          const expected = naiveLevel(sizes, asked);
          expect({ asked, listed: await list(session, asked) }).toEqual({ asked, listed: expected });
          expect(await level(session, asked)).toEqual({
            path: asked === "/kv" ? "/kv/" : canonical(asked),
            entries: expected,
            truncated: false,
          });
        }
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
function canonical(path: string): string {
  if (path.startsWith("/kv")) return path;
  const parts = path
    .slice("/fs/".length)
    .split("/")
    .filter((one) => one !== "" && one !== ".");
  return parts.length === 0 ? "/fs" : `/fs/${parts.join("/")}`;
}
function naiveLevel(sizes: ReadonlyMap<string, number>, asked: string): Entry[] {
  const found = new Map<string, Entry>();
  if (asked.startsWith("/kv")) {
    const prefix = asked === "/kv" ? "/kv/" : asked;
    for (const [path, size_bytes] of sizes)
      if (path.startsWith(prefix)) found.set(path, { path, type: "key", size_bytes });
  } else {
    const below = `${canonical(asked)}/`;
    for (const [path, size] of sizes) {
      if (!path.startsWith(below)) continue;
      const [name = "", ...deeper] = path.slice(below.length).split("/");
      const entry = found.get(name) ?? {
        path: below + name,
        type: deeper.length === 0 ? "file" : "dir",
        size_bytes: 0,
      };
      if (deeper.length < 2) entry.size_bytes += size;
      found.set(name, entry);
    }
  }
  return [...found.values()].sort((a, b) => byBytes(a.path, b.path));
}

describe("over REST", () => {
  test("the top is the two namespaces, each when it holds something", async () => {
    const both = await holding(["/fs/a", "/fs/d/b", "/kv/k", "/kv/l", "/fs/c"]);
    for (const path of [undefined, "/"]) {
      expect(await level(both, path)).toEqual({
        path: "/",
        truncated: false,
        entries: [
          { path: "/fs", type: "dir", size_bytes: 0 + 4 },
          { path: "/kv", type: "dir", size_bytes: 2 + 3 },
        ],
      });
    }
    expect(await level(await holding([]))).toEqual({ path: "/", truncated: false, entries: [] });
    expect(entries(await level(await holding(["/kv/k"])))).toEqual([{ path: "/kv", type: "dir", size_bytes: 0 }]);
    expect(entries(await level(await holding(["/fs/a/b"])))).toEqual([{ path: "/fs", type: "dir", size_bytes: 0 }]);
  });

  test("a level shows 500 entries and says when it holds more", async () => {
    const session = await holding([]);
    const keys = Array.from({ length: 501 }, (_, index) => `/kv/${String(index).padStart(3, "0")}`);
    const files = keys.map((key) => key.replace("/kv/", "/fs/many/"));
    for (const path of [...keys, ...files]) await put(alice, session, path, "v");
    for (const [path, all] of [
      ["/kv", keys],
      ["/fs/many", files],
    ] as const) {
      const listed = await level(session, path);
      expect(listed["truncated"]).toBe(true);
      expect(entries(listed).map((entry) => entry.path)).toEqual(all.slice(0, 500));
    }
    expect(await level(session, "/kv/0")).toMatchObject({ truncated: false });
    await bob.call("brain_list", { session, path: "/kv" }).then((listed) => expect(entries(listed).length).toBe(501));
    await alice.call("brain_delete", { session, store: "session", path: "/kv/000" });
    expect(await level(session, "/kv")).toMatchObject({ truncated: false });
  });

  test("the first 500 of a level are the first by name, directories among them", async () => {
    // By its paths the directory comes after all of these; by its name before them.
    const session = await holding([]);
    for (let index = 0; index < 600; index += 1) await put(alice, session, `/fs/d/a-${index}`, "v");
    await put(alice, session, "/fs/d/a/deep", "four");
    await put(alice, session, "/fs/d/a-1.x/deep", "v");
    const listed = entries(await level(session, "/fs/d"));
    expect(listed.length).toBe(500);
    expect(listed.slice(0, 2)).toEqual([
      { path: "/fs/d/a", type: "dir", size_bytes: 4 },
      { path: "/fs/d/a-0", type: "file", size_bytes: 1 },
    ]);
    const all = await pathsOf(session, "/fs/d");
    expect(listed.map((entry) => entry.path)).toEqual(all.slice(0, 500));
  });

  test("an entry is read with its version and time; nothing, a directory and another place are told apart", async () => {
    const session = await holding(["/kv/k", "/fs/a/b"]);
    const entry = (path: unknown) => hub.rest("getBrainEntry", { params: { id: session.session_id }, query: { path } });
    const [{ blob } = { blob: "" }] = rows(
      hub,
      "SELECT hash AS blob FROM brain_entries JOIN blobs ON id = blob WHERE session_id = ? AND path = '/fs/a/b'",
      session.session_id,
    );
    expect(await entry("/fs/./a//b/")).toEqual({
      path: "/fs/a/b",
      type: "file",
      size_bytes: 1,
      version: `sha256:${blob}`,
      content: "x",
      written_at: new Date(hub.clock.now).toISOString(),
    });
    expect(await entry("/kv/k")).toMatchObject({ path: "/kv/k", type: "key", content: "" });
    for (const path of ["/fs/a", "/fs/nothing", "/kv/k2"])
      expect(await refusal(entry(path))).toMatchObject({ code: "not_found" });
    for (const path of ["/fs", "/", "", "/tmp/x", undefined]) {
      expect(await refusal(entry(path))).toMatchObject({ code: "invalid_argument", details: { field: "path" } });
    }
    for (const path of ["", "/tmp", "kv"])
      expect(await refusal(level(session, path))).toMatchObject({ code: "invalid_argument" });
  });

  test("both are the operator's, and of a session that is there", async () => {
    const session = await holding(["/kv/k"]);
    const params = { id: session.session_id };
    for (const call of ["listBrain", "getBrainEntry"] as const) {
      const query = { path: "/kv/k" };
      expect(await refusal(restAs(hub, principal("alice"), call, { params, query }))).toMatchObject({
        code: "forbidden",
      });
      const unknown = { id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" };
      expect(await refusal(hub.rest(call, { params: unknown, query }))).toMatchObject({ code: "not_found" });
    }
  });
});
