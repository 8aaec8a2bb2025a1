// The protocol's 2025 line on the 1.x SDK. Each message gets a fresh low-level Server on a transport of our own: the
// SDK's HTTP transport keeps an entry for every JSON answer, never hears of a caller that left, and costs three times
// as much a call (limits.md 4). Two calls at once on one Server would fail.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CallToolRequestSchema,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Call, Ctx } from "../../kernel/ctx.ts";
import type { Hub } from "../hub.ts";
import {
  capabilities,
  instructions,
  type Profile,
  type RpcFailure,
  rpcFailure,
  type Surface,
  serverInfo,
  unknownTool,
} from "./surface.ts";

const commentMs = 15_000;

// Made once: the SDK would build a validator for every Server, and the hub never elicits.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export type Served = { hub: Hub; surface: Surface; profile: Profile };

/** Answers one JSON-RPC request: JSON, or an event stream once there is progress to report. */
export function answer2025(served: Served, message: JSONRPCRequest, call: Call, onEnd: () => void): Promise<Response> {
  return new Promise((resolve) => {
    const abandon = (): void => exchange.abandon();
    const exchange = createExchange(message, resolve, () => {
      call.signal.removeEventListener("abort", abandon);
      onEnd();
    });
    const ctx = served.hub.kernel.ctx({ ...call, progress: exchange.progress });
    const server = createServer(served, ctx);
    server.onerror = (error) => ctx.log.debug("mcp exchange", { cause: error.message });
    call.signal.addEventListener("abort", abandon, { once: true });
    server.connect(exchange.transport).then(
      () => exchange.transport.onmessage?.(message),
      (error: unknown) => {
        ctx.log.error("mcp exchange could not start", { cause: String(error) });
        exchange.abandon();
      },
    );
  });
}

function createServer({ surface, profile }: Served, ctx: Ctx): Server {
  const server = new Server(serverInfo, { capabilities, instructions, jsonSchemaValidator });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...surface.listTools(profile)] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const result = await surface.callTool(params.name, params.arguments, ctx);
    if (result === undefined) throw rpcError(unknownTool(params.name));
    return result;
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: surface.listResources(ctx.origin).map((resource) => ({ uri: "", name: "", ...resource })),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    try {
      return { contents: [surface.readResource(params.uri, ctx.origin)] };
    } catch (error) {
      throw rpcError(rpcFailure(error, "2025", ctx, params.uri));
    }
  });
  return server;
}

// The SDK's own error class would put a prefix before the message.
function rpcError(failure: RpcFailure): Error {
  return Object.assign(new Error(failure.message), { code: failure.code, data: failure.data });
}

type Exchange = {
  transport: Transport;
  progress: (() => void) | null;
  /** The caller is gone: nothing is sent any more. */
  abandon(): void;
};

function createExchange(message: JSONRPCRequest, respond: (response: Response) => void, onEnd: () => void): Exchange {
  const encoder = new TextEncoder();
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  let ended = false;
  let sent = 0;

  function write(text: string): void {
    if (stream === undefined) {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          stream = controller;
        },
        cancel: () => exchange.abandon(),
      });
      respond(
        new Response(body, {
          headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
        }),
      );
    }
    if (!ended) stream?.enqueue(encoder.encode(text));
  }

  const token = message.params?._meta?.progressToken;
  // A call that asked for progress and takes long turns into a stream, and proxies on the way see it alive.
  const comments = token === undefined ? undefined : setInterval(() => write(": waiting\n\n"), commentMs);

  function end(): void {
    ended = true;
    clearInterval(comments);
    try {
      stream?.close();
    } catch {
      // Cancelled by the reader: there is nobody left to tell.
    }
    onEnd();
  }

  const exchange: Exchange = {
    progress:
      token === undefined
        ? null
        : () => {
            sent += 1;
            write(
              event({
                jsonrpc: "2.0",
                method: "notifications/progress",
                params: { progressToken: token, progress: sent },
              }),
            );
          },
    abandon() {
      if (ended) return;
      respond(new Response(null, { status: 499 }));
      end();
    },
    transport: {
      start: async () => undefined,
      close: async () => undefined,
      async send(reply: JSONRPCMessage) {
        if (ended || isJSONRPCRequest(reply)) return;
        if (!("id" in reply)) return write(event(reply));
        if (stream === undefined) respond(json(reply));
        else write(event(reply));
        end();
      },
    },
  };
  return exchange;
}

function event(message: JSONRPCMessage): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}

function json(message: JSONRPCMessage): Response {
  return new Response(JSON.stringify(message), { headers: { "content-type": "application/json" } });
}
