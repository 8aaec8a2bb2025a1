// Publishing, updating, reading and deleting artifacts (artifacts.md 1, 2, 9, mcp-tools.md 17.15 to 17.21).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { objectsIn, refusal, rows, sql } from "../as-caller.ts";
import { envelope, type Lab, openLab, project } from "./lab.ts";

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

const update = (id: string, content: string, more: object = {}): Promise<JsonObject> =>
  lab.alice.call("artifact_update", { artifact_id: id, content, ...more });

describe("a publish", () => {
  test("is version 1 of a document that reads back as it was sent", async () => {
    const session = await lab.alice.start();
    const content = "\uFEFF# Findings \u{1F680}\r\n\n<b>as it is</b>\0";
    const sent = {
      project_id: project,
      kind: "html",
      content,
      title: "  Findings ",
      description: "What",
      label: "draft",
    };
    const published = await lab.alice.call("artifact_publish", { ...sent, actor: "mallory" });
    expect(published).toEqual({ artifact_id: expect.any(String), version: 1 });
    expect(await lab.get(String(published["artifact_id"]))).toEqual({
      artifact_id: published["artifact_id"] ?? null,
      project_id: project,
      session_id: session,
      actor: "alice",
      title: "Findings",
      description: "What",
      label: "draft",
      kind: "html",
      version: 1,
      protected: false,
      envelope: null,
      size_bytes: new TextEncoder().encode(content).byteLength,
      created_at: "2026-01-02T03:04:05.000Z",
      updated_at: "2026-01-02T03:04:05.000Z",
      live_version: null,
      live_rev: 0,
      live_session: null,
      content,
      comments_count: 0,
      comments_open: 0,
    });
    const [event] = (await lab.events()).slice(-1);
    expect(event).toMatchObject({
      kind: "artifact",
      actor: "alice",
      summary: "published Findings",
      session_id: session,
      payload: {
        action: "published",
        artifact_id: published["artifact_id"] ?? null,
        title: "Findings",
        kind: "html",
        version: 1,
        protected: false,
        label: "draft",
      },
    });
    await lab.alice.call("session_end", { session_id: session });
  });

  test("keeps the session only when that is in its project", async () => {
    await lab.hub.project("elsewhere");
    await lab.alice.start("afar", "elsewhere");
    const id = await lab.publish();
    expect(await lab.get(id)).toMatchObject({ session_id: null });
    expect((await lab.events()).at(-1)).toMatchObject({ session_id: null });
  });

  test.each([
    ["text", "# Title here\n\nBody", "Title here"],
    ["after prose", "Body\n\n###\tThird level ##  \nMore", "Third level"],
    ["the first with text", "#\n##  \n# ##\n#no\n####### seven\n  # Indented", "Indented"],
    ["not of the frontmatter", "---\n# a comment\ntitle: x\n---\n# Real", "Real"],
    ["too long", `# ${"a".repeat(600)}`, "a".repeat(500)],
  ])("without a title takes the first heading: %s", async (_what, content, title) => {
    expect(await lab.get(await lab.publish({ title: " ", content }))).toMatchObject({ title });
  });

  test.each<[string, object, string]>([
    ["no title and no heading", { title: "", content: "no heading" }, "title"],
    ["no title and no real heading", { title: "", content: "#none" }, "title"],
    ["no title on html", { title: "", kind: "html", content: "# Heading" }, "title"],
    ["no title on protected content", { title: "", content: "# Heading", envelope }, "title"],
    ["a title too long", { title: "a".repeat(501) }, "title"],
    ["a title of too many characters", { title: "\u{1F680}".repeat(501) }, "title"],
    ["another kind", { kind: "pdf" }, "kind"],
    ["a description too long", { description: "a".repeat(2001) }, "description"],
    ["a label of too many bytes", { label: "é".repeat(31) }, "label"],
    ["an envelope that is a text", { envelope: "secret" }, "envelope"],
    ["an envelope that is a list", { envelope: [1] }, "envelope"],
    ["half a character", { content: "\uD800" }, "content"],
    ["an empty key", { idempotency_key: "" }, "idempotency_key"],
  ])("that is out of bounds is refused by name and leaves nothing: %s", async (_what, more, field) => {
    const error = await lab.refusedWithoutTrace(() => lab.publish(more));
    expect(error).toMatchObject({ code: "invalid_argument", details: { field } });
  });

  test("at its bounds is taken", async () => {
    const most = { title: "\u{1F680}".repeat(500), description: "é".repeat(2000), label: "é".repeat(30) };
    expect(await lab.get(await lab.publish(most))).toMatchObject(most);
    expect(await lab.get(await lab.publish({ label: "" }))).toMatchObject({ label: null });
  });

  test("of more than 50 MiB is too large and stores nothing", async () => {
    const error = await lab.refusedWithoutTrace(() => lab.publish({ content: `${"a".repeat(52_428_799)}é` }));
    expect(error).toMatchObject({ code: "payload_too_large", details: { limit: 52_428_800, actual: 52_428_801 } });
  });
});

describe("an update", () => {
  test("is the next version; title, publisher and session stay, earlier versions too", async () => {
    const session = await lab.alice.start("first");
    const id = await lab.publish({ label: "one" });
    lab.hub.clock.now += 1000;
    const other = await lab.bob.start("second");
    await lab.bob.call("artifact_update", { artifact_id: id, content: "second", base_version: 1 });
    expect(await lab.get(id)).toMatchObject({
      version: 2,
      content: "second",
      title: "Report",
      label: "one",
      actor: "alice",
      session_id: session,
      created_at: new Date(lab.hub.clock.now - 1000).toISOString(),
      updated_at: new Date(lab.hub.clock.now).toISOString(),
    });
    expect((await lab.events()).at(-1)).toMatchObject({
      actor: "bob",
      session_id: other,
      summary: "updated Report",
      payload: { action: "updated", version: 2, label: "one" },
    });
    expect(await lab.get(id, { version: 1 })).toMatchObject({ version: 1, content: "first" });
    expect(await lab.versions(id)).toMatchObject([
      { version: 1, actor: "alice", live: false, size_bytes: 5 },
      { version: 2, actor: "bob", live: false, size_bytes: 6 },
    ]);
  });

  test("of a stale base is a conflict that names the current version, unless forced", async () => {
    const id = await lab.publish();
    await update(id, "second");
    const error = await lab.refusedWithoutTrace(() => update(id, "third", { base_version: 1 }));
    expect(error).toMatchObject({ code: "conflict", details: { current_version: 2 } });
    expect(error["message"]).toMatch(/ current_version=2$/);
    expect(await update(id, "third", { base_version: 1, force: true })).toMatchObject({ version: 3 });
    expect(await update(id, "fourth")).toMatchObject({ version: 4 });
  });

  test.each<[string, object, string | null]>([
    ["no label", {}, "old"],
    ["a label", { label: "new" }, "new"],
    ["null", { label: null }, null],
    ["an empty label", { label: "" }, null],
  ])("with %s has the label it says", async (_what, more, label) => {
    const id = await lab.publish({ label: "old" });
    await update(id, "second", more);
    expect(await lab.get(id)).toMatchObject({ label });
  });

  test("keeps, replaces or drops the envelope as it says; older versions keep theirs", async () => {
    const id = await lab.publish({ envelope });
    await update(id, "kept");
    await update(id, "other", { envelope: { alg: "own", nested: { deep: [1, null] } } });
    await update(id, "clear", { envelope: null });
    await update(id, "still clear");
    const seen = (await lab.versions(id)).map((version) => [version["protected"], version["envelope"]]);
    expect(seen).toEqual([
      [true, envelope],
      [true, envelope],
      [true, { alg: "own", nested: { deep: [1, null] } }],
      [false, null],
      [false, null],
    ]);
  });

  test("asks for a version that is there", async () => {
    const id = await lab.publish();
    expect(await refusal(lab.get(id, { version: 2 }))).toMatchObject({ code: "not_found" });
    expect(await refusal(lab.get(id, { version: 0 }))).toMatchObject({ details: { field: "version" } });
    expect(await refusal(update(id, "x", { base_version: 0 }))).toMatchObject({ details: { field: "base_version" } });
  });
});

describe("an idempotency key", () => {
  test("writes once and answers the same, whatever happened since", async () => {
    const args = { project_id: project, kind: "html", title: "Once", content: "x", idempotency_key: "k" };
    const first = await lab.alice.call("artifact_publish", args);
    const id = String(first["artifact_id"]);
    const updated = await update(id, "y", { idempotency_key: "k" });
    const before = await lab.hub.snapshot();
    expect(await lab.bob.call("artifact_publish", { ...args, title: "Other" })).toEqual(first);
    expect(await update(id, "z", { idempotency_key: "k", base_version: 1 })).toEqual(updated);
    expect(await lab.hub.snapshot()).toBe(before);
    const other = await lab.publish();
    expect(await refusal(update(other, "z", { idempotency_key: "k" }))).toMatchObject({
      code: "invalid_argument",
      details: { field: "idempotency_key" },
    });
  });

  test("goes with its artifact, so that it writes afresh", async () => {
    const first = await lab.publish({ idempotency_key: "again" });
    await update(first, "second", { idempotency_key: "again" });
    await lab.alice.call("comment_post", { artifact_id: first, body: "x", idempotency_key: "again" });
    const kept = await lab.publish({ idempotency_key: "kept" });
    await lab.alice.call("artifact_delete", { artifact_id: first });
    const second = await lab.publish({ idempotency_key: "again" });
    expect(second).not.toBe(first);
    expect(await update(second, "second", { idempotency_key: "again" })).toMatchObject({ version: 2 });
    expect(await lab.publish({ idempotency_key: "kept" })).toBe(kept);
  });
});

describe("a delete", () => {
  test("takes the artifact with all that hangs off it, and says so in the feed", async () => {
    const id = await lab.publish({ title: "Doomed", content: "quokka" });
    await update(id, "quokka again");
    await lab.alice.call("comment_post", { artifact_id: id, body: "bye" });
    await lab.rest("createShare", id);
    expect(await lab.find("quokka")).toEqual([id]);
    expect(await lab.alice.call("artifact_delete", { artifact_id: id })).toEqual({ ok: true, artifact_id: id });
    for (const table of ["artifact_versions", "artifact_comments", "artifact_shares"]) {
      expect(rows(lab.hub, `SELECT 1 FROM ${table} WHERE artifact_id = ?`, id)).toEqual([]);
    }
    expect(await lab.find("quokka")).toEqual([]);
    const events = await lab.events();
    expect(events.at(-1)).toMatchObject({
      summary: "deleted Doomed",
      session_id: null,
      payload: { action: "deleted", artifact_id: id, version: 2 },
    });
    expect(events.filter((event) => JSON.stringify(event).includes(id))).toHaveLength(3);
    for (const call of ["artifact_delete", "artifact_get", "artifact_versions", "comment_list"]) {
      const error = await refusal(lab.alice.call(call, { artifact_id: id }));
      expect(error).toEqual({
        code: "forbidden",
        message: "not found or not permitted",
        retryable: false,
        details: {},
      });
    }
    expect(await refusal(lab.rest("deleteArtifact", id))).toMatchObject({ code: "not_found" });
  });

  test("of the project takes them without a word", async () => {
    await lab.hub.project("passing");
    const before = (await lab.events()).length;
    const id = await lab.publish({ project_id: "passing", content: "numbat" });
    await lab.hub.rest("deleteProject", { params: { id: "passing" } });
    expect(await refusal(lab.rest("getArtifact", id))).toMatchObject({ code: "not_found" });
    expect(rows(lab.hub, "SELECT 1 FROM artifact_versions WHERE artifact_id = ?", id)).toEqual([]);
    expect(await lab.find("numbat")).toEqual([]);
    expect(await lab.events()).toHaveLength(before);
  });
});

test("the ceiling of events refuses a publish and an update, and no draft and no delete", async () => {
  await using small = await openLab({ config: { eventsPerProject: 2 } });
  const id = await small.publish();
  await small.alice.call("artifact_update", { artifact_id: id, content: "second", idempotency_key: "k" });
  const full = { code: "conflict", details: { cap: 2, setting: "HUB_EVENTS_PER_PROJECT" } };
  expect(await refusal(small.publish())).toMatchObject(full);
  const update = { artifact_id: id, content: "third" };
  expect(await refusal(small.alice.call("artifact_update", update))).toMatchObject(full);
  expect(await small.alice.call("artifact_update", { ...update, idempotency_key: "k" })).toMatchObject({ version: 2 });
  expect(await small.alice.call("artifact_draft", update)).toMatchObject({ version: 2, live_version: 3 });
  expect(await small.alice.call("artifact_delete", { artifact_id: id })).toMatchObject({ ok: true });
});

describe("a list", () => {
  test("is of one project, the latest update first, with counts and lineage", async () => {
    await using other = await openLab();
    await other.hub.project("q");
    const session = await other.alice.start();
    const first = await other.publish({ title: "One" });
    other.hub.clock.now += 1000;
    await other.alice.call("session_end", { session_id: session });
    const second = await other.publish({ title: "Two", kind: "html", content: "<h1>Two</h1>" });
    await other.publish({ project_id: "q" });
    const ids = async (more: object = {}): Promise<unknown[]> => {
      const list = await other.bob.call("artifact_list", { project_id: project, ...more });
      return objectsIn(list, "artifacts").map((artifact) => artifact["id"]);
    };
    expect(await ids()).toEqual([second, first]);
    other.hub.clock.now += 1000;
    await other.bob.call("artifact_update", { artifact_id: first, content: "again" });
    expect(await ids()).toEqual([first, second]);
    expect(await ids({ session })).toEqual([first]);
    expect(await ids({ session: "unknown" })).toEqual([]);
    const [listed] = objectsIn(await other.bob.call("artifact_list", { project_id: project }), "artifacts");
    expect(listed).toMatchObject({ id: first, session_id: session, actor: "alice", version: 2, comments_count: 0 });
    expect(Object.keys(listed ?? {})).not.toContain("content");
    expect(Object.keys(listed ?? {})).not.toContain("excerpt");

    const params = { id: project };
    const rest = async (query: object): Promise<unknown[]> =>
      objectsIn(await other.hub.rest("listArtifacts", { params, query }), "artifacts").map(({ id }) => id);
    expect(await rest({})).toEqual([first, second]);
    expect(await rest({ session })).toEqual([first]);
    expect(await rest({ session_id: session })).toEqual([first]);
    expect(objectsIn(await other.hub.rest("listSessionArtifacts", { query: { session } }), "artifacts")).toMatchObject([
      { id: first },
    ]);
    await other.hub.rest("pruneSession", { params: { id: session } });
    expect(await ids({ session })).toEqual([]);
    expect(await rest({ session })).toEqual([]);
    expect(await other.get(first)).toMatchObject({ session_id: session });
  });

  test.each<[string, object, string | undefined]>([
    [
      "plain markdown",
      { content: "---\na: b\n---\n# Head\n\nSome *bold* [link](x) and `code`.\n\n- item" },
      "Head Some bold link and code. item",
    ],
    ["a long one", { content: "word ".repeat(100) }, `${"word ".repeat(100)}`.slice(0, 240)],
    ["protected markdown", { content: "Y2lwaGVy", envelope }, undefined],
    ["html", { kind: "html", content: "<p>hello" }, undefined],
    ["an empty one", { content: "" }, undefined],
  ])("shows the operator the opening words of %s", async (_what, more, excerpt) => {
    const id = await lab.publish(more);
    const listed = objectsIn(await lab.hub.rest("listArtifacts", { params: { id: project } }), "artifacts");
    const found = listed.find((artifact) => artifact["id"] === id);
    expect(found?.["excerpt"]).toBe(excerpt);
  });
});

test("all versions weigh in the storage report and in the project's figures, a live one too", async () => {
  await using other = await openLab();
  const id = await other.publish({ content: "1234" });
  await other.publish({ content: "1234" });
  await other.alice.call("artifact_update", { artifact_id: id, content: "123456" });
  await other.alice.call("artifact_draft", { artifact_id: id, content: "12" });
  await other.alice.call("artifact_draft", { artifact_id: id, content: "123" });
  const report = await other.hub.rest("getStorage");
  expect(report).toMatchObject({ total_bytes: 17, by_kind: { artifacts: 17 } });
  const weights = objectsIn(report, "projects").map(({ project_id, artifact_bytes }) => [project_id, artifact_bytes]);
  expect(weights.find(([projectId]) => projectId === project)).toEqual([project, 17]);
  expect(weights.reduce((sum, [, bytes]) => sum + Number(bytes), 0)).toBe(17);
  const stats = await other.hub.rest("getProjectStats", { params: { id: project } });
  expect(stats).toMatchObject({ artifacts: 2, disk_bytes: 17, events_by_kind: { artifact: 3 } });
});

describe("a search", () => {
  test("finds settled plain text alone, with version and size", async () => {
    const id = await lab.publish({ title: "Zebra notes", content: "<style>okapi</style>" });
    expect(await lab.find("zebra")).toEqual([id]);
    await lab.alice.call("artifact_draft", { artifact_id: id, content: "gnu" });
    expect(await lab.find("gnu")).toEqual([]);
    await update(id, "gerenuk");
    expect(await lab.find("gerenuk")).toEqual([id]);
    expect(await lab.find("okapi")).toEqual([]);
    const found = await lab.alice.call("search", { query: "gerenuk" });
    const [hit] = objectsIn(found, "groups").flatMap((group) => objectsIn(group, "hits"));
    expect(hit).toMatchObject({
      doc_id: `artifact:${id}`,
      kind: "artifact",
      ref_id: id,
      session_id: null,
      title: "Zebra notes",
      snippet: "gerenuk",
      version: 2,
      size_bytes: 7,
    });
    await update(id, "tapir", { envelope });
    expect(await lab.find("tapir")).toEqual([]);
    expect(await lab.find("gerenuk")).toEqual([]);
    expect(await lab.find("zebra")).toEqual([id]);
    await update(id, "pudu", { envelope: null });
    expect(await lab.find("pudu")).toEqual([id]);
  });

  test("finds the same after the index was built anew", async () => {
    const plain = await lab.publish({ content: "saola" });
    const secret = await lab.publish({ content: "saola", envelope, title: "Saola closed" });
    await sql(lab.hub, "UPDATE marks SET value = 0 WHERE name = 'search_index_version'");
    await lab.hub.reopen();
    expect((await lab.find("saola")).sort()).toEqual([plain, secret].sort());
    expect(await lab.find("closed")).toEqual([secret]);
  });
});
