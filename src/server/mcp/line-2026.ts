// The 2026-07-28 revision on the 2.x SDK: stateless, one fresh low-level Server a request (architecture.md 8).
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import type { Call, Ctx } from "../../kernel/ctx.ts";
import { isObject } from "../../shared/json.ts";
import { mcpBodyBytes } from "../../shared/limits.ts";
import type { Served } from "./line-2025.ts";
import { isInitialize } from "./request-body.ts";
import { misfitIn } from "./request-form.ts";
import { capabilities, instructions, rpcError, serverInfo, unknownTool } from "./surface.ts";

// Made once: the SDK would build one for every Server, and the hub never elicits.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

export type Line2026 = {
  /** `body` is the parsed request body. */
  fetch(request: Request, body: unknown, served: Served, call: Call): Promise<Response>;
  close(): Promise<void>;
};

type Carried = { served: Served; method: string; call: Call };

export function createLine2026(onError: (error: Error) => void): Line2026 {
  // The SDK hands the request it was given to the factory; this is how the call travels with it.
  const carried = new WeakMap<Request, Carried>();
  const handler = createMcpHandler(
    ({ requestInfo }) => {
      const given = requestInfo === undefined ? undefined : carried.get(requestInfo);
      if (given === undefined) throw new Error("an MCP request came without its call");
      return createServer(given);
    },
    { legacy: "reject", maxRequestBodySize: mcpBodyBytes, onerror: onError },
  );
  return {
    fetch: async (request, body, served, call) => {
      const misfit = isInitialize(body) ? undefined : misfitIn(body);
      if (misfit !== undefined) return Response.json(misfit);
      const method = isObject(body) && typeof body["method"] === "string" ? body["method"] : "";
      carried.set(request, { served, method, call });
      return handler.fetch(request, { parsedBody: body });
    },
    close: () => handler.close(),
  };
}

function createServer({ served, method, call }: Carried): Server {
  const { hub, surface, profile, mayStream } = served;
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
    if (result === undefined) throw rpcError(unknownTool(params.name));
    return result;
  });
  const answer = surface.methodOf(method, "2026", ctx);
  // The SDK answers what it has no handler for, with the HTTP status of the revision.
  if (answer !== undefined) server.fallbackRequestHandler = answer;
  return server;
}
