// Deleting a project takes everything of it (rest-api.md 4): nothing of the project is left in any table, and a project
// made again under its id meets nothing.
import { expect, test } from "bun:test";
import { openTestHub, type TestHub } from "../../support/hub.ts";
import { objectsIn, refusal, rows } from "../as-caller.ts";

/** `<table>: <row>` of every row anywhere that names one of the texts. */
function mentions(hub: TestHub, texts: readonly string[]): string[] {
  const tables = rows(hub, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
  return tables.flatMap(({ name }) =>
    rows(hub, `SELECT * FROM "${name}"`)
      .map((row) => JSON.stringify(row))
      .filter((row) => texts.some((text) => row.includes(text)))
      .map((row) => `${name}: ${row}`),
  );
}

async function fill(hub: TestHub, id: string): Promise<string[]> {
  const alice = await hub.agent(`alice-${id}`);
  await hub.project(id, { confidential: true });
  await hub.rest("createGrant", { params: { id: alice.actor }, body: { project_id: id } });
  const connection = await hub.connect(alice);
  const on = { connection };
  const { session_id: session } = await alice.call("session_start", { project_id: id, session_name: "work" }, on);
  for (const path of ["/kv/small", "/fs/file"]) {
    await alice.call("brain_put", { path, content: `${path} of ${id}`, store: "session" }, on);
  }
  const post = { project_id: id, idempotency_key: `key-${id}` };
  const { event_id: signal } = await alice.call("signal_append", { ...post, kind: "signal", summary: "one" }, on);
  await alice.call("signal_append", { ...post, kind: "finished", summary: "done" }, on);
  const { question_id: question } = await alice.call("question_post", { ...post, subject: "which?" }, on);
  await alice.call("signal_append", { ...post, kind: "approval", summary: "may I?", expires_in_seconds: 60 }, on);
  await hub.rest("answerQuestion", { params: { id: String(question) }, body: { body: "this", idempotency_key: "k" } });
  await alice.call("feed_read", { project_id: id }, on);
  await hub.operator.call("feed_read", { project_id: id });
  return [id, String(session), String(signal), String(question)];
}

test("nothing of the project is left, and the other project keeps all", async () => {
  await using hub = await openTestHub();
  const kept = await fill(hub, "kept-one");
  const names = await fill(hub, "gone-one");
  expect(mentions(hub, names).length).toBeGreaterThan(12);
  const others = mentions(hub, kept);
  await hub.rest("deleteProject", { params: { id: "gone-one" } });
  // The agent's own id holds the project's name in this test; its rows stay.
  expect(mentions(hub, names).filter((row) => !row.includes("alice-gone-one"))).toEqual([]);
  expect(mentions(hub, names.slice(1))).toEqual([]);
  expect(rows(hub, "SELECT active_session_id FROM connections WHERE identity = 'alice-gone-one'")).toEqual([
    { active_session_id: null },
  ]);
  expect(mentions(hub, kept)).toEqual(others);
  expect(hub.log.filter((line) => line.includes("project deleted"))).toEqual([
    expect.stringContaining("project=gone-one"),
  ]);
});

test("the agent that was at work there is told, and a new project of that id meets nothing", async () => {
  await using hub = await openTestHub();
  const alice = await hub.agent("alice");
  await hub.project("p");
  const connection = await hub.connect(alice);
  const key = { project_id: "p", kind: "signal", idempotency_key: "once" };
  const start = () => alice.call("session_start", { project_id: "p", session_name: "work" }, { connection });
  const { session_id: first } = await start();
  await alice.call("brain_put", { path: "/kv/k", content: "old", store: "session" }, { connection });
  const { event_id: old } = await alice.call("signal_append", { ...key, summary: "old" });
  await alice.call("feed_read", { project_id: "p" });
  await hub.rest("deleteProject", { params: { id: "p" } });

  expect(await refusal(alice.call("brain_get", { path: "/kv/k" }, { connection }))).toMatchObject({ code: "conflict" });
  const named = { path: "/kv/k", session: { session_id: first ?? "" } };
  expect(await refusal(alice.call("brain_get", named))).toMatchObject({
    code: "forbidden",
    message: "not found or not permitted",
  });

  await hub.project("p");
  expect(await start()).toMatchObject({ resumed: false, brain_bytes: 0, handoff: null });
  const missing = await refusal(alice.call("brain_get", { path: "/kv/k" }, { connection }));
  expect(missing).toMatchObject({ code: "not_found" });
  const { event_id: fresh } = await alice.call("signal_append", { ...key, summary: "new" });
  expect(fresh).not.toBe(old ?? "");
  const page = await alice.call("feed_read", { project_id: "p" });
  expect(objectsIn(page, "events").map((event) => event["summary"])).toEqual(["new", "session work started"]);
  expect(await hub.rest("getProject", { params: { id: "p" } })).toMatchObject({ unseen_events: 2 });
});

test("a wait on an item of the project ends no worse than by its time", async () => {
  await using hub = await openTestHub();
  const alice = await hub.agent("alice");
  await hub.project("p");
  const { question_id: since } = await alice.call("question_post", { project_id: "p", subject: "?" });
  const leave = new AbortController();
  const wait = alice.call("inbox_wait", { wait_seconds: 60, since: since ?? "" }, { signal: leave.signal });
  await hub.rest("deleteProject", { params: { id: "p" } });
  leave.abort();
  expect(await wait).toMatchObject({ items: [] });
});

test("an agent's personal space is refused and stays whole", async () => {
  await using hub = await openTestHub();
  const alice = await hub.agent("alice");
  const { personal_project_id: space } = await alice.call("whoami");
  const before = await hub.snapshot();
  expect(await refusal(hub.rest("deleteProject", { params: { id: String(space) } }))).toMatchObject({
    code: "conflict",
  });
  expect(await hub.snapshot()).toBe(before);
});
