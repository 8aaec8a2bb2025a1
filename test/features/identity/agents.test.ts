// Agents: their one space, reserved names, what listings show, and who a caller is told it is (mcp-tools.md 6.1, 17.34).
import { describe, expect, test } from "bun:test";
import { openTestHub } from "../../support/hub.ts";
import { callAs, objectsIn, refusal, rows, sql } from "../as-caller.ts";

const create = (id: string, display_name = "Name") => ({ body: { id, display_name } });

describe("creating an agent", () => {
  test("makes its personal space and one audit record with it, or nothing at all", async () => {
    await using hub = await openTestHub();
    const made = await hub.rest("createAgent", create("alice", "Alice"));
    expect(await hub.rest("listProjects")).toMatchObject({
      projects: [
        {
          id: made["personal_project_id"],
          display_name: "Alice (personal)",
          owner_agent: "alice",
          is_personal: true,
          confidential: false,
        },
      ],
    });
    const before = await hub.snapshot();
    for (const id of ["alice", "hub", "human", "local"]) {
      const error = await refusal(hub.rest("createAgent", create(id)));
      expect([id, error["code"]]).toEqual([id, id === "alice" ? "conflict" : "invalid_argument"]);
    }
    expect(await hub.snapshot()).toBe(before);
  });

  test("of two at once under one id one is refused", async () => {
    await using hub = await openTestHub();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => hub.rest("createAgent", create("alice"))),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(rows(hub, "SELECT id FROM projects")).toHaveLength(1);
  });

  test("is the operator's alone on every way in", async () => {
    await using hub = await openTestHub();
    const denial = { code: "forbidden", message: "not found or not permitted", details: {} };
    const principal = { kind: "agent", actor: "alice", tokenId: null } as const;
    const ctx = { principal, connection: null, origin: "", signal: new AbortController().signal, progress: null };
    for (const name of ["createAgent", "issueToken", "listAgents", "createGrant", "deleteProject"] as const) {
      const route = hub.hub.routes.find((candidate) => candidate.call === name);
      const request = { params: { id: "alice" }, query: {}, body: undefined };
      const body = name === "createAgent" ? { id: "x", display_name: "X" } : undefined;
      const given = name === "createGrant" ? { project_id: "p" } : body;
      const attempt = Promise.resolve(
        route?.handle({ ...request, params: body ? {} : request.params, body: given }, hub.hub.kernel.ctx(ctx)),
      );
      expect(await refusal(attempt)).toMatchObject(denial);
    }
  });
});

test("the listing shows who is at work, what it waits for and whether its token lives", async () => {
  await using hub = await openTestHub();
  const alice = await hub.agent("alice");
  const bob = await hub.agent("bob");
  await hub.project("p");
  const show = async () =>
    objectsIn(await hub.rest("listAgents"), "agents").map(({ id, at_work, open_items, token_live }) => ({
      id,
      at_work,
      open_items,
      token_live,
    }));
  await alice.call("session_start", { project_id: "p", session_name: "work" });
  const { question_id: id } = await alice.call("question_post", { project_id: "p", subject: "?" });
  await alice.call("signal_append", { project_id: "p", kind: "approval", summary: "may I?" });
  await bob.call("signal_append", { project_id: "p", kind: "finished", summary: "done" });
  await hub.rest("revokeToken", { params: { id: "bob" } });
  expect(await show()).toEqual([
    { id: "alice", at_work: true, open_items: 2, token_live: true },
    { id: "bob", at_work: false, open_items: 0, token_live: false },
  ]);
  await hub.rest("answerQuestion", { params: { id: String(id) }, body: { body: "yes" } });
  hub.clock.now += 900_001;
  expect(await show()).toMatchObject([{ at_work: false, open_items: 1 }, {}]);
});

test("agents and grants are listed oldest first", async () => {
  await using hub = await openTestHub();
  for (const id of ["zoe", "adam", "mia"]) {
    hub.clock.now += 1;
    await hub.rest("createAgent", create(id));
  }
  expect(objectsIn(await hub.rest("listAgents"), "agents").map(({ id }) => id)).toEqual(["zoe", "adam", "mia"]);
  for (const id of ["q", "p"]) {
    hub.clock.now += 1;
    await hub.project(id);
    await hub.rest("createGrant", { params: { id: "zoe" }, body: { project_id: id } });
  }
  const grants = async () => objectsIn(await hub.rest("listGrants", { params: { id: "zoe" } }), "grants");
  expect((await grants()).map(({ project_id }) => project_id)).toEqual(["q", "p"]);
  hub.clock.now += 1;
  const again = await hub.rest("createGrant", { params: { id: "zoe" }, body: { project_id: "q" } });
  expect(again["created_at"]).toBe(new Date(hub.clock.now).toISOString());
  expect((await grants()).map(({ project_id }) => project_id)).toEqual(["p", "q"]);
});

describe("whoami", () => {
  test("tells an agent its id and space, and the operator that it is one", async () => {
    await using hub = await openTestHub();
    const alice = await hub.agent("alice");
    const [space] = rows(hub, "SELECT personal_project_id AS id FROM agents");
    const skill_url = "http://hub.test/bootstrap/SKILL.md";
    expect(await alice.call("whoami")).toEqual({
      actor: "alice",
      admin: false,
      personal_project_id: String(space?.["id"]),
      skill_url,
    });
    expect(await hub.operator.call("whoami")).toEqual({
      actor: "human",
      admin: true,
      personal_project_id: null,
      skill_url,
    });
  });

  test("of a standalone operator under an agent's name claims no space", async () => {
    await using hub = await openTestHub();
    await hub.agent("alice");
    const standalone = { kind: "operator", actor: "alice", tokenId: null } as const;
    expect(await callAs(hub, standalone, "whoami")).toMatchObject({
      actor: "alice",
      admin: true,
      personal_project_id: null,
    });
  });
});

test("a store that holds an agent named hub is opened with that agent's token revoked, on record", async () => {
  await using hub = await openTestHub();
  const { token } = await hub.agent("old");
  await sql(
    hub,
    "INSERT INTO projects (id, display_name, owner_agent, created_at) VALUES ('space-hub', 'Hub', 'hub', 1)",
  );
  await sql(
    hub,
    "INSERT INTO agents (id, display_name, personal_project_id, state, created_at) VALUES ('hub', 'Hub', 'space-hub', 'active', 1)",
  );
  await sql(hub, "UPDATE tokens SET agent_id = 'hub'");
  await hub.reopen();
  const url = await hub.listen();
  const response = await fetch(`${url}/api/v1/version`, { headers: { authorization: `Bearer ${token}` } });
  expect(response.status).toBe(401);
  const read = { project_id: "space-hub", kinds: ["system"], before: "Z".repeat(26) };
  const records = () => hub.operator.call("feed_read", read);
  const expected = { actor: "human", payload: { action: "token_revoked", agent_id: "hub" } };
  expect(objectsIn(await records(), "events")).toMatchObject([expected]);
  expect(await refusal(hub.rest("issueToken", { params: { id: "hub" } }))).toMatchObject({ code: "invalid_argument" });
  await hub.reopen();
  expect(objectsIn(await records(), "events")).toMatchObject([expected]);
});
