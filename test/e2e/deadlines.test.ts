// Deadlines on the compiled binary, whose clock is moved from outside: the sweep, reads before it, restarts, SIGKILL,
// clocks that jump. No row is ever changed by a test.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { JsonObject } from "../../src/shared/json.ts";
import type { InboxItemView } from "../../src/shared/views.ts";
import { createAgent } from "../support/agents.ts";
import { type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { type FakeClock, openFakeClock } from "../support/faketime.ts";
import { operate, request } from "../support/operator.ts";
import { within } from "../support/processes.ts";
import { callTool, resultOf } from "./conversation.ts";

const dayMs = 24 * 3600 * 1000;
const minuteMs = 60_000;
const boundMs = 30_000;

type Lab = AsyncDisposable & {
  clock: FakeClock;
  token: string;
  hub: RunningHub;
  /** Ends the hub one way or the other and starts it again on the same data, by the same clock. */
  restart(how: "stop" | "kill", before?: () => Promise<void>): Promise<void>;
  call(tool: string, args?: object): Promise<JsonObject>;
  item(id: string): Promise<InboxItemView | undefined>;
};

async function openLab(): Promise<Lab> {
  const stack = new AsyncDisposableStack();
  const clock = stack.use(await openFakeClock());
  const folder = stack.use(await TempDir.create());
  const dataDir = join(folder.path, "data");
  let hub = await startHub({ dataDir, env: clock.env });
  stack.defer(() => hub[Symbol.asyncDispose]());
  await operate(hub, "createProject", { body: { id: "lab", display_name: "Lab" } });
  const token = await createAgent(hub, "ann");
  const call = (tool: string, args: object = {}): Promise<JsonObject> => resultOf(callTool(hub.url, token, tool, args));
  return {
    clock,
    token,
    get hub() {
      return hub;
    },
    async restart(how, before) {
      await (how === "stop" ? hub.stop() : hub.kill());
      await hub[Symbol.asyncDispose]();
      await before?.();
      hub = await startHub({ dataDir, env: clock.env });
    },
    call,
    async item(id) {
      const page = await call("inbox_read", { limit: 500 });
      const items = page["items"] as unknown as InboxItemView[]; // by contract, mcp-tools.md 17.9
      return items.find((item) => item.event_id === id);
    },
    [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
  };
}

async function ask(lab: Lab, seconds: number, args: object = {}): Promise<string> {
  const posted = await lab.call("question_post", {
    project_id: "lab",
    subject: "q",
    expires_in_seconds: seconds,
    ...args,
  });
  return String(posted["question_id"]);
}

async function request30Days(lab: Lab, on_expiry: string): Promise<string> {
  const args = { project_id: "lab", kind: "approval", summary: "a", expires_in_seconds: 2_592_000, on_expiry };
  return String((await lab.call("signal_append", args))["event_id"]);
}

async function feedOf(lab: Lab): Promise<JsonObject[]> {
  const page = await operate(lab.hub, "listProjectFeed", {
    params: { id: "lab" },
    query: { since: "0", limit: "500" },
  });
  return page["events"] as JsonObject[]; // a list of events by contract
}

describe("a deadline, by the hub's own clock", () => {
  test("is swept while nobody reads; the asker's wait ends with the hub's answer", async () => {
    await using lab = await openLab();
    const id = await ask(lab, 60);
    const wait = lab.call("inbox_wait", { since: id, wait_seconds: 55 });
    // The operator's feed would settle it too; the wait alone is asked here.
    await lab.clock.move(minuteMs);
    const page = await within(boundMs, "end of the wait", wait);
    const [item] = page["items"] as unknown as InboxItemView[]; // by contract
    expect(item).toMatchObject({
      event_id: id,
      status: "resolved",
      answer: { actor: "hub", body: null, expired: true },
    });
    expect(page["next_since"]).toBe(item?.answer?.event_id ?? "");
    const answers = (await feedOf(lab)).filter((event) => event["kind"] === "answer");
    expect(answers).toMatchObject([{ actor: "hub", thread_id: id, payload: { expired: true }, summary: "re: q" }]);
    const expired = Date.parse(String(answers.at(0)?.["created_at"]));
    expect(Math.abs(expired - lab.clock.now())).toBeLessThan(boundMs);
  }, 120_000);

  test("is past for whoever comes late, and for whoever reads, whether or not the sweep was there first", async () => {
    await using lab = await openLab();
    for (let round = 0; round < 4; round += 1) {
      const question = await ask(lab, 60);
      const approval = await resultOf(
        callTool(lab.hub.url, lab.token, "signal_append", {
          project_id: "lab",
          kind: "approval",
          summary: "a",
          expires_in_seconds: 60,
          on_expiry: "approve",
        }),
      );
      const id = String(approval["event_id"]);
      await lab.clock.move(minuteMs);
      const late = await Promise.all([
        request(lab.hub.url, lab.hub.adminToken, "answerQuestion", { params: { id: question }, body: { body: "a" } }),
        request(lab.hub.url, lab.hub.adminToken, "decideApproval", { params: { id }, body: { decision: "decline" } }),
      ]);
      expect(late.map(({ status, body }) => [status, body["code"]])).toEqual([
        [409, "conflict"],
        [409, "conflict"],
      ]);
      expect(await callTool(lab.hub.url, lab.token, "answer_post", { question_id: question, body: "a" })).toMatchObject(
        {
          error: { code: "conflict", details: {} },
        },
      );
      expect(await lab.item(id)).toMatchObject({
        status: "resolved",
        decision: { decision: "approved", actor: "hub" },
      });
      expect(await lab.item(question)).toMatchObject({ status: "resolved", answer: { actor: "hub", expired: true } });
    }
    const answers = (await feedOf(lab)).filter((event) => event["kind"] === "answer");
    expect(answers.map((event) => event["actor"])).toEqual(Array.from({ length: 8 }, () => "hub"));
  }, 120_000);

  test("that was moved out is kept to its new time", async () => {
    await using lab = await openLab();
    const id = await ask(lab, 60);
    const moved = await operate(lab.hub, "extendItem", { params: { event_id: id }, body: { seconds: 600 } });
    await lab.clock.move(5 * minuteMs);
    expect(await lab.item(id)).toMatchObject({ status: "action", expires_at: String(moved["expires_at"]) });
    await lab.clock.move(5 * minuteMs);
    expect(await lab.item(id)).toMatchObject({ status: "resolved", answer: { expired: true } });
  }, 120_000);
});

describe("a 30-day deadline", () => {
  test("survives restarts, SIGKILL and clock jumps, and is kept to the day", async () => {
    await using lab = await openLab();
    const id = await request30Days(lab, "approve");
    const due = Date.parse(String((await lab.item(id))?.expires_at));
    expect(Math.abs(due - lab.clock.now() - 30 * dayMs)).toBeLessThan(boundMs);
    const isOpen = async (): Promise<void> => {
      expect(await lab.item(id)).toMatchObject({ status: "action", expires_at: new Date(due).toISOString() });
    };
    // Ten days on, over an orderly restart; ten more while the hub lies dead after a SIGKILL.
    await lab.clock.move(10 * dayMs);
    await isOpen();
    await lab.restart("stop");
    await isOpen();
    await lab.restart("kill", () => lab.clock.move(10 * dayMs));
    await isOpen();
    // A clock that was wrong and is set right: back before the item was made, and on again.
    await lab.clock.move(-60 * dayMs);
    await isOpen();
    const inThePast = await ask(lab, 60);
    await lab.restart("kill");
    await isOpen();
    await lab.clock.move(minuteMs);
    expect(await lab.item(inThePast)).toMatchObject({ status: "resolved", answer: { expired: true } });
    await lab.clock.move(60 * dayMs - minuteMs);
    await isOpen();
    // Up to its last minute, then past it: it is settled by the first read, and stays so when the clock goes back.
    await lab.clock.move(due - lab.clock.now() - minuteMs);
    await isOpen();
    await lab.clock.move(minuteMs);
    const expired = { status: "resolved", decision: { decision: "approved", actor: "hub", expired: true } };
    expect(await lab.item(id)).toMatchObject(expired);
    await lab.clock.move(-20 * dayMs);
    expect(await lab.item(id)).toMatchObject(expired);
    await lab.restart("stop");
    expect(await lab.item(id)).toMatchObject(expired);
    // One answer each, and ids that only ever went up, so that no cursor missed one.
    const events = await feedOf(lab);
    expect(events.filter((event) => event["kind"] === "answer").map((event) => event["thread_id"])).toEqual([
      inThePast,
      id,
    ]);
    const ids = events.map((event) => String(event["id"]));
    expect(ids).toEqual([...new Set(ids)].toSorted());
  }, 180_000);

  test("that passed while the hub was down is settled by the first read after the start", async () => {
    await using lab = await openLab();
    const ids = [await request30Days(lab, "decline"), await request30Days(lab, "approve")];
    await lab.restart("kill", () => lab.clock.move(31 * dayMs));
    const page = await operate(lab.hub, "listInbox", { query: { group: "waiting" } });
    expect([page["items"], page["counts"]]).toEqual([[], { waiting: 0, snoozed: 0, unread: 0, earlier: 2 }]);
    expect(await lab.item(ids[0] ?? "")).toMatchObject({ decision: { decision: "declined", actor: "hub" } });
    expect(await lab.item(ids[1] ?? "")).toMatchObject({ decision: { decision: "approved", actor: "hub" } });
  }, 120_000);
});
