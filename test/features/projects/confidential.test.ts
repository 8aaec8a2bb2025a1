// Making a project confidential (rest-api.md 4): what the agent that does it keeps, and what it leaves behind.
import { describe, expect, test } from "bun:test";
import { openTestHub, type TestHub } from "../../support/hub.ts";
import { agent, objectsIn, refusal, restAs, rows } from "../as-caller.ts";

const newest = { before: "Z".repeat(26) };

async function feedOf(hub: TestHub, projectId: string, kinds: string[]) {
  return objectsIn(await hub.operator.call("feed_read", { project_id: projectId, kinds, ...newest }), "events");
}

function tighten(hub: TestHub, actor: string, projectId: string) {
  return restAs(hub, agent(actor), "updateProject", { params: { id: projectId }, body: { confidential: true } });
}

describe("an agent that makes an ordinary project confidential", () => {
  test("gets a grant, leaves an audit record of its own and one signal; others are out at once", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    const bob = await hub.agent("bob");
    await hub.project("p");
    await bob.call("signal_append", { project_id: "p", kind: "signal", summary: "before" });
    expect(await tighten(hub, "alice", "p")).toMatchObject({ id: "p", confidential: true });
    expect(objectsIn(await hub.rest("listGrants", { params: { id: "alice" } }), "grants")).toMatchObject([
      { agent_id: "alice", project_id: "p" },
    ]);
    const [signal, before] = await feedOf(hub, "p", ["signal"]);
    expect(before).toMatchObject({ summary: "before" });
    expect(signal).toMatchObject({
      kind: "signal",
      actor: "alice",
      summary: "Project made confidential",
      payload: { action: "project_confidential", project_id: "p", confidential: true },
    });
    expect(await feedOf(hub, "p", ["system"])).toMatchObject([
      {
        kind: "system",
        actor: "alice",
        payload: { action: "grant_set", agent_id: "alice", project_id: "p" },
      },
    ]);
    expect(objectsIn(await alice.call("feed_read", { project_id: "p", ...newest }), "events")).toHaveLength(2);
    expect(await refusal(bob.call("feed_read", { project_id: "p" }))).toMatchObject({ code: "forbidden" });
  });

  test("does so once: again it writes nothing", async () => {
    await using hub = await openTestHub();
    await hub.agent("alice");
    await hub.project("p");
    await tighten(hub, "alice", "p");
    const before = await hub.snapshot();
    expect(await tighten(hub, "alice", "p")).toMatchObject({ confidential: true });
    expect(await hub.snapshot()).toBe(before);
  });

  test("cannot open it again, nor rename it", async () => {
    await using hub = await openTestHub();
    await hub.agent("alice");
    await hub.project("p");
    await tighten(hub, "alice", "p");
    const before = await hub.snapshot();
    for (const body of [
      { confidential: false },
      { display_name: "Mine" },
      { display_name: "Mine", confidential: true },
    ]) {
      const attempt = restAs(hub, agent("alice"), "updateProject", { params: { id: "p" }, body });
      expect(await refusal(attempt)).toMatchObject({ code: "invalid_argument", details: { field: "confidential" } });
    }
    expect(await hub.snapshot()).toBe(before);
  });

  test("at the event ceiling the signal is dropped and logged, and the project is confidential all the same", async () => {
    await using hub = await openTestHub({ config: { eventsPerProject: 1 } });
    const alice = await hub.agent("alice");
    await hub.project("p");
    await alice.call("signal_append", { project_id: "p", kind: "signal", summary: "the only one" });
    expect(await tighten(hub, "alice", "p")).toMatchObject({ confidential: true });
    expect(await feedOf(hub, "p", ["signal"])).toMatchObject([{ summary: "the only one" }]);
    // Audit records are under no ceiling.
    expect(await feedOf(hub, "p", ["system"])).toHaveLength(1);
    expect(hub.log.filter((line) => line.includes("signal dropped at the event ceiling"))).toEqual([
      expect.stringContaining("project=p"),
    ]);
  });

  test("in its own space needs no grant", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    const { personal_project_id: space } = await alice.call("whoami");
    await tighten(hub, "alice", String(space));
    expect(rows(hub, "SELECT * FROM grants")).toEqual([]);
    expect(await feedOf(hub, String(space), ["signal"])).toHaveLength(1);
    expect(
      await alice.call("signal_append", { project_id: space ?? "", kind: "signal", summary: "mine" }),
    ).toBeObject();
  });

  test("cannot do so to another's space", async () => {
    await using hub = await openTestHub();
    await hub.agent("alice");
    const bob = await hub.agent("bob");
    const { personal_project_id: space } = await bob.call("whoami");
    expect(await refusal(tighten(hub, "alice", String(space)))).toMatchObject({ code: "forbidden", details: {} });
  });
});

test("the operator closes and opens a project without a grant, a signal or a record", async () => {
  await using hub = await openTestHub();
  const alice = await hub.agent("alice");
  await hub.project("p");
  for (const confidential of [true, false]) {
    await hub.rest("updateProject", { params: { id: "p" }, body: { confidential } });
    const read = alice.call("feed_read", { project_id: "p" });
    if (confidential) expect(await refusal(read)).toMatchObject({ code: "forbidden" });
    else expect(await read).toMatchObject({ events: [] });
  }
  expect(await feedOf(hub, "p", ["system"])).toEqual([]);
  expect(rows(hub, "SELECT * FROM grants")).toEqual([]);
});

test("an agent that creates a confidential project holds a grant on it; an ordinary one needs none", async () => {
  await using hub = await openTestHub();
  await hub.agent("alice");
  const create = (id: string, confidential: boolean) =>
    restAs(hub, agent("alice"), "createProject", { body: { id, display_name: id, confidential } });
  await create("ordinary", false);
  await create("closed", true);
  expect(objectsIn(await hub.rest("listGrants", { params: { id: "alice" } }), "grants")).toMatchObject([
    { project_id: "closed" },
  ]);
  expect(await feedOf(hub, "closed", ["system"])).toMatchObject([{ actor: "alice", payload: { action: "grant_set" } }]);
  expect(await feedOf(hub, "ordinary", ["system"])).toEqual([]);
});

test("an open question of an agent that lost access is still the operator's to answer", async () => {
  await using hub = await openTestHub();
  const bob = await hub.agent("bob");
  await hub.agent("alice");
  await hub.project("p");
  const { question_id: id } = await bob.call("question_post", { project_id: "p", subject: "still here?" });
  await tighten(hub, "alice", "p");
  expect(await bob.call("inbox_wait", { wait_seconds: 0, since: id ?? "" })).toMatchObject({ items: [] });
  await hub.rest("answerQuestion", { params: { id: String(id) }, body: { body: "yes" } });
  // Not visible to the agent, so not delivered until it may read the project again.
  expect(await bob.call("inbox_wait", { wait_seconds: 0 })).toMatchObject({ items: [] });
  await hub.rest("createGrant", { params: { id: "bob" }, body: { project_id: "p" } });
  expect(await bob.call("inbox_wait", { wait_seconds: 0 })).toMatchObject({ items: [{ answer: { body: "yes" } }] });
});
