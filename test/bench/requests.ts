// HTTP requests as clients of the two protocol lines send them.
import { version } from "../../package.json";

const payloadChars = 200;

export type ToolCall = { name: string; arguments: object };

/** A call on the 2025 line, on a connection that `initialize` opened. */
export function call2025(port: number, token: string, sessionId: string, call: ToolCall): string {
  return post(port, token, { jsonrpc: "2.0", id: 7, method: "tools/call", params: call }, [
    "MCP-Protocol-Version: 2025-11-25",
    `Mcp-Session-Id: ${sessionId}`,
  ]);
}

/** A call of the 2026-07-28 revision, which has no connection. */
export function call2026(port: number, token: string, call: ToolCall): string {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "bench", version },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return post(port, token, { jsonrpc: "2.0", id: 7, method: "tools/call", params: { ...call, _meta } }, [
    "MCP-Protocol-Version: 2026-07-28",
    "Mcp-Method: tools/call",
    `Mcp-Name: ${call.name}`,
  ]);
}

/** One signal with a payload of the size agents send. */
export function signal(projectId: string): ToolCall {
  const payload = { body: "x".repeat(payloadChars) };
  return { name: "signal_append", arguments: { project_id: projectId, kind: "signal", summary: "bench", payload } };
}

/** Opens a connection of the 2025 line and returns its id. */
export async function initialize(url: string, token: string): Promise<string> {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version } };
  const id = (await send(url, token, "initialize", params)).headers.get("mcp-session-id");
  if (id === null) throw new Error("initialize opened no connection");
  return id;
}

/** Makes one call, outside any measurement. */
export async function callOnce(url: string, token: string, call: ToolCall): Promise<void> {
  const text = await (await send(url, token, "tools/call", call)).text();
  if (text.includes('"isError":true')) throw new Error(`${call.name} failed: ${text}`);
}

async function send(url: string, token: string, method: string, params: object): Promise<Response> {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  if (!response.ok) throw new Error(`${method} answered ${response.status}: ${await response.text()}`);
  return response;
}

function post(port: number, token: string, message: object, headers: readonly string[]): string {
  const body = JSON.stringify(message);
  const head = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "User-Agent: bench",
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
