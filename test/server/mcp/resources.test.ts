// Resources (mcp-tools.md 18): the list in pages, its cursors, reading, and how each failure travels, on both lines.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { skillFiles } from "../../../src/server/mcp/guide.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { pageBytes, resourcePageMax } from "../../../src/shared/limits.ts";
import { openResources } from "../isolation.ts";
import { ask, type Listed, listPage, listPages, putPage, readText, refusal } from "./resource-requests.ts";
import { lines, type McpHub, openMcpHub } from "./rpc.ts";

const pageUriOf = (project: string, name: string): string => `agenthub://kb/${project}/${name}`;
const urisOf = (resources: readonly Listed[]): string[] => resources.map(({ uri }) => uri);

describe("a list over many projects", () => {
  let mcp: McpHub;
  const written: string[] = [];

  beforeAll(async () => {
    mcp = await openMcpHub();
    for (const [project, count] of [
      ["Zoo", 3],
      ["a", 130],
      ["b", 101],
      ["b_", 1],
      ["c", 25],
    ] as const) {
      await mcp.hub.project(project);
      const names = Array.from(
        { length: count },
        (_, index) => `${index % 2 === 0 ? "even" : "odd"}/${String(index).padStart(3, "0")}.md`,
      );
      await Promise.all(names.map((name) => putPage(mcp.alice, project, `/fs/${name}`, name)));
      written.push(...names.map((name) => pageUriOf(project, name)));
    }
    await mcp.hub.project("empty");
  });
  afterAll(() => mcp[Symbol.asyncDispose]());

  test.each(lines)("gives each page once, in order, 100 at a time, on the %s line", async (line) => {
    const pages = await listPages(mcp, line);
    const last = (openResources.length + written.length) % resourcePageMax;
    expect(pages.map(({ resources }) => resources.length)).toEqual([100, 100, last]);
    const all = pages.flatMap(({ resources }) => urisOf(resources));
    expect(all.slice(0, openResources.length)).toEqual([...openResources]);
    // None of these ids and names needs encoding, so addresses sort as projects and paths do.
    expect(all.slice(openResources.length)).toEqual([...written].sort());
    for (const { resources, nextCursor } of pages.slice(0, -1)) expect(nextCursor).toBe(resources.at(-1)?.uri ?? "");
  });

  test("ends with the page that holds the last, however full", async () => {
    await using small = await openMcpHub();
    const room = resourcePageMax - openResources.length;
    const numbers = Array.from({ length: room }, (_, index) => index);
    await Promise.all(numbers.map((index) => putPage(small.alice, "p", `/fs/${index}.md`, "x")));
    const full = await listPage(small, "2025");
    expect([full.resources.length, full.nextCursor]).toEqual([resourcePageMax, undefined]);
    await putPage(small.alice, "p", "/fs/one-more.md", "x");
    const first = await listPage(small, "2025");
    expect([first.resources.length, first.nextCursor]).toEqual([resourcePageMax, first.resources.at(-1)?.uri]);
    expect(urisOf((await listPage(small, "2025", first.nextCursor)).resources)).toHaveLength(1);
  });

  test("goes on after a page that was deleted since, and after its project", async () => {
    const uri = pageUriOf("b", "odd/055.md");
    const before = await listPage(mcp, "2026", uri);
    await mcp.alice.call("brain_delete", { store: "project", project_id: "b", path: "/fs/odd/055.md" });
    expect(await listPage(mcp, "2026", uri)).toEqual(before);
    expect(urisOf((await listPage(mcp, "2026", pageUriOf("b", "zzz"))).resources)[0]).toBe(
      pageUriOf("b_", "even/000.md"),
    );
    expect((await listPage(mcp, "2025", pageUriOf("zzz", "x"))).resources).toEqual([]);
    expect(urisOf((await listPage(mcp, "2025", pageUriOf("aa", "x"))).resources)[0]).toBe(
      pageUriOf("b", "even/000.md"),
    );
  });

  test("asks the store for no more than a page of it", async () => {
    const { db } = mcp.hub.hub.kernel.services;
    const plan = db
      .all<{ detail: string }>(
        "EXPLAIN QUERY PLAN SELECT path, size, description FROM pages WHERE project_id = ? AND path > ? AND size IS NOT NULL ORDER BY path LIMIT ?",
        "a",
        "",
        1,
      )
      .map(({ detail }) => detail);
    expect(plan).toEqual([expect.stringMatching(/^SEARCH pages USING INDEX \w+ \(project_id=\? AND path>\?\)$/)]);
  });
});

describe("one resource", () => {
  let mcp: McpHub;
  beforeAll(async () => {
    mcp = await openMcpHub();
    await putPage(
      mcp.alice,
      "p",
      "/fs/svc/caddy notes.md",
      "---\ntype: Guide\ntitle: Caddy\ndescription: How TLS ends here\n---\n# Größe\n",
    );
    await putPage(mcp.alice, "p", "/fs/hosts.txt", "ananas");
  });
  afterAll(() => mcp[Symbol.asyncDispose]());

  test("is listed with its name, title, kind and size in bytes", async () => {
    for (const line of lines) {
      const { resources } = await listPage(mcp, line);
      expect(resources.slice(openResources.length)).toEqual([
        {
          uri: "agenthub://kb/p/hosts.txt",
          name: "hosts.txt",
          title: "Project p: hosts.txt",
          mimeType: "text/plain",
          size: 6,
        },
        {
          uri: "agenthub://kb/p/svc/caddy%20notes.md",
          name: "svc/caddy notes.md",
          title: "Project p: svc/caddy notes.md",
          description: "How TLS ends here",
          mimeType: "text/markdown",
          size: 74,
        },
      ]);
    }
  });

  test("has one template, which names no kind", async () => {
    for (const line of lines) {
      expect((await ask(mcp, line, "resources/templates/list", {}))["resourceTemplates"]).toEqual([
        { uriTemplate: "agenthub://kb/{project_id}/{+path}", name: "kb-page" },
      ]);
      expect((await refusal(mcp, line, "resources/templates/list", { cursor: "x" })).code).toBe(-32602);
    }
  });

  test("is read under the address it was asked by, with its kind and character set", async () => {
    for (const line of lines) {
      for (const uri of [
        "agenthub://kb/p/hosts.txt",
        "agenthub://kb/p//./x/%2e%2e/../hosts.txt/",
        "agenthub://kb/%70/%68osts.txt",
      ]) {
        expect(await readText(mcp, line, uri)).toEqual({ uri, mimeType: "text/plain; charset=utf-8", text: "ananas" });
      }
      expect(await readText(mcp, line, "agenthub://kb/p/svc/caddy%20notes.md")).toMatchObject({
        mimeType: "text/markdown; charset=utf-8",
        text: expect.stringMatching(/# Größe\n$/),
      });
      // A client that fills the template may leave a character as it is.
      expect(await readText(mcp, line, "agenthub://kb/p/svc/caddy notes.md")).toMatchObject({
        text: expect.stringMatching(/# Größe\n$/),
      });
    }
  });

  test("of the skill is its file, byte for byte, under the media type hosts compare", async () => {
    for (const line of lines) {
      for (const [path, text] of Object.entries(skillFiles)) {
        const uri = `skill://agent-hub/${path}`;
        expect(await readText(mcp, line, uri)).toEqual({ uri, mimeType: "text/markdown", text });
      }
    }
  });

  test("holds as much as a page may, and a listing shows one line of its description", async () => {
    const long = `---\ntype: Note\ndescription: ${"d".repeat(5000)}\n---\n`;
    const content = long + "x".repeat(pageBytes - long.length);
    await putPage(mcp.alice, "p", "/fs/whole.md", content);
    for (const line of lines) {
      expect((await readText(mcp, line, "agenthub://kb/p/whole.md"))["text"]).toBe(content);
      const listed = (await listPage(mcp, line)).resources.find(({ name }) => name === "whole.md");
      expect(listed).toMatchObject({ size: pageBytes, description: "d".repeat(1024) });
    }
  });

  test("that is read leaves no trace, and takes no notice with it", async () => {
    const { question_id } = await mcp.alice.call("question_post", { project_id: "p", subject: "May I?" });
    await mcp.bob.call("answer_post", { question_id, body: "Yes" });
    // The first call of an agent is noted.
    await mcp.call("2025", "version");
    const before = await mcp.hub.snapshot();
    await mcp.bob.call("question_post", { project_id: "p", subject: "Another?" });
    await mcp.alice.call("notify_subscribe", { kinds: ["finished"] });
    await mcp.bob.call("signal_append", { project_id: "p", kind: "finished", summary: "done" });
    expect(await mcp.hub.snapshot()).not.toBe(before);
    const standing = await mcp.hub.snapshot();
    for (const line of lines) {
      const texts = [
        await ask(mcp, line, "resources/list", {}),
        await ask(mcp, line, "resources/templates/list", {}),
        await ask(mcp, line, "resources/read", { uri: "agenthub://kb/p/hosts.txt" }),
        await ask(mcp, line, "skills/list", {}),
      ];
      expect(JSON.stringify(texts)).not.toContain('"pending"');
      await refusal(mcp, line, "resources/read", { uri: "agenthub://kb/p/none.md" });
    }
    expect(await mcp.hub.snapshot()).toBe(standing);
    expect(JSON.stringify(await mcp.call("2025", "version"))).toContain("done");
  });
});

describe("what is refused", () => {
  let mcp: McpHub;
  beforeAll(async () => {
    mcp = await openMcpHub();
    await mcp.hub.project("hidden", { confidential: true });
    await putPage(mcp.alice, "p", "/fs/a.md", "x");
  });
  afterAll(() => mcp[Symbol.asyncDispose]());

  const invalid = [
    "agenthub://kb/",
    "agenthub://kb/p",
    "agenthub://kb/p/",
    "agenthub://kb/p/..",
    "agenthub://kb/p/a/../%2E%2E/",
    "agenthub://kb//a.md",
    "agenthub://kb/p/%",
    "agenthub://kb/p/%zz",
    "agenthub://kb/p/%ff",
    "agenthub://kb/%c3/a.md",
    "agenthub://kb/p/a%00b",
    "agenthub://kb/p/a%5Cb",
    "agenthub://kb/p/a\\b",
    "agenthub://kb/p/a%C2%85b",
    `agenthub://kb/p/${"x".repeat(510)}`,
    "agenthub://kb/nowhere/..",
  ];

  test.each(invalid)("a page address that names no page: %p", async (uri) => {
    for (const line of lines) {
      const error = await refusal(mcp, line, "resources/read", { uri });
      expect(error).toMatchObject({
        code: -32602,
        data: { error: { code: "invalid_argument", details: { field: "uri" } } },
      });
      expect(error.message).toBe(String(error.data?.error["message"]));
    }
  });

  test.each([
    "",
    "a.md",
    "agenthub://kb",
    "agenthub://skills",
    "agenthub://skill/",
    "AGENTHUB://KB/p/a.md",
    "skill://agent-hub",
    "skill://agent-hub/",
    "skill://agent-hub/bootstrap.md",
    "skill://agent-hub/references",
    "skill://agent-hub/references/../SKILL.md",
    "skill://agent-hub/constructor",
    "file:///etc/passwd",
    "x".repeat(8000),
  ])("an address that is nobody's: %p", async (uri) => {
    for (const [line, code] of [
      ["2025", -32002],
      ["2026", -32602],
    ] as const) {
      const error = await refusal(mcp, line, "resources/read", { uri });
      expect(error).toMatchObject({ code, data: { uri, error: { code: "not_found" } } });
      expect(error.message.length).toBeLessThan(300);
    }
  });

  test("a page that is missing is named, one of a project that is missing or denied is not", async () => {
    for (const [line, code] of [
      ["2025", -32002],
      ["2026", -32602],
    ] as const) {
      const uri = "agenthub://kb/p/none.md";
      expect(await refusal(mcp, line, "resources/read", { uri })).toMatchObject({
        code,
        message: "there is no page at '/fs/none.md'",
        data: { uri, error: { code: "not_found", retryable: false } },
      });
      const [denied, missing] = await Promise.all(
        ["hidden", "nowhere"].map((project) =>
          refusal(mcp, line, "resources/read", { uri: `agenthub://kb/${project}/none.md` }),
        ),
      );
      expect(JSON.stringify(denied)).toBe(JSON.stringify(missing));
      expect(denied).toEqual({
        code: -32600,
        message: "not found or not permitted",
        data: { error: { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} } },
      });
      expect(
        await refusal(mcp, line, "resources/read", { uri: "agenthub://kb/nowhere/a.md" }, mcp.hub.operator),
      ).toMatchObject({ code, data: { error: { code: "not_found" } } });
    }
  });

  test.each([
    ...invalid,
    "",
    "x",
    "agenthub://skill",
    "skill://agent-hub/SKILL.md",
    "agenthub://kb/p/b/../a.md",
    "agenthub://kb/p/a.md/",
    "agenthub://kb/p/%61.md",
    "agenthub://kb/p/caddy notes.md",
    "agenthub://kb/p/a%2fb",
  ])("a cursor that no list gave: %p", async (cursor) => {
    for (const line of lines) {
      expect(await refusal(mcp, line, "resources/list", { cursor })).toMatchObject({
        code: -32602,
        data: { error: { code: "invalid_argument", details: { field: "cursor" } } },
      });
    }
  });

  test("params of another form", async () => {
    for (const line of lines) {
      for (const [method, params] of [
        ["resources/list", { cursor: 5 }],
        ["resources/list", { cursor: null }],
        ["resources/templates/list", { cursor: {} }],
        ["resources/read", {}],
        ["resources/read", { uri: 5 }],
        ["skills/list", { cursor: [] }],
        ["skills/get", {}],
        ["skills/get", { uri: null }],
        ["resources/directory/read", {}],
        ["resources/directory/read", { uri: "skill://agent-hub", cursor: 5 }],
      ] satisfies [string, JsonObject][]) {
        expect([method, params, (await refusal(mcp, line, method, params)).code]).toEqual([method, params, -32602]);
      }
    }
  });

  test("a page that is not text", async () => {
    const { services } = mcp.hub.hub.kernel;
    const bytes = new Uint8Array([0xff, 0xfe]);
    using stored = await services.blobs.put(bytes);
    await services.write((tx) => {
      services.blobs.record(tx.db, stored, tx.now);
      tx.db.run("UPDATE pages SET blob = ? WHERE path = '/fs/a.md'", stored.hash);
    });
    for (const line of lines) {
      expect(await refusal(mcp, line, "resources/read", { uri: "agenthub://kb/p/a.md" })).toMatchObject({
        code: -32602,
        data: { error: { code: "invalid_argument" } },
      });
    }
  });
});

describe("a store that fails", () => {
  async function failing(sql: RegExp, code: string, mcp: McpHub): Promise<Disposable> {
    const { db } = mcp.hub.hub.kernel.services;
    const { all } = db;
    db.all = (text, ...values) => {
      if (sql.test(text)) throw Object.assign(new Error("database trouble"), { code });
      return all(text, ...values);
    };
    return { [Symbol.dispose]: () => Object.assign(db, { all }) };
  }

  test("fails the whole list while it is busy, and the same cursor works later", async () => {
    await using mcp = await openMcpHub();
    await putPage(mcp.alice, "p", "/fs/a.md", "x");
    const cursor = "agenthub://kb/p/Z.md";
    {
      using _busy = await failing(/FROM pages/, "SQLITE_BUSY", mcp);
      for (const line of lines) {
        expect(await refusal(mcp, line, "resources/list", { cursor })).toMatchObject({
          code: -32603,
          data: { error: { code: "unavailable", retryable: true } },
        });
      }
    }
    expect(urisOf((await listPage(mcp, "2025", cursor)).resources)).toEqual(["agenthub://kb/p/a.md"]);
  });

  test("leaves out the one knowledge base that is damaged, and says so in the log", async () => {
    await using mcp = await openMcpHub();
    for (const project of ["a", "p", "z"]) {
      if (project !== "p") await mcp.hub.project(project);
      await putPage(mcp.alice, project, "/fs/a.md", "x");
    }
    await mcp.hub.hub.kernel.services.write((tx) => {
      tx.db.run("UPDATE pages SET path = '/kv/a.md' WHERE project_id = 'p'");
    });
    for (const line of lines) {
      expect(urisOf((await listPage(mcp, line)).resources).slice(openResources.length)).toEqual([
        "agenthub://kb/a/a.md",
        "agenthub://kb/z/a.md",
      ]);
    }
    const warnings = mcp.hub.log.filter((line) => line.includes("left out of resources/list"));
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(/warn.*\bp\b/i);
    {
      using _corrupt = await failing(/FROM pages/, "SQLITE_CORRUPT", mcp);
      expect(urisOf((await listPage(mcp, "2025")).resources)).toEqual([...openResources]);
    }
  });
});
