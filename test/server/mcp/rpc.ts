// Requests to /mcp in the form of either protocol line, built header by header.
import type { Tool } from "../../../src/kernel/tool.ts";
import { type Listener, startListener } from "../../../src/server/http/listener.ts";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub, type TestHubOptions } from "../../support/hub.ts";

export const lines = ["2025", "2026"] as const;
export type Line = (typeof lines)[number];

export type Message = { method?: string; id?: string | number | null; params?: object | null };
export type Sent = {
  token?: string;
  headers?: Record<string, string>;
  /** Names the connection with `Hub-Connection`. */
  connection?: string;
  signal?: AbortSignal;
  query?: string;
  path?: string;
};
export type Answer = { status: number; headers: Headers; text: string; json: JsonObject; events: JsonObject[] };

export type McpHub = AsyncDisposable & {
  hub: TestHub;
  url: string;
  alice: Caller;
  bob: Caller;
  /** One JSON-RPC message in the form of its line, as alice unless another token is given. */
  rpc(line: Line, message: Message, sent?: Sent): Promise<Answer>;
  call(line: Line, name: string, args?: object, sent?: Sent & { id?: string | number; meta?: object }): Promise<Answer>;
  /** A body as it stands, with the headers given and the token alone. */
  post(body: string, sent?: Sent): Promise<Answer>;
  /** Opens a connection of the 2025 line and returns its id. */
  initialize(sent?: Sent): Promise<string>;
};

export const initializeMessage = {
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A hub that listens, with the agents alice and bob and project `p`; `tools` are served besides the product's. */
export async function openMcpHub(options: TestHubOptions = {}, tools: readonly Tool[] = []): Promise<McpHub> {
  const hub = await openTestHub(options);
  const [alice, bob] = [await hub.agent("alice"), await hub.agent("bob")];
  await hub.project("p");
  let own: Listener | undefined;
  if (tools.length > 0) own = startListener({ ...hub.hub, tools: [...hub.hub.tools, ...tools] });
  const mcp: McpHub = {
    hub,
    get url() {
      return url;
    },
    alice,
    bob,
    rpc(line, message, sent = {}) {
      const { params } = message;
      const name = isObject(params) ? params["name"] : undefined;
      const body =
        line === "2025"
          ? { jsonrpc: "2.0", ...message }
          : { jsonrpc: "2.0", ...message, params: { ...params, _meta: { ...envelope, ...metaOf(params) } } };
      const headers: Record<string, string> = { accept: "application/json, text/event-stream" };
      if (line === "2026") {
        headers["mcp-protocol-version"] = "2026-07-28";
        headers["mcp-method"] = message.method ?? "";
        if (typeof name === "string") headers["mcp-name"] = name;
      }
      return mcp.post(JSON.stringify(body), { ...sent, headers: { ...headers, ...sent.headers } });
    },
    call(line, name, args = {}, { id = 1, meta, ...sent } = {}) {
      const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
      return mcp.rpc(line, { id, method: "tools/call", params }, sent);
    },
    async post(body, { token = alice.token, headers = {}, connection, signal, query = "", path = "/mcp" } = {}) {
      const response = await fetch(`${url}${path}${query}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          ...(connection === undefined ? {} : { "hub-connection": connection }),
          ...headers,
        },
        body,
        ...(signal === undefined ? {} : { signal }),
      });
      return toAnswer(response, await response.text());
    },
    async initialize(sent = {}) {
      const answer = await mcp.rpc("2025", initializeMessage, sent);
      const id = answer.headers.get("mcp-session-id");
      if (id === null) throw new Error(`no connection was opened: ${answer.text}`);
      return id;
    },
    async [Symbol.asyncDispose]() {
      await own?.stop(AbortSignal.abort());
      await hub[Symbol.asyncDispose]();
    },
  };
  let url = own?.url ?? (await hub.listen());
  // After hub.reopen() the address is another.
  const reopen = hub.reopen.bind(hub);
  hub.reopen = async () => {
    await reopen();
    url = await hub.listen();
  };
  return mcp;
}

function metaOf(params: unknown): object {
  return isObject(params) && isObject(params["_meta"]) ? params["_meta"] : {};
}

function toAnswer(response: Response, text: string): Answer {
  const type = response.headers.get("content-type") ?? "";
  const events = type.startsWith("text/event-stream") ? eventsIn(text) : [];
  const last = events.at(-1);
  const json = /json/.test(type) && text !== "" ? objectIn(text) : {};
  return { status: response.status, headers: response.headers, text, json: last ?? json, events };
}

function objectIn(text: string): JsonObject {
  const parsed: unknown = JSON.parse(text);
  return isObject(parsed) ? (parsed as JsonObject) : {}; // parsed from JSON
}

export function eventsIn(text: string): JsonObject[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => objectIn(line.slice("data: ".length)));
}

/** The result of a tool that succeeded; fails otherwise. */
export function resultOf(answer: Answer): JsonObject {
  const result = answer.json["result"];
  if (!isObject(result) || result["isError"] === true) throw new Error(`no result: ${answer.status} ${answer.text}`);
  const structured = result["structuredContent"];
  if (!isObject(structured)) throw new Error(`no structured content: ${answer.text}`);
  return structured as JsonObject; // came as JSON
}

/** The error object of a tool that failed; fails otherwise. */
export function errorOf(answer: Answer): JsonObject {
  const result = answer.json["result"];
  const structured = isObject(result) && result["isError"] === true ? result["structuredContent"] : undefined;
  const error = isObject(structured) ? structured["error"] : undefined;
  if (!isObject(error)) throw new Error(`no tool error: ${answer.status} ${answer.text}`);
  return error as JsonObject; // came as JSON
}
