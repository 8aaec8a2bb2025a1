// A small hub for the proxy's tests with the official clients: one /mcp that serves both protocol lines by the official
// servers, the 2025 line on the 1.x package and 2026-07-28 on the 2.x one. Tokens, connections and cancels work as the
// hub's do; there are three tools and one resource.
import { Server as Server2025 } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, isLegacyRequest, ProtocolError, Server as Server2026 } from "@modelcontextprotocol/server";
import { isObject } from "../../src/shared/json.ts";
import { gate, problem, token } from "./proxy-harness.ts";

export type TwoLineHub = AsyncDisposable & {
  url: string;
  /** Requests whose token was accepted, by JSON-RPC method, oldest first. */
  methods: string[];
  /** Names of connections alive. */
  connections(): string[];
  /** Waits under way. */
  waiting(): number;
  /** Ends every wait with a result. */
  release(): void;
};

type Connection = { id: string; session: string | null };
type Call = { connection: Connection | undefined; signal: AbortSignal };
type Progress = (count: number) => Promise<void>;

const info = { name: "agent-hub", version: "0.0.0" };
const options = { capabilities: { tools: {}, resources: {} }, instructions: "x" };
const tools = ["whoami", "session_start", "inbox_wait"].map((name) => ({
  name,
  description: name,
  inputSchema: { type: "object" as const, properties: {} },
}));
const page = { uri: "agenthub://skill/größe", mimeType: "text/markdown", text: "# x" };
const notFound = (message: string) => ({ error: { code: "not_found", message, retryable: false, details: {} } });

export function openTwoLineHub(): TwoLineHub {
  const connections = new Map<string, Connection>();
  const inflight = new Map<string, AbortController>();
  const methods: string[] = [];
  const release = gate();
  let waiting = 0;

  async function callTool(name: string, args: Record<string, unknown>, call: Call, progress: Progress | undefined) {
    const output = await run(name, args, call, progress);
    if (output === undefined) return undefined;
    return { structuredContent: output, content: [{ type: "text" as const, text: JSON.stringify(output) }] };
  }

  async function run(name: string, args: Record<string, unknown>, call: Call, progress: Progress | undefined) {
    if (name === "whoami") return { session: call.connection?.session ?? null };
    if (name === "session_start") {
      if (call.connection !== undefined) call.connection.session = String(args["session_name"]);
      return { bound: call.connection !== undefined };
    }
    if (name !== "inbox_wait") return undefined;
    waiting += 1;
    await progress?.(1);
    await Promise.race([release.opened, aborted(call.signal)]);
    waiting -= 1;
    return { items: [] };
  }

  async function line2025(body: Record<string, unknown>, request: Request, call: Call): Promise<Response> {
    const server = new Server2025(info, options);
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
      const progressToken = params._meta?.progressToken;
      const progress: Progress = (count) =>
        extra.sendNotification({
          method: "notifications/progress",
          params: { progressToken: progressToken ?? "", progress: count },
        });
      const result = await callTool(
        params.name,
        params.arguments ?? {},
        call,
        progressToken === undefined ? undefined : progress,
      );
      if (result === undefined) throw new McpError(-32602, `no tool named '${params.name}'`, notFound("tool"));
      return result;
    });
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
      if (params.uri === page.uri) return { contents: [page] };
      throw Object.assign(new Error("no such resource"), { code: -32002, data: notFound("resource") });
    });
    const isStream =
      isObject(body["params"]) && isObject(body["params"]["_meta"]) && "progressToken" in body["params"]["_meta"];
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStream });
    await server.connect(transport);
    const sent = new Request(request.url, { method: "POST", headers: request.headers, body: JSON.stringify(body) });
    // In JSON mode handleRequest never settles once the client is gone.
    const gone = aborted(call.signal).then(() => new Response(null, { status: 499 }));
    return Promise.race([transport.handleRequest(sent, { parsedBody: body }), gone]);
  }

  async function line2026(body: unknown, request: Request, call: Call): Promise<Response> {
    const handler = createMcpHandler(
      () => {
        const server = new Server2026(info, options);
        server.setRequestHandler("tools/list", () => ({ tools }));
        server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
          const progressToken = mcpReq._meta?.progressToken;
          const progress: Progress = (count) =>
            mcpReq.notify({
              method: "notifications/progress",
              params: { progressToken: progressToken ?? "", progress: count },
            });
          const signal = AbortSignal.any([call.signal, mcpReq.signal]);
          const told = progressToken === undefined ? undefined : progress;
          const result = await callTool(params.name, params.arguments ?? {}, { ...call, signal }, told);
          if (result === undefined) throw new ProtocolError(-32602, `no tool named '${params.name}'`, notFound("tool"));
          return result;
        });
        server.setRequestHandler("resources/read", ({ params }) => {
          if (params.uri === page.uri) return { contents: [page] };
          throw new ProtocolError(-32602, "no such resource", notFound("resource"));
        });
        return server;
      },
      { legacy: "reject" },
    );
    return handler.fetch(request, { parsedBody: body });
  }

  async function serve(request: Request): Promise<Response> {
    if (request.headers.get("authorization") !== `Bearer ${token}`)
      return problem(401, "unauthenticated", "unknown token");
    const named = request.headers.get("hub-connection");
    const id = named ?? request.headers.get("mcp-session-id");
    if (named !== null && !connections.has(named)) connections.set(named, { id: named, session: null });
    const connection = id === null ? undefined : connections.get(id);
    if (id !== null && connection === undefined) return problem(404, "not_found", "unknown connection");
    if (request.method === "DELETE") return new Response(null, { status: connections.delete(id ?? "") ? 200 : 404 });
    if (request.method !== "POST") return problem(405, "invalid_argument", "POST or DELETE");

    const body: unknown = await request.json();
    if (!isObject(body)) return problem(400, "invalid_argument", "not a message");
    methods.push(String(body["method"]));
    const abort = new AbortController();
    request.signal.addEventListener("abort", () => abort.abort());
    const call = { connection, signal: abort.signal };
    if (!(await isLegacyRequest(request, body))) return line2026(body, request, call);

    const key = (requestId: unknown) => `${connection?.id} ${typeof requestId} ${requestId}`;
    if (body["method"] === "notifications/cancelled") {
      inflight.get(key(isObject(body["params"]) ? body["params"]["requestId"] : undefined))?.abort();
      return new Response(null, { status: 202 });
    }
    inflight.set(key(body["id"]), abort);
    const response = await line2025(body, request, call);
    if (body["method"] !== "initialize" || connection === undefined) return response;
    const headers = new Headers(response.headers);
    headers.set("mcp-session-id", connection.id);
    return new Response(response.body, { status: response.status, headers });
  }

  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 0, fetch: serve });
  return {
    url: `http://127.0.0.1:${server.port}`,
    methods,
    connections: () => [...connections.keys()],
    waiting: () => waiting,
    release: release.open,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  const { opened, open } = gate();
  if (signal.aborted) open();
  else signal.addEventListener("abort", open, { once: true });
  return opened;
}
