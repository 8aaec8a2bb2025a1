// The real command between the official clients over stdio and a hub that serves both protocol lines.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Client as Client2026 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2026 } from "@modelcontextprotocol/client/stdio";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio2025 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { proxyCommand, proxyEnv } from "../support/proxy-command.ts";
import { eventually } from "../support/proxy-harness.ts";
import { openTwoLineHub, type TwoLineHub } from "../support/proxy-upstream.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

type CallOptions = { signal?: AbortSignal; onprogress?: () => void };
/** What both clients can do, in the words of this test. */
type Harness = AsyncDisposable & {
  version(): string | undefined;
  tools(): Promise<string[]>;
  call(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<unknown>;
  read(uri: string): Promise<unknown>;
  pid(): number | null;
};

const [command, ...args] = proxyCommand;

async function connect2025(hub: TwoLineHub): Promise<Harness> {
  const client = new Client2025({ name: "test", version: "1" });
  const transport = new Stdio2025({ command, args, env: proxyEnv(hub.url) });
  let version: string | undefined;
  // The 1.x client hands the negotiated version to transports that ask for it.
  Object.assign(transport, {
    setProtocolVersion: (negotiated: string) => {
      version = negotiated;
    },
  });
  await client.connect(transport);
  return {
    version: () => version,
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, input, options) =>
      (await client.callTool({ name, arguments: input }, undefined, options)).structuredContent,
    read: async (uri) => (await client.readResource({ uri })).contents[0],
    pid: () => transport.pid,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function connect2026(hub: TwoLineHub): Promise<Harness> {
  const client = new Client2026({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  const transport = new Stdio2026({ command, args, env: proxyEnv(hub.url) });
  await client.connect(transport);
  return {
    version: () => client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, input, options) =>
      (await client.callTool({ name, arguments: input }, options)).structuredContent,
    read: async (uri) => (await client.readResource({ uri })).contents[0],
    pid: () => transport.pid,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const missing = { error: { code: "not_found", message: expect.any(String), retryable: false, details: {} } };

describe.each([
  { name: "the 1.x client", connect: connect2025, version: "2025-11-25", missingResource: -32002 },
  { name: "the 2.x client", connect: connect2026, version: "2026-07-28", missingResource: -32602 },
])("$name", ({ connect, version, missingResource }) => {
  test("speaks its own revision with the hub through the proxy", async () => {
    await using hub = openTwoLineHub();
    await using harness = await connect(hub);
    expect(harness.version()).toBe(version);
    expect(hub.methods.includes("initialize")).toBe(version === "2025-11-25");
    expect(await harness.tools()).toEqual(["whoami", "session_start", "inbox_wait"]);

    // One connection for the life of the process: the session stays active.
    expect(await harness.call("session_start", { session_name: "a" })).toEqual({ bound: true });
    expect(await harness.call("whoami", {})).toEqual({ session: "a" });

    // A URI that no header can carry as it is.
    expect(await harness.read("agenthub://skill/größe")).toMatchObject({ text: "# x" });
    await expect(harness.read("agenthub://kb/missing")).rejects.toMatchObject({ code: missingResource, data: missing });
    await expect(harness.call("nope", {})).rejects.toMatchObject({ code: -32602, data: missing });
  });

  test("sees progress as it comes, and ends a wait by a cancel", async () => {
    await using hub = openTwoLineHub();
    await using harness = await connect(hub);
    let beats = 0;
    const onprogress = () => {
      beats += 1;
    };
    const abort = new AbortController();
    const cancelled = harness.call("inbox_wait", {}, { onprogress, signal: abort.signal });
    const answered = harness.call("inbox_wait", {}, { onprogress });
    await eventually("progress of both", () => beats === 2);
    expect(hub.waiting()).toBe(2);
    abort.abort();
    await expect(cancelled).rejects.toThrow();
    await eventually("the end of one wait", () => hub.waiting() === 1);
    hub.release();
    expect(await answered).toEqual({ items: [] });
  });

  test("closes it without leaving anything behind", async () => {
    await using hub = openTwoLineHub();
    const harness = await connect(hub);
    const pid = harness.pid() ?? 0;
    expect(pid).toBeGreaterThan(0);
    await harness.tools();
    expect(hub.connections().length).toBeGreaterThan(0);
    await harness[Symbol.asyncDispose]();
    await eventually("the end of the process", () => !isAlive(pid));
    await eventually("the end of its connection", () => hub.connections().length === 0);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // no such process
  }
}
