// The table of limits (mcp-tools.md 20): each at its value, where it is accepted, and one past it, where the call is
// refused and leaves no trace, or is cut.
import { describe, expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ErrorCode } from "../../../src/shared/errors.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub } from "../../support/hub.ts";
import { append, ask, dayMs, expectNoTrace, idsOf, request } from "../conversation.ts";

const astral = "𝒳"; // one character, two UTF-16 units, four bytes
const wide = "次"; // one character, three bytes

type Call = { tool: string; args: JsonObject } | { rest: "decideApproval" | "extendItem"; body: JsonObject };
type Limit = {
  name: string;
  /** Values that are accepted, then values that are refused. */
  at: number[];
  past: number[];
  call: (size: number, made: Made) => Call;
  code: ErrorCode;
  details: (size: number) => Record<string, unknown>;
};
/** What a limit is tried on: made afresh for each value, before the snapshot. */
type Made = { approval: string; deadlined: string; session: string; question: string };

const field = (name: string) => () => ({ field: name, expected: expect.any(String) });
const sized = (limit: number) => (actual: number) => ({ limit, actual });
const signal = (args: JsonObject): Call => ({
  tool: "signal_append",
  args: { project_id: "lab", kind: "signal", summary: "s", ...args },
});
const question = (args: JsonObject): Call => ({
  tool: "question_post",
  args: { project_id: "lab", subject: "q", ...args },
});
const options = (count: number, length = 1): string[] =>
  Array.from({ length: count }, (_, index) => `${index}`.padEnd(length, wide));
// A payload of exactly so many bytes once serialised.
const payload = (bytes: number): JsonObject => ({ body: "x".repeat(bytes - '{"body":""}'.length) });

const table: Limit[] = [
  {
    name: "event summary",
    at: [1, 1024],
    past: [1025],
    call: (size) => signal({ summary: astral.repeat(size) }),
    code: "payload_too_large",
    details: sized(1024),
  },
  {
    name: "question subject",
    at: [1, 1024],
    past: [1025],
    call: (size) => question({ subject: ` ${astral.repeat(size)} ` }),
    code: "payload_too_large",
    details: sized(1024),
  },
  {
    name: "blank summary",
    at: [1],
    past: [0],
    call: (size) => signal({ summary: ` \t${"s".repeat(size)}\n` }),
    code: "invalid_argument",
    details: field("summary"),
  },
  {
    name: "blank subject",
    at: [1],
    past: [0],
    call: (size) => question({ subject: ` ${"s".repeat(size)} ` }),
    code: "invalid_argument",
    details: field("subject"),
  },
  {
    name: "payload of a signal",
    at: [262_144],
    past: [262_145],
    call: (size) => signal({ payload: payload(size) }),
    code: "payload_too_large",
    details: sized(262_144),
  },
  {
    name: "payload of a question",
    at: [262_144],
    past: [262_145],
    call: (size) => question({ body: "x".repeat(size - '{"body":"","context":"é"}'.length - 1), context: "é" }),
    code: "payload_too_large",
    details: sized(262_144),
  },
  {
    name: "payload of an answer",
    at: [262_144],
    past: [262_145],
    call: (size, { question: id }) => ({ tool: "answer_post", args: { question_id: id, ...payload(size) } }),
    code: "payload_too_large",
    details: sized(262_144),
  },
  {
    name: "blank answer",
    at: [1],
    past: [0],
    call: (size, { question: id }) => ({
      tool: "answer_post",
      args: { question_id: id, body: ` ${"x".repeat(size)}` },
    }),
    code: "invalid_argument",
    details: field("body"),
  },
  {
    name: "decision note",
    at: [0, 2000],
    past: [2001],
    call: (size) => ({ rest: "decideApproval", body: { decision: "approve", note: ` ${astral.repeat(size)} ` } }),
    code: "payload_too_large",
    details: sized(2000),
  },
  {
    name: "deadline of a question",
    at: [60, 2_592_000],
    past: [59, 2_592_001, 60.5, -60, 0],
    call: (size) => question({ expires_in_seconds: size }),
    code: "invalid_argument",
    details: field("expires_in_seconds"),
  },
  {
    name: "deadline of an approval",
    at: [60, 2_592_000],
    past: [59, 2_592_001, 60.5],
    call: (size) => signal({ kind: "approval", expires_in_seconds: size }),
    code: "invalid_argument",
    details: field("expires_in_seconds"),
  },
  {
    name: "extended deadline",
    at: [601, 2_592_000],
    past: [59, 2_592_001, 600, 601.5],
    call: (size) => ({ rest: "extendItem", body: { seconds: size } }),
    code: "invalid_argument",
    details: field("seconds"),
  },
  {
    name: "number of options",
    at: [2, 6],
    past: [0, 1, 7],
    call: (size) => question({ options: options(size) }),
    code: "invalid_argument",
    details: field("options"),
  },
  {
    name: "length of an option",
    at: [1, 80],
    past: [81],
    call: (size) => question({ options: ["yes", ` ${astral.repeat(size)} `] }),
    code: "invalid_argument",
    details: field("options"),
  },
  {
    name: "blank option",
    at: [1],
    past: [0],
    call: (size) => question({ options: ["yes", ` ${"n".repeat(size)} `] }),
    code: "invalid_argument",
    details: field("options"),
  },
  {
    name: "idempotency key of a signal",
    at: [1, 255],
    past: [0, 256],
    call: (size) => signal({ idempotency_key: astral.repeat(size) }),
    code: "invalid_argument",
    details: field("idempotency_key"),
  },
  {
    name: "idempotency key of a question",
    at: [1, 255],
    past: [0, 256],
    call: (size) => question({ idempotency_key: astral.repeat(size) }),
    code: "invalid_argument",
    details: field("idempotency_key"),
  },
  {
    name: "idempotency key of an answer",
    at: [1, 255],
    past: [0, 256],
    call: (size, made) => ({
      tool: "answer_post",
      args: { question_id: made.question, body: "a", idempotency_key: wide.repeat(size) },
    }),
    code: "invalid_argument",
    details: field("idempotency_key"),
  },
  {
    name: "smallest feed page",
    at: [1, 500],
    past: [0, -1, 1.5],
    call: (size) => ({ tool: "feed_read", args: { project_id: "lab", limit: size } }),
    code: "invalid_argument",
    details: field("limit"),
  },
  {
    name: "smallest inbox page",
    at: [1, 500],
    past: [0, -1, 1.5],
    call: (size) => ({ tool: "inbox_read", args: { limit: size } }),
    code: "invalid_argument",
    details: field("limit"),
  },
  {
    name: "smallest inbox_wait page",
    at: [1, 500],
    past: [0, 2.5],
    call: (size) => ({ tool: "inbox_wait", args: { limit: size, wait_seconds: 0 } }),
    code: "invalid_argument",
    details: field("limit"),
  },
  {
    name: "shortest wait",
    at: [0],
    past: [-1, 0.5],
    call: (size) => ({ tool: "inbox_wait", args: { wait_seconds: size } }),
    code: "invalid_argument",
    details: field("wait_seconds"),
  },
  {
    name: "handoff note",
    at: [0, 4096],
    past: [4097],
    call: (size, { session }) => ({ tool: "session_end", args: { session_id: session, handoff: astral.repeat(size) } }),
    code: "payload_too_large",
    details: sized(4096),
  },
  {
    name: "session name",
    at: [1, 128],
    past: [0, 129],
    call: (size) => ({ tool: "session_start", args: { project_id: "lab", session_name: "n".repeat(size) } }),
    code: "invalid_argument",
    details: field("session_name"),
  },
  {
    name: "session brain value",
    at: [4_194_304],
    past: [4_194_305],
    call: (size, { session }) => ({
      tool: "brain_put",
      args: { store: "session", session: { session_id: session }, path: "/fs/a", content: `é${"x".repeat(size - 2)}` },
    }),
    code: "payload_too_large",
    details: sized(4_194_304),
  },
];

describe("the table of limits", () => {
  for (const limit of table) {
    test(`${limit.name}: ${limit.at.join(", ")} accepted, ${limit.past.join(", ")} refused without a trace`, async () => {
      await using hub = await openTestHub();
      await hub.project("lab");
      const agent = await hub.agent("ann");
      const perform = (size: number, made: Made): Promise<JsonObject> => {
        const call = limit.call(size, made);
        if ("tool" in call) return agent.call(call.tool, call.args);
        const params = call.rest === "decideApproval" ? { id: made.approval } : { event_id: made.deadlined };
        return hub.rest(call.rest, { params, body: call.body });
      };
      for (const size of limit.past) {
        const made = await makeSubjects(agent);
        const { code, details } = limit;
        await expectNoTrace(hub, () => perform(size, made), { code, details: details(size) });
      }
      for (const size of limit.at) await perform(size, await makeSubjects(agent));
    });
  }

  async function makeSubjects(agent: Caller): Promise<Made> {
    const { session_id } = await agent.call("session_start", { project_id: "lab", session_name: crypto.randomUUID() });
    return {
      approval: await request(agent, "lab"),
      deadlined: await request(agent, "lab", { expires_in_seconds: 600 }),
      session: String(session_id),
      question: await ask(agent, "lab"),
    };
  }
});

test("a trace is any row more and any file more: the comparison sees both", async () => {
  await using hub = await openTestHub();
  await hub.project("lab");
  const agent = await hub.agent("ann");
  const { session_id } = await agent.call("session_start", { project_id: "lab", session_name: "s" });
  const states = [await hub.snapshot()];
  await agent.call("whoami");
  expect(await hub.snapshot()).toBe(states[0] ?? "");
  await append(agent, "lab");
  states.push(await hub.snapshot());
  await writeFile(join(hub.dataDir, "blobs", "tmp", "left-behind"), "");
  states.push(await hub.snapshot());
  await agent.call("session_end", { session_id });
  states.push(await hub.snapshot());
  expect(new Set(states).size).toBe(4);
});

describe("caps and the ceiling", () => {
  const deny = (open: number, cap: number, setting: string) => ({
    code: "rate_limited" as const,
    details: { open, cap, setting },
  });
  const perAgent = "HUB_INBOX_ACTION_PER_AGENT";
  const perProject = "HUB_INBOX_ACTION_PER_PROJECT";

  test("one actor holds 3 open items in one project, and the fourth is refused without a trace", async () => {
    await using hub = await openTestHub({ config: { inboxActionPerAgent: 3 } });
    await hub.project("lab");
    await hub.project("other");
    const ann = await hub.agent("ann");
    const bob = await hub.agent("bob");
    const first = await ask(ann, "lab");
    await request(ann, "lab");
    await ask(ann, "lab", { expires_in_seconds: 60 });
    for (const refused of [() => ask(ann, "lab"), () => request(ann, "lab", { expires_in_seconds: 60 })]) {
      const error = await expectNoTrace(hub, refused, deny(3, 3, perAgent));
      expect(error.message).toContain(perAgent);
    }
    // Of one actor, in one project: neither another actor nor another project is held, and other kinds are no open items.
    await ask(bob, "lab");
    await ask(ann, "other");
    for (const kind of ["signal", "finished", "idea"]) await append(ann, "lab", { kind });
    // A snoozed item counts; a resolved one frees its slot.
    const until = new Date(hub.clock.now + dayMs).toISOString();
    await hub.rest("snoozeItem", { params: { event_id: first }, body: { until } });
    await expectNoTrace(hub, () => ask(ann, "lab"), deny(3, 3, perAgent));
    await hub.rest("answerQuestion", { params: { id: first }, body: { body: "yes" } });
    await ask(ann, "lab");
    await expectNoTrace(hub, () => ask(ann, "lab"), deny(3, 3, perAgent));
    // An expiry frees a slot too.
    hub.clock.now += 60_000;
    await hub.operator.call("inbox_read");
    await ask(ann, "lab");
    await expectNoTrace(hub, () => ask(ann, "lab"), deny(3, 3, perAgent));
  });

  test("a project holds 2 open items of all actors, and the third is refused without a trace", async () => {
    await using hub = await openTestHub({ config: { inboxActionPerProject: 2 } });
    await hub.project("lab");
    await ask(await hub.agent("ann"), "lab");
    await request(await hub.agent("bob"), "lab");
    const eve = await hub.agent("eve");
    await expectNoTrace(hub, () => ask(eve, "lab"), deny(2, 2, perProject));
    await expectNoTrace(hub, () => request(eve, "lab"), deny(2, 2, perProject));
  });

  test("by default 100 an actor and 1000 a project, also when all are posted at once; 0 means no cap", async () => {
    await using hub = await openTestHub();
    await hub.project("lab");
    const agents = await Promise.all(Array.from({ length: 11 }, (_, index) => hub.agent(`agent-${index}`)));
    const posts = await Promise.allSettled(
      agents.slice(0, 10).flatMap((agent) => Array.from({ length: 101 }, () => ask(agent, "lab"))),
    );
    expect(posts.filter(({ status }) => status === "fulfilled").length).toBe(1000);
    const [first, eleventh] = [agents.at(0), agents.at(10)];
    if (first === undefined || eleventh === undefined) throw new Error("eleven agents were made");
    await expectNoTrace(hub, () => ask(first, "lab"), deny(100, 100, perAgent));
    await expectNoTrace(hub, () => ask(eleventh, "lab"), deny(1000, 1000, perProject));
    expect(hub.hub.config.eventsPerProject).toBe(1_000_000);

    await using open = await openTestHub({ config: { inboxActionPerAgent: 0, inboxActionPerProject: 0 } });
    await open.project("lab");
    const ann = await open.agent("ann");
    await Promise.all(Array.from({ length: 1001 }, () => ask(ann, "lab")));
  });

  test("pages are cut at 500 and hold 50 unless asked, an inbox_wait 500", async () => {
    await using hub = await openTestHub({ config: { inboxActionPerAgent: 0 } });
    await hub.project("lab");
    const ann = await hub.agent("ann");
    await Promise.all(Array.from({ length: 501 }, () => append(ann, "lab", { kind: "finished" })));
    const count = async (tool: string, args: object): Promise<number> => idsOf(await ann.call(tool, args)).length;
    const before = "Z";
    expect(await count("feed_read", { project_id: "lab", before })).toBe(50);
    expect(await count("feed_read", { project_id: "lab", before, limit: 501 })).toBe(500);
    expect(await count("inbox_read", {})).toBe(50);
    expect(await count("inbox_read", { limit: 9999 })).toBe(500);
    expect(await count("inbox_wait", { since: "0" })).toBe(500);
    expect(await count("inbox_wait", { since: "0", limit: 7 })).toBe(7);
    expect(await count("inbox_wait", { since: "0", limit: 501, wait_seconds: 61 })).toBe(500);
    const listed = async (query: object): Promise<number> => idsOf(await hub.rest("listInbox", { query })).length;
    expect([await listed({}), await listed({ limit: 501 }), await listed({ limit: 1 })]).toEqual([50, 500, 1]);
    const params = { id: "lab" };
    const fed = async (query: object): Promise<number> =>
      idsOf(await hub.rest("listProjectFeed", { params, query })).length;
    expect([await fed({}), await fed({ limit: 1000 }), await fed({ limit: 2 })]).toEqual([50, 500, 2]);
  });
});
