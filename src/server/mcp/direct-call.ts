// The direct path of `tools/call`: the one method that is called all the time is answered without the SDKs, byte for
// byte as they would answer it. Only what is plainly well-formed comes here; every other method and every odd request
// is the SDKs' (test/server/mcp/direct-path.test.ts holds the two paths equal).
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/sdk/types.js";
import { holdsLargeText, partsOf, quotedParts, streamParts } from "../../kernel/json-parts.ts";
import { isObject } from "../../shared/json.ts";
import { type Line, serverInfo, type ToolResult, unknownTool } from "./surface.ts";

const reserved = "io.modelcontextprotocol/";
const envelope = {
  version: `${reserved}protocolVersion`,
  capabilities: `${reserved}clientCapabilities`,
  client: `${reserved}clientInfo`,
} as const;
const revision = "2026-07-28";

export type DirectCall = {
  line: Line;
  id: string | number;
  name: string;
  args: Record<string, unknown> | undefined;
  /** Only on the 2025 line: the SDK of the other answers calls that want progress. */
  progressToken: string | number | undefined;
};

/** Undefined leaves the request to the SDKs; nothing has been done then. */
export function readDirectCall(headers: Headers, body: unknown): DirectCall | undefined {
  if (!isObject(body) || body["jsonrpc"] !== "2.0" || body["method"] !== "tools/call") return undefined;
  const { id, params } = body;
  if (!isIdLike(id) || !isObject(params) || Object.keys(body).length !== 4) return undefined;
  const { name, arguments: args, _meta: meta } = params;
  if (typeof name !== "string" || !hasOnly(params, callMembers)) return undefined;
  if (args !== undefined && (!isObject(args) || Object.hasOwn(args, "__proto__"))) return undefined;
  if (meta !== undefined && !isObject(meta)) return undefined;
  const claimed = meta?.[envelope.version];
  const call = { id, name, args };
  if (claimed === undefined) {
    if (!isPlain2025(headers, meta)) return undefined;
    const progressToken = meta?.["progressToken"];
    if (progressToken !== undefined && !isIdLike(progressToken)) return undefined;
    return { ...call, line: "2025", progressToken };
  }
  if (claimed !== revision || meta === undefined || !isPlain2026(headers, name, meta)) return undefined;
  return { ...call, line: "2026", progressToken: undefined };
}

const callMembers: readonly string[] = ["name", "arguments", "_meta"];

function isIdLike(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function hasOnly(value: object, members: readonly string[]): boolean {
  for (const key of Object.keys(value)) if (!members.includes(key)) return false;
  return true;
}

// Reserved members of `_meta` mean something to the SDK, so none may be there.
function isPlain2025(headers: Headers, meta: Record<string, unknown> | undefined): boolean {
  const version = headers.get("mcp-protocol-version");
  if (version !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return false;
  return meta === undefined || !Object.keys(meta).some((key) => key.startsWith(reserved));
}

// The headers the revision asks for, in their plain spelling, and an envelope that its schema takes.
function isPlain2026(headers: Headers, name: string, meta: Record<string, unknown>): boolean {
  if (headers.get("mcp-protocol-version") !== revision || headers.get("mcp-method") !== "tools/call") return false;
  if (headers.get("mcp-name") !== name || name.startsWith("=?")) return false;
  if (!/^application\/json(?:; ?charset=utf-8)?$/i.test(headers.get("content-type") ?? "")) return false;
  for (const key of Object.keys(meta)) {
    if (key === "progressToken") return false;
    if (key.startsWith(reserved) && !envelopeMembers.includes(key)) return false;
  }
  return isPlainClient(meta[envelope.client]) && isPlainCapabilities(meta[envelope.capabilities]);
}

const envelopeMembers: readonly string[] = Object.values(envelope);
const clientMembers: readonly string[] = ["name", "version", "title", "description", "websiteUrl"];

function isPlainClient(client: unknown): boolean {
  if (client === undefined) return true;
  if (!isObject(client) || client["name"] === undefined || client["version"] === undefined) return false;
  return hasOnly(client, clientMembers) && Object.values(client).every((value) => typeof value === "string");
}

// Names of capabilities, each with nothing or with names of parts that say nothing more.
function isPlainCapabilities(capabilities: unknown): boolean {
  if (!isObject(capabilities)) return false;
  return Object.entries(capabilities).every(
    ([name, parts]) => isObject(parts) && (name === "roots" ? isEmpty(parts) : Object.values(parts).every(isEmpty)),
  );
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}

const membersOf2026 = `,"resultType":"complete","_meta":${JSON.stringify({ [`${reserved}serverInfo`]: serverInfo })}`;

/**
 * The JSON-RPC answer as text. `result` undefined says that there is no such tool. The one text block of a result is the
 * JSON of its `structuredContent`, so that is not written a second time.
 */
export function directAnswer(direct: DirectCall, result: ToolResult | undefined): string {
  const { id, name } = direct;
  if (result === undefined) return JSON.stringify({ jsonrpc: "2.0", id, error: unknownTool(name) });
  const [{ text }] = result.content;
  const said = `"content":[{"type":"text","text":${JSON.stringify(text)}}],"structuredContent":${text}`;
  return `{"result":{${said}${rest(direct, result)}`;
}

/** The same in pieces, where a large text is in it. */
export function directStream(
  direct: DirectCall,
  result: ToolResult | undefined,
): ReadableStream<Uint8Array> | undefined {
  if (result === undefined || !holdsLargeText(result.structuredContent)) return undefined;
  const parts = partsOf(result.structuredContent);
  const opening = '{"result":{"content":[{"type":"text","text":"';
  return streamParts([opening, ...quotedParts(parts), '"}],"structuredContent":', ...parts, rest(direct, result)]);
}

function rest({ line, id }: DirectCall, { isError }: ToolResult): string {
  const failed = isError === undefined ? "" : ',"isError":true';
  const more = line === "2026" ? membersOf2026 : "";
  return `${failed}${more}},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
