// The MCP surface, written once for both protocol lines: the frozen tool list, how a tool is called, how its errors and
// those of resources travel (mcp-tools.md 2 to 4, architecture.md 8).
import type { Ctx } from "../../kernel/ctx.ts";
import { holdsLargeText } from "../../kernel/json-parts.ts";
import { unknownName } from "../../kernel/metrics.ts";
import { internalError } from "../../kernel/operation.ts";
import type { Tool } from "../../kernel/tool.ts";
import { version } from "../../shared/build.ts";
import { type ErrorCode, type ErrorObject, HubError } from "../../shared/errors.ts";
import { isObject, type JsonObject } from "../../shared/json.ts";
import type { Hub } from "../hub.ts";
import instructionsText from "./instructions.md" with { type: "text" };
import { createResourceMethods } from "./resources.ts";
import { skillsExtension } from "./skill.ts";

export type Line = "2025" | "2026";
export type Profile = "full" | "core";

export const serverInfo = { name: "agent-hub", version };
export const capabilities = {
  tools: {},
  resources: {},
  extensions: { [skillsExtension]: { directoryRead: true } },
};
export const instructions: string = instructionsText.trim();

export type ListedTool = {
  name: string;
  description: string;
  inputSchema: JsonObject & { type: "object" };
  annotations?: object;
};

/** One text block and the same object: clients show the model the one or the other, never both. */
export type ToolResult = {
  content: [{ type: "text"; text: string }];
  structuredContent: JsonObject;
  isError?: true;
};

/** A failure that is sent as a JSON-RPC error: `code` by the line, `data` with the hub's error object. */
export type RpcFailure = { code: number; message: string; data: { error: ErrorObject; uri?: string } };

export type Surface = {
  listTools(profile: Profile): readonly ListedTool[];
  /** Every failure of a known tool is a result; undefined when there is no such tool. */
  callTool(name: string, args: unknown, ctx: Ctx): Promise<ToolResult | undefined>;
  /**
   * How a method of resources or of the Skills extension is answered, once its form was checked; undefined for any other
   * method. What it throws is sent as it is.
   */
  methodOf(method: string, line: Line, ctx: Ctx): ((request: { params?: unknown }) => Promise<JsonObject>) | undefined;
};

export function createSurface(hub: Hub): Surface {
  const listed = Object.freeze(hub.tools.map((tool) => Object.freeze(toListed(tool))));
  const core = Object.freeze(listed.filter((entry) => hub.tools.some((tool) => tool.name === entry.name && tool.core)));
  const byName = new Map(hub.tools.map((tool) => [tool.name, tool]));
  const methods = createResourceMethods();

  return {
    listTools: (profile) => (profile === "core" ? core : listed),
    async callTool(name, args, ctx) {
      const tool = byName.get(name);
      const { metrics } = ctx;
      metrics.calls.add(tool === undefined ? unknownName : name);
      if (tool === undefined) {
        metrics.errors.add("not_found");
        return undefined;
      }
      hub.authenticator.noteCall(ctx.principal);
      try {
        const result = await tool.call(args, ctx);
        const trailer = tool.isTrailer ? undefined : await hub.trailer(ctx);
        return toResult(trailer === undefined ? result : { ...result, ...trailer });
      } catch (error) {
        const known = error instanceof HubError ? error : internalError(error, { tool: name }, ctx.log);
        metrics.errors.add(known.code);
        return { ...toResult({ error: known.toObject() }), isError: true };
      }
    },
    methodOf(method, line, ctx) {
      const answer = methods.get(method);
      if (answer === undefined) return undefined;
      return async ({ params }) => {
        const uri = textIn(params, "uri") ?? "";
        try {
          // Answers are plain JSON objects.
          return (await answer({ uri, cursor: textIn(params, "cursor") }, ctx)) as JsonObject;
        } catch (error) {
          throw rpcError(rpcFailure(error, line, ctx, uri));
        }
      };
    },
  };
}

function toListed(tool: Tool): ListedTool {
  const { properties } = tool.inputSchema;
  // A property whose schema says nothing is one that a tool knows only to refuse it.
  const named = Object.entries(isObject(properties) ? properties : {}).filter(([, schema]) => !isEmpty(schema));
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: { ...tool.inputSchema, type: "object", properties: Object.fromEntries(named) },
    ...(tool.hints === undefined ? {} : { annotations: tool.hints }),
  };
}

function isEmpty(schema: unknown): boolean {
  return isObject(schema) && Object.keys(schema).length === 0;
}

function toResult(value: object): ToolResult {
  // Presenters return plain JSON objects; a large text among them is a text on the wire.
  const structuredContent = value as JsonObject;
  if (!holdsLargeText(value)) return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent };
  const block = {
    type: "text" as const,
    // Written only for who cannot take it in pieces.
    get text() {
      return JSON.stringify(value);
    },
  };
  return { content: [block], structuredContent };
}

/** The JSON-RPC code of a hub error (mcp-tools.md 4.2). */
function rpcCode(code: ErrorCode, line: Line): number {
  switch (code) {
    case "invalid_argument":
    case "conflict":
    case "payload_too_large":
      return -32602;
    case "unauthenticated":
    case "forbidden":
    case "rate_limited":
      return -32600;
    case "not_found":
      return line === "2025" ? -32002 : -32602;
    case "unavailable":
    case "internal":
      return -32603;
  }
}

// Only what is not there is named: the shared denial is one and the same object, whatever was asked for.
function rpcFailure(error: unknown, line: Line, ctx: Ctx, uri: string): RpcFailure {
  const known = error instanceof HubError ? error : internalError(error, {}, ctx.log);
  ctx.metrics.errors.add(known.code);
  return {
    code: rpcCode(known.code, line),
    message: known.message,
    data: { error: known.toObject(), ...(known.code === "not_found" ? { uri } : {}) },
  };
}

/** What both SDKs send as it is; an error of the 1.x SDK's own class would put a prefix before the message. */
export function rpcError(failure: RpcFailure): Error {
  return Object.assign(new Error(failure.message), { code: failure.code, data: failure.data });
}

function textIn(params: unknown, name: string): string | undefined {
  const value = isObject(params) ? params[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

export function unknownTool(name: string): RpcFailure {
  const error = new HubError("not_found", `there is no tool ${JSON.stringify(name)}; tools/list names them`);
  return { code: -32602, message: error.message, data: { error: error.toObject() } };
}
