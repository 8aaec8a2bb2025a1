// The storage report (rest-api.md 14): rows sum to kinds, kinds to the total, and each figure is what a naive recount
// of the store gives.
import { expect, test } from "bun:test";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { StorageView } from "../../../src/shared/views.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { agent as principal, refusal, restAs, rows } from "../as-caller.ts";
import { append } from "../conversation.ts";
import { sweep, windowMs } from "../sessions/ended-lab.ts";
import { end, prune, put, remove, startNamed, undo } from "../sessions/working.ts";

async function report(hub: TestHub): Promise<StorageView> {
  return (await hub.rest("getStorage")) as unknown as StorageView; // by contract, rest-api.md 14
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function addsUp(view: StorageView): void {
  const { by_kind, projects } = view;
  expect(sum(projects.map((project) => project.session_bytes))).toBe(by_kind.sessions);
  expect(sum(projects.map((project) => project.artifact_bytes))).toBe(by_kind.artifacts);
  expect(sum(projects.map((project) => project.kb_bytes))).toBe(by_kind.knowledge);
  expect(by_kind.sessions + by_kind.artifacts + by_kind.knowledge).toBe(view.total_bytes);
  expect(sum(projects.map((project) => project.events_bytes)) + view.events_shared_bytes).toBe(by_kind.events);
  expect(sum(projects.map((project) => project.prunable_sessions))).toBe(view.prunable.sessions);
  expect(sum(projects.map((project) => project.prunable_bytes))).toBe(view.prunable.bytes);
}

// Row by row, in JavaScript: no sum that the hub keeps is used.
function recount(hub: TestHub) {
  const bytesOf = (text: unknown): number => (typeof text === "string" ? Buffer.byteLength(text) : 0);
  const sessions = rows(hub, "SELECT * FROM sessions WHERE pruned_at IS NULL");
  const weights = new Map<unknown, number>();
  for (const entry of rows(hub, "SELECT session_id, size FROM brain_entries")) {
    weights.set(entry["session_id"], (weights.get(entry["session_id"]) ?? 0) + Number(entry["size"]));
  }
  const events = rows(hub, "SELECT * FROM events");
  return rows(hub, "SELECT id, display_name FROM projects ORDER BY id").map(({ id, display_name }) => {
    const own = sessions.filter((session) => session["project_id"] === id);
    const ended = own.filter((session) => session["status"] === "ended");
    const said = events.filter((event) => event["project_id"] === id);
    const times = [...own.map((session) => session["last_activity"]), ...said.map((event) => event["created_at"])];
    const last = Math.max(0, ...times.map(Number));
    return {
      project_id: id,
      project_display_name: display_name,
      events_bytes: sum(said.map((event) => bytesOf(event["summary"]) + bytesOf(event["payload"]))),
      artifact_bytes: 0,
      session_bytes: sum(own.map((session) => weights.get(session["id"]) ?? 0)),
      kb_bytes: 0,
      prunable_sessions: ended.length,
      prunable_bytes: sum(ended.map((session) => weights.get(session["id"]) ?? 0)),
      ...(last === 0 ? {} : { last_write: new Date(last).toISOString() }),
    };
  });
}

async function checked(hub: TestHub): Promise<StorageView> {
  const view = await report(hub);
  addsUp(view);
  expect(view.projects as object[]).toEqual(recount(hub));
  return view;
}

async function work(hub: TestHub, alice: Caller): Promise<void> {
  const step = async (act: () => Promise<unknown>): Promise<void> => {
    hub.clock.now += 1000;
    await act();
    await checked(hub);
  };
  const session = await startNamed(alice, "p", "work");
  await step(() => append(alice, "p", { summary: "sämtliche", payload: { body: "Größe \u{1F600}" } }));
  await step(() => put(alice, session, "/fs/f", "x".repeat(10_000)));
  await step(() => put(alice, session, "/kv/k", "y"));
  await step(() => put(alice, session, "/fs/f", "shorter"));
  await step(() => put(alice, session, "/fs/g", "shorter"));
  const fork = await startNamed(alice, "p", "fork", { from: session });
  await step(() => put(alice, fork, "/kv/k", "longer than before"));
  await step(() => remove(alice, session, "/fs/g"));
  await step(() => end(alice, session, "nöte"));
  const token = await prune(hub, session);
  await step(() => undo(hub, token));
  await step(() => prune(hub, session));
  hub.clock.now += windowMs;
  await step(() => sweep(hub));
  await step(() => hub.rest("createGrant", { params: { id: "alice" }, body: { project_id: "q" } }));
  await step(() => end(alice, fork));
}

test("adds up after every kind of write, and across a restart", async () => {
  await using hub = await openTestHub();
  await checked(hub);
  const alice = await hub.agent("alice");
  await hub.project("p");
  await hub.project("q");
  await work(hub, alice);
  const before = await checked(hub);
  await hub.reopen();
  expect((await checked(hub)).projects).toEqual(before.projects);
  await hub.rest("deleteProject", { params: { id: "p" } });
  await checked(hub);
});

test("adds up when much was written since the files were measured", async () => {
  await using hub = await openTestHub();
  await hub.project("p");
  await report(hub);
  for (let index = 0; index < 30; index += 1) {
    await append(hub.operator, "p", { summary: "s", payload: { body: `${index}`.padEnd(200_000, "x") } });
  }
  await checked(hub);
});

test("says what lies on disk: the store's files, and each file of bytes once", async () => {
  await using hub = await openTestHub();
  const alice = await hub.agent("alice");
  await hub.project("p");
  const session = await startNamed(alice, "p", "work");
  for (const path of ["/fs/a", "/fs/b"]) await put(alice, session, path, "z".repeat(50_000));
  await put(alice, session, "/kv/small", "in a row");
  await startNamed(alice, "p", "fork", { from: session });
  hub.clock.now += 10_000;
  const view = await report(hub);
  const sizeOf = (name: string): number => statSync(join(hub.dataDir, name)).size;
  const store = sum(
    readdirSync(hub.dataDir)
      .filter((name) => name.startsWith("hub.db"))
      .map(sizeOf),
  );
  expect(view.by_kind.events).toBe(store);
  expect(view.used_bytes).toBe(store + 50_000);
  expect(view.by_kind.sessions).toBe(2 * (2 * 50_000 + "in a row".length));
  expect(view).toMatchObject({
    capacity_bytes: expect.any(Number),
    free_bytes: expect.any(Number),
    data_path: hub.dataDir,
    node: { host: expect.any(String), mode: "local" },
  });
  expect(Object.keys(view).sort()).toEqual(
    [
      "by_kind",
      "capacity_bytes",
      "data_path",
      "events_shared_bytes",
      "free_bytes",
      "node",
      "prunable",
      "projects",
      "total_bytes",
      "used_bytes",
    ].sort(),
  );
  const home = await hub.rest("getHome");
  expect(home["storage"]).toEqual({
    used_bytes: view.used_bytes,
    capacity_bytes: view.capacity_bytes,
    free_bytes: view.free_bytes,
  });
});

test("is the operator's alone", async () => {
  await using hub = await openTestHub();
  await hub.agent("alice");
  expect(await refusal(restAs(hub, principal("alice"), "getStorage"))).toMatchObject({ code: "forbidden" });
});
