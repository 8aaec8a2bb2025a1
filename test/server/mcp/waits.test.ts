// Long calls (mcp-tools.md 1, 17.10): several at once, cancelled, abandoned, or showing progress; and that nothing is
// kept of a call that is over.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import type { ConnectionRef, Principal } from "../../../src/kernel/ctx.ts";
import { readOperation } from "../../../src/kernel/operation.ts";
import { type Tool, tool } from "../../../src/kernel/tool.ts";
import { answer2025 } from "../../../src/server/mcp/line-2025.ts";
import { answerMessages, type Inflight } from "../../../src/server/mcp/messages.ts";
import { createSurface } from "../../../src/server/mcp/surface.ts";
import { openTestHub } from "../../support/hub.ts";
import { eventually } from "../../support/proxy-harness.ts";
import { eventsIn, type Line, lines, type McpHub, openMcpHub, resultOf, type Sent } from "./rpc.ts";

const listeners = (mcp: McpHub): number => mcp.hub.hub.kernel.bus.size();
const waiting = (mcp: McpHub, count: number) => eventually(`${count} waits`, () => listeners(mcp) === count);
const wait = (mcp: McpHub, line: Line, sent: Sent & { id?: string | number; meta?: object } = {}) =>
  mcp.call(line, "inbox_wait", { wait_seconds: 55 }, sent);
const cancel = (mcp: McpHub, requestId: unknown, sent: Sent) =>
  mcp.rpc("2025", { method: "notifications/cancelled", params: { requestId, reason: "changed my mind" } }, sent);

type Lingering = { progress: (() => void) | null; signal: AbortSignal; end: (answer: string) => void };

/** A tool that runs until the test ends it, and what its calls were given. */
function lingerTool(): { linger: Tool; calls: Lingering[] } {
  const calls: Lingering[] = [];
  const operation = readOperation({
    name: "linger",
    input: z.object({}),
    access: () => undefined,
    run: (ctx) =>
      new Promise<string>((end) => {
        calls.push({ progress: ctx.progress, signal: ctx.signal, end });
      }),
  });
  return {
    linger: tool({
      name: "linger",
      description: "Runs until it is told to end.",
      operation,
      present: (said) => ({ said }),
    }),
    calls,
  };
}

describe("notifications/cancelled", () => {
  test("ends the call of its id and type on its connection, and no other", async () => {
    await using mcp = await openMcpHub();
    const [connection, other] = [crypto.randomUUID(), crypto.randomUUID()];
    const waits = {
      number: wait(mcp, "2025", { connection, id: 1 }),
      text: wait(mcp, "2025", { connection, id: "1" }),
      progressing: wait(mcp, "2025", { connection, id: 2, meta: { progressToken: 2 } }),
      elsewhere: wait(mcp, "2025", { connection: other, id: "1" }),
    };
    await waiting(mcp, 4);
    for (const [requestId, sent] of [
      ["1", { connection: crypto.randomUUID() }],
      ["1", { connection, token: mcp.bob.token }],
      ["1", {}],
      [3, { connection }],
      [null, { connection }],
      [undefined, { connection }],
    ] as const) {
      expect((await cancel(mcp, requestId, sent)).status).toBe(202);
    }
    expect(listeners(mcp)).toBe(4);

    await cancel(mcp, "1", { connection });
    expect((await waits.text).text).toBe("");
    await waiting(mcp, 3);
    await cancel(mcp, 2, { connection });
    expect((await waits.progressing).text).toBe("");
    await waiting(mcp, 2);
    await cancel(mcp, 1, { connection });
    expect((await waits.number).text).toBe("");
    await waiting(mcp, 1);
    await cancel(mcp, "1", { connection: other });
    await waits.elsewhere;
    await waiting(mcp, 0);
  });

  test("finds a call on a connection that initialize opened", async () => {
    await using mcp = await openMcpHub();
    const headers = { "mcp-session-id": await mcp.initialize() };
    const call = wait(mcp, "2025", { headers, id: 5 });
    await waiting(mcp, 1);
    await cancel(mcp, 5, { headers });
    expect((await call).text).toBe("");
    await waiting(mcp, 0);
  });

  test("of one call in a batch leaves the answers of the others whole", async () => {
    await using mcp = await openMcpHub();
    const connection = crypto.randomUUID();
    const params = { name: "inbox_wait", arguments: { wait_seconds: 55 } };
    const batch = [
      { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "whoami" } },
    ];
    const answer = mcp.post(JSON.stringify(batch), { connection });
    await waiting(mcp, 1);
    await cancel(mcp, 1, { connection });
    expect(JSON.parse((await answer).text)).toMatchObject([
      { id: 2, result: { structuredContent: { actor: "alice" } } },
    ]);
    const alone = mcp.post(JSON.stringify(batch.slice(0, 1)), { connection });
    await waiting(mcp, 1);
    await cancel(mcp, 1, { connection });
    expect((await alone).text).toBe("");
  });

  test("consumes nothing: an answer that comes later is there for the next wait", async () => {
    await using mcp = await openMcpHub();
    const connection = crypto.randomUUID();
    const posted = resultOf(await mcp.call("2025", "question_post", { project_id: "p", subject: "?" }));
    const call = wait(mcp, "2025", { connection, id: 1 });
    await waiting(mcp, 1);
    await cancel(mcp, 1, { connection });
    await call;
    await mcp.hub.rest("answerQuestion", { params: { id: String(posted["question_id"]) }, body: { body: "yes" } });
    const next = await mcp.call("2025", "inbox_wait", { wait_seconds: 55, since: posted["question_id"] });
    expect(resultOf(next)).toMatchObject({ items: [{ answer: { body: "yes" } }] });
  });
});

describe.each(lines)("on the %s line", (line) => {
  test.each([
    ["bare", {}],
    ["named", { connection: crypto.randomUUID() }],
    ["with progress", { meta: { progressToken: "t" } }],
  ] as const)("a client that leaves ends its wait at once, and nothing listens any more: %s", async (_, sent) => {
    await using mcp = await openMcpHub();
    const leave = new AbortController();
    const call = wait(mcp, line, { ...sent, signal: leave.signal }).then(
      () => "answered",
      () => "left",
    );
    await waiting(mcp, 1);
    leave.abort();
    expect(await call).toBe("left");
    await waiting(mcp, 0);
  });

  test("a wait blocks neither its own connection nor another", async () => {
    await using mcp = await openMcpHub();
    const connection = crypto.randomUUID();
    const leave = new AbortController();
    const calls = [
      wait(mcp, line, { connection, signal: leave.signal }).catch(() => undefined),
      wait(mcp, line, { connection, signal: leave.signal, id: 2 }).catch(() => undefined),
    ];
    await waiting(mcp, 2);
    const others = Array.from({ length: 40 }, (_, index) =>
      mcp.call(
        line,
        "signal_append",
        { project_id: "p", kind: "signal", summary: `${index}` },
        {
          ...(index % 2 === 0 ? { connection } : {}),
          id: index,
        },
      ),
    );
    const answers = await Promise.all(others);
    expect(answers.map(({ json }) => json["id"])).toEqual(answers.map((_, index) => index));
    expect(new Set(answers.map((answer) => resultOf(answer)["event_id"])).size).toBe(40);
    expect(listeners(mcp)).toBe(2);
    leave.abort();
    await Promise.all(calls);
    await waiting(mcp, 0);
  });

  test("a hub that drains answers its waits as if their time were up", async () => {
    await using mcp = await openMcpHub();
    const calls = [wait(mcp, line), wait(mcp, line, { connection: crypto.randomUUID(), meta: { progressToken: 1 } })];
    await waiting(mcp, 2);
    mcp.hub.hub.drain();
    for (const call of calls) expect(resultOf(await call)).toEqual({ items: [], next_since: null });
    expect(resultOf(await wait(mcp, line))).toMatchObject({ items: [] });
  });

  test("a call that asked for progress turns into a stream when there is some", async () => {
    const { linger, calls } = lingerTool();
    await using mcp = await openMcpHub({}, [linger]);
    const answer = mcp.call(line, "linger", {}, { id: 8, meta: { progressToken: "tok" } });
    await eventually("the call", () => calls.length === 1);
    calls[0]?.progress?.();
    calls[0]?.progress?.();
    calls[0]?.end("done");
    const { status, headers, text } = await answer;
    expect([status, headers.get("content-type")?.split(";")[0]]).toEqual([200, "text/event-stream"]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    const [first, second, last, ...rest] = eventsIn(text);
    for (const [index, message] of [first, second].entries()) {
      expect(message).toMatchObject({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: "tok", progress: index + 1 },
      });
    }
    expect(last).toMatchObject({ id: 8, result: { structuredContent: { said: "done" } } });
    expect(rest).toEqual([]);
  });

  test("it stays JSON when there is none, when none was asked for, and when the client takes only JSON", async () => {
    const { linger, calls } = lingerTool();
    await using mcp = await openMcpHub({}, [linger]);
    const meta = { progressToken: 0 };
    const sents = [
      { meta },
      {},
      { meta, headers: { accept: "application/json" } },
      { meta, headers: { accept: "text/html" } },
    ];
    for (const [index, sent] of sents.entries()) {
      const answer = mcp.call(line, "linger", {}, sent);
      await eventually("the call", () => calls.length === index + 1);
      const isAsked = index === 0;
      expect(calls[index]?.progress !== null).toBe(isAsked);
      if (!isAsked) calls[index]?.progress?.();
      calls[index]?.end("done");
      const { headers, json } = await answer;
      expect([index, headers.get("content-type")?.split(";")[0]]).toEqual([index, "application/json"]);
      expect(json).toMatchObject({ result: { structuredContent: { said: "done" } } });
    }
  });

  test("a client that leaves in the middle of a stream ends the call", async () => {
    const { linger, calls } = lingerTool();
    await using mcp = await openMcpHub({}, [linger]);
    const leave = new AbortController();
    const sent = { meta: { progressToken: 1 }, connection: crypto.randomUUID(), signal: leave.signal };
    const answer = mcp.call(line, "linger", {}, sent).then(
      () => "answered",
      () => "left",
    );
    await eventually("the call", () => calls.length === 1);
    calls[0]?.progress?.();
    leave.abort();
    expect(await answer).toBe("left");
    await eventually("the end", () => calls[0]?.signal.aborted === true);
    // Late news of a call that is over goes nowhere and harms nothing.
    calls[0]?.progress?.();
    calls[0]?.end("late");
    expect(resultOf(await mcp.call(line, "whoami"))).toMatchObject({ actor: "alice" });
  });
});

test("a batch shows no progress: its answer is one JSON text", async () => {
  const { linger, calls } = lingerTool();
  await using mcp = await openMcpHub({}, [linger]);
  const params = { name: "linger", _meta: { progressToken: 1 } };
  const answer = mcp.post(JSON.stringify([{ jsonrpc: "2.0", id: 1, method: "tools/call", params }]));
  await eventually("the call", () => calls.length === 1);
  expect(calls[0]?.progress).toBeNull();
  calls[0]?.end("done");
  expect(JSON.parse((await answer).text)).toMatchObject([{ id: 1, result: { structuredContent: { said: "done" } } }]);
});

test("a thousand calls leave nothing behind: none under way, none listening", async () => {
  await using hub = await openTestHub();
  await hub.agent("alice");
  const inflight: Inflight = new Map();
  const principal: Principal = { kind: "agent", actor: "alice", tokenId: "test" };
  const connection: ConnectionRef = { identity: "alice", id: crypto.randomUUID() };
  const served = { hub: hub.hub, surface: createSurface(hub.hub), profile: "full" as const, mayStream: true };
  const post = (body: object, signal: AbortSignal) =>
    answerMessages(body, connection, signal, inflight, (message, own, onEnd) =>
      answer2025(served, message, { principal, connection, origin: "", signal: own, progress: null }, onEnd),
    );
  const call = (id: number, wait_seconds: number, meta: object = {}) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "inbox_wait", arguments: { wait_seconds }, _meta: meta },
  });
  const still = new AbortController().signal;
  for (let id = 0; id < 700; id += 1) await post(call(id, 0, id % 2 === 0 ? { progressToken: id } : {}), still);
  expect(inflight.size).toBe(0);

  const leave = new AbortController();
  const waits = Array.from({ length: 300 }, (_, id) => post(call(id, 55), id % 2 === 0 ? leave.signal : still));
  await eventually("the waits", () => hub.hub.kernel.bus.size() === 300);
  expect(inflight.size).toBe(300);
  leave.abort();
  for (let id = 1; id < 300; id += 2) {
    await post({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } }, still);
  }
  for (const answer of await Promise.all(waits)) expect(await answer.text()).toBe("");
  expect(inflight.size).toBe(0);
  await eventually("the end of the waits", () => hub.hub.kernel.bus.size() === 0);

  // A caller that was gone before its call began.
  const gone = await post(call(1, 55), AbortSignal.abort());
  expect([await gone.text(), inflight.size]).toEqual(["", 0]);
  await eventually("the end of its wait", () => hub.hub.kernel.bus.size() === 0);
});
