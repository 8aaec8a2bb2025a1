// Pages: what is written is read back, byte for byte; guards, limits, and what a refused write leaves behind, which
// is nothing (knowledge-base.md 1, 9, 11; mcp-tools.md 14, 17.26 to 17.29).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { pageBytes } from "../../../src/shared/limits.ts";
import type { Caller } from "../../support/hub.ts";
import { objectsIn, refusal, rows } from "../as-caller.ts";
import { type Base, guide, inUpperCase, openBase, project, versionOf } from "./base.ts";

let base: Base;
beforeAll(async () => {
  base = await openBase();
});
afterAll(() => base[Symbol.asyncDispose]());

describe("a page", () => {
  test.each([
    ["nothing", ""],
    ["text", "hello\n"],
    ["frontmatter", guide("text")],
    ["a byte order mark", "\uFEFF---\ntype: a\n---\n"],
    ["CRLF", "---\r\ntype: a\r\n---\r\nx\r\n"],
    ["lone CR", "---\ra\r---\r"],
    ["rules and fences", "---\ntype: a\n---\n---\n```\n---\n```\n***\n"],
    ["bad YAML", '---\n\t: {[": &a *b\n...\n%YAML\n'],
    ["every script", "Übergröße Привет 你好 مرحبا हिन्दी ไทย 한국어 עברית 👩‍👩‍👧‍👦 e\u0301"],
    ["control characters", "a\u0000b\u0001\u001b[31m\u007f\u0085\u2028"],
  ])("of %s comes back as it was", async (name, content) => {
    const path = `/fs/kept/${name}.md`;
    const size_bytes = new TextEncoder().encode(content).byteLength;
    const version = versionOf(content);
    expect(await base.put(path, content)).toEqual({
      ok: true,
      path,
      store: "project",
      version,
      size_bytes,
      lint: expect.any(Array),
      warnings: [],
    });
    expect(await base.get(path)).toEqual({ path, store: "project", content, version, size_bytes });
    expect(await base.rest("getPage", { path })).toEqual({
      path,
      content,
      version,
      size_bytes,
      last_write: { actor: "alice", at: "2026-01-02T03:04:05.000Z" },
    });
  });

  test("of any text at all comes back as it was, and is listed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
        const content = text.toWellFormed();
        const { version } = await base.put("/fs/any.md", content);
        expect(version).toBe(versionOf(content));
        expect(await base.get("/fs/any.md")).toMatchObject({ content, version: versionOf(content) });
      }),
      { numRuns: 60 },
    );
    expect(await base.rest("listPages", { query: { meta: true } })).toMatchObject({ truncated: false });
  });

  test("has one entry, one history, one search row, however its path is spelt", async () => {
    const spellings = [
      "/fs/s/b.md",
      "/fs/s//b.md",
      "/fs/s/./b.md",
      "/fs/x/../s/b.md",
      "/fs/s/b.md/",
      "/fs/../../s/b.md",
    ];
    for (const [index, path] of spellings.entries()) {
      expect(await base.put(path, `spelling ${index}`)).toMatchObject({ path: "/fs/s/b.md" });
      for (const other of spellings) {
        expect(await base.get(other)).toMatchObject({ path: "/fs/s/b.md", content: `spelling ${index}` });
        expect(await base.history(other)).toMatchObject({ path: "/fs/s/b.md", total: index + 1 });
      }
    }
    for (const path of ["s/b.md", "fs/s/b.md", "s//b.md"]) {
      expect(await base.rest("getPage", { path })).toMatchObject({ path: "/fs/s/b.md" });
    }
    expect(rows(base.hub, "SELECT path FROM pages WHERE path LIKE '/fs/s/%'")).toEqual([{ path: "/fs/s/b.md" }]);
    expect(rows(base.hub, "SELECT title FROM search_docs WHERE ref_id = '/fs/s/b.md'")).toEqual([
      { title: "/fs/s/b.md" },
    ]);
  });

  test.each(["/kv/a", "/kv", "/fs", "/fs/", "fs/a", "/x/a", "", "/fs/a\\b", "/fs/a\nb", `/fs/${"x".repeat(509)}`])(
    "is never at %j",
    async (path) => {
      for (const attempt of [
        () => base.put(path, "x"),
        () => base.get(path),
        () => base.remove(path),
        () => base.history(path),
        () => base.revert(path, versionOf("x")),
      ]) {
        const error = await base.refusedWithoutTrace(attempt);
        expect(error).toMatchObject({
          code: "invalid_argument",
          details: { field: "path", expected: expect.stringContaining("/fs/") },
        });
      }
    },
  );

  test("is a page or a directory, never both", async () => {
    await base.put("/fs/tree/sub/page", "x");
    await base.put("/fs/tree-2", "x");
    for (const path of [
      "/fs/tree",
      "/fs/tree/sub/",
      "/fs/tree-2/below",
      "/fs/tree-2/below/deep",
      "/fs/tree/sub/page/x",
    ]) {
      expect(await base.refusedWithoutTrace(() => base.put(path, "y"))).toMatchObject({
        code: "invalid_argument",
        details: { field: "path" },
      });
    }
    for (const path of ["/fs/tree", "/fs/tree/sub", "/fs/tre", "/fs/tree-2/below"]) {
      expect(await refusal(base.get(path))).toMatchObject({ code: "not_found", details: {} });
    }
    for (const attempt of [() => base.remove("/fs/tree/sub"), () => base.rest("deletePage", { path: "tree" })]) {
      expect(await base.refusedWithoutTrace(attempt)).toMatchObject({ code: "invalid_argument" });
    }
    // The directory goes with its last page, and its name is free again.
    await base.remove("/fs/tree/sub/page");
    await base.put("/fs/tree", "now a page");
  });

  test("that is not there is not found, and its delete leaves no trace", async () => {
    for (const attempt of [
      () => base.get("/fs/none"),
      () => base.remove("/fs/none"),
      () => base.remove("/fs/none", { if_version: versionOf("x") }),
      () => base.rest("getPage", { path: "none" }),
      () => base.rest("deletePage", { path: "none" }),
      () => base.rest("reviewPage", { path: "none" }),
    ]) {
      expect(await base.refusedWithoutTrace(attempt)).toMatchObject({ code: "not_found" });
    }
  });

  test("of a mebibyte comes back as it was", async () => {
    await using own = await openBase();
    const content = `${"é".repeat(pageBytes / 2 - 1)}ab`;
    const version = versionOf(content);
    expect(await own.put("/fs/large.md", content)).toMatchObject({ version, size_bytes: pageBytes });
    expect(await own.get("/fs/large.md")).toMatchObject({ content, version });
  });

  test("over a mebibyte is stored nowhere", async () => {
    const content = "x".repeat(pageBytes + 1);
    for (const attempt of [
      () => base.put("/fs/large", content),
      () => base.rest("putPage", { path: "large", body: { content } }),
    ]) {
      expect(await base.refusedWithoutTrace(attempt)).toMatchObject({
        code: "payload_too_large",
        details: { limit: pageBytes, actual: pageBytes + 1 },
      });
    }
  });

  test("that is no whole text is refused", async () => {
    for (const content of ["\ud800", "a\udc00b", 5, null]) {
      const error = await base.refusedWithoutTrace(() => base.put("/fs/half", "", { content }));
      expect(error).toMatchObject({ code: "invalid_argument", details: { field: "content" } });
    }
  });
});

describe("if_version", () => {
  test("absent writes what is not there, once, and again after a delete", async () => {
    await base.put("/fs/guard", "one", { if_version: "absent" });
    const current_version = versionOf("one");
    const error = await base.refusedWithoutTrace(() => base.put("/fs/guard", "two", { if_version: "absent" }));
    expect(error["message"]).toEndWith(`current_version=${current_version}`);
    expect(error).toMatchObject({ code: "conflict", details: { current_version } });
    await base.remove("/fs/guard", { if_version: current_version });
    await base.put("/fs/guard", "three", { if_version: "absent" });
  });

  test("a version writes and deletes while it is stored", async () => {
    await base.put("/fs/guarded", "one");
    await base.put("/fs/guarded", "two", {
      if_version: inUpperCase(versionOf("one")),
    });
    for (const attempt of [
      () => base.put("/fs/guarded", "three", { if_version: versionOf("one") }),
      () => base.remove("/fs/guarded", { if_version: versionOf("one") }),
      () => base.remove("/fs/guarded", { if_version: "absent" }),
      () => base.rest("putPage", { path: "guarded", body: { content: "x", if_version: "absent" } }),
      () => base.rest("putPage", { path: "guarded", body: { content: "x" }, query: { if_version: "absent" } }),
      () => base.rest("deletePage", { path: "guarded", query: { if_version: "absent" } }),
      () => base.rest("reviewPage", { path: "guarded", body: { if_version: versionOf("one") } }),
    ]) {
      expect(await base.refusedWithoutTrace(attempt)).toMatchObject({
        code: "conflict",
        details: { current_version: versionOf("two") },
      });
    }
    const absent = await base.refusedWithoutTrace(() => base.put("/fs/new", "x", { if_version: versionOf("x") }));
    expect(absent).toMatchObject({ code: "conflict", details: { current_version: "absent" } });
  });

  test.each(["", "Absent", "sha256:", `sha256:${"0".repeat(63)}`, `sha256:${"g".repeat(64)}`, "0".repeat(64), 5])(
    "%p is none",
    async (if_version) => {
      for (const attempt of [
        () => base.put("/fs/guard", "x", { if_version }),
        () => base.remove("/fs/guard", { if_version }),
        () => base.revert("/fs/guard", versionOf("x"), { if_version }),
        () => base.rest("putPage", { path: "guard", body: { content: "x", if_version } }),
      ]) {
        const error = await base.refusedWithoutTrace(attempt);
        expect(error).toMatchObject({ code: "invalid_argument", details: { field: "if_version" } });
      }
    },
  );

  test("20 agents that append to one page under it leave every line there", async () => {
    const agents: Caller[] = [];
    for (let index = 0; index < 20; index += 1) agents.push(await base.hub.agent(`writer-${index}`));
    const at = { store: "project", project_id: project, path: "/fs/together.md" };
    await base.put(at.path, "");
    const append = async (by: Caller, line: string): Promise<void> => {
      // Each conflict means that another of the 60 lines got in.
      for (let attempt = 0; attempt < 200; attempt += 1) {
        const { content, version } = await by.call("brain_get", at);
        try {
          await by.call("brain_put", { ...at, content: `${content}${line}\n`, if_version: version });
          return;
        } catch (error) {
          if (!String(error).includes("current_version=")) throw error;
        }
      }
      throw new Error(`${line} never got in`);
    };
    await Promise.all(
      agents.map(async (by, writer) => {
        for (let line = 0; line < 3; line += 1) await append(by, `${writer}:${line}`);
      }),
    );
    const { content } = await base.get(at.path);
    const lines = String(content).trimEnd().split("\n");
    expect(lines).toHaveLength(60);
    expect(new Set(lines).size).toBe(60);
    const { total, versions } = await base.history(at.path, { limit: 200 });
    expect(total).toBe(61);
    expect(new Set(objectsIn({ versions: versions ?? [] }, "versions").map(({ version }) => version)).size).toBe(61);
  }, 60_000);
});

test("reads create nothing and move nothing", async () => {
  await base.put("/fs/read.md", "x");
  const before = await base.hub.snapshot();
  await base.get("/fs/read.md");
  await base.list();
  await base.history("/fs/read.md");
  await base.history("/fs/never.md");
  for (const call of ["listPages", "getPageStats", "lintPages", "listPageLog"] as const) await base.rest(call);
  await base.restList("listBacklinks", { path: "read.md" });
  expect(await base.hub.snapshot()).toBe(before);
});
