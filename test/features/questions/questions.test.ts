// Questions, answers and decisions (mcp-tools.md 17.7, 17.8; rest-api.md 7): options, what is refused, who may do what.
import { describe, expect, test } from "bun:test";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { request as http } from "../../support/operator.ts";
import {
  answer,
  append,
  ask,
  decide,
  eventOf,
  expectNoTrace,
  itemOf,
  itemsOf,
  refusalOf,
  reply,
  request,
  wholeFeed,
} from "../conversation.ts";

type Lab = AsyncDisposable & { hub: TestHub; ann: Caller; bob: Caller };

async function openLab(): Promise<Lab> {
  const hub = await openTestHub();
  await hub.project("lab");
  const lab = { hub, ann: await hub.agent("ann"), bob: await hub.agent("bob") };
  return { ...lab, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const badField = (field: string) => ({
  code: "invalid_argument" as const,
  details: { field, expected: expect.any(String) },
});
const conflict = { code: "conflict" as const, details: {} };
const denied = { code: "forbidden" as const, details: {} };

describe("options", () => {
  test("are kept trimmed, in their order, and shown wherever the question is", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const id = await ask(ann, "lab", { options: ["  b ", "a\t", "\nÄ ist ok 👍🏽 ", "x".repeat(80)] });
    const options = ["b", "a", "Ä ist ok 👍🏽", "x".repeat(80)];
    expect((await itemOf(bob, id)).payload).toEqual({ options });
    expect((await eventOf(hub, "lab", id)).payload).toEqual({ options });
    expect(itemsOf(await ann.call("inbox_wait", { since: "0", wait_seconds: 0 })).at(0)?.payload).toEqual({ options });
    expect(itemsOf(await hub.rest("listInbox")).at(0)?.payload).toEqual({ options });
    // A picked option is an ordinary answer.
    await reply(hub, id, { body: "Ä ist ok 👍🏽" });
    expect((await itemOf(ann, id)).answer).toMatchObject({ body: "Ä ist ok 👍🏽" });
  });

  for (const [name, options] of [
    ["one of them", ["a"]],
    ["seven", ["1", "2", "3", "4", "5", "6", "7"]],
    ["none in a list", []],
    ["a blank one", ["a", " \t "]],
    ["an empty one", ["a", ""]],
    ["two the same", ["a", "b", "a"]],
    ["two the same once trimmed", ["a", " a "]],
    ["81 characters", ["a", "𝒳".repeat(81)]],
    ["a line break", ["a", "b\nc"]],
    ["a carriage return", ["a", "b\rc"]],
    ["a control character", ["a", "b\u0007c"]],
    ["a C1 control character", ["a", "b\u0085c"]],
    ["a line separator", ["a", "b\u2028c"]],
    ["a paragraph separator", ["a", "b\u2029c"]],
    ["a number", ["a", 1]],
    ["no list", "a"],
  ] as const) {
    test(`with ${name} are refused whole, and nothing is posted`, async () => {
      await using lab = await openLab();
      const error = await expectNoTrace(lab.hub, () => ask(lab.ann, "lab", { options }), {
        code: "invalid_argument",
        details: { field: expect.stringMatching(/^options(\.\d)?$/), expected: expect.any(String) },
      });
      expect(error.message).toContain("2 to 6");
      expect(error.message).toContain("80");
    });
  }
});

describe("the tool", () => {
  test("offers neither an addressee nor an outcome for the deadline", async () => {
    await using lab = await openLab();
    const tool = lab.hub.hub.tools.find(({ name }) => name === "question_post");
    expect(Object.keys(Object(tool?.inputSchema["properties"]))).toEqual([
      "project_id",
      "subject",
      "body",
      "context",
      "options",
      "expires_in_seconds",
      "idempotency_key",
    ]);
  });
});

describe("an answer", () => {
  test("is given by any agent that may write, the asker included, and by the operator on both surfaces", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    for (const [actor, give] of [
      ["ann", (id: string) => answer(ann, id)],
      ["bob", (id: string) => answer(bob, id)],
      ["human", (id: string) => answer(hub.operator, id)],
      ["human", (id: string) => reply(hub, id)],
    ] as const) {
      const id = await ask(ann, "lab");
      hub.clock.now += 1000;
      const given = await give(id);
      expect(await itemOf(ann, id)).toMatchObject({
        status: "resolved",
        answer: { body: "a", actor, event_id: given, answered_at: new Date(hub.clock.now).toISOString() },
      });
      expect((await itemOf(ann, id)).answer).not.toHaveProperty("expired");
      expect(await itemOf(ann, id)).not.toHaveProperty("decision");
      // An answered question is resolved for good.
      for (const again of [() => answer(bob, id), () => reply(hub, id)]) await expectNoTrace(hub, again, conflict);
    }
  });

  test("is refused where it does not fit, without a trace", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const [approval, signal, finished] = [
      await request(ann, "lab"),
      await append(ann, "lab"),
      await append(ann, "lab", { kind: "finished" }),
    ];
    const question = await ask(ann, "lab");
    const given = await answer(ann, question);
    for (const id of [approval, signal, finished, given]) {
      await expectNoTrace(hub, () => answer(ann, id), badField("question_id"));
      await expectNoTrace(hub, () => reply(hub, id), badField("question_id"));
    }
    expect((await refusalOf(answer(ann, approval))).message).toContain("decided by the human");
    const open = await ask(ann, "lab");
    for (const body of [undefined, null, "", " \n\t ", 5, { body: "a" }]) {
      await expectNoTrace(hub, () => answer(ann, open, { body }), badField("body"));
      await expectNoTrace(hub, () => reply(hub, open, { body }), badField("body"));
    }
    await expectNoTrace(hub, () => reply(hub, "01KE0000000000000000000000"), { code: "not_found", details: {} });
    await expectNoTrace(hub, () => answer(hub.operator, "x"), { code: "not_found", details: {} });
  });

  test("to a question that is unknown, denied, or an audit record: one refusal", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    await hub.project("secret", { confidential: true });
    const hidden = await ask(hub.operator, "secret");
    const hiddenApproval = await request(hub.operator, "secret");
    const bobsSpace = String((await bob.call("whoami"))["personal_project_id"]);
    const inBobsSpace = await ask(bob, bobsSpace);
    await hub.rest("createGrant", { params: { id: "ann" }, body: { project_id: "lab" } });
    const audit = String((await wholeFeed(hub, "lab", ["system"])).at(0)?.id);
    const errors = new Set<string>();
    for (const id of [hidden, hiddenApproval, audit, inBobsSpace, "01KE0000000000000000000000", "x", ""]) {
      errors.add(JSON.stringify(await expectNoTrace(hub, () => answer(ann, id), denied)));
      errors.add(JSON.stringify(await expectNoTrace(hub, () => answer(ann, id, { idempotency_key: "k" }), denied)));
    }
    expect(errors.size).toBe(1);
  });
});

describe("a decision", () => {
  test("is the operator's: there is no tool for it, and the route takes no agent's token", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const id = await request(ann, "lab");
    const url = await hub.listen();
    const input = { params: { id }, body: { decision: "approve" } };
    expect((await http(url, ann.token, "decideApproval", input)).status).toBe(401);
    expect(
      hub.hub.tools.map(({ name }) => name).filter((name) => name.includes("dec") || name.includes("approv")),
    ).toEqual([]);
    expect((await http(url, hub.operator.token, "decideApproval", input)).status).toBe(200);
  });

  test("shows on the item with its note, who and when; a second one is refused", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    for (const [body, decision, note] of [
      [{ decision: "approve" }, "approved", null],
      [{ decision: "decline", note: "  not\nyet " }, "declined", "not\nyet"],
    ] as const) {
      const id = await request(ann, "lab");
      hub.clock.now += 1000;
      const event_id = await decide(hub, id, body);
      expect((await itemOf(ann, id)).decision).toEqual({
        decision,
        note,
        actor: "human",
        event_id,
        decided_at: new Date(hub.clock.now).toISOString(),
      });
      expect(await itemOf(ann, id)).not.toHaveProperty("answer");
      for (const again of [body, { decision: "approve" }])
        await expectNoTrace(hub, () => decide(hub, id, again), conflict);
    }
  });

  test("is refused where it does not fit, without a trace", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const id = await request(ann, "lab");
    for (const decision of ["approved", "", "yes", true, null, undefined]) {
      await expectNoTrace(hub, () => decide(hub, id, { decision }), badField("decision"));
    }
    await expectNoTrace(hub, () => decide(hub, id, { note: 5 }), badField("note"));
    for (const other of [
      await ask(ann, "lab"),
      await append(ann, "lab"),
      await append(ann, "lab", { kind: "finished" }),
    ]) {
      await expectNoTrace(hub, () => decide(hub, other), badField("approval_id"));
    }
    await expectNoTrace(hub, () => decide(hub, "01KE0000000000000000000000"), { code: "not_found", details: {} });
  });

  test("of a forged request to join is refused, whoever wrote it and wherever, and changes nothing", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const space = String((await ann.call("whoami"))["personal_project_id"]);
    const payload = { action: "enrol_request", agent_id: "bob", display_name: "Bob", source: "s", why: "w" };
    for (const forged of [
      await request(ann, "lab", { payload }),
      await request(ann, space, { payload }),
      await request(bob, "lab", { payload: { action: "enrol_request" } }),
      await request(hub.operator, "lab", { payload }),
    ]) {
      for (const decision of ["approve", "decline"]) {
        await expectNoTrace(hub, () => decide(hub, forged, { decision }), badField("approval_id"));
        await expectNoTrace(
          hub,
          () => decide(hub, forged, { decision, idempotency_key: "k" }),
          badField("approval_id"),
        );
      }
      expect((await itemOf(ann, forged)).status).toBe("action");
    }
    // Anything else in the payload is an ordinary approval.
    for (const action of ["enrol", "Enrol_request", null, { action: "enrol_request" }]) {
      await decide(hub, await request(ann, "lab", { payload: { action } }));
    }
    await decide(hub, await request(ann, "lab", { payload: ["enrol_request"] }));
  });
});

describe("over HTTP", () => {
  test("each refusal has its status and its details", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const url = await hub.listen();
    const call = (name: "answerQuestion" | "decideApproval", id: string, body: unknown) =>
      http(url, hub.operator.token, name, { params: { id }, body });
    const question = await ask(ann, "lab", { expires_in_seconds: 60 });
    const approval = await request(ann, "lab");
    const long = "x".repeat(262_144);
    for (const [name, id, body, status, code] of [
      ["answerQuestion", question, { body: " " }, 400, "invalid_argument"],
      ["answerQuestion", approval, { body: "a" }, 400, "invalid_argument"],
      ["answerQuestion", "x", { body: "a" }, 404, "not_found"],
      ["answerQuestion", question, { body: long }, 413, "payload_too_large"],
      ["decideApproval", approval, { decision: "maybe" }, 400, "invalid_argument"],
      ["decideApproval", question, { decision: "approve" }, 400, "invalid_argument"],
      ["decideApproval", "x", { decision: "approve" }, 404, "not_found"],
      ["decideApproval", approval, { decision: "approve", note: "x".repeat(2001) }, 413, "payload_too_large"],
      ["decideApproval", approval, [], 400, "invalid_argument"],
    ] as const) {
      const answered = await call(name, id, body);
      expect([name, answered.status, answered.body["code"]]).toEqual([name, status, code]);
    }
    expect((await call("answerQuestion", question, { body: long })).body["details"]).toEqual({
      limit: 262_144,
      actual: 262_155,
    });
    expect(await call("decideApproval", approval, { decision: "approve" })).toMatchObject({ status: 200 });
    expect((await call("decideApproval", approval, { decision: "approve" })).status).toBe(409);
    hub.clock.now += 60_000;
    expect((await call("answerQuestion", question, { body: "a" })).status).toBe(409);
  });
});
