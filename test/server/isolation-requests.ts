// Requests of the isolation matrix, byte for byte: the same request of any caller, and what its answer says.
import { type CallName, type CallSpec, calls } from "../../src/shared/api.ts";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import type { CallerName, Target, World } from "./isolation.ts";

export const lines = ["2025", "2026"] as const;
export type Line = (typeof lines)[number];
export type Raw = { status: number; type: string | null; body: string };

export async function exchange(world: World, caller: CallerName, path: string, init: RequestInit): Promise<Raw> {
  const authorization = world.authorization[caller];
  const headers = new Headers(init.headers);
  if (authorization !== null) headers.set("authorization", authorization);
  const response = await fetch(`${world.url}${path}`, { ...init, headers });
  return { status: response.status, type: response.headers.get("content-type"), body: await response.text() };
}

/** One JSON-RPC request in the form of its line; the id is always the same, so equal answers are equal bytes. */
export function rpc(
  world: World,
  caller: CallerName,
  line: Line,
  method: string,
  params: JsonObject = {},
  connection?: string,
): Promise<Raw> {
  const headers: Record<string, string> = { "content-type": "application/json", accept: "application/json" };
  if (connection !== undefined) headers["hub-connection"] = connection;
  let sent: JsonObject = params;
  if (line === "2026") {
    headers["mcp-protocol-version"] = "2026-07-28";
    headers["mcp-method"] = method;
    const name = params["name"] ?? params["uri"];
    if (typeof name === "string") headers["mcp-name"] = name;
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    sent = { ...params, _meta };
  }
  return exchange(world, caller, "/mcp", {
    method: "POST",
    headers,
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: sent }),
  });
}

export function callTool(
  world: World,
  caller: CallerName,
  line: Line,
  name: string,
  args: object,
  connection?: string,
): Promise<Raw> {
  return rpc(world, caller, line, "tools/call", { name, arguments: JSON.parse(JSON.stringify(args)) }, connection);
}

/** What the `id` of a path names: the thing its route is about. */
function idIn(path: string, target: Target): string {
  if (path.startsWith("/api/v1/agents")) return target.author;
  if (path.startsWith("/api/v1/artifacts")) return target.artifact;
  return /\/sessions\/:id/.test(path) ? target.session : target.project;
}

export async function callRoute(
  world: World,
  caller: CallerName,
  name: CallName,
  target: Target,
  body?: JsonObject,
): Promise<Raw> {
  const spec: CallSpec = calls[name];
  // Whatever a path names, it names something of the target.
  const named: Record<string, string> = {
    id: idIn(spec.path, target),
    agent_id: target.author,
    project_id: target.project,
    event_id: target.question,
    token: target.session,
    comment_id: target.comment,
  };
  const path = spec.path
    .replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(named[key] ?? target.root))
    .replace("*", target.page.slice(1));
  return exchange(world, caller, path, {
    method: spec.method,
    headers: { "content-type": "application/json" },
    ...(spec.body === "json" ? { body: JSON.stringify(body ?? {}) } : {}),
  });
}

/** The structured content of a tool's answer. */
export function contentOf(raw: Raw): JsonObject {
  const answer: unknown = JSON.parse(raw.body);
  const result = isObject(answer) ? answer["result"] : undefined;
  const content = isObject(result) ? result["structuredContent"] : undefined;
  if (!isObject(content)) throw new Error(`no result: ${raw.status} ${raw.body}`);
  return content as JsonObject; // parsed from JSON
}

export function errorOf(raw: Raw): JsonObject | undefined {
  const error = contentOf(raw)["error"];
  return isObject(error) ? (error as JsonObject) : undefined; // parsed from JSON
}

/** The same answer with what differs by nature put out of the way: the ids of the target, and how long a query took. */
export function comparable(raw: Raw, target: Target): Raw {
  let body = raw.body.replaceAll(/\\?"took_ms\\?":[\d.]+/g, "took");
  for (const [key, value] of Object.entries(target)) {
    if (!["name", "author"].includes(key)) body = body.replaceAll(value, `<${key}>`);
  }
  return { ...raw, body };
}
