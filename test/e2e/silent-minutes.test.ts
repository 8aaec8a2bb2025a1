// Two minutes in which nothing happens, on every way to a hub: whatever waits stays alive, and no wait outlasts 55 s.
// Real time is the subject, so all of it runs at once (mcp-tools.md 1, 17.10; rest-api.md 16; facts of idle time-outs).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { Client as Client2026 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2026 } from "@modelcontextprotocol/client/stdio";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio2025 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createAgent } from "../support/agents.ts";
import { binaryPath, type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { openLiveStream } from "../support/live-stream.ts";
import { callOnWire, type WireAnswer, type WireLine, wireLines } from "../support/mcp-wire.ts";
import { type NginxProxy, startNginx } from "../support/nginx.ts";
import { operate } from "../support/operator.ts";
import { within } from "../support/processes.ts";
import { eventually } from "../support/proxy-harness.ts";

const silenceMs = 125_000;
const boundMs = 200_000;
const longestSeconds = 55;
// A wait of 60 s is cut to 55, not to less than that by more than a moment.
const shortestSeconds = 53;

let hub: RunningHub;
/** Where nobody writes at all. */
let quiet: RunningHub;
let nginx: NginxProxy;
let quietNginx: NginxProxy;
let folder: TempDir;
const tokens = new Map<string, string>();

const agents = ["direct", "proxied", "impatient", "token", "stdio"].flatMap((name) =>
  wireLines.map((line) => `${name}-${line}`),
);

beforeAll(async () => {
  folder = await TempDir.create();
  [hub, quiet] = [await startHub(), await startHub()];
  [nginx, quietNginx] = [await startNginx(hub.url), await startNginx(quiet.url)];
  await operate(hub, "createProject", { body: { id: "p", display_name: "P" } });
  for (const agent of agents) tokens.set(agent, await createAgent(hub, agent));
}, 60_000);
afterAll(async () => {
  for (const each of [nginx, quietNginx, hub, quiet]) await each[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const tokenOf = (agent: string): string => tokens.get(agent) ?? "";

function expectTimedOut(answer: WireAnswer, tool: string): void {
  expect([answer.status, answer.isError]).toEqual([200, false]);
  expect(answer.content).toEqual(tool === "inbox_wait" ? { items: [], next_since: null } : { timed_out: true });
  expect(answer.seconds).toBeLessThanOrEqual(longestSeconds);
  expect(answer.seconds).toBeGreaterThan(shortestSeconds);
}

describe.concurrent("two silent minutes", () => {
  test.each([
    ["the hub itself", () => quiet.url, ""],
    ["nginx as it comes", () => quietNginx.url, ""],
    ["nginx that ends a silence of 30 s", () => quietNginx.url, "/impatient"],
  ])(
    "a stream through %s says hello at once, stays alive by its comments, and still tells",
    async (_way, url, path) => {
      await using stream = await openLiveStream(url(), { token: quiet.adminToken, path });
      expect((await stream.next(5000)).event).toBe("hello");
      await Bun.sleep(silenceMs);
      const comments = stream
        .text()
        .split("\n")
        .filter((line) => line === ": hb").length;
      expect(comments).toBeGreaterThanOrEqual(8);
      expect(stream.text()).not.toContain("event: change");
      await operate(quiet, "createProject", { body: { id: `p-${crypto.randomUUID()}`, display_name: "P" } });
      expect((await stream.until("change")).found.data).toEqual({ topics: ["projects"] });
    },
    boundMs,
  );

  test(
    "a connection that is kept alive serves the next request",
    async () => {
      const socket = connect(quiet.port, "127.0.0.1");
      let text = "";
      let isClosed = false;
      socket.on("data", (chunk: Buffer) => {
        text += chunk.toString("utf8");
      });
      socket.on("close", () => {
        isClosed = true;
      });
      const request = `GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${quiet.port}\r\n\r\n`;
      socket.write(request);
      await eventually("the first answer", () => text.includes("HTTP/1.1 200"));
      await Bun.sleep(silenceMs);
      expect(isClosed).toBe(false);
      text = "";
      socket.write(request);
      await eventually("the second answer", () => text.includes("HTTP/1.1 200"));
      socket.destroy();
    },
    boundMs,
  );

  describe.concurrent.each(wireLines)("on the %s line", (line: WireLine) => {
    test.each(["inbox_wait", "notify_wait"])(
      "%s after itself ends within 55 s each time, with nothing on the way",
      async (tool) => {
        for (let round = 0; round < 2; round += 1) {
          const answer = await callOnWire(hub.url, tokenOf(`direct-${line}`), line, tool, { wait_seconds: 60 });
          expectTimedOut(answer, tool);
          expect([answer.isStream, answer.progress]).toEqual([false, 0]);
        }
      },
      boundMs,
    );

    test(
      "a wait passes nginx as it comes",
      async () => {
        const answer = await callOnWire(nginx.url, tokenOf(`proxied-${line}`), line, "notify_wait", {
          wait_seconds: 60,
        });
        expectTimedOut(answer, "notify_wait");
      },
      boundMs,
    );

    test(
      "a wait that asked for progress stays alive where a silence of 30 s ends an answer",
      async () => {
        const answer = await callOnWire(
          nginx.url,
          tokenOf(`token-${line}`),
          line,
          "inbox_wait",
          { wait_seconds: 60 },
          { progressToken: "alive", prefix: nginx.impatient },
        );
        expectTimedOut(answer, "inbox_wait");
        expect([answer.isStream, answer.progress]).toEqual([true, 2]);
        expect(answer.comments).toBeGreaterThan(0);
        expect(answer.silentSeconds).toBeLessThan(22);
      },
      boundMs,
    );

    test(
      "one that did not is ended there, which consumes nothing",
      async () => {
        const agent = `impatient-${line}`;
        const answer = await callOnWire(
          nginx.url,
          tokenOf(agent),
          line,
          "notify_wait",
          { wait_seconds: 60 },
          { prefix: nginx.impatient },
        );
        expect(answer.status).toBe(504);
        const asked = await callOnWire(hub.url, tokenOf(agent), line, "question_post", {
          project_id: "p",
          subject: "?",
        });
        const id = String(asked.content["question_id"]);
        await operate(hub, "answerQuestion", { params: { id }, body: { body: "yes" } });
        const told = await callOnWire(hub.url, tokenOf(agent), line, "whoami");
        expect(told.content["notifications"]).toMatchObject({ pending: [{ id }] });
      },
      boundMs,
    );

    test(
      "waits through agent-hub mcp end within 55 s, one after the other in one process",
      async () => {
        const env = {
          HOME: folder.path,
          AGENT_HUB_SYSTEM_CONFIG: `${folder.path}/none.toml`,
          HUB_URL: hub.url,
          HUB_TOKEN: tokenOf(`stdio-${line}`),
        };
        await using client = await openStdio(line, env);
        for (let round = 0; round < 2; round += 1) {
          const startedAt = performance.now();
          const result = await client.wait();
          const seconds = (performance.now() - startedAt) / 1000;
          expect(result).toMatchObject({ structuredContent: { timed_out: true } });
          expect(seconds).toBeLessThanOrEqual(longestSeconds);
          expect(seconds).toBeGreaterThan(shortestSeconds);
        }
      },
      boundMs,
    );
  });
});

type StdioClient = AsyncDisposable & { wait(): Promise<unknown> };

/** The official client of a line on a proxy process of its own. */
async function openStdio(line: WireLine, env: Record<string, string>): Promise<StdioClient> {
  const call = { name: "notify_wait", arguments: { wait_seconds: 60 } };
  const start = { command: binaryPath, args: ["mcp"], env };
  if (line === "2025") {
    const client = new Client2025({ name: "silent", version: "1" });
    await within(20_000, "handshake", client.connect(new Stdio2025(start)));
    return { wait: () => client.callTool(call), [Symbol.asyncDispose]: () => client.close() };
  }
  const client = new Client2026({ name: "silent", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await within(20_000, "handshake", client.connect(new Stdio2026(start)));
  expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
  return { wait: () => client.callTool(call), [Symbol.asyncDispose]: () => client.close() };
}
