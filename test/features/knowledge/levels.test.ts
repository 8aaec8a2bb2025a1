// Levels of a knowledge base, and its size as a whole (knowledge-base.md 1, 11; mcp-tools.md 17.28).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { storeHardBytes, storeSoftBytes } from "../../../src/shared/limits.ts";
import { objectsIn, refusal, rows, sql } from "../as-caller.ts";
import { type Base, openBase, versionOf } from "./base.ts";

let base: Base;
beforeAll(async () => {
  base = await openBase();
});
afterAll(() => base[Symbol.asyncDispose]());

describe("a level", () => {
  test("shows pages and directories in path order, with what lies directly in each", async () => {
    await using own = await openBase();
    for (const [path, content] of [
      ["/fs/b.md", "12"],
      ["/fs/a/x.md", "123"],
      ["/fs/a/y.md", "1"],
      ["/fs/a/deep/er/z.md", "12345"],
      ["/fs/a-b", ""],
      ["/fs/Ω/x", "1"],
    ] as const) {
      await own.put(path, content);
    }
    const entries = [
      { path: "/fs/a", type: "dir", size_bytes: 4 },
      { path: "/fs/a-b", type: "file", size_bytes: 0 },
      { path: "/fs/b.md", type: "file", size_bytes: 2 },
      { path: "/fs/Ω", type: "dir", size_bytes: 1 },
    ];
    for (const path of [undefined, "/fs", "/fs/", "/fs/a/.."]) {
      expect(await own.list(path)).toEqual({ store: "project", entries });
    }
    expect(await own.list("/fs/a/")).toMatchObject({
      entries: [{ path: "/fs/a/deep", type: "dir", size_bytes: 0 }, { path: "/fs/a/x.md" }, { path: "/fs/a/y.md" }],
    });
    expect(await own.rest("listPages", {})).toMatchObject({
      truncated: false,
      entries: [
        { path: "/fs/a", children: 3 },
        { path: "/fs/a-b", children: null },
        {},
        { path: "/fs/Ω", children: 1 },
      ],
    });
    expect(await own.rest("listPages", { query: { prefix: "a", limit: 2 } })).toMatchObject({
      truncated: true,
      entries: [
        { path: "/fs/a/deep", children: 1 },
        { path: "/fs/a/x.md", type: "file" },
      ],
    });
    for (const path of ["/fs/none", "/fs/b.md", "/fs/a/x.md"])
      expect(await own.list(path)).toMatchObject({ entries: [] });
    for (const path of ["/kv", "/kv/a", "/", "a"]) {
      expect(await refusal(own.list(path))).toMatchObject({ code: "invalid_argument", details: { field: "path" } });
    }
    const tree = await own.rest("listPages", { query: { prefix: "a", meta: true } });
    expect(objectsIn(tree, "entries").map(({ path, type }) => [path, type])).toEqual([
      ["/fs/a/deep", "dir"],
      ["/fs/a/deep/er", "dir"],
      ["/fs/a/deep/er/z.md", "file"],
      ["/fs/a/x.md", "file"],
      ["/fs/a/y.md", "file"],
    ]);
  });

  test("counts as the pages would, whatever was written and deleted", async () => {
    await using own = await openBase();
    const name = fc.constantFrom("a", "b", "c");
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/fs/${names.join("/")}`);
    const acts = fc.array(fc.tuple(path, fc.option(fc.nat({ max: 9 }), { nil: undefined })), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(acts, async (given) => {
        for (const [at, size] of given) {
          const act = size === undefined ? own.remove(at) : own.put(at, "x".repeat(size));
          // Refused where the tree does not allow it.
          await act.catch(() => undefined);
        }
        const pages = rows(own.hub, "SELECT path, size FROM pages WHERE blob IS NOT NULL");
        const known = rows(own.hub, "SELECT path, files, directories, bytes FROM page_directories ORDER BY path");
        expect(known).toEqual(
          directoriesOf(pages.map((page) => ({ path: String(page["path"]), size: Number(page["size"]) }))),
        );
        const bytes = pages.reduce((sum, page) => sum + Number(page["size"]), 0);
        const [{ kept } = { kept: 0 }] = rows(own.hub, "SELECT coalesce(sum(size), 0) AS kept FROM page_versions");
        expect(rows(own.hub, "SELECT pages, bytes, unverified, kept_bytes FROM knowledge_bases")).toEqual(
          rows(own.hub, "SELECT count(*) AS n FROM page_writes")[0]?.["n"] === 0
            ? []
            : [{ pages: pages.length, bytes, unverified: pages.length, kept_bytes: kept }],
        );
      }),
      { numRuns: 25 },
    );
  });
});

function directoriesOf(pages: readonly { path: string; size: number }[]) {
  const found = new Map<string, { path: string; files: number; directories: number; bytes: number }>();
  const of = (path: string) => {
    const directory = found.get(path) ?? { path, files: 0, directories: 0, bytes: 0 };
    found.set(path, directory);
    return directory;
  };
  for (const { path, size } of pages) {
    let parent = path.slice(0, path.lastIndexOf("/"));
    const own = of(parent);
    own.files += 1;
    own.bytes += size;
    while (parent !== "/fs") {
      parent = parent.slice(0, parent.lastIndexOf("/"));
      of(parent);
    }
  }
  for (const path of found.keys()) if (path !== "/fs") of(path.slice(0, path.lastIndexOf("/"))).directories += 1;
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

describe("the size of a knowledge base", () => {
  const setBytes = (bytes: number) => sql(base.hub, "UPDATE knowledge_bases SET bytes = ?", bytes);

  test("over the soft limit earns a warning, over the hard limit a refusal, and a delete is never refused", async () => {
    await base.put("/fs/size", "12345");
    const [{ bytes } = {}] = rows(base.hub, "SELECT bytes FROM knowledge_bases");
    await setBytes(storeSoftBytes);
    expect(await base.put("/fs/size", "12345")).toMatchObject({ warnings: [] });
    const warning = "this store is over its soft limit of 256 MiB";
    expect(await base.put("/fs/size", "123456")).toMatchObject({ warnings: [warning] });
    await setBytes(storeHardBytes);
    for (const attempt of [
      () => base.put("/fs/size", "1234567"),
      // Before the guard.
      () => base.put("/fs/size-2", "x", { if_version: versionOf("x") }),
    ]) {
      expect(await base.refusedWithoutTrace(attempt)).toMatchObject({
        code: "payload_too_large",
        details: { limit: storeHardBytes, actual: storeHardBytes + 1 },
      });
    }
    expect(await base.put("/fs/size", "654321")).toMatchObject({ warnings: [warning] });
    await setBytes(storeHardBytes + 100);
    await base.put("/fs/size", "1");
    await base.remove("/fs/size");
    await setBytes(Number(bytes));
  });
});
