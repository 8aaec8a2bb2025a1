// One request, one answer: `POST /mcp` in the 2026-07-28 form, which needs no handshake and leaves nothing on the hub.
import { version } from "../shared/build.ts";
import { isObject, type JsonObject } from "../shared/json.ts";
import { toolListPagesMax } from "../shared/limits.ts";
import { endpointOf, type Hub, request, statusFailure } from "./connection.ts";
import { headerValue } from "./header-value.ts";
import { type HubFailure, refused, unreachable, wireError } from "./hub-failure.ts";
import { readEventData } from "./proxy/event-stream.ts";
import { resultError, rpcError, textOf } from "./wire-error.ts";

const protocolVersion = "2026-07-28";
const requestId = 1;

export type Tool = { name: unknown; description: unknown; inputSchema: unknown };

/** The structured result of a tool, trailer included. Throws `HubFailure`. */
export async function callTool(hub: Hub, name: string, args: JsonObject): Promise<unknown> {
  const result = await send(hub, "tools/call", { name, arguments: args }, { "Mcp-Name": headerValue(name) });
  if (result["isError"] === true) throw refused(resultError(result));
  const structured = result["structuredContent"];
  if (structured !== undefined && structured !== null) return structured;
  const text = textOf(result);
  const parsed = parseJson(text);
  return parsed === undefined ? { text } : parsed;
}

/** Every tool in the hub's order, all pages of them. Throws `HubFailure`. */
export async function listTools(hub: Hub): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < toolListPagesMax; page += 1) {
    const result = await send(hub, "tools/list", cursor === undefined ? {} : { cursor }, {});
    if (!Array.isArray(result["tools"])) throw notMcp(endpointOf(hub.url, "/mcp"), "a tools/list without tools");
    for (const tool of result["tools"]) {
      if (isObject(tool)) {
        tools.push({ name: tool["name"], description: tool["description"], inputSchema: tool["inputSchema"] });
      }
    }
    if (typeof result["nextCursor"] !== "string") return tools;
    cursor = result["nextCursor"];
  }
  throw notMcp(endpointOf(hub.url, "/mcp"), `more than ${toolListPagesMax} pages of tools`);
}

async function send(
  hub: Hub,
  method: string,
  params: JsonObject,
  headers: Record<string, string>,
): Promise<Record<string, unknown>> {
  const endpoint = endpointOf(hub.url, "/mcp");
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": protocolVersion,
    "io.modelcontextprotocol/clientInfo": { name: "agent-hub", version },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const init = {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": protocolVersion,
      "Mcp-Method": method,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: requestId, method, params: { ...params, _meta } }),
  };
  const answer = await request(hub, endpoint, init, (response) => readAnswer(endpoint, response));
  if (isObject(answer["error"])) throw refused(rpcError(answer["error"], method));
  if (isObject(answer["result"])) return answer["result"];
  throw notMcp(endpoint, "a message that is no answer");
}

/** The JSON-RPC answer, from a JSON body or an event stream. A refused request may carry one too. */
async function readAnswer(endpoint: string, response: Response): Promise<Record<string, unknown>> {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") === true && response.ok) {
    return streamedAnswer(endpoint, response);
  }
  const text = await response.text();
  const body = parseJson(text);
  const isRpc = isObject(body) && body["jsonrpc"] === "2.0";
  // A 401 is about the token, whatever its body.
  if (isRpc && (response.ok || (isObject(body["error"]) && response.status !== 401))) return body;
  if (response.ok) throw notMcp(endpoint, `${response.status} without an MCP answer`);
  throw statusFailure(endpoint, response.status, body);
}

async function streamedAnswer(endpoint: string, response: Response): Promise<Record<string, unknown>> {
  if (response.body !== null) {
    for await (const data of readEventData(response.body)) {
      const message = parseJson(data);
      if (isAnswer(message)) return message;
    }
  }
  throw unreachable(endpoint, new Error("connection lost"));
}

// Progress and log notifications come before the answer and carry no id of ours.
function isAnswer(message: unknown): message is Record<string, unknown> {
  return isObject(message) && message["id"] === requestId && ("result" in message || "error" in message);
}

function notMcp(endpoint: string, what: string): HubFailure {
  return refused(wireError("internal", `${endpoint} answered ${what}; check that HUB_URL names an Agent Hub`));
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    // Not JSON is an answer like any other here.
    return undefined;
  }
}
