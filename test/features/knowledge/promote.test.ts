// Copying an entry of a brain into a page that cites its session (knowledge-base.md 9.4, mcp-tools.md 17.30).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { pageBytes } from "../../../src/shared/limits.ts";
import { refusal, rows } from "../as-caller.ts";
import { type Base, openBase, project, versionOf } from "./base.ts";

let base: Base;
let on: { connection: string };
let sessionId: string;
beforeAll(async () => {
  base = await openBase();
  on = { connection: await base.hub.connect(base.alice) };
});
afterAll(() => base[Symbol.asyncDispose]());
beforeEach(async () => {
  const started = await base.alice.call("session_start", { project_id: project, session_name: "dig" }, on);
  sessionId = String(started["session_id"]);
});

const note = (path: string, content: string) => base.alice.call("brain_put", { store: "session", path, content }, on);
const promote = (args: object) => base.alice.call("brain_promote", args, on);
const source = (path: string): string =>
  `sources:\n  - title: dig brain ${path}\n    resource: agenthub://session/${sessionId}/brain${path}\n`;

test("the page is the entry with its fields and its source; the entry stays", async () => {
  await note("/fs/notes.md", "# Found\n");
  const promoted = await promote({
    from_path: "/fs//notes.md",
    to_path: "/fs/kb/./found.md",
    tags: ["one", 'tw"o'],
    type: "Guide",
    description: "it's: quoted",
    title: "Found",
  });
  const content = `---\ntype: Guide\ntitle: Found\ndescription: "it's: quoted"\ntags: ["one", "tw\\"o"]\n${source("/fs/notes.md")}---\n\n# Found\n`;
  const version = versionOf(content);
  expect(promoted).toEqual({ ok: true, path: "/fs/kb/found.md", store: "project", version, lint: [] });
  expect(await base.get("/fs/kb/found.md")).toMatchObject({ content });
  expect(await base.alice.call("brain_get", { path: "/fs/notes.md" }, on)).toMatchObject({ content: "# Found\n" });
  expect((await base.history("/fs/kb/found.md"))["versions"]).toMatchObject([
    { op: "kb.promote", actor: "alice", summary: "promoted from a session brain" },
  ]);
  const [signal] = rows(
    base.hub,
    "SELECT actor, summary, session_id, payload FROM events WHERE kind = 'signal' ORDER BY id DESC LIMIT 1",
  );
  expect(signal).toMatchObject({
    actor: "alice",
    summary: "Promoted /fs/notes.md to /fs/kb/found.md",
    session_id: sessionId,
  });
  expect(JSON.parse(String(signal?.["payload"]))).toEqual({
    action: "kb_promoted",
    store: "project",
    path: "/fs/kb/found.md",
    version,
    from_session_id: sessionId,
    from_path: "/fs/notes.md",
    to_path: "/fs/kb/found.md",
  });
});

test("frontmatter that is there is patched in place, from a key of any spelling", async () => {
  const path = `/kv/a "b" # c: d`;
  await note(path, "---\r\ntitle: old # c\r\nsources:\r\n    - title: t\r\n      resource: r\r\nx: y\r\n---\r\nbody");
  await promote({ from_path: path, to_path: "/fs/kv.md", title: "new" });
  const title = `"dig brain /kv/a \\"b\\" # c: d"`;
  const resource = `"agenthub://session/${sessionId}/brain/kv/a \\"b\\" # c: d"`;
  expect((await base.get("/fs/kv.md"))["content"]).toBe(
    `---\r\ntitle: new\r\nsources:\r\n    - title: t\r\n      resource: r\r\n    - title: ${title}\r\n      resource: ${resource}\r\nx: y\r\n---\r\nbody`,
  );
});

test("into another project it takes write access there, and carries no session of this one", async () => {
  await base.hub.project("library");
  await note("/fs/x.md", "x");
  await promote({ from_path: "/fs/x.md", to_path: "/fs/x.md", project_id: "library" });
  const events = rows(base.hub, "SELECT session_id FROM events WHERE kind = 'signal' AND project_id = 'library'");
  expect(events).toEqual([{ session_id: null }]);
  await base.hub.project("closed", { confidential: true });
  for (const project_id of ["closed", "missing"]) {
    const error = await base.refusedWithoutTrace(() =>
      promote({ from_path: "/fs/x.md", to_path: "/fs/x.md", project_id }),
    );
    expect(error).toEqual({ code: "forbidden", message: "not found or not permitted", retryable: false, details: {} });
  }
});

describe("a refusal leaves no trace", () => {
  test.each<[string, object, object]>([
    ["nothing there", { from_path: "/fs/none" }, { code: "not_found" }],
    ["a directory", { from_path: "/fs/dir" }, { code: "not_found" }],
    ["no brain path", { from_path: "/x" }, { code: "invalid_argument", details: { field: "from_path" } }],
    [
      "a control character in the path",
      { from_path: "/kv/a\nb" },
      { code: "invalid_argument", details: { field: "from_path" } },
    ],
    ["no page path", { to_path: "/kv/x" }, { code: "invalid_argument", details: { field: "to_path" } }],
    ["the root", { to_path: "/fs" }, { code: "invalid_argument", details: { field: "to_path" } }],
    ["a line break in the type", { type: "a\nb" }, { code: "invalid_argument", details: { field: "type" } }],
    ["a C1 control in the title", { title: "a\u0085b" }, { code: "invalid_argument", details: { field: "title" } }],
    [
      "a NUL in the description",
      { description: "\0" },
      { code: "invalid_argument", details: { field: "description" } },
    ],
    ["a tab in a tag", { tags: ["a\tb"] }, { code: "invalid_argument", details: { field: "tags.0" } }],
    ["no list of tags", { tags: "a" }, { code: "invalid_argument", details: { field: "tags" } }],
    ["a malformed guard", { if_version: "x" }, { code: "invalid_argument", details: { field: "if_version" } }],
    [
      "a guard that does not hold",
      { if_version: versionOf("x") },
      { code: "conflict", details: { current_version: "absent" } },
    ],
    [
      "unpatchable frontmatter",
      { from_path: "/fs/odd" },
      { code: "invalid_argument", details: { field: "frontmatter" } },
    ],
    ["a page over its limit", { from_path: "/fs/large" }, { code: "payload_too_large", details: { limit: pageBytes } }],
  ])("%s", async (_name, args, expected) => {
    await note("/fs/ok", "x");
    await note("/fs/dir/x", "x");
    await note("/fs/odd", "---\nsources: none\n---\n");
    await note("/fs/large", "x".repeat(pageBytes));
    const error = await base.refusedWithoutTrace(() =>
      promote({ from_path: "/fs/ok", to_path: "/fs/refused.md", ...args }),
    );
    expect(error).toMatchObject(expected);
  });

  test("without an active session", async () => {
    const call = () => base.alice.call("brain_promote", { from_path: "/fs/x", to_path: "/fs/x", project_id: project });
    expect(await base.refusedWithoutTrace(call)).toMatchObject({ code: "conflict" });
  });
});

describe("over REST", () => {
  const body = (more: object) => ({ from_session_id: sessionId, from_path: "/fs/rest", to_path: "rest.md", ...more });

  test("any session that is not pruned is a source", async () => {
    await note("/fs/rest", "x");
    const promoted = await base.rest("promoteEntry", { body: body({ title: "By the operator" }) });
    const content = `---\ntitle: By the operator\n${source("/fs/rest")}---\n\nx`;
    expect(promoted).toEqual({ ok: true, path: "/fs/rest.md", version: versionOf(content), lint: expect.any(Array) });
    expect(await base.rest("listPageLog", { query: { path: "rest.md" } })).toMatchObject({
      rows: [{ op: "kb.promote", actor: "human" }],
    });
  });

  test("an unknown session or entry is 404, an unknown field refused", async () => {
    for (const [more, code] of [
      [{ from_session_id: "none" }, "not_found"],
      [{ from_path: "/fs/none" }, "not_found"],
      [{ more: 1 }, "invalid_argument"],
      [{ project_id: project }, "invalid_argument"],
      [{ tags: [1] }, "invalid_argument"],
    ] as const) {
      expect(await base.refusedWithoutTrace(() => base.rest("promoteEntry", { body: body(more) }))).toMatchObject({
        code,
      });
    }
    await base.alice.call("session_end", { session_id: sessionId });
    await base.hub.rest("pruneSession", { params: { id: sessionId } });
    expect(await refusal(base.rest("promoteEntry", { body: body({}) }))).toMatchObject({ code: "not_found" });
  });
});
