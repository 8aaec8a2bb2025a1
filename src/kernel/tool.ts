// MCP bindings, as data: a name, a description, an operation and how its result is shown.
import { z } from "zod";
import { isObject, type JsonObject } from "../shared/json.ts";
import type { Ctx } from "./ctx.ts";
import { invalid } from "./input.ts";
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
  /** The tool brings the trailer itself, so the surface adds none. */
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

/** One of the operations a tool chooses between. */
export type ToolVariant = {
  readonly inputSchema: JsonObject;
  call(raw: unknown, ctx: Ctx): Promise<object>;
};

export function variant<I, O>(operation: Operation<I, O>, present: (output: O, ctx: Ctx) => object): ToolVariant {
  return {
    inputSchema: inputSchemaOf(operation.input),
    call: async (raw, ctx) => present(await run(operation, raw, ctx), ctx),
  };
}

export type ChoiceSpec = Omit<ToolSpec<never, never>, "operation" | "present"> & {
  /** The argument that chooses, by a variant's name; required when there is no default. */
  choice: { argument: string; description?: string; fallback?: string };
  variants: Readonly<Record<string, ToolVariant>>;
};

/** A tool that chooses its operation by one argument. Clients get one flat schema; what only another variant takes is refused. */
export function choosingTool(spec: ChoiceSpec): Tool {
  const { choice, variants } = spec;
  const inputSchema = mergedSchema(spec);
  return {
    name: spec.name,
    description: spec.description.trim(),
    inputSchema,
    hints: spec.hints,
    core: spec.core ?? false,
    isTrailer: spec.isTrailer ?? false,
    async call(raw, ctx) {
      const given = raw ?? {};
      if (!isObject(given)) throw invalid("arguments", given, "a JSON object");
      const { [choice.argument]: named, ...rest } = given;
      const name = named ?? choice.fallback;
      const chosen = typeof name === "string" && Object.hasOwn(variants, name) ? variants[name] : undefined;
      if (chosen === undefined) {
        throw invalid(choice.argument, named ?? undefined, `one of ${Object.keys(variants).join(", ")}`);
      }
      const taken = membersOf(chosen.inputSchema);
      const known = membersOf(inputSchema);
      const foreign = Object.keys(rest).find((key) => key in known && !(key in taken) && rest[key] !== null);
      if (foreign !== undefined)
        throw invalid(foreign, rest[foreign], `no ${foreign} with ${choice.argument}: ${name}`);
      return chosen.call(rest, ctx);
    },
  };
}

function membersOf(schema: JsonObject): JsonObject {
  const { properties } = schema;
  return isObject(properties) ? (properties as JsonObject) : {}; // JSON Schema is JSON
}

// Required is what every variant requires; a member's description is that of the first variant that has it.
function mergedSchema({ choice, variants }: ChoiceSpec): JsonObject {
  const schemas = Object.values(variants).map(({ inputSchema }) => inputSchema);
  const members: JsonObject = Object.assign({}, ...schemas.map(membersOf).toReversed());
  const isRequired = (name: string): boolean =>
    schemas.every(({ required }) => Array.isArray(required) && required.includes(name));
  const names = schemas.flatMap((schema) => Object.keys(membersOf(schema)));
  const first = [...new Set(names)].sort((a, b) => Number(isRequired(b)) - Number(isRequired(a)));
  const required = first.filter(isRequired);
  const optional = first.filter((name) => !isRequired(name));
  const { description } = choice;
  const chooser = {
    type: "string",
    enum: Object.keys(variants),
    ...(description === undefined ? {} : { description }),
  };
  const ordered = [...required, ...optional].map((name) => [name, members[name] ?? {}] as const);
  ordered.splice(required.length, 0, [choice.argument, chooser]);
  if (choice.fallback === undefined) required.push(choice.argument);
  return { type: "object", properties: Object.fromEntries(ordered), ...(required.length > 0 ? { required } : {}) };
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

// Every byte of a list is paid for in every turn of a model: what nobody would try, and what the error of a wrong value
// says better, is left out.
function isNoise(key: string, member: unknown): boolean {
  if (key === "$schema" || key === "additionalProperties") return true;
  if (typeof member === "string") return key === "pattern";
  if (typeof member !== "number") return false;
  if (key === "minLength" || key === "minItems" || key === "maxItems") return true;
  if (key === "minimum") return member <= 1;
  return key === "maximum" && member === Number.MAX_SAFE_INTEGER;
}

function stripped(value: unknown): JsonObject {
  // A JSON Schema goes in and comes out, less the members that say nothing.
  return JSON.parse(JSON.stringify(value), (key, member: unknown) => {
    return isNoise(key, member) ? undefined : member;
  }) as JsonObject;
}
