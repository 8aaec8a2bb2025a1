// What a route takes, as JSON Schema derived from the schema that checks it, so that the two cannot differ.
import { z } from "zod";
import { type CallSpec, calls } from "../shared/api.ts";
import { isObject, type JsonObject } from "../shared/json.ts";
import type { Route } from "./route.ts";

type Field = { schema: JsonObject; isRequired: boolean };

export type RouteSchema = {
  /** By their names on the wire. */
  params: Record<string, JsonObject>;
  query: Record<string, Field>;
  /** Undefined when the call has no body. */
  body: JsonObject | undefined;
};

export function describeRoute(route: Route): RouteSchema {
  const spec: CallSpec = calls[route.call];
  const { properties, required, additionalProperties } = derive(route.input);
  const nameOf = (wire: string): string => route.rename[wire] ?? wire;
  const wireParams = spec.path.split("/").flatMap((part) => (part.startsWith(":") ? [part.slice(1)] : []));
  if (spec.path.includes("*")) wireParams.push("path");
  const wireQuery = Object.keys(spec.query ?? {});
  const addressed = new Set([...wireParams, ...wireQuery].map(nameOf));
  const fields = Object.entries(properties).filter(([name]) => !addressed.has(name));
  return {
    params: Object.fromEntries(wireParams.map((wire) => [wire, properties[nameOf(wire)] ?? { type: "string" }])),
    query: Object.fromEntries(
      Object.entries(spec.query ?? {}).map(([wire, kind]) => [
        wire,
        { schema: properties[nameOf(wire)] ?? schemaOfKind[kind], isRequired: required.includes(nameOf(wire)) },
      ]),
    ),
    body:
      spec.body === "none"
        ? undefined
        : {
            type: "object",
            properties: Object.fromEntries(fields),
            required: required.filter((name) => !addressed.has(name)),
            additionalProperties: additionalProperties !== false,
          },
  };
}

const schemaOfKind: Record<"text" | "integer" | "flag" | "list", JsonObject> = {
  text: { type: "string" },
  integer: { type: "integer" },
  flag: { type: "boolean" },
  list: { type: "array", items: { type: "string" } },
};

function derive(schema: z.ZodType): {
  properties: Record<string, JsonObject>;
  required: string[];
  additionalProperties: unknown;
} {
  const derived = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  // A JSON Schema is JSON.
  const plain = JSON.parse(JSON.stringify(derived)) as JsonObject;
  const { properties, required, additionalProperties } = plain;
  return {
    properties: Object.fromEntries(
      Object.entries(isObject(properties) ? properties : {}).map(([name, value]) => [
        name,
        // As above.
        isObject(value) ? (withoutNoise(value) as JsonObject) : {},
      ]),
    ),
    required: Array.isArray(required) ? required.filter((name) => typeof name === "string") : [],
    additionalProperties,
  };
}

// Bounds of the number type itself say nothing.
function withoutNoise(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).filter(([, value]) => Math.abs(Number(value)) !== Number.MAX_SAFE_INTEGER),
  );
}
