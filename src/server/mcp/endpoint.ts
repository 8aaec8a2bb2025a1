// `/mcp` at the HTTP level (mcp-tools.md 1, rest-api.md 24): token, then connection, then the body once, then the line
// that reads it. Host and Origin were checked before.

import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { isLegacyRequest } from "@modelcontextprotocol/server";
import { endConnection, openConnection, useConnection, useNamedConnection } from "../../features/connections/index.ts";
import type { Call, ConnectionRef, Principal } from "../../kernel/ctx.ts";
import { HubError } from "../../shared/errors.ts";
import { uuidPattern } from "../../shared/ids.ts";
import type { Hub } from "../hub.ts";
import { readDirectCall } from "./direct-call.ts";
import { answer2025, answerDirect, type Served } from "./line-2025.ts";
import { createLine2026 } from "./line-2026.ts";
import { answerCancellable, answerMessages, type Inflight } from "./messages.ts";
import { rpcRefusal } from "./refusal.ts";
import { claimsModern, clientNameIn, isInitialize, negotiatedIn, parseBody } from "./request-body.ts";
import { createSurface, type Profile } from "./surface.ts";

/** What the listener hands over: the request with its caller, and the means it has and this folder may not import. */
export type McpRequest = {
  request: Request;
  principal: Principal;
  origin: string;
  /** The body, for this call alone. @throws HubError `payload_too_large` */
  readBytes(): Promise<Uint8Array>;
  isJson: boolean;
};

export type McpEndpoint = {
  /** @throws HubError for what is answered before JSON-RPC with a problem document */
  handle(incoming: McpRequest): Promise<Response>;
  close(): Promise<void>;
};

/** @param readDirect what may go the direct path; a test hands in nothing and so compares it with the SDKs' */
export function createMcpEndpoint(hub: Hub, readDirect: typeof readDirectCall = readDirectCall): McpEndpoint {
  const { services } = hub.kernel;
  const surface = createSurface(hub);
  const line2026 = createLine2026((error) => services.log.debug("mcp 2026-07-28", { cause: error.message }));
  const inflight: Inflight = new Map();

  async function post(incoming: McpRequest, profile: Profile): Promise<Response> {
    const { request, principal } = incoming;
    const named = connectionName(request);
    if (named === null) return rpcRefusal(400, -32600, "Hub-Connection must be a uuid");
    if (!incoming.isJson) return rpcRefusal(415, -32000, "Content-Type must be application/json");
    const body = await parseBody(await incoming.readBytes());
    if (body === undefined) return rpcRefusal(400, -32700, "the body is not valid JSON");

    const served: Served = { hub, surface, profile, mayStream: !Array.isArray(body) && takesEventStream(request) };
    const direct = readDirect(request.headers, body);
    const isLegacy =
      direct === undefined ? !claimsModern(body) && (await isLegacyRequest(request, body)) : direct.line === "2025";
    const connection = await findConnectionOf(request, principal, named, isLegacy, body);
    const call: Call = { principal, connection, origin: incoming.origin, signal: request.signal, progress: null };
    if (direct !== undefined) {
      // The newer revision cancels by closing the request.
      return answerCancellable(direct.id, isLegacy ? connection : null, request.signal, inflight, (signal, onEnd) =>
        answerDirect(served, direct, { ...call, signal }, onEnd),
      );
    }
    if (!isLegacy) return line2026.fetch(request, body, served, call);

    const version = request.headers.get("mcp-protocol-version");
    if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      return rpcRefusal(400, -32000, `MCP-Protocol-Version ${JSON.stringify(version)} is not spoken here`);
    }
    if (!isInitialize(body)) {
      return answerMessages(body, connection, request.signal, inflight, (message, signal, onEnd) =>
        answer2025(served, message, { ...call, signal }, onEnd),
      );
    }
    return initialize(served, body, call, named);
  }

  // The 2025 line: one initialize opens one connection, under our own id.
  async function initialize(served: Served, body: unknown, call: Call, named: string | undefined): Promise<Response> {
    const ref: ConnectionRef = { identity: call.principal.actor, id: named ?? crypto.randomUUID() };
    const response = await answerMessages(body, null, call.signal, inflight, (message, _signal, onEnd) =>
      answer2025({ ...served, mayStream: false }, message, call, onEnd),
    );
    if (response.status !== 200) return response;
    const text = await response.text();
    const answer = new Response(text, response);
    const protocol = negotiatedIn(JSON.parse(text));
    if (protocol === undefined) return answer;
    await openConnection(services, ref, { name: clientNameIn(body), protocol });
    answer.headers.set("mcp-session-id", ref.id);
    return answer;
  }

  async function findConnectionOf(
    request: Request,
    principal: Principal,
    named: string | undefined,
    isLegacy: boolean,
    body: unknown,
  ): Promise<ConnectionRef | null> {
    const identity = principal.actor;
    if (named !== undefined) {
      const ref = { identity, id: named };
      await useNamedConnection(services, ref);
      return ref;
    }
    const id = request.headers.get("mcp-session-id");
    // 2026-07-28 has no protocol sessions and ignores the header; an initialize opens a connection of its own.
    if (id === null || !isLegacy || isInitialize(body)) return null;
    const ref = { identity, id };
    if (!useConnection(services, ref)) throw unknownConnection();
    return ref;
  }

  async function end(incoming: McpRequest): Promise<Response> {
    const named = connectionName(incoming.request);
    if (named === null) return rpcRefusal(400, -32600, "Hub-Connection must be a uuid");
    const id = named ?? incoming.request.headers.get("mcp-session-id");
    const isEnded = id !== null && (await endConnection(services, { identity: incoming.principal.actor, id }));
    if (!isEnded) throw unknownConnection();
    return new Response(null, { status: 200 });
  }

  return {
    async handle(incoming) {
      const profile = profileOf(incoming.request);
      if (profile === undefined) {
        const error = new HubError("invalid_argument", "tools must be core or full", {
          field: "tools",
          expected: "core or full",
        });
        return rpcRefusal(400, -32602, error.message, { error: error.toObject() });
      }
      return incoming.request.method === "DELETE" ? end(incoming) : post(incoming, profile);
    },
    close: () => line2026.close(),
  };
}

function unknownConnection(): HubError {
  return new HubError("not_found", "this connection is not known; send initialize again");
}

// Undefined without the header, null when it is no uuid.
function connectionName(request: Request): string | undefined | null {
  const name = request.headers.get("hub-connection");
  if (name === null) return undefined;
  return uuidPattern.test(name) ? name.toLowerCase() : null;
}

function profileOf(request: Request): Profile | undefined {
  // Almost no request has a query, and to read an address takes longer than to look for its mark.
  if (!request.url.includes("?")) return "full";
  const asked = new URL(request.url).searchParams.get("tools") ?? "full";
  return asked === "core" || asked === "full" ? asked : undefined;
}

// An unusable Accept gets JSON (mcp-tools.md 1); none at all takes anything.
function takesEventStream(request: Request): boolean {
  return /text\/event-stream|text\/\*|\*\/\*/i.test(request.headers.get("accept") ?? "*/*");
}
