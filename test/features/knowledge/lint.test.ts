// Advice on a write and on the whole tree, and who links to a page (knowledge-base.md 6, 8).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { objectsIn } from "../as-caller.ts";
import { type Base, guide, openBase } from "./base.ts";

let base: Base;
beforeAll(async () => {
  base = await openBase();
});
afterAll(() => base[Symbol.asyncDispose]());

const codesOf = (answer: object, member: "lint" | "findings"): unknown[] =>
  objectsIn({ ...answer }, member).map(({ code, path, line }) =>
    line === undefined ? [code, path] : [code, path, line],
  );

describe("a write is told", () => {
  test.each<[string, string, string[]]>([
    ["/fs/a.md", "text", ["missing_frontmatter"]],
    ["/fs/a.txt", "", ["missing_frontmatter"]],
    ["/fs/index.md", "text", ["missing_frontmatter"]],
    ["/fs/log.md", "text", []],
    ["/fs/s/index.md", "text", []],
    ["/fs/s/log.md", "text", ["missing_frontmatter"]],
    ["/fs/a.md", "---\n---\n", ["missing_type"]],
    ["/fs/a.md", "---\ntype: ' '\n---\n", ["missing_type"]],
    ["/fs/a.md", "---\ntype: [Guide]\n---\n", ["missing_type"]],
    ["/fs/a.md", "---\ntype: Whatever\n---\n", []],
    ["/fs/index.md", "---\nokf_version: 1\n---\n", []],
    ["/fs/log.md", "---\ntitle: x\n---\n", []],
    ["/fs/a.md", "---\nokf_version: 1\n---\n", ["missing_type", "okf_version_misplaced"]],
    ["/fs/s/index.md", "---\nokf_version: 1\n---\n", ["okf_version_misplaced"]],
    ["/fs/log.md", "---\nokf_version: 1\n---\n", ["okf_version_misplaced"]],
    ...["/fs/a.md", "/fs/index.md", "/fs/log.md", "/fs/s/index.md"].map((path): [string, string, string[]] => [
      path,
      "---\n",
      ["unparsed_frontmatter"],
    ]),
    ["/fs/a.md", "\uFEFF---\ntype: a\n---\n", ["unparsed_frontmatter"]],
  ])("%s of %j: %j", async (path, content, codes) => {
    const written = await base.put(path, content);
    expect(codesOf(written, "lint")).toEqual(codes.map((code) => [code, path]));
    const again = await base.rest("putPage", { path, body: { content } });
    expect(again["lint"]).toEqual(written["lint"] ?? null);
  });

  test("of each link that leads nowhere or climbs, with its line; the page itself counts as there", async () => {
    await base.put("/fs/there b.md", guide("x"));
    await base.put("/fs/d/e.md", guide("x"));
    const links =
      "[a](new.md) [a](gone.md) [a](../x) ![a](gone.md)\n\n[a](<there b.md>) [a](there%20b.md) [a](d) [a](/d/e.md)\n";
    const written = await base.put("/fs/new.md", guide(links));
    expect(codesOf(written, "lint")).toEqual([
      ["broken_link", "/fs/new.md", 4],
      ["broken_link", "/fs/new.md", 4],
      ["broken_link", "/fs/new.md", 6],
      ["link_escapes_bundle", "/fs/new.md", 4],
    ]);
    expect(objectsIn(written, "lint").map(({ message }) => message)).toContain(
      "the link leads to /fs/gone.md, which is no page",
    );
  });

  test("what to add, or why it cannot be read", async () => {
    for (const [path, content, told] of [
      ["/fs/a.md", "x", "type: Guide"],
      ["/fs/index.md", "x", 'okf_version: "0.2"'],
      ["/fs/a.md", "---\na: b\n...\n", "delimiter"],
    ] as const) {
      expect(JSON.stringify((await base.put(path, content))["lint"])).toContain(JSON.stringify(told).slice(1, -1));
    }
  });
});

describe("the tree", () => {
  test("without pages has no findings", async () => {
    await using own = await openBase();
    const none = { checked_at: "2026-01-02T03:04:05.000Z", findings: [] };
    expect(await own.rest("lintPages")).toEqual(none);
    await own.put("/fs/a.md", "x");
    await own.remove("/fs/a.md");
    expect(await own.rest("lintPages", { query: { fresh: true } })).toEqual(none);
  });

  test("is told of everything a write is, and of what only the whole shows", async () => {
    await using own = await openBase();
    const pages: [string, string][] = [
      ["/fs/index.md", "---\nokf_version: 1\n---\n[a](a.md) [s](s/index.md) [x](../x)"],
      ["/fs/a.md", guide("[self](a.md)")],
      ["/fs/lonely.md", guide("[self](lonely.md)")],
      ["/fs/s/index.md", "[one](one.md) [two](t%20wo.md)"],
      ["/fs/s/one.md", "no frontmatter"],
      ["/fs/s/t wo.md", guide("x")],
      ["/fs/s/three.md", guide("[gone](gone.md)\n[one](one.md)")],
      ["/fs/bare/deep/p.md", "---\n"],
      ["/fs/s/deep/index.md", "x"],
    ];
    for (const [path, content] of pages) await own.put(path, content);
    const answer = await own.rest("lintPages");
    expect(codesOf(answer, "findings")).toEqual([
      ["missing_index", "/fs/bare/deep/index.md"],
      ["orphan_page", "/fs/bare/deep/p.md"],
      ["unparsed_frontmatter", "/fs/bare/deep/p.md"],
      ["link_escapes_bundle", "/fs/index.md", 4],
      ["missing_log", "/fs/log.md"],
      ["orphan_page", "/fs/lonely.md"],
      ["missing_frontmatter", "/fs/s/one.md"],
      ["broken_link", "/fs/s/three.md", 4],
      ["missing_index_entry", "/fs/s/three.md"],
      ["orphan_page", "/fs/s/three.md"],
    ]);
    for (const { path, meta } of objectsIn(answer, "findings")) {
      const isPage = pages.some(([known]) => known === path);
      expect([path, meta !== undefined]).toEqual([path, isPage]);
      if (isPage) expect(meta).toMatchObject({ path, type: "file", trust: "unverified", last_write_by: "alice" });
    }
  });
});

describe("backlinks", () => {
  const linksTo = async (own: Base, path: string): Promise<unknown[]> =>
    (await own.restList("listBacklinks", { path })).map((page) => page["path"]);

  test("are the other pages with a link, once each, in path order, by title or path", async () => {
    await using own = await openBase();
    await own.put("/fs/t.md", guide("[me](t.md)"));
    await own.put("/fs/z.md", guide("[t](t.md) [t](/fs/t.md)", "title: Zed\n"));
    await own.put("/fs/d/a.md", guide("[t][r]\n\n[r]: ../t.md#part"));
    await own.put("/fs/code.md", guide("`[t](t.md)`"));
    expect(await own.restList("listBacklinks", { path: "t.md" })).toEqual([
      { path: "/fs/d/a.md", title: "/fs/d/a.md" },
      { path: "/fs/z.md", title: "Zed" },
    ]);
    await own.put("/fs/z.md", guide("no more"));
    await own.remove("/fs/d/a.md");
    expect(await linksTo(own, "t.md")).toEqual([]);
    await own.revert("/fs/z.md", String(objectsIn(await own.history("/fs/z.md"), "versions")[1]?.["version"]));
    expect(await linksTo(own, "/fs/t.md")).toEqual(["/fs/z.md"]);
  });

  test("follow what is there: the path as written first, then decoded", async () => {
    await using own = await openBase();
    await own.put("/fs/a.md", guide("[x](b%20c.md)"));
    expect(await linksTo(own, "b c.md")).toEqual(["/fs/a.md"]);
    await own.put("/fs/b%20c.md", guide("x"));
    expect([await linksTo(own, "b c.md"), await linksTo(own, "b%20c.md")]).toEqual([[], ["/fs/a.md"]]);
    await own.remove("/fs/b%20c.md");
    expect(await linksTo(own, "b c.md")).toEqual(["/fs/a.md"]);
  });

  test("stay inside their project", async () => {
    await using own = await openBase();
    await own.hub.project("other");
    await own.alice.call("brain_put", {
      store: "project",
      project_id: "other",
      path: "/fs/x.md",
      content: "[t](t.md)",
    });
    expect(await linksTo(own, "t.md")).toEqual([]);
  });
});
