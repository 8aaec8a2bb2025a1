// Every version is kept, read, listed and brought back (knowledge-base.md 9.5, 9.6; mcp-tools.md 15, 17.31, 17.32).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { objectsIn, refusal, rows } from "../as-caller.ts";
import { type Base, guide, inUpperCase, openBase, project, versionOf } from "./base.ts";

let base: Base;
beforeAll(async () => {
  base = await openBase();
});
afterAll(() => base[Symbol.asyncDispose]());

const at = (ms: number): string => new Date(ms).toISOString();
const versionsOf = async (path: string, more?: object): Promise<JsonObject[]> =>
  objectsIn(await base.history(path, more), "versions");

async function feedActions(): Promise<unknown[]> {
  const { events } = await base.hub.rest("listProjectFeed", { params: { id: project }, query: { limit: 500 } });
  return objectsIn({ events: events ?? [] }, "events").map(({ payload }) => payload);
}

test("a page's life is told newest first", async () => {
  const path = "/fs/life.md";
  const start = base.hub.clock.now;
  const step = (): void => {
    base.hub.clock.now += 1000;
  };
  await base.put(path, "one");
  step();
  await base.bob.call("brain_put", { store: "project", project_id: project, path, content: "two" });
  step();
  await base.rest("reviewPage", { path });
  step();
  await base.remove(path);
  step();
  await base.revert(path, versionOf("one"), { if_version: "absent" });
  step();
  await base.put(path, "one");
  const row = { kept: true, current: false };
  const reviewed = String((await versionsOf(path))[3]?.["version"]);
  const one = { version: versionOf("one"), size_bytes: 3 };
  const expected = [
    { op: "kb.put", actor: "alice", at: at(start + 5000), ...one, summary: "edited", kept: true, current: true },
    {
      op: "kb.revert",
      actor: "alice",
      at: at(start + 4000),
      ...one,
      summary: `restored the version of ${at(start)}`,
      ...row,
    },
    {
      op: "kb.delete",
      actor: "alice",
      at: at(start + 3000),
      version: null,
      size_bytes: null,
      summary: "deleted",
      kept: false,
      current: false,
    },
    {
      op: "kb.review",
      actor: "human",
      at: at(start + 2000),
      version: reviewed,
      size_bytes: expect.any(Number),
      summary: "reviewed",
      ...row,
    },
    {
      op: "kb.put",
      actor: "bob",
      at: at(start + 1000),
      version: versionOf("two"),
      size_bytes: 3,
      summary: "edited",
      ...row,
    },
    { op: "kb.put", actor: "alice", at: at(start), ...one, summary: "created", ...row },
  ].map((entry, index) => ({ id: 6 - index, ...entry }));
  const history = {
    path,
    current_version: versionOf("one"),
    versions: expected,
    total: 6,
    next_before: null,
    truncated: false,
  };
  expect<unknown>(await base.history(path)).toEqual(history);
  expect<unknown>(await base.rest("listPageVersions", { query: { path: "life.md" } })).toEqual(history);
});

test("rows are counted in each project from 1, and none is skipped by a write that was refused", async () => {
  await base.hub.project("counted");
  const put = (path: string, more: object = {}) =>
    base.alice.call("brain_put", { store: "project", project_id: "counted", path, content: path, ...more });
  await put("/fs/a");
  await refusal(put("/fs/a", { if_version: "absent" }));
  await put("/fs/b");
  await put("/fs/a");
  const { rows: log, total } = await base.hub.rest("listPageLog", { params: { id: "counted" } });
  expect({ log, total }).toMatchObject({ total: 3, log: [{ path: "/fs/a" }, { path: "/fs/b" }, { path: "/fs/a" }] });
  expect(rows(base.hub, "SELECT ordinal FROM page_writes WHERE project_id = 'counted'")).toEqual([
    { ordinal: 1 },
    { ordinal: 2 },
    { ordinal: 3 },
  ]);
});

describe("a page of history", () => {
  const path = "/fs/paged.md";
  beforeAll(async () => {
    for (let index = 0; index < 60; index += 1) await base.put(path, `${index}`);
  });

  test("goes on where the last one ended, each row once", async () => {
    const seen: unknown[] = [];
    let before: object = {};
    for (let page = 0; page < 10; page += 1) {
      const answer = await base.history(path, { limit: 17, ...before });
      expect(answer["total"]).toBe(60);
      seen.push(...objectsIn(answer, "versions").map(({ version }) => version));
      if (answer["truncated"] !== true) break;
      before = { before: answer["next_before"] };
    }
    expect(seen).toEqual(Array.from({ length: 60 }, (_, index) => versionOf(`${59 - index}`)));
  });

  test("holds 50 rows unless told, at most 200, and none for the count alone", async () => {
    expect(await versionsOf(path)).toHaveLength(50);
    expect(await versionsOf(path, { limit: 200 })).toHaveLength(60);
    expect(await base.history(path, { limit: 0 })).toMatchObject({ versions: [], total: 60, next_before: null });
    for (const limit of [-1, 201, 1.5, "5"]) {
      expect(await refusal(base.history(path, { limit }))).toMatchObject({
        code: "invalid_argument",
        details: { field: "limit" },
      });
    }
    expect(await refusal(base.rest("listPageVersions", { query: { path, limit: 201 } }))).toMatchObject({
      code: "invalid_argument",
    });
    expect(await refusal(base.rest("listPageLog", { query: { limit: 201 } }))).toMatchObject({
      code: "invalid_argument",
    });
  });

  test("of a path nothing was written to is empty", async () => {
    const nothing = {
      path: "/fs/never.md",
      current_version: null,
      versions: [],
      total: 0,
      next_before: null,
      truncated: false,
    };
    expect(await base.history("/fs/never.md")).toEqual(nothing);
    expect(await base.rest("listPageVersions", { query: { path: "never.md" } })).toEqual(nothing);
  });
});

describe("an earlier version", () => {
  test("is read through its own page, deleted or not, and through no other", async () => {
    await base.put("/fs/own.md", "only mine");
    const first = base.hub.clock.now;
    base.hub.clock.now += 1000;
    await base.put("/fs/own.md", "later");
    await base.put("/fs/other.md", "other");
    const version = versionOf("only mine");
    const read = {
      path: "/fs/own.md",
      content: "only mine",
      version,
      size_bytes: 9,
      current: false,
      at: at(first),
      actor: "alice",
    };
    for (const spelt of [version, inUpperCase(version)]) {
      expect(await base.get("/fs/own.md", { version: spelt })).toEqual({ ...read, store: "project" });
      expect(await base.rest("getPage", { path: "own.md", query: { version: spelt } })).toEqual(read);
    }
    expect(await base.get("/fs/own.md", { version: versionOf("later") })).toMatchObject({ current: true });
    await base.remove("/fs/own.md");
    expect(await base.get("/fs/own.md", { version })).toMatchObject({ content: "only mine", current: false });
    expect(await base.get("/fs/own.md", { version: versionOf("later") })).toMatchObject({ current: false });
    for (const attempt of [
      () => base.get("/fs/other.md", { version }),
      () => base.get("/fs/never.md", { version }),
      () => base.revert("/fs/other.md", version),
      () => base.revert("/fs/never.md", version),
      () => base.rest("revertPage", { path: "other.md", body: { version } }),
    ]) {
      expect(await base.refusedWithoutTrace(attempt)).toMatchObject({ code: "not_found" });
    }
  });

  test.each(["absent", "", "sha256:", `sha256:${"0".repeat(63)}`, 5])("is not named by %p", async (version) => {
    for (const attempt of [
      () => base.get("/fs/other.md", { version }),
      () => base.alice.call("brain_revert", { project_id: project, path: "/fs/other.md", version }),
    ]) {
      expect(await base.refusedWithoutTrace(attempt)).toMatchObject({
        code: "invalid_argument",
        details: { field: "version" },
      });
    }
  });
});

describe("a revert", () => {
  test("adds a row and removes none, and a revert of it restores", async () => {
    const path = "/fs/back.md";
    await base.put(path, guide("one"));
    await base.put(path, "two");
    const [one, two] = [versionOf(guide("one")), versionOf("two")];
    const reverted = await base.revert(path, one, { if_version: two });
    expect(reverted).toEqual({
      ok: true,
      path,
      store: "project",
      version: one,
      size_bytes: guide("one").length,
      lint: [],
      warnings: [],
      changed: true,
    });
    expect(await base.get(path)).toMatchObject({ content: guide("one") });
    await base.revert(path, two);
    expect(await base.get(path)).toMatchObject({ content: "two" });
    expect(await versionsOf(path)).toHaveLength(4);
    expect(await feedActions()).toContainEqual({ action: "kb_reverted", store: "project", path, version: one });
  });

  test("to what the page holds writes, logs and signals nothing, once its guard held", async () => {
    const path = "/fs/same.md";
    await base.put(path, "same");
    const version = versionOf("same");
    const before = await base.hub.snapshot();
    expect(await base.revert(path, version, { if_version: version })).toMatchObject({ changed: false, version });
    expect(await base.rest("revertPage", { path: "same.md", body: { version } })).toMatchObject({ changed: false });
    expect(await base.hub.snapshot()).toBe(before);
    const error = await base.refusedWithoutTrace(() => base.revert(path, version, { if_version: versionOf("x") }));
    expect(error).toMatchObject({ code: "conflict", details: { current_version: version } });
  });

  test("brings a deleted page back while it is gone, and not onto a directory that took its place", async () => {
    const path = "/fs/restored";
    await base.put(path, "kept");
    const version = versionOf("kept");
    const present = await base.refusedWithoutTrace(() => base.revert(path, version, { if_version: "absent" }));
    expect(present).toMatchObject({ code: "conflict", details: { current_version: version } });
    await base.remove(path);
    await base.put(`${path}/below`, "x");
    expect(await base.refusedWithoutTrace(() => base.revert(path, version))).toMatchObject({
      code: "invalid_argument",
    });
    await base.remove(`${path}/below`);
    expect(await base.revert(path, version, { if_version: "absent" })).toMatchObject({ changed: true });
    expect(await base.get(path)).toMatchObject({ content: "kept" });
    expect(await base.alice.call("search", { query: "kept", type: "kb" })).not.toMatchObject({ count: 0 });
  });

  test("of many at once is one write each, and the page holds one of them", async () => {
    const path = "/fs/raced.md";
    for (const content of ["a", "b", "c"]) await base.put(path, content);
    const guard = versionOf("c");
    const reverts = ["a", "b", "a", "b"].map((content) => base.revert(path, versionOf(content), { if_version: guard }));
    const outcomes = await Promise.allSettled(reverts);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await base.history(path))["total"]).toBe(4);
  });
});

test("a delete signals, a put does not, and a full feed fails no write", async () => {
  await using own = await openBase({ config: { eventsPerProject: 2 } });
  const path = "/fs/full.md";
  const actions = async () =>
    rows(
      own.hub,
      "SELECT actor, summary, json_extract(payload, '$.action') AS action FROM events WHERE kind = 'signal'",
    );
  await own.put(path, "one");
  await own.put(path, "two");
  expect(await actions()).toEqual([]);
  await own.remove(path);
  expect(await actions()).toEqual([
    { actor: "alice", summary: `Knowledge base page ${path} deleted`, action: "kb_deleted" },
  ]);
  expect(await own.revert(path, versionOf("one"))).toMatchObject({ warnings: [] });
  const dropped = "the project is at its event ceiling, so its feed does not tell of this write";
  expect(await own.revert(path, versionOf("two"))).toMatchObject({ changed: true, warnings: [dropped] });
  await own.remove(path);
  expect(await actions()).toHaveLength(2);
  expect(own.hub.log.join("\n")).toContain("signal dropped at the event ceiling");
  expect(await own.history(path)).toMatchObject({ total: 6 });
});

test("signals carry the active session of the same project", async () => {
  const connection = await base.hub.connect(base.alice);
  const { session_id } = await base.alice.call(
    "session_start",
    { project_id: project, session_name: "s" },
    { connection },
  );
  await base.put("/fs/signalled.md", "x");
  const gone = { store: "project", path: "/fs/signalled.md" };
  await base.alice.call("brain_delete", gone, { connection });
  const [event] = rows(
    base.hub,
    "SELECT session_id, payload FROM events WHERE kind = 'signal' ORDER BY id DESC LIMIT 1",
  );
  expect(event?.["session_id"]).toBe(session_id);
  expect(JSON.parse(String(event?.["payload"]))).toEqual({
    action: "kb_deleted",
    store: "project",
    path: "/fs/signalled.md",
  });
});

test("the log of the whole base is filtered, counted and paged", async () => {
  await using own = await openBase();
  await own.put("/fs/a/1.md", "x");
  await own.put("/fs/a/2.md", "x");
  await own.bob.call("brain_put", { store: "project", project_id: project, path: "/fs/a-b.md", content: "x" });
  await own.remove("/fs/a/1.md");
  const log = async (query: object): Promise<JsonObject> => own.rest("listPageLog", { query });
  expect(await log({})).toEqual({
    rows: [
      { op: "kb.delete", path: "/fs/a/1.md", actor: "alice", at: expect.any(String), version: null },
      { op: "kb.put", path: "/fs/a-b.md", actor: "bob", at: expect.any(String), version: versionOf("x") },
      { op: "kb.put", path: "/fs/a/2.md", actor: "alice", at: expect.any(String), version: versionOf("x") },
      { op: "kb.put", path: "/fs/a/1.md", actor: "alice", at: expect.any(String), version: versionOf("x") },
    ],
    total: 4,
    next_before: null,
    truncated: false,
  });
  for (const [query, total] of [
    [{ path: "a/1.md" }, 2],
    [{ prefix: "a" }, 3],
    [{ prefix: "a", op: "kb.put" }, 2],
    [{ actor: "bob" }, 1],
    [{ actor: "nobody" }, 0],
    [{ path: "never" }, 0],
    [{ limit: 0 }, 4],
  ] as const) {
    expect([query, (await log(query))["total"]]).toEqual([query, total]);
  }
  const first = await log({ limit: 3 });
  expect(first).toMatchObject({ truncated: true, total: 4 });
  expect(objectsIn(await log({ before: first["next_before"] }), "rows")).toHaveLength(1);
  expect(await refusal(log({ op: "kb.move" }))).toMatchObject({ code: "invalid_argument", details: { field: "op" } });
});
