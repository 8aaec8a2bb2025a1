// MCP bindings, as data: a name, a description, an operation and how its result is shown.
import { z } from "zod";
import { isObject, type JsonObject } from "../shared/json.ts";
import type { Ctx } from "./ctx.ts";
import { type Operation, run } from "./operation.ts";

export type ToolHints = { readOnlyHint?: true; destructiveHint?: true };

/** A tool as a surface sees it. */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly hints: ToolHints | undefined;
  /** Listed in the core profile too (mcp-tools.md 2). */
  readonly core: boolean;
  /** The result is what the trailer would carry, so none rides on it. */
  readonly isTrailer: boolean;
  /** @throws HubError */
  call(raw: unknown, ctx: Ctx): Promise<object>;
};

export type ToolSpec<I, O> = {
  name: string;
  description: string;
  operation: Operation<I, O>;
  present(output: O, ctx: Ctx): object;
  hints?: ToolHints;
  core?: boolean;
  isTrailer?: boolean;
};

export function tool<I, O>(spec: ToolSpec<I, O>): Tool {
  return {
    name: spec.name,
    description: spec.description.trim(),
    inputSchema: inputSchemaOf(spec.operation.input),
    hints: spec.hints,
    core: spec.core ?? false,
    isTrailer: spec.isTrailer ?? false,
    call: async (raw, ctx) => spec.present(await run(spec.operation, raw, ctx), ctx),
  };
}

/** The flat JSON Schema clients get: generated noise stripped (mcp-tools.md 2). */
function inputSchemaOf(schema: z.ZodType): JsonObject {
  const derived = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const { properties, required } = stripped(derived);
  return {
    type: "object",
    properties: isObject(properties) ? (properties as JsonObject) : {}, // JSON Schema is JSON
    ...(Array.isArray(required) && required.length > 0 ? { required } : {}),
  };
}

function stripped(value: unknown): JsonObject {
  // A JSON Schema goes in and comes out, less the members that say nothing.
  return JSON.parse(JSON.stringify(value), (key, member: unknown) => {
    if (key === "$schema" || key === "additionalProperties") return undefined;
    if ((key === "minimum" || key === "maximum") && Math.abs(Number(member)) === Number.MAX_SAFE_INTEGER)
      return undefined;
    return member;
  }) as JsonObject;
}
