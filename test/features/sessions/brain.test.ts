// Values of a brain: what is written is read back, byte for byte; guards, limits, and what a refused write leaves
// behind, which is nothing (mcp-tools.md 14, 17.26, 17.27).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../../../src/shared/json.ts";
import { brainValueBytes, storeHardBytes, storeSoftBytes } from "../../../src/shared/limits.ts";
import { sha256 } from "../../../src/storage/blobs.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { refusal, rows, sql } from "../as-caller.ts";

let hub: TestHub;
let alice: Caller;
let connection: string;
beforeAll(async () => {
  hub = await openTestHub();
  alice = await hub.agent("alice");
  connection = await hub.connect(alice);
  await hub.project("p");
  await alice.call("session_start", { project_id: "p", session_name: "work" }, { connection });
});
afterAll(() => hub[Symbol.asyncDispose]());

const put = (path: string, content: string, more: object = {}): Promise<JsonObject> =>
  alice.call("brain_put", { path, content, store: "session", ...more }, { connection });
const get = (path: string, more: object = {}): Promise<JsonObject> =>
  alice.call("brain_get", { path, ...more }, { connection });
const versionOf = (content: string): string => `sha256:${sha256(new TextEncoder().encode(content))}`;

/** Refuses, and leaves neither a row nor a blob. */
async function refusedWithoutTrace(write: () => Promise<unknown>): Promise<JsonObject> {
  const before = await hub.snapshot();
  const error = await refusal(write());
  expect(await hub.snapshot()).toBe(before);
  return error;
}

describe("a value", () => {
  const contents: [string, string][] = [
    ["nothing", ""],
    ["text", "hello\n"],
    ["every script", "Übergröße Привет 你好 مرحبا हिन्दी 👩‍👩‍👧‍👦 e\u0301"],
    ["NUL and control characters", "a\u0000b\u0001\u001b[31m\r\n\t\u007f\u0085"],
    ["line separators", "a\u2028b\u2029c"],
    ["a byte order mark", "\uFEFFtext\uFEFF"],
    ["the last code points", "\u{10FFFF}\uFFFF\uFFFE\uE000"],
    ["JSON in JSON", JSON.stringify({ a: '"\\\u0000' })],
    ["more than is kept in a row", "x".repeat(8193)],
  ];

  test.each(contents)("of %s comes back as it was, with the hash of its bytes", async (name, content) => {
    const size_bytes = new TextEncoder().encode(content).byteLength;
    for (const path of [`/kv/${name}`, `/fs/${name}`]) {
      const version = versionOf(content);
      expect(await put(path, content)).toEqual({
        ok: true,
        path,
        store: "session",
        version,
        size_bytes,
        lint: [],
        warnings: [],
      });
      expect(await get(path)).toEqual({ path, store: "session", content, version, size_bytes });
    }
  });

  test("of any text at all comes back as it was", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.constantFrom("/kv/any", "/fs/any"), async (content, path) => {
        const { version } = await put(path, content);
        expect(version).toBe(versionOf(content));
        expect(await get(path)).toMatchObject({ content, version: versionOf(content) });
      }),
      { numRuns: 60 },
    );
  });

  test("that is no whole text is refused, since it would come back as another", async () => {
    for (const content of ["\ud800", "a\udc00b", 5, null, ["a"], { a: 1 }]) {
      const error = await refusedWithoutTrace(() => put("/kv/half", String("x"), { content }));
      expect(error).toMatchObject({ code: "invalid_argument", details: { field: "content" } });
    }
  });

  test("can be as large as 4 MiB, counted in bytes, and not one more", async () => {
    const largest = `${"é".repeat(brainValueBytes / 2 - 1)}ab`;
    for (const path of ["/fs/largest", "/kv/largest"]) {
      expect(await put(path, largest)).toMatchObject({ size_bytes: brainValueBytes });
      expect((await get(path))["version"]).toBe(versionOf(largest));
      const error = await refusedWithoutTrace(() => put(path, `${largest}c`));
      expect(error["message"]).toEndWith(`limit=${brainValueBytes}`);
      expect(error).toMatchObject({
        code: "payload_too_large",
        details: { limit: brainValueBytes, actual: brainValueBytes + 1 },
      });
      await put(path, "");
    }
  });

  test("that is overwritten is counted once", async () => {
    await using own = await openTestHub();
    const bob = await own.agent("bob");
    await own.project("p");
    const on = { connection: await own.connect(bob) };
    const start = () => bob.call("session_start", { project_id: "p", session_name: "count" }, on);
    await start();
    for (const [path, content] of [
      ["/kv/a", "12345"],
      ["/fs/a", "123"],
      ["/kv/a", "1"],
      ["/fs/b", ""],
    ] as const) {
      await bob.call("brain_put", { path, content, store: "session" }, on);
    }
    expect(await start()).toMatchObject({ brain_bytes: 4 });
  });

  test("stays, brain and all, when the hub is opened again", async () => {
    await using own = await openTestHub();
    const bob = await own.agent("bob");
    await own.project("p");
    const on = { connection: await own.connect(bob) };
    await bob.call("session_start", { project_id: "p", session_name: "stay" }, on);
    for (const path of ["/kv/a", "/fs/a"]) await bob.call("brain_put", { path, content: path, store: "session" }, on);
    await own.reopen();
    for (const path of ["/kv/a", "/fs/a"]) {
      expect(await bob.call("brain_get", { path }, on)).toMatchObject({ content: path });
    }
  });
});

describe("if_version", () => {
  test("absent writes what is not there, once", async () => {
    await put("/kv/guard", "one", { if_version: "absent" });
    const error = await refusedWithoutTrace(() => put("/kv/guard", "two", { if_version: "absent" }));
    const current_version = versionOf("one");
    expect(error["message"]).toEndWith(`current_version=${current_version}`);
    expect(error).toMatchObject({ code: "conflict", retryable: false, details: { current_version } });
  });

  test("a version writes while it is stored; upper-case digits are the same", async () => {
    await put("/fs/guard", "one");
    const upper = `sha256:${versionOf("one").slice(7).toUpperCase()}`;
    await put("/fs/guard", "two", { if_version: upper });
    const error = await refusedWithoutTrace(() => put("/fs/guard", "three", { if_version: versionOf("one") }));
    expect(error).toMatchObject({ code: "conflict", details: { current_version: versionOf("two") } });
    // Writing the same bytes is a write, and holds the same guard.
    await put("/fs/guard", "two", { if_version: versionOf("two") });
  });

  test("of something that is not there says absent", async () => {
    const error = await refusedWithoutTrace(() => put("/fs/never", "x", { if_version: versionOf("x") }));
    expect(error["message"]).toEndWith("current_version=absent");
    expect(error).toMatchObject({ code: "conflict", details: { current_version: "absent" } });
  });

  test.each([
    "",
    "Absent",
    "none",
    "sha256:",
    `sha256:${"0".repeat(63)}`,
    `sha256:${"0".repeat(65)}`,
    `sha256:${"g".repeat(64)}`,
    `SHA256:${"0".repeat(64)}`,
    "0".repeat(64),
    5,
    {},
  ])("%p is no version", async (if_version) => {
    const error = await refusedWithoutTrace(() => put("/kv/guard", "x", { if_version }));
    expect(error).toMatchObject({ code: "invalid_argument", details: { field: "if_version" } });
  });

  test("lets one of many writers through, who all hold the same version", async () => {
    for (const path of ["/kv/race", "/fs/race"]) {
      for (const [round, guard] of [
        [0, "absent"],
        [1, undefined],
      ] as const) {
        const before = guard ?? String((await get(path))["version"]);
        const writers = Array.from({ length: 12 }, (_, index) =>
          put(path, `${path} ${round} ${index}`, { if_version: before }),
        );
        const outcomes = await Promise.allSettled(writers);
        const winners = outcomes.filter(({ status }) => status === "fulfilled");
        expect(winners).toHaveLength(1);
        const stored = String((await get(path))["version"]);
        for (const [index, outcome] of outcomes.entries()) {
          if (outcome.status === "fulfilled") expect(stored).toBe(versionOf(`${path} ${round} ${index}`));
          else expect(String(outcome.reason)).toEndWith(`current_version=${stored}`);
        }
      }
    }
  });
});

describe("paths", () => {
  const bad = [
    "",
    "/",
    "fs/a",
    "/fs",
    "/fs/",
    "/fs/.",
    "/fs/..",
    "/fs/a/..",
    "/fs//",
    "/kv",
    "/kv/",
    "/FS/a",
    "/x/a",
    "\ud800",
    "/kv/\udfff",
    `/kv/${"x".repeat(1021)}`,
    `/fs/${"é".repeat(511)}`,
    5,
    null,
  ];

  test.each(bad)("%p names no entry", async (path) => {
    for (const attempt of [
      () => alice.call("brain_put", { path, content: "x", store: "session" }, { connection }),
      () => alice.call("brain_get", { path }, { connection }),
    ]) {
      const error = await refusedWithoutTrace(attempt);
      expect(error["details"]).toMatchObject({ field: "path", expected: expect.stringContaining("/kv/") });
      expect(error["code"]).toBe("invalid_argument");
    }
  });

  test("of a key are taken as they stand", async () => {
    const keys = [
      "a",
      "a/../b",
      "a//b",
      "a/",
      "./a",
      "..",
      " ",
      "a\u0000b",
      "a\nb",
      "%2e",
      "\\",
      "ключ",
      `${"x".repeat(1020)}`,
    ];
    for (const key of keys) await put(`/kv/${key}`, `value of ${key}`);
    for (const key of keys) {
      expect(await get(`/kv/${key}`)).toMatchObject({ path: `/kv/${key}`, content: `value of ${key}` });
    }
  });

  test("of a file have many spellings and one entry", async () => {
    const spellings = ["/fs/a/b/c", "/fs/a/../a/b//c/", "/fs/./a/./b/c", "/fs/../../a/b/x/../c", "/fs/a/b/c/."];
    for (const [index, spelling] of spellings.entries()) {
      expect(await put(spelling, `${index}`)).toMatchObject({ path: "/fs/a/b/c" });
      for (const other of spellings) expect(await get(other)).toMatchObject({ path: "/fs/a/b/c", content: `${index}` });
    }
    expect(rows(hub, "SELECT path FROM brain_entries WHERE path LIKE '/fs/a/b%'")).toEqual([{ path: "/fs/a/b/c" }]);
  });

  test("longer than the cap are taken when their canonical form is not", async () => {
    const long = `/fs/${"./".repeat(600)}short`;
    expect(await put(long, "x")).toMatchObject({ path: "/fs/short" });
    expect(await put(`/fs/${"x".repeat(1020)}`, "x")).toMatchObject({ ok: true });
  });

  test("are a file or a directory, never both", async () => {
    await put("/fs/dir/sub/file", "x");
    await put("/fs/dir-2", "x");
    await put("/fs/file", "x");
    for (const path of [
      "/fs/dir",
      "/fs/dir/sub",
      "/fs/dir/sub/",
      "/fs/file/below",
      "/fs/file/below/deep",
      "/fs/dir/sub/file/x",
    ]) {
      const error = await refusedWithoutTrace(() => put(path, "y"));
      expect([path, error["code"]]).toEqual([path, "invalid_argument"]);
      expect(error["details"]).toMatchObject({ field: "path" });
    }
    for (const path of ["/fs/dir", "/fs/dir/sub", "/fs/file/below", "/fs/di"]) {
      expect(await refusal(get(path))).toMatchObject({ code: "not_found", details: {} });
    }
    // Keys are no tree.
    await put("/kv/file", "x");
    await put("/kv/file/below", "y");
    expect(await get("/kv/file")).toMatchObject({ content: "x" });
  });

  test("of two writers of a file and of a file below it, one is refused", async () => {
    const outcomes = await Promise.allSettled([put("/fs/clash", "a"), put("/fs/clash/below", "b")]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });
});

describe("the size of a brain", () => {
  const setBytes = (bytes: number) => sql(hub, "UPDATE sessions SET brain_bytes = ?", bytes);

  test("over the soft limit earns a warning", async () => {
    await put("/kv/soft", "x");
    await setBytes(storeSoftBytes - 1);
    expect(await put("/kv/soft", "xy")).toMatchObject({ warnings: [] });
    expect(await put("/kv/soft", "xyz")).toMatchObject({ warnings: ["this store is over its soft limit of 256 MiB"] });
  });

  test("never passes the hard limit, in a row or a file, and what shrinks it is taken", async () => {
    for (const path of ["/kv/hard", "/fs/hard"]) {
      await setBytes(0);
      await put(path, "12345");
      await setBytes(storeHardBytes);
      const error = await refusedWithoutTrace(() => put(path, "123456"));
      expect(error).toMatchObject({
        code: "payload_too_large",
        details: { limit: storeHardBytes, actual: storeHardBytes + 1 },
      });
      expect(await put(path, "54321")).toMatchObject({ ok: true });
      // A brain that is over it already, since the limit was another once.
      await setBytes(storeHardBytes + 10);
      await refusedWithoutTrace(() => put(`${path}-new`, "x"));
      expect(await put(path, "1234")).toMatchObject({ ok: true });
    }
    await setBytes(0);
  });

  test("comes before the guard", async () => {
    await setBytes(storeHardBytes);
    const error = await refusedWithoutTrace(() => put("/fs/order", "x", { if_version: versionOf("other") }));
    expect(error).toMatchObject({ code: "payload_too_large" });
    await setBytes(0);
  });
});

test("reads create nothing and move nothing", async () => {
  await put("/fs/read", "x");
  const before = await hub.snapshot();
  await get("/fs/read");
  for (const path of ["/fs/none", "/kv/none", "/fs/read/below"]) await refusal(get(path));
  await refusal(get("/fs/read", { session: { agent: "alice", name: "none", project_id: "p" } }));
  await alice.call("whoami", {}, { connection });
  await alice.call("version", {}, { connection });
  expect(await hub.snapshot()).toBe(before);
});

test("bytes that are no text are refused to a reader, and the hub goes on", async () => {
  await put("/fs/bytes", "text");
  await put("/kv/bytes", "text");
  const bytes = new Uint8Array([0x66, 0xff, 0xfe]);
  using blob = await hub.hub.kernel.services.blobs.put(bytes);
  await hub.hub.kernel.services.write((tx) => {
    tx.blobs.record(tx.db, blob, tx.now);
    tx.db.run(
      "UPDATE brain_entries SET blob = (SELECT id FROM blobs WHERE hash = ?), size = 3 WHERE path = '/fs/bytes'",
      blob.hash,
    );
  });
  expect(await refusal(get("/fs/bytes"))).toMatchObject({ code: "invalid_argument", details: { field: "path" } });
  expect(await get("/kv/bytes")).toMatchObject({ content: "text" });
});

test("the store is named on a write, and only stores there are can be named", async () => {
  for (const store of [undefined, null, "", "Session", "knowledge", 5]) {
    const error = await refusedWithoutTrace(() => put("/kv/store", "x", { store }));
    expect(error).toMatchObject({ code: "invalid_argument", details: { field: "store" } });
  }
  await put("/kv/store", "x");
  expect(await get("/kv/store")).toMatchObject({ store: "session" });
  expect(await get("/kv/store", { store: "session" })).toMatchObject({ content: "x" });
  expect(await refusal(get("/kv/store", { store: "knowledge" }))).toMatchObject({ code: "invalid_argument" });
});
