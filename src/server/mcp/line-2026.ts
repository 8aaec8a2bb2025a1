// The 2026-07-28 revision on the 2.x SDK: stateless, one fresh low-level Server a request (architecture.md 8).
import { createMcpHandler, ProtocolError, Server } from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import type { Call, Ctx } from "../../kernel/ctx.ts";
import { mcpBodyBytes } from "../../shared/limits.ts";
import type { Served } from "./line-2025.ts";
import { isInitialize } from "./request-body.ts";
import { misfitIn } from "./request-form.ts";
import { capabilities, instructions, type RpcFailure, rpcFailure, serverInfo, unknownTool } from "./surface.ts";

// Made once: the SDK would build one for every Server, and the hub never elicits.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export type Line2026 = {
  /** `body` is the parsed request body. */
  fetch(request: Request, body: unknown, served: Served, call: Call): Promise<Response>;
  close(): Promise<void>;
};

type Carried = { served: Served; call: Call };

export function createLine2026(onError: (error: Error) => void): Line2026 {
  // The SDK hands the request it was given to the factory; this is how the call travels with it.
  const carried = new WeakMap<Request, Carried>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const given = requestInfo === undefined ? undefined : carried.get(requestInfo);
      if (given === undefined) throw new Error("an MCP request came without its call");
      return createServer(given.served, given.call);
    },
    { legacy: "reject", maxRequestBodySize: mcpBodyBytes, onerror: onError },
  );
  return {
    fetch: async (request, body, served, call) => {
      const misfit = isInitialize(body) ? undefined : misfitIn(body);
      if (misfit !== undefined) return Response.json(misfit);
      carried.set(request, { served, call });
      return handler.fetch(request, { parsedBody: body });
    },
    close: () => handler.close(),
  };
}

function createServer({ hub, surface, profile, mayStream }: Served, call: Call): Server {
  const server = new Server(serverInfo, { capabilities, instructions, jsonSchemaValidator });
  const ctx: Ctx = hub.kernel.ctx(call);
  server.setRequestHandler("tools/list", () => ({ tools: [...surface.listTools(profile)] }));
  server.setRequestHandler("tools/call", async ({ params }, extra) => {
    const token = params._meta?.progressToken;
    let sent = 0;
    const progress = (): void => {
      if (token === undefined) return;
      sent += 1;
      const params = { progressToken: token, progress: sent };
      // A caller that left is noticed through the signal; the notification itself may be lost.
      extra.mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
    };
    const result = await surface.callTool(params.name, params.arguments, {
      ...ctx,
      signal: AbortSignal.any([call.signal, extra.mcpReq.signal]),
      progress: mayStream && token !== undefined ? progress : null,
    });
    if (result === undefined) throw protocolError(unknownTool(params.name));
    return result;
  });
  server.setRequestHandler("resources/list", () => ({
    resources: surface.listResources(ctx.origin).map((resource) => ({ uri: "", name: "", ...resource })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", ({ params }) => {
    try {
      return { contents: [surface.readResource(params.uri, ctx.origin)] };
    } catch (error) {
      throw protocolError(rpcFailure(error, "2026", ctx, params.uri));
    }
  });
  return server;
}

function protocolError(failure: RpcFailure): ProtocolError {
  return new ProtocolError(failure.code, failure.message, failure.data);
}
