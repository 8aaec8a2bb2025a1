// The official clients of both protocol lines over real HTTP (mcp-tools.md 1): each says what it negotiated, lists and
// calls tools, is refused, waits and gives up.
import { describe, expect, test } from "bun:test";
import { Client as Client2026, StreamableHTTPClientTransport as Http2026 } from "@modelcontextprotocol/client";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http2025 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import { eventually } from "../../support/proxy-harness.ts";
import { openResources } from "../isolation.ts";
import { putPage } from "./resource-requests.ts";
import { type McpHub, openMcpHub } from "./rpc.ts";

type Harness = AsyncDisposable & {
  revision(): string | undefined;
  sessionId(): string | undefined;
  server(): { name: string; version: string } | undefined;
  instructions(): string | undefined;
  tools(): Promise<string[]>;
  call(name: string, args?: Record<string, unknown>, signal?: AbortSignal): Promise<unknown>;
  /** The addresses of every resource, page after page. */
  resources(): Promise<string[]>;
  templates(): Promise<string[]>;
  read(uri: string): Promise<unknown>;
  terminate(): Promise<void>;
};
type Connect = (
  mcp: McpHub,
  options?: { token?: string; headers?: Record<string, string>; query?: string },
) => Promise<Harness>;

const connect2025: Connect = async (mcp, { token = mcp.alice.token, headers = {}, query = "" } = {}) => {
  const client = new Client2025({ name: "test", version: "1" });
  const transport = new Http2025(new URL(`${mcp.url}/mcp${query}`), {
    requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
  });
  await client.connect(transport);
  return {
    revision: () => transport.protocolVersion,
    sessionId: () => transport.sessionId,
    server: () => client.getServerVersion(),
    instructions: () => client.getInstructions(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args = {}, signal = undefined) =>
      client.callTool({ name, arguments: args }, undefined, signal === undefined ? {} : { signal }),
    resources: () => allPages((cursor) => client.listResources(cursor)),
    templates: async () => (await client.listResourceTemplates()).resourceTemplates.map((each) => each.uriTemplate),
    read: (uri) => client.readResource({ uri }),
    terminate: () => transport.terminateSession(),
    [Symbol.asyncDispose]: () => client.close(),
  };
};

function connectWith2(options: ConstructorParameters<typeof Client2026>[1]): Connect {
  return async (mcp, { token = mcp.alice.token, headers = {}, query = "" } = {}) => {
    const client = new Client2026({ name: "test", version: "1" }, options);
    const transport = new Http2026(new URL(`${mcp.url}/mcp${query}`), {
      requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
    });
    await client.connect(transport);
    return {
      revision: () => client.getNegotiatedProtocolVersion(),
      sessionId: () => transport.sessionId,
      server: () => client.getServerVersion(),
      instructions: () => client.getInstructions(),
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      call: (name, args = {}, signal = undefined) =>
        client.callTool({ name, arguments: args }, signal === undefined ? {} : { signal }),
      resources: () => allPages((cursor) => client.listResources(cursor)),
      templates: async () => (await client.listResourceTemplates()).resourceTemplates.map((each) => each.uriTemplate),
      read: (uri) => client.readResource({ uri }),
      terminate: () => transport.terminateSession(),
      [Symbol.asyncDispose]: () => client.close(),
    };
  };
}

type ResourcePage = { resources: readonly { uri: string }[]; nextCursor?: string | undefined };

async function allPages(list: (params: { cursor?: string }) => Promise<ResourcePage>): Promise<string[]> {
  const uris: string[] = [];
  for (let params: { cursor?: string } | undefined = {}; params !== undefined && uris.length < 1000; ) {
    const { resources, nextCursor } = await list(params);
    uris.push(...resources.map(({ uri }) => uri));
    params = nextCursor === undefined ? undefined : { cursor: nextCursor };
  }
  return uris;
}

const clients: [name: string, revision: string, connect: Connect][] = [
  ["the 1.x client", "2025-11-25", connect2025],
  ["the 2.x client as it comes", "2025-11-25", connectWith2({})],
  ["the 2.x client that asks for the newest", "2026-07-28", connectWith2({ versionNegotiation: { mode: "auto" } })],
];

function structured(result: unknown): JsonObject {
  const content = isObject(result) ? result["structuredContent"] : undefined;
  if (!isObject(content)) throw new Error("no structured content");
  return content as JsonObject; // came over the wire as JSON
}

describe.each(clients)("%s", (_, revision, connect) => {
  test("lists every page over several lists, and reads what it was listed", async () => {
    await using mcp = await openMcpHub();
    await using client = await connect(mcp);
    const numbers = Array.from({ length: 150 }, (_, index) => index);
    await Promise.all(numbers.map((index) => putPage(mcp.alice, "p", `/fs/nótes/${index}.md`, `# ${index}`)));
    const uris = await client.resources();
    expect(uris.slice(0, openResources.length)).toEqual([...openResources]);
    expect(new Set(uris).size).toBe(openResources.length + 150);
    expect(await client.templates()).toEqual(["agenthub://kb/{project_id}/{+path}"]);
    const uri = "agenthub://kb/p/n%C3%B3tes/149.md";
    expect(uris).toContain(uri);
    expect(await client.read(uri)).toMatchObject({
      contents: [{ uri, mimeType: "text/markdown; charset=utf-8", text: "# 149" }],
    });
    const missing = "agenthub://kb/p/none.md";
    await expect(client.read(missing)).rejects.toThrow("there is no page at '/fs/none.md'");
  });

  test("negotiates, and learns name, version and how to begin", async () => {
    await using mcp = await openMcpHub();
    await using client = await connect(mcp);
    expect(client.revision()).toBe(revision);
    expect(client.server()).toMatchObject({ name: "agent-hub", version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(client.instructions()).toContain("session_start");
    expect((client.sessionId() !== undefined) === (revision === "2025-11-25")).toBe(true);
  });

  test("lists every tool, and the core ones when it asks for those", async () => {
    await using mcp = await openMcpHub();
    await using client = await connect(mcp);
    expect(await client.tools()).toEqual(mcp.hub.hub.tools.map(({ name }) => name));
    await using core = await connect(mcp, { query: "?tools=core" });
    expect(await core.tools()).toEqual(mcp.hub.hub.tools.filter((tool) => tool.core).map(({ name }) => name));
    // The profile changes the list alone.
    expect(structured(await core.call("version"))["version"]).toStartWith("agent-hub ");
  });

  test("works in a session: bound with a connection, by name without", async () => {
    await using mcp = await openMcpHub();
    const headers = revision === "2026-07-28" ? { "hub-connection": crypto.randomUUID() } : {};
    await using client = await connect(mcp, { headers });
    const started = structured(await client.call("session_start", { project_id: "p", session_name: "work" }));
    expect(started).toMatchObject({ bound: true, agent: "alice" });
    await client.call("brain_put", { path: "/fs/RECOVERY.md", content: "é\u0000", store: "session" });
    expect(structured(await client.call("brain_get", { path: "/fs/RECOVERY.md" }))).toMatchObject({
      content: "é\u0000",
    });
    if (revision === "2025-11-25") return;
    await using nameless = await connect(mcp);
    expect(structured(await nameless.call("session_start", { project_id: "p", session_name: "work" }))).toMatchObject({
      bound: false,
      session_id: started["session_id"] ?? "",
    });
  });

  test("gets a tool's refusal as a result, and an unknown tool as an error", async () => {
    await using mcp = await openMcpHub();
    await using client = await connect(mcp);
    const refused = await client.call("brain_get", { path: "/nowhere" });
    expect(refused).toMatchObject({ isError: true });
    expect(structured(refused)).toMatchObject({ error: { code: "invalid_argument", retryable: false } });
    const unknown = await client.call("no_such_tool").then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(unknown).toMatchObject({ code: -32602, data: { error: { code: "not_found" } } });
  });

  test("waits for the human's answer", async () => {
    await using mcp = await openMcpHub();
    await using client = await connect(mcp);
    const posted = structured(await client.call("question_post", { project_id: "p", subject: "which?" }));
    const wait = client.call("inbox_wait", { wait_seconds: 50, since: posted["question_id"] });
    await eventually("the wait", () => mcp.hub.hub.kernel.bus.size() > 0);
    await mcp.hub.rest("answerQuestion", { params: { id: String(posted["question_id"]) }, body: { body: "this one" } });
    expect(structured(await wait)).toMatchObject({ items: [{ answer: { body: "this one" } }] });
    expect(mcp.hub.hub.kernel.bus.size()).toBe(0);
  });

  test("gives up a wait, which ends at once on the hub, and goes on", async () => {
    await using mcp = await openMcpHub();
    await using client = await connect(mcp);
    const leave = new AbortController();
    const wait = client.call("inbox_wait", { wait_seconds: 50 }, leave.signal).then(
      () => "answered",
      () => "gave up",
    );
    await eventually("the wait", () => mcp.hub.hub.kernel.bus.size() > 0);
    leave.abort();
    expect(await wait).toBe("gave up");
    await eventually("the end of the wait", () => mcp.hub.hub.kernel.bus.size() === 0);
    expect(structured(await client.call("whoami"))["actor"]).toBe("alice");
  });

  test("is refused with a token that is none", async () => {
    await using mcp = await openMcpHub();
    const attempt = connect(mcp, { token: "0".repeat(64) }).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(String(await attempt)).toMatch(/401|[Uu]nauthori[sz]ed/);
  });

  test("with the admin token is the human", async () => {
    await using mcp = await openMcpHub();
    await using client = await connect(mcp, { token: mcp.hub.operator.token });
    expect(structured(await client.call("whoami"))).toMatchObject({ actor: "human", admin: true });
  });

  if (revision === "2025-11-25") {
    test("ends its connection, after which the hub knows it no more", async () => {
      await using mcp = await openMcpHub();
      await using client = await connect(mcp);
      const id = client.sessionId() ?? "";
      const ping = { id: 1, method: "ping" };
      expect((await mcp.rpc("2025", ping, { headers: { "mcp-session-id": id } })).status).toBe(200);
      await client.terminate();
      expect((await mcp.rpc("2025", ping, { headers: { "mcp-session-id": id } })).status).toBe(404);
    });
  }
});
