// Asking to join (rest-api.md 10): what is taken, under which id, and that nothing is left of what is refused.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { problem } from "../../server/http/requests.ts";
import { objectsIn, rows } from "../as-caller.ts";
import { bearer, type EnrolLab, openEnrolLab, storeRows } from "./lab.ts";

let lab: EnrolLab;
beforeAll(async () => {
  lab = await openEnrolLab({ enrolPendingMax: 1000 });
});
afterAll(() => lab[Symbol.asyncDispose]());

const invalid = (field: string) =>
  problem("Bad Request", 400, "invalid_argument", { field, expected: expect.any(String) });
const long = (length: number, text = "a"): string => text.repeat(length);

test("a request is taken with a token, an agent, a space and an open approval in it, and is told to no one else", async () => {
  const answer = await lab.ask(
    { display_name: "Ada's laptop", suggested_id: " ada ", why: "  to build the shed  ", source: "6.6.6.6" },
    { "x-forwarded-for": "192.0.2.7" },
  );
  expect(answer.status).toBe(202);
  expect(answer.json).toEqual({ token: expect.stringMatching(/^[0-9a-f]{64}$/), agent_id: "ada", status: "pending" });
  expect(answer.headers.get("cache-control")).toBe("no-store");

  const agents = await lab.http.send("GET", "/api/v1/agents");
  const ada = objectsIn(agents.json, "agents").find(({ id }) => id === "ada");
  expect(ada).toMatchObject({
    display_name: "Ada's laptop",
    state: "pending",
    enrol_note: "to build the shed",
    enrol_source: "192.0.2.7",
    first_seen_at: null,
    token_live: true,
    open_items: 1,
  });
  const space = String(ada?.["personal_project_id"]);
  expect(space).toMatch(/^space-[0-9A-HJKMNP-TV-Z]{26}$/);
  const project = await lab.http.send("GET", `/api/v1/projects/${space}`);
  expect(project.json).toMatchObject({
    display_name: "Ada's laptop (personal)",
    owner_agent: "ada",
    is_personal: true,
    confidential: false,
  });

  const feed = await lab.http.send("GET", `/api/v1/projects/${space}/feed`);
  expect(objectsIn(feed.json, "events")).toMatchObject([
    {
      kind: "approval",
      actor: "ada",
      summary: "Ada's laptop wants to join",
      payload: {
        action: "enrol_request",
        agent_id: "ada",
        display_name: "Ada's laptop",
        source: "192.0.2.7",
        why: "to build the shed",
      },
      needs_action: true,
      inbox_status: "action",
    },
  ]);
  const item = await lab.requestOf("ada");
  expect(item).toMatchObject({ kind: "approval", status: "action", project_id: space });
  expect(item["expires_at"]).toBeUndefined();
  // Only its hash is kept.
  expect(JSON.stringify(rows(lab.http.hub, "SELECT * FROM tokens"))).not.toContain(String(answer.json["token"]));
  const audit = await lab.http.send("GET", `/api/v1/projects/${space}/feed?kinds=system`);
  expect(objectsIn(audit.json, "events")).toEqual([]);
});

describe("ids", () => {
  test.each([
    ["Build Bot 7", "build-bot-7"],
    ["  a  _-_ b ", "a-b"],
    ["--x--", "x"],
    ["C++ & Go!", "c-go"],
    ["snake_case_name", "snake-case-name"],
    ["Ünïcode Bot", "ncode-bot"],
    ["\u212Aelvin", "elvin"],
  ])("%p without a suggestion becomes %p", async (display_name, id) => {
    const answer = await lab.ask({ display_name, why: "ids" });
    expect([answer.status, answer.json["agent_id"]]).toEqual([202, id]);
  });

  test.each(["агент", "計算機", "وكيل", "😀", "!!!", "- _ -"])("%p has no slug and gets a made one", async (name) => {
    const answer = await lab.ask({ display_name: name, why: "ids", suggested_id: "  " });
    expect(answer.status).toBe(202);
    expect(answer.json["agent_id"]).toMatch(/^agent-[0-9a-f]{8}$/);
  });

  test.each(["агент-7", "計算機", "وكيل", "e\u0301", "👩‍💻", "a/b?c#d", long(200, "😀")])(
    "%p may be suggested, and is found under it",
    async (id) => {
      const { agentId, token } = await lab.enter(id);
      expect(agentId).toBe(id);
      expect((await lab.approve(id)).json["id"]).toBe(id);
      expect((await lab.status(token)).json["agent_id"]).toBe(id);
    },
  );

  test.each(["hub", "human", "local", " hub ", ".", "..", "a\u0000b", "a\nb", long(201), 5, {}, "\ud800"])(
    "%p may not be suggested",
    async (id) => {
      const before = await storeRows(lab);
      const answer = await lab.ask({ display_name: "X", why: "ids", suggested_id: id });
      expect(answer.json).toEqual(invalid("suggested_id"));
      expect(await storeRows(lab)).toEqual(before);
    },
  );

  test.each(["Hub", "human", "LOCAL"])("a name whose slug is reserved is refused: %p", async (display_name) => {
    expect((await lab.ask({ display_name, why: "ids" })).json).toEqual(invalid("suggested_id"));
  });

  test("a taken id is 409, whoever holds it and however it is spelled in the name", async () => {
    await lab.enter("taken");
    const before = await storeRows(lab);
    for (const body of [
      { display_name: "Other", suggested_id: "taken", why: "ids" },
      { display_name: "TAKEN", why: "ids" },
      { display_name: "alice", why: "ids" },
    ]) {
      expect((await lab.ask(body)).json).toEqual(problem("Conflict", 409, "conflict"));
    }
    expect(await storeRows(lab)).toEqual(before);
  });
});

describe("what is wrong with a request is told, and leaves nothing", () => {
  test.each([
    ["", "why"],
    ["   ", "why"],
    [long(200), "why"],
    [long(200, "😀"), "why"],
    ["two\nlines", "why"],
    ["two\rlines", "why"],
    ["two\u2028lines", "why"],
    ["\u001b[2Jgone", "why"],
    [7, "why"],
    [undefined, "why"],
    [null, "why"],
  ])("why is %p", async (why, field) => {
    const before = await storeRows(lab);
    expect((await lab.ask({ display_name: "X", why })).json).toEqual(invalid(field));
    expect(await storeRows(lab)).toEqual(before);
  });

  test.each([long(199), ` ${long(199)} `, long(199, "😀"), "ümlaute & 日本語"])("why may be %p", async (why) => {
    const { agentId } = await lab.enter(crypto.randomUUID(), { why });
    expect((await lab.requestOf(agentId))["payload"]).toMatchObject({ why: why.trim() });
  });

  test.each([[""], [" "], ["a\nb"], [long(201)], [5], [undefined], [[]]])(
    "display_name is %p",
    async (display_name) => {
      expect((await lab.ask({ display_name, why: "x" })).json).toEqual(invalid("display_name"));
    },
  );

  test.each([
    [{ text: "{", headers: { "content-type": "application/json" } }, 400],
    [{ text: "[]", headers: { "content-type": "application/json" } }, 400],
    [{ text: "{}" }, 415],
    [{ text: "why=x", headers: { "content-type": "application/x-www-form-urlencoded" } }, 415],
    [{}, 415],
  ])("a body that is %j is %i", async (sent, status) => {
    expect((await lab.http.send("POST", "/api/v1/enrol", { as: "none", ...sent })).status).toBe(status);
  });

  test("fields the hub does not know are ignored, a deadline among them", async () => {
    const { agentId } = await lab.enter("eager", { expires_in_seconds: 60, on_expiry: "approve", state: "active" });
    const item = await lab.requestOf(agentId);
    expect([item["expires_at"], item["on_expiry"], item["status"]]).toEqual([undefined, undefined, "action"]);
  });
});

test("a token that is sent along changes nothing", async () => {
  const answer = await lab.ask({ display_name: "Tokened", why: "x" }, bearer("garbage"));
  expect(answer.status).toBe(202);
});

test("switched off, it is 403 and nothing is stored", async () => {
  await using closed = await openEnrolLab({ enrol: false });
  const before = await storeRows(closed);
  expect((await closed.ask()).json).toEqual(problem("Forbidden", 403, "forbidden"));
  expect(await storeRows(closed)).toEqual(before);
});

test.each(["http://evil.example", "null", "[own]"])("no web page may ask or wait: Origin %p", async (origin) => {
  const { token } = await lab.enter(crypto.randomUUID());
  const before = await storeRows(lab);
  const headers = { origin: origin === "[own]" ? lab.http.url : origin };
  expect((await lab.ask(undefined, headers)).json).toEqual(problem("Forbidden", 403, "forbidden"));
  const waiting = await lab.http.send("GET", "/api/v1/enrol/status?wait=0", {
    as: "none",
    headers: { ...headers, ...bearer(token) },
  });
  expect(waiting.json).toEqual(problem("Forbidden", 403, "forbidden"));
  expect(await storeRows(lab)).toEqual(before);
});
