// MCP in single raw requests, for tests that look at bytes or need many callers at once: no connection, no client.
import type { ErrorObject } from "../../src/shared/errors.ts";
import { parseErrorObject } from "../../src/shared/errors.ts";
import { isObject, type JsonObject } from "../../src/shared/json.ts";

const revision2026 = "2026-07-28";

/** A request to call a tool, in the form of either protocol line. */
export function toolRequest(token: string, tool: string, args: object, line: "2025" | "2026" = "2025"): RequestInit {
  const modern = {
    "io.modelcontextprotocol/protocolVersion": revision2026,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: tool, arguments: args, ...(line === "2026" ? { _meta: modern } : {}) };
  return {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(line === "2026"
        ? { "mcp-protocol-version": revision2026, "mcp-method": "tools/call", "mcp-name": tool }
        : { "mcp-protocol-version": "2025-11-25" }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  };
}

export type ToolOutcome = { result: JsonObject } | { error: ErrorObject };

/** Calls a tool once; what it returns or how it is refused. Anything else fails. */
export async function callTool(url: string, token: string, tool: string, args: object = {}): Promise<ToolOutcome> {
  const response = await fetch(`${url}/mcp`, toolRequest(token, tool, args));
  const text = await response.text();
  const body: unknown = JSON.parse(text);
  const result = isObject(body) && isObject(body["result"]) ? body["result"] : undefined;
  const content = isObject(result?.["structuredContent"]) ? result["structuredContent"] : undefined;
  if (content === undefined) throw new Error(`${tool} answered ${response.status}: ${text}`);
  const error = parseErrorObject(content["error"]);
  if (result?.["isError"] === true && error !== undefined) return { error };
  return { result: content as JsonObject }; // came over the wire as JSON
}

/** The result of a call that is meant to succeed. */
export async function resultOf(outcome: Promise<ToolOutcome>): Promise<JsonObject> {
  const settled = await outcome;
  if ("error" in settled) throw new Error(`refused: ${JSON.stringify(settled.error)}`);
  return settled.result;
}
