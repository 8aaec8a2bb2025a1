// What projects, agents, tokens and grants do over REST, step by step: who asks, what comes back, which audit records
// are left (rest-api.md 0.11, 4, 9). Each table runs top down on one hub.
import { expect, test } from "bun:test";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import type { TestHub } from "../../support/hub.ts";
import { type As, type HttpHub, openHttpHub } from "./requests.ts";

type Step = [
  call: string,
  as: As,
  body: object | undefined,
  status: number,
  /** Members of the answer; the text of its detail for a failure. */
  has: object,
  hasNot: RegExp,
  /** `<project> <actor> <action> <agent>` of each audit record, as the operator's feed shows them. */
  audits: string[],
];

const nothing = /a^/;
const denial = { code: "forbidden", detail: "not found or not permitted", details: {} };

async function audits(hub: TestHub): Promise<{ id: string; line: string }[]> {
  const { projects } = await hub.rest("listProjects");
  const found: { id: string; line: string }[] = [];
  for (const project of Array.isArray(projects) ? projects : []) {
    if (!isObject(project)) continue;
    const page = await hub.operator.call("feed_read", {
      project_id: project["id"],
      kinds: ["system"],
      before: "Z".repeat(26),
      limit: 500,
    });
    for (const event of events(page)) {
      const payload = isObject(event["payload"]) ? event["payload"] : {};
      const owner = project["owner_agent"] === null ? project["id"] : `space:${project["owner_agent"]}`;
      found.push({
        id: String(event["id"]),
        line: `${owner} ${event["actor"]} ${payload["action"]} ${payload["agent_id"]}`,
      });
    }
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function events(page: JsonObject): JsonObject[] {
  return Array.isArray(page["events"]) ? page["events"].filter(isJsonObject) : [];
}

function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

async function follow(http: HttpHub, steps: Step[]): Promise<void> {
  // From here on, that the agent was seen is noted already.
  await http.send("GET", "/api/v1/version", { as: "agent" });
  http.hub.clock.now += 1000;
  let seen = (await audits(http.hub)).length;
  for (const [call, as, body, status, has, hasNot, expected] of steps) {
    const [method = "", path = ""] = call.split(" ");
    const before = status >= 400 ? await http.hub.snapshot() : "";
    const answer = await http.send(method, path, body === undefined ? { as } : { as, body });
    expect([call, as, body, answer.status, answer.json["detail"]]).toEqual([
      call,
      as,
      body,
      status,
      status >= 400 ? expect.any(String) : undefined,
    ]);
    expect(answer.json).toMatchObject(has);
    expect(answer.text).not.toMatch(hasNot);
    if (status === 204) expect(answer.text).toBe("");
    if (status >= 400) expect(await http.hub.snapshot()).toBe(before);
    const now = await audits(http.hub);
    expect([call, now.slice(seen).map(({ line }) => line)]).toEqual([call, expected]);
    seen = now.length;
  }
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("projects", async () => {
  await using http = await openHttpHub();
  const plain = { owner_agent: null, is_personal: false, confidential: false, unseen_events: 0, agents_active: 0 };
  const p = { id: "p", display_name: "P", ...plain, created_at: time };
  await follow(http, [
    ["POST /api/v1/projects", "operator", { id: "p", display_name: " P " }, 200, p, nothing, []],
    ["POST /api/v1/projects", "operator", { id: "p", display_name: "Q" }, 409, { code: "conflict" }, nothing, []],
    ["POST /api/v1/projects", "agent", { id: "p", display_name: "Q" }, 409, { code: "conflict" }, nothing, []],
    ["POST /api/v1/projects", "agent", { id: "q", display_name: "Q" }, 200, { id: "q", ...plain }, nothing, []],
    [
      "POST /api/v1/projects",
      "agent",
      { id: "closed", display_name: "Closed", confidential: true },
      200,
      { confidential: true, owner_agent: null },
      nothing,
      ["closed alice grant_set alice"],
    ],
    [
      "POST /api/v1/projects",
      "operator",
      { id: "secret", display_name: "Secret", confidential: true },
      200,
      { confidential: true },
      nothing,
      [],
    ],
    // Ids are no secret.
    ["POST /api/v1/projects", "agent", { id: "secret", display_name: "S" }, 409, { code: "conflict" }, nothing, []],
    [
      "POST /api/v1/projects",
      "operator",
      { id: "x", display_name: "X", confidential: "yes" },
      400,
      { details: { field: "confidential", expected: "true or false" } },
      nothing,
      [],
    ],
    ["GET /api/v1/projects/p", "agent", undefined, 200, p, nothing, []],
    ["GET /api/v1/projects/closed", "agent", undefined, 200, { id: "closed" }, nothing, []],
    ["GET /api/v1/projects/secret", "agent", undefined, 403, denial, /secret/, []],
    ["GET /api/v1/projects/missing", "agent", undefined, 403, denial, /missing/, []],
    ["GET /api/v1/projects/secret", "operator", undefined, 200, { id: "secret" }, nothing, []],
    ["GET /api/v1/projects/missing", "operator", undefined, 404, { code: "not_found", details: {} }, nothing, []],
    ["GET /api/v1/projects", "agent", undefined, 200, {}, /secret/, []],
    ["PATCH /api/v1/projects/p", "operator", { id: "r" }, 400, { details: { field: "id" } }, nothing, []],
    ["PATCH /api/v1/projects/p", "agent", { id: "r", confidential: true }, 400, {}, nothing, []],
    ["PATCH /api/v1/projects/p", "operator", {}, 200, p, nothing, []],
    ["PATCH /api/v1/projects/p", "operator", { display_name: "R" }, 200, { display_name: "R" }, nothing, []],
    ["PATCH /api/v1/projects/missing", "operator", { display_name: "R" }, 404, { code: "not_found" }, nothing, []],
    ["PATCH /api/v1/projects/p", "agent", {}, 400, { code: "invalid_argument" }, nothing, []],
    ["PATCH /api/v1/projects/p", "agent", { display_name: "A" }, 400, {}, nothing, []],
    ["PATCH /api/v1/projects/p", "agent", { display_name: "A", confidential: true }, 400, {}, nothing, []],
    ["PATCH /api/v1/projects/p", "agent", { confidential: false }, 400, {}, nothing, []],
    ["PATCH /api/v1/projects/missing", "agent", { confidential: false }, 400, {}, nothing, []],
    ["PATCH /api/v1/projects/missing", "agent", { confidential: true }, 403, denial, /missing/, []],
    ["PATCH /api/v1/projects/secret", "agent", { confidential: true }, 403, denial, /secret/, []],
    [
      "PATCH /api/v1/projects/p",
      "agent",
      { confidential: true },
      200,
      { confidential: true, display_name: "R" },
      nothing,
      ["p alice grant_set alice"],
    ],
    ["PATCH /api/v1/projects/p", "agent", { confidential: true }, 200, { confidential: true }, nothing, []],
    ["PATCH /api/v1/projects/p", "operator", { confidential: false }, 200, { confidential: false }, nothing, []],
    ["DELETE /api/v1/projects/p", "agent", undefined, 401, { code: "unauthenticated" }, nothing, []],
    ["DELETE /api/v1/projects/missing", "operator", undefined, 404, { code: "not_found" }, nothing, []],
    ["DELETE /api/v1/projects/q", "operator", undefined, 204, {}, nothing, []],
    ["DELETE /api/v1/projects/q", "operator", undefined, 404, { code: "not_found" }, nothing, []],
  ]);
});

test("agents, tokens and grants", async () => {
  await using http = await openHttpHub();
  const bob = {
    id: "bob",
    display_name: "Bob",
    personal_project_id: expect.stringMatching(/^space-[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
    created_at: time,
    last_seen_at: null,
    state: "active",
    first_seen_at: null,
    first_call_at: null,
    token_live: false,
    at_work: false,
    open_items: 0,
    last_refused_at: null,
  };
  const token = { token: expect.stringMatching(/^[0-9a-f]{64}$/), created_at: time };
  const grant = { agent_id: "bob", project_id: "p", created_at: time };
  await http.hub.project("p", { confidential: true });
  await follow(http, [
    [
      "POST /api/v1/agents",
      "operator",
      { id: "bob", display_name: "Bob" },
      201,
      bob,
      nothing,
      ["space:bob human agent_created bob"],
    ],
    ["POST /api/v1/agents", "operator", { id: "bob", display_name: "Bobby" }, 409, { code: "conflict" }, nothing, []],
    [
      "POST /api/v1/agents",
      "operator",
      { id: "hub", display_name: "Hub" },
      400,
      { code: "invalid_argument" },
      nothing,
      [],
    ],
    ["POST /api/v1/agents", "operator", { id: "carol" }, 400, { details: { field: "display_name" } }, nothing, []],
    ["POST /api/v1/agents", "operator", { id: 5, display_name: "X" }, 400, { details: { field: "id" } }, nothing, []],
    [
      "PATCH /api/v1/agents/bob",
      "operator",
      { display_name: "Robert" },
      200,
      { ...bob, display_name: "Robert" },
      nothing,
      [],
    ],
    ["PATCH /api/v1/agents/nobody", "operator", { display_name: "X" }, 404, { code: "not_found" }, nothing, []],
    ["PATCH /api/v1/agents/bob", "operator", {}, 400, { details: { field: "display_name" } }, nothing, []],
    ["POST /api/v1/agents/bob/token", "operator", undefined, 201, token, nothing, ["space:bob human token_issued bob"]],
    // One audit record: the rotation is one act.
    ["POST /api/v1/agents/bob/token", "operator", undefined, 201, token, nothing, ["space:bob human token_issued bob"]],
    ["POST /api/v1/agents/nobody/token", "operator", undefined, 404, { code: "not_found" }, nothing, []],
    ["POST /api/v1/agents/newcomer/token", "operator", undefined, 409, { code: "conflict" }, nothing, []],
    ["POST /api/v1/agents/hub/token", "operator", undefined, 400, { code: "invalid_argument" }, nothing, []],
    ["DELETE /api/v1/agents/bob/token", "operator", undefined, 204, {}, nothing, ["space:bob human token_revoked bob"]],
    ["DELETE /api/v1/agents/bob/token", "operator", undefined, 204, {}, nothing, []],
    ["DELETE /api/v1/agents/nobody/token", "operator", undefined, 404, { code: "not_found" }, nothing, []],
    ["GET /api/v1/agents/bob/grants", "operator", undefined, 200, { grants: [] }, nothing, []],
    ["GET /api/v1/agents/nobody/grants", "operator", undefined, 404, { code: "not_found" }, nothing, []],
    ["POST /api/v1/agents/bob/grants", "operator", { project_id: "p" }, 201, grant, nothing, ["p human grant_set bob"]],
    ["POST /api/v1/agents/bob/grants", "operator", { project_id: "p" }, 201, grant, nothing, ["p human grant_set bob"]],
    ["POST /api/v1/agents/bob/grants", "operator", { project_id: "nope" }, 404, { code: "not_found" }, nothing, []],
    ["POST /api/v1/agents/nobody/grants", "operator", { project_id: "p" }, 404, { code: "not_found" }, nothing, []],
    ["POST /api/v1/agents/bob/grants", "operator", {}, 400, { details: { field: "project_id" } }, nothing, []],
    ["GET /api/v1/agents/bob/grants", "operator", undefined, 200, { grants: [grant] }, nothing, []],
    ["DELETE /api/v1/agents/bob/grants/nope", "operator", undefined, 404, { code: "not_found" }, nothing, []],
    ["DELETE /api/v1/agents/bob/grants/p", "operator", undefined, 204, {}, nothing, ["p human grant_removed bob"]],
    ["DELETE /api/v1/agents/bob/grants/p", "operator", undefined, 404, { code: "not_found" }, nothing, []],
    ["DELETE /api/v1/agents/nobody/grants/p", "operator", undefined, 404, { code: "not_found" }, nothing, []],
  ]);
  const { json } = await http.send("GET", "/api/v1/agents");
  const ids = Array.isArray(json["agents"]) ? json["agents"].map((agent) => isObject(agent) && agent["id"]) : [];
  expect(ids).toEqual(["alice", "mallory", "newcomer", "bob"]);
});

test("the personal space of an agent stays, whatever its display name becomes", async () => {
  await using http = await openHttpHub();
  await http.send("PATCH", "/api/v1/agents/alice", { body: { display_name: "Alicia" } });
  const { json } = await http.send("GET", "/api/v1/agents");
  const alice = Array.isArray(json["agents"]) ? json["agents"][0] : null;
  const space = isObject(alice) ? String(alice["personal_project_id"]) : "";
  await follow(http, [
    [
      `GET /api/v1/projects/${space}`,
      "operator",
      undefined,
      200,
      { display_name: "Agent alice (personal)", owner_agent: "alice", is_personal: true, confidential: false },
      nothing,
      [],
    ],
    [`DELETE /api/v1/projects/${space}`, "operator", undefined, 409, { code: "conflict", details: {} }, nothing, []],
    [`PATCH /api/v1/projects/${space}`, "operator", { display_name: "Den" }, 200, { display_name: "Den" }, nothing, []],
    // Its own space needs no grant.
    [`PATCH /api/v1/projects/${space}`, "agent", { confidential: true }, 200, { confidential: true }, nothing, []],
    [`GET /api/v1/projects/${space}`, "agent", undefined, 200, { confidential: true }, nothing, []],
  ]);
});

test("missing and denied are the same bytes to an agent", async () => {
  await using http = await openHttpHub();
  await http.hub.project("secret", { confidential: true });
  for (const [method, body] of [
    ["GET", undefined],
    ["PATCH", { confidential: true }],
  ] as const) {
    const sent = body === undefined ? { as: "agent" as const } : { as: "agent" as const, body };
    const [denied, missing] = [
      await http.send(method, "/api/v1/projects/secret", sent),
      await http.send(method, "/api/v1/projects/nowhere", sent),
    ];
    expect([denied.status, denied.text]).toEqual([403, missing.text]);
    const headers = (answer: { headers: Headers }) => [...answer.headers].filter(([name]) => name !== "date");
    expect(headers(denied)).toEqual(headers(missing));
  }
});

test("version", async () => {
  await using http = await openHttpHub();
  for (const as of ["operator", "agent"] as const) {
    const answer = await http.send("GET", "/api/v1/version", { as });
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(answer.json).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), commit: null });
  }
});
