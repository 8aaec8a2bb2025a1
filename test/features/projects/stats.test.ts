// What one project holds, in figures (rest-api.md 4).
import { expect, test } from "bun:test";
import { openTestHub } from "../../support/hub.ts";
import { agent, refusal, restAs } from "../as-caller.ts";

test("every figure is what was done in the project, and in no other", async () => {
  await using hub = await openTestHub();
  await hub.project("p");
  await hub.project("other");
  const [alice, bob] = [await hub.agent("alice"), await hub.agent("bob")];
  const append = (caller: typeof alice, more: object) =>
    caller.call("signal_append", { project_id: "p", kind: "signal", summary: "x", ...more });
  await append(alice, {});
  await append(bob, {});
  await append(bob, { kind: "idea" });
  await append(alice, { kind: "finished" });
  await append(alice, { project_id: "other" });
  const ask = async (more: object = {}) =>
    String((await alice.call("question_post", { project_id: "p", subject: "?", ...more }))["question_id"]);
  const [open, snoozed, due, answered] = [await ask(), await ask(), await ask({ expires_in_seconds: 60 }), await ask()];
  expect(open).not.toBe(snoozed);
  await hub.rest("answerQuestion", { params: { id: answered }, body: { body: "!" } });
  const until = new Date(hub.clock.now + 3_600_000).toISOString();
  await hub.rest("snoozeItem", { params: { event_id: snoozed }, body: { until } });
  const connection = await hub.connect(alice);
  await alice.call("session_start", { project_id: "p", session_name: "s" }, { connection });
  await alice.call("brain_put", { store: "session", path: "/fs/a", content: "12345" }, { connection });
  await hub.rest("createGrant", { params: { id: "bob" }, body: { project_id: "p" } });
  await hub.rest("putPage", { params: { id: "p", path: "a.md" }, body: { content: "1234567890" } });
  await hub.rest("putPage", { params: { id: "p", path: "a.md" }, body: { content: "123" } });

  const read = () => hub.rest("getProjectStats", { params: { id: "p" } });
  const stats = {
    project_id: "p",
    events: 10,
    artifacts: 0,
    sessions: 1,
    kb_pages: 1,
    agents_active: 1,
    events_by_kind: { signal: 2, finished: 1, question: 4, answer: 1, approval: 0, artifact: 0, session: 1, idea: 1 },
    waiting: 2,
    live_sessions: 1,
    threads: 4,
    agents_written: 3,
    disk_bytes: 5 + 10 + 3,
  };
  expect(await read()).toEqual(stats);

  // Past the deadline of one item, and long after the session was touched.
  hub.clock.now += 1_000_000;
  expect(due).toBeString();
  expect(await read()).toEqual({ ...stats, waiting: 1, live_sessions: 0, agents_active: 0 });
  hub.clock.now += 3_600_000;
  expect(Object(await read()).waiting).toBe(2);
});

test("of a project that is missing, or that an agent may not see, it is one refusal", async () => {
  await using hub = await openTestHub();
  await hub.project("secret", { confidential: true });
  await hub.agent("alice");
  const asAgent = (id: string) => refusal(restAs(hub, agent("alice"), "getProjectStats", { params: { id } }));
  expect(await asAgent("secret")).toMatchObject({ code: "forbidden", details: {} });
  expect(await asAgent("secret")).toEqual(await asAgent("nowhere"));
  expect(await refusal(hub.rest("getProjectStats", { params: { id: "nowhere" } }))).toMatchObject({
    code: "not_found",
  });
  const { personal_project_id: space } = await (await hub.agent("bob")).call("whoami");
  expect(await restAs(hub, agent("alice"), "getProjectStats", { params: { id: String(space) } })).toMatchObject({
    events: 0,
  });
});
