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
  ListToolsRequestSchema,
  type ProgressToken,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Call, Ctx } from "../../kernel/ctx.ts";
import type { Hub } from "../hub.ts";
import { type DirectCall, directAnswer, directStream } from "./direct-call.ts";
import { misfitIn } from "./request-form.ts";
import {
  capabilities,
  instructions,
  type Profile,
  rpcError,
  type Surface,
  serverInfo,
  unknownTool,
} from "./surface.ts";

const commentMs = 15_000;
const encoder = new TextEncoder();

// Made once: the SDK would build a validator for every Server, and the hub never elicits.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export type Served = {
  hub: Hub;
  surface: Surface;
  profile: Profile;
  /** An answer may turn into an event stream to show progress: the caller takes one, and it answers no batch. */
  mayStream: boolean;
};

/** Answers one JSON-RPC request: JSON, or an event stream once there is progress to report. */
export function answer2025(served: Served, message: JSONRPCRequest, call: Call, onEnd: () => void): Promise<Response> {
  return inExchange(served, message.params?._meta?.progressToken, call, onEnd, async (exchange, ctx) => {
    const misfit = misfitIn(message);
    if (misfit !== undefined) {
      exchange.answer(JSON.stringify(misfit));
      return;
    }
    const server = createServer(served, message.method, ctx);
    server.onerror = (error) => ctx.log.debug("mcp exchange", { cause: error.message });
    await server.connect(exchange.transport);
    exchange.transport.onmessage?.(message);
  });
}

/** Answers a call that needs no SDK, on either line: only one with a progress token can turn into a stream. */
export function answerDirect(served: Served, direct: DirectCall, call: Call, onEnd: () => void): Promise<Response> {
  const { hub, surface } = served;
  if (direct.progressToken === undefined) {
    return surface
      .callTool(direct.name, direct.args, hub.kernel.ctx(call))
      .then((result) =>
        call.signal.aborted ? abandoned() : json(directStream(direct, result) ?? directAnswer(direct, result)),
      )
      .finally(onEnd);
  }
  return inExchange(served, direct.progressToken, call, onEnd, async (exchange, ctx) => {
    exchange.answer(directAnswer(direct, await surface.callTool(direct.name, direct.args, ctx)));
  });
}

function inExchange(
  served: Served,
  progressToken: ProgressToken | undefined,
  call: Call,
  onEnd: () => void,
  run: (exchange: Exchange, ctx: Ctx) => Promise<void>,
): Promise<Response> {
  return new Promise((resolve) => {
    const abandon = (): void => exchange.abandon();
    const exchange = createExchange(served.mayStream ? progressToken : undefined, resolve, () => {
      call.signal.removeEventListener("abort", abandon);
      onEnd();
    });
    const ctx = served.hub.kernel.ctx({ ...call, progress: exchange.progress });
    call.signal.addEventListener("abort", abandon, { once: true });
    if (call.signal.aborted) abandon();
    run(exchange, ctx).catch((error: unknown) => {
      ctx.log.error("mcp exchange failed", { cause: String(error) });
      exchange.abandon();
    });
  });
}

function createServer({ surface, profile }: Served, method: string, ctx: Ctx): Server {
  const server = new Server(serverInfo, { capabilities, instructions, jsonSchemaValidator });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...surface.listTools(profile)] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const result = await surface.callTool(params.name, params.arguments, ctx);
    if (result === undefined) throw rpcError(unknownTool(params.name));
    return result;
  });
  const answer = surface.methodOf(method, "2025", ctx);
  if (answer !== undefined) server.fallbackRequestHandler = answer;
  return server;
}

type Exchange = {
  transport: Transport;
  /** Sends the one answer, a JSON text, and ends. */
  answer(text: string): void;
  progress: (() => void) | null;
  /** The caller is gone: nothing is sent any more. */
  abandon(): void;
};

function createExchange(
  token: ProgressToken | undefined,
  respond: (response: Response) => void,
  onEnd: () => void,
): Exchange {
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
            const params = { progressToken: token, progress: sent };
            write(event(JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params })));
          },
    abandon() {
      if (ended) return;
      respond(abandoned());
      end();
    },
    answer(text) {
      if (ended) return;
      if (stream === undefined) respond(json(text));
      else write(event(text));
      end();
    },
    transport: {
      start: async () => undefined,
      close: async () => undefined,
      async send(reply: JSONRPCMessage) {
        if (ended || isJSONRPCRequest(reply)) return;
        if ("id" in reply) exchange.answer(JSON.stringify(reply));
        else write(event(JSON.stringify(reply)));
      },
    },
  };
  return exchange;
}

function event(message: string): string {
  return `event: message\ndata: ${message}\n\n`;
}

// Nobody reads it; the number stands in a proxy's log at most.
function abandoned(): Response {
  return new Response(null, { status: 499 });
}

function json(body: string | ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: { "content-type": "application/json" } });
}
