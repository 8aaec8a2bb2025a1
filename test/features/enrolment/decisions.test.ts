// Admitting and refusing (rest-api.md 7, 10): one decision, one transaction, read from the request and its place alone.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { problem } from "../../server/http/requests.ts";
import { eventually } from "../../support/proxy-harness.ts";
import { objectsIn, sql } from "../as-caller.ts";
import { bearer, type EnrolLab, type Newcomer, openEnrolLab, storeRows } from "./lab.ts";

async function feedOf(lab: EnrolLab, projectId: unknown, query = ""): Promise<JsonObject[]> {
  const page = await lab.http.send("GET", `/api/v1/projects/${String(projectId)}/feed${query}`);
  return objectsIn(page.json, "events");
}

async function decide(lab: EnrolLab, eventId: unknown, body: object) {
  return lab.http.send("POST", `/api/v1/approvals/${String(eventId)}/decision`, { body });
}

const versionAs = async (lab: EnrolLab, { token }: Newcomer): Promise<number> =>
  (await lab.http.send("GET", "/api/v1/version", { as: "none", headers: bearer(token) })).status;

describe("admitting", () => {
  test("makes the token an agent's, resolves the request and says so in the space's feed", async () => {
    await using lab = await openEnrolLab();
    const ada = await lab.enter("ada");
    const request = await lab.requestOf("ada");
    const answer = await lab.approve("ada", { display_name: " Ada of the shed " });
    expect([answer.status, answer.json["id"], answer.json["display_name"], answer.json["state"]]).toEqual([
      200,
      "ada",
      "Ada of the shed",
      "active",
    ]);
    expect(answer.json["open_items"]).toBe(0);
    expect(await lab.requestOf("ada")).toEqual({});
    expect(await versionAs(lab, ada)).toBe(200);
    const space = answer.json["personal_project_id"];
    expect(await feedOf(lab, space)).toMatchObject([
      {
        kind: "answer",
        actor: "human",
        thread_id: request["event_id"],
        summary: "re: Agent ada wants to join",
        payload: { body: "Approved", decision: "approved" },
      },
      { kind: "approval", id: request["event_id"], inbox_status: "resolved" },
    ]);
    expect(await feedOf(lab, space, "?kinds=system")).toMatchObject([
      { actor: "human", payload: { action: "enrol_approved", agent_id: "ada" } },
    ]);
    // The space keeps its name.
    expect((await lab.http.send("GET", `/api/v1/projects/${String(space)}`)).json["display_name"]).toBe(
      "Agent ada (personal)",
    );
  });

  test("tells the client whether to keep the token: by default it does", async () => {
    await using lab = await openEnrolLab();
    for (const [id, body, share] of [
      ["a", undefined, true],
      ["b", {}, true],
      ["c", { share: true }, true],
      ["d", { share: false }, false],
    ] as const) {
      const { token } = await lab.enter(id);
      await lab.approve(id, body);
      expect((await lab.status(token)).json).toEqual({ status: "approved", agent_id: id, share });
    }
  });

  test("grants the projects that exist, each once and with its audit record, and ignores the others", async () => {
    await using lab = await openEnrolLab();
    await lab.http.hub.project("secret", { confidential: true });
    await lab.http.hub.project("open");
    await lab.enter("ada");
    const answer = await lab.approve("ada", { projects: ["secret", "open", "nowhere", "secret"] });
    expect(answer.status).toBe(200);
    const { json } = await lab.http.send("GET", "/api/v1/agents/ada/grants");
    expect(
      objectsIn(json, "grants")
        .map((grant) => grant["project_id"])
        .sort(),
    ).toEqual(["open", "secret"]);
    for (const project of ["secret", "open"]) {
      expect(await feedOf(lab, project, "?kinds=system")).toMatchObject([
        { payload: { action: "grant_set", agent_id: "ada", project_id: project } },
      ]);
    }
  });

  test.each([
    [{ id: "other" }, "id"],
    [{ agent_id: "other" }, "agent_id"],
    [{ state: "active" }, "state"],
    [{ display_name: " " }, "display_name"],
    [{ display_name: 5 }, "display_name"],
    [{ share: "yes" }, "share"],
    [{ projects: "secret" }, "projects"],
    [{ projects: [5] }, "projects.0"],
  ])("refuses %j and changes nothing", async (body, field) => {
    await using lab = await openEnrolLab();
    await lab.enter("ada");
    const before = await storeRows(lab);
    const answer = await lab.approve("ada", body);
    expect(answer.json).toEqual(
      problem("Bad Request", 400, "invalid_argument", { field, expected: expect.any(String) }),
    );
    expect(await storeRows(lab)).toEqual(before);
  });

  test("is for one that is pending: 404 unknown, 409 active, for both routes", async () => {
    await using lab = await openEnrolLab();
    for (const act of [lab.approve, lab.refuse]) {
      expect((await act("nobody")).json).toEqual(problem("Not Found", 404, "not_found"));
      expect((await act("alice")).json).toEqual(problem("Conflict", 409, "conflict"));
    }
  });

  test("a pending agent gets no token another way", async () => {
    await using lab = await openEnrolLab();
    await lab.enter("ada");
    expect((await lab.http.send("POST", "/api/v1/agents/ada/token")).json).toEqual(
      problem("Conflict", 409, "conflict"),
    );
  });
});

describe("refusing leaves no trace", () => {
  test.each<[string, (lab: EnrolLab, request: JsonObject) => Promise<unknown>]>([
    ["the refuse route", (lab) => lab.refuse("ada")],
    ["a decision", (lab, { event_id }) => decide(lab, event_id, { decision: "decline" })],
    ["a decision with a note", (lab, { event_id }) => decide(lab, event_id, { decision: "decline", note: "no" })],
    [
      "a decision with a key",
      (lab, { event_id }) => decide(lab, event_id, { decision: "decline", idempotency_key: "k" }),
    ],
    [
      "a decision on an item that is snoozed",
      async (lab, { event_id }) => {
        const until = new Date(lab.http.hub.clock.now + 60_000).toISOString();
        await lab.http.send("PUT", `/api/v1/inbox/${String(event_id)}/snooze`, { body: { until } });
        return decide(lab, event_id, { decision: "decline" });
      },
    ],
  ])("%s", async (_, refuse) => {
    await using lab = await openEnrolLab();
    const before = await storeRows(lab);
    const ada = await lab.enter("ada", { why: "zzyzzyva" });
    expect((await lab.http.send("GET", "/api/v1/search?q=zzyzzyva")).json["count"]).toBe(1);
    const request = await lab.requestOf("ada");
    const answer = await refuse(lab, request);
    expect([200, 204]).toContain(Object(answer).status);
    expect(await storeRows(lab)).toEqual(before);
    expect((await lab.http.send("GET", "/api/v1/search?q=zzyzzyva")).json["count"]).toBe(0);
    expect((await lab.status(ada.token)).status).toBe(401);
    expect(await versionAs(lab, ada)).toBe(401);
    expect((await decide(lab, request["event_id"], { decision: "approve" })).status).toBe(404);
    // The id is free again.
    expect((await lab.enter("ada")).agentId).toBe("ada");
  });

  test("through a decision it answers with the request's own id, since its thread is gone", async () => {
    await using lab = await openEnrolLab();
    await lab.enter("ada");
    const { event_id } = await lab.requestOf("ada");
    expect((await decide(lab, event_id, { decision: "decline" })).json).toEqual({ event_id: String(event_id) });
  });
});

describe("deciding in the inbox", () => {
  test("admits with share, and carries the note", async () => {
    await using lab = await openEnrolLab();
    const ada = await lab.enter("ada");
    const { event_id, project_id } = await lab.requestOf("ada");
    const body = { decision: "approve", note: " welcome ", idempotency_key: "k" };
    const answer = await decide(lab, event_id, body);
    expect(answer.status).toBe(200);
    const [newest] = await feedOf(lab, project_id);
    expect(newest).toMatchObject({
      id: answer.json["event_id"],
      thread_id: event_id,
      actor: "human",
      payload: { body: "Approved: welcome", decision: "approved", note: "welcome" },
    });
    expect((await lab.status(ada.token)).json).toEqual({ status: "approved", agent_id: "ada", share: true });
    // The same key again: the first answer, and nothing more.
    const before = await storeRows(lab);
    expect((await decide(lab, event_id, body)).json).toEqual(answer.json);
    expect((await decide(lab, event_id, { decision: "decline" })).status).toBe(409);
    expect(await storeRows(lab)).toEqual(before);
  });

  test("a note that is too long decides nothing", async () => {
    await using lab = await openEnrolLab();
    await lab.enter("ada");
    const { event_id } = await lab.requestOf("ada");
    const before = await storeRows(lab);
    expect((await decide(lab, event_id, { decision: "decline", note: "a".repeat(2001) })).status).toBe(413);
    expect(await storeRows(lab)).toEqual(before);
  });

  test("has no deadline to extend", async () => {
    await using lab = await openEnrolLab();
    await lab.enter("ada");
    const { event_id } = await lab.requestOf("ada");
    const extended = await lab.http.send("POST", `/api/v1/inbox/${String(event_id)}/extend`, { body: { seconds: 60 } });
    expect(extended.status).toBe(409);
  });

  test("in every way at once: exactly one counts", async () => {
    await using lab = await openEnrolLab({ enrolPendingMax: 1000 });
    for (let round = 0; round < 20; round += 1) {
      const id = `racer-${round}`;
      const newcomer = await lab.enter(id);
      const { event_id } = await lab.requestOf(id);
      const answers = await Promise.all([
        lab.approve(id),
        lab.refuse(id),
        decide(lab, event_id, { decision: "approve" }),
        decide(lab, event_id, { decision: "decline" }),
        lab.approve(id, { share: false }),
      ]);
      const done = answers.filter(({ status }) => status < 300);
      expect(done.length).toBe(1);
      for (const { status } of answers.filter((answer) => !done.includes(answer))) expect([404, 409]).toContain(status);
      const isIn = (await versionAs(lab, newcomer)) === 200;
      expect(isIn).toBe(answers.some(({ status, json }) => status === 200 && json["event_id"] !== event_id));
    }
  });
});

describe("a forged request", () => {
  const payloadFor = (agent_id: string) => ({
    action: "enrol_request",
    agent_id,
    display_name: "Friend",
    source: "127.0.0.1",
    why: "trust me",
  });

  test("by an active agent admits no one, in its own space or a project", async () => {
    await using lab = await openEnrolLab();
    await lab.enter("ada");
    const { hub } = lab.http;
    const eve = await hub.agent("eve");
    await hub.project("p");
    const { personal_project_id: space } = await eve.call("whoami");
    for (const [project_id, payload] of [
      ["p", payloadFor("ada")],
      [space, payloadFor("ada")],
      [space, payloadFor("eve")],
    ] as const) {
      const forged = await eve.call("signal_append", {
        project_id,
        kind: "approval",
        summary: "Agent ada wants to join",
        payload,
      });
      const before = await storeRows(lab);
      for (const decision of ["approve", "decline"]) {
        const answer = await decide(lab, forged["event_id"], { decision });
        expect(answer.json).toEqual(
          problem("Bad Request", 400, "invalid_argument", { field: "approval_id", expected: expect.any(String) }),
        );
      }
      expect(await storeRows(lab)).toEqual(before);
    }
    expect((await lab.http.send("GET", "/api/v1/agents")).text).toContain('"state":"pending"');
  });

  test("can carry no deadline and cannot be put into another's space", async () => {
    await using lab = await openEnrolLab();
    await lab.enter("ada");
    const { project_id } = await lab.requestOf("ada");
    const eve = await lab.http.hub.agent("eve");
    await lab.http.hub.project("p");
    const forge = (more: object) =>
      eve.call("signal_append", { kind: "approval", summary: "x", payload: payloadFor("ada"), ...more });
    expect(forge({ project_id: "p", expires_in_seconds: 60 })).rejects.toMatchObject({ code: "invalid_argument" });
    expect(forge({ project_id: "p", expires_in_seconds: 60, on_expiry: "approve" })).rejects.toMatchObject({
      code: "invalid_argument",
    });
    expect(forge({ project_id })).rejects.toMatchObject({ code: "forbidden" });
  });

  test("a real one that was moved, or whose agent is not pending any more, is refused too", async () => {
    await using lab = await openEnrolLab();
    await lab.enter("ada");
    const { event_id } = await lab.requestOf("ada");
    await lab.http.hub.project("p");
    await sql(lab.http.hub, "UPDATE events SET project_id = 'p' WHERE id = ?", String(event_id));
    expect((await decide(lab, event_id, { decision: "approve" })).status).toBe(400);
    const space = (await lab.http.send("GET", "/api/v1/agents")).json;
    const ada = objectsIn(space, "agents").find(({ id }) => id === "ada");
    await sql(
      lab.http.hub,
      "UPDATE events SET project_id = ? WHERE id = ?",
      String(ada?.["personal_project_id"]),
      String(event_id),
    );
    await sql(lab.http.hub, "UPDATE agents SET state = 'active' WHERE id = 'ada'");
    expect((await decide(lab, event_id, { decision: "approve" })).status).toBe(400);
  });
});

test("a request nudges the operator once, and says nothing of who asks", async () => {
  const received: string[] = [];
  using target = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      received.push(`${request.method} ${new URL(request.url).search} ${await request.text()}`);
      return new Response();
    },
  });
  await using lab = await openEnrolLab({ notifyUrl: `http://127.0.0.1:${target.port}/` });
  await lab.enter("ada");
  await eventually("the nudge", () => received.length > 0);
  expect(received).toEqual(["POST  Something is waiting for you in Agent Hub."]);
});
