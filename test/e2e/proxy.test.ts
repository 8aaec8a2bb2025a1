// `agent-hub mcp` between a harness and a real hub, on both protocol lines: calls overtake a wait, a cancelled wait is
// answered no more and has taken nothing, a token that dies is told and not died of (cli.md 4.2).
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { createAgent } from "../support/agents.ts";
import { type RunningHub, startHub } from "../support/binary.ts";
import type { ProtocolLine } from "../support/mcp-agents.ts";
import { operate } from "../support/operator.ts";
import { type StdioProcess, startStdio } from "../support/stdio-process.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

let hub: RunningHub;
beforeAll(async () => {
  hub = await startHub();
  await operate(hub, "createProject", { body: { id: "p", display_name: "P" } });
});
afterAll(() => hub?.[Symbol.asyncDispose]());

const modern = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

function call(line: ProtocolLine, id: number, name: string, args: object = {}): object {
  const params = { name, arguments: args, ...(line === "2026" ? { _meta: modern } : {}) };
  return { jsonrpc: "2.0", id, method: "tools/call", params };
}

function contentOf(answer: JsonObject): JsonObject {
  const result = answer["result"];
  if (!isObject(result) || !isObject(result["structuredContent"])) throw new Error(JSON.stringify(answer));
  return result["structuredContent"] as JsonObject; // came over the wire as JSON
}

const idsOn = (proxy: StdioProcess): number[] =>
  proxy
    .stdout()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line).id);

describe.each(["2025", "2026"] as const)("on the %s line", (line) => {
  test("calls overtake a wait that was sent before them, and the answer ends it", async () => {
    const agent = `overtaker-${line}`;
    await using proxy = await startStdio({ HUB_URL: hub.url, HUB_TOKEN: await createAgent(hub, agent) });
    proxy.send(call(line, 1, "question_post", { project_id: "p", subject: "Now?" }));
    const id = String(contentOf(await proxy.answer(1))["question_id"]);
    proxy.send(call(line, 2, "inbox_wait", { since: id, wait_seconds: 55 }));
    const others = Array.from({ length: 20 }, (_, index) => index + 3);
    for (const other of others) proxy.send(call(line, other, "whoami"));
    for (const other of others) expect(contentOf(await proxy.answer(other))).toMatchObject({ actor: agent });
    expect(idsOn(proxy)).not.toContain(2);
    await operate(hub, "answerQuestion", { params: { id }, body: { body: "yes" } });
    expect(contentOf(await proxy.answer(2))).toMatchObject({ items: [{ event_id: id, answer: { body: "yes" } }] });
    proxy.endInput();
    expect(await proxy.exited()).toBe(0);
    expect(proxy.stderr()).toBe("");
  });

  test("a cancelled wait is answered no more, and what it waited for is told by the next call", async () => {
    await using proxy = await startStdio({ HUB_URL: hub.url, HUB_TOKEN: await createAgent(hub, `canceller-${line}`) });
    proxy.send(call(line, 1, "question_post", { project_id: "p", subject: "Now?" }));
    const id = String(contentOf(await proxy.answer(1))["question_id"]);
    proxy.send(call(line, 2, "notify_wait", { wait_seconds: 55 }));
    proxy.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    proxy.send(call(line, 3, "whoami"));
    expect(contentOf(await proxy.answer(3))).not.toHaveProperty("notifications");
    await operate(hub, "answerQuestion", { params: { id }, body: { body: "yes" } });
    proxy.send(call(line, 4, "whoami"));
    expect(contentOf(await proxy.answer(4))).toMatchObject({ notifications: { pending: [{ id }] } });
    proxy.endInput();
    expect(await proxy.exited()).toBe(0);
    expect(idsOn(proxy)).toEqual([1, 3, 4]);
  });

  test("a token that is revoked meanwhile is told to each call, and the process lives", async () => {
    const agent = `revoked-${line}`;
    await using proxy = await startStdio({ HUB_URL: hub.url, HUB_TOKEN: await createAgent(hub, agent) });
    proxy.send(call(line, 1, "whoami"));
    expect(contentOf(await proxy.answer(1))).toMatchObject({ actor: agent });
    await operate(hub, "revokeToken", { params: { id: agent } });
    for (const id of [2, 3]) {
      proxy.send(call(line, id, "whoami"));
      expect(await proxy.answer(id)).toMatchObject({
        result: { isError: true, structuredContent: { error: { code: "unauthenticated", retryable: false } } },
      });
    }
    proxy.send({ jsonrpc: "2.0", id: 4, method: "tools/list", params: line === "2026" ? { _meta: modern } : {} });
    expect(await proxy.answer(4)).toMatchObject({
      error: { code: -32600, data: { error: { code: "unauthenticated" } } },
    });
    proxy.endInput();
    expect(await proxy.exited()).toBe(0);
  });
});
