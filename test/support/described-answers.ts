// Whether an answer is what the document says of its call: every member described, every described one of its kind, and
// nothing the document does not know. Each answer a test hub gives is held to it.
import { answerSchemas } from "../../src/server/http/answer-schemas.ts";
import type { CallName } from "../../src/shared/api.ts";
import { isObject, type JsonObject } from "../../src/shared/json.ts";

const { answers, schemas } = answerSchemas();

/** @throws Error that names the first member which is not as described */
export function expectDescribed(call: CallName, body: unknown): void {
  const schema = answers[call];
  const wrong = schema === undefined ? wrongAt("", body === undefined || body === null) : problem(schema, body, "");
  if (wrong !== undefined) throw new Error(`the answer of ${call} is not what its document says: ${wrong}`);
}

function wrongAt(path: string, isRight: boolean, what = "unexpected"): string | undefined {
  return isRight ? undefined : `${path || "the whole"} is ${what}`;
}

function problem(schema: JsonObject, value: unknown, path: string): string | undefined {
  const { $ref, anyOf, enum: values, const: only, type } = schema;
  if (typeof $ref === "string") return problem(schemas[$ref.split("/").at(-1) ?? ""] ?? { not: {} }, value, path);
  if (Array.isArray(anyOf)) {
    const found = anyOf.map((way) => problem(Object(way), value, path));
    return found.includes(undefined) ? undefined : found.join(", or ");
  }
  if (Array.isArray(values))
    return wrongAt(
      path,
      values.some((each) => each === value),
      JSON.stringify(value),
    );
  if (only !== undefined) return wrongAt(path, only === value, JSON.stringify(value));
  if ("not" in schema) return wrongAt(path, value === undefined);
  if (type === undefined) return undefined;
  const kinds = Array.isArray(type) ? type : [type];
  if (!kinds.includes(kindOf(value))) return wrongAt(path, false, `${kindOf(value)}, not ${kinds.join(" or ")}`);
  if (Array.isArray(value))
    return first(value.map((entry, at) => problem(Object(schema["items"]), entry, `${path}[${at}]`)));
  return isObject(value) ? membersProblem(schema, value, path) : undefined;
}

function membersProblem(schema: JsonObject, value: Record<string, unknown>, path: string): string | undefined {
  const { properties, required, additionalProperties } = schema;
  const known: Record<string, JsonObject> = isObject(properties) ? Object(properties) : {};
  const missing = (Array.isArray(required) ? required : []).find((name) => value[String(name)] === undefined);
  if (missing !== undefined) return `${path}.${missing} is missing`;
  return first(
    Object.entries(value).map(([name, member]) => {
      const of = Object.hasOwn(known, name) ? known[name] : Object(additionalProperties);
      if (member === undefined) return undefined;
      const isUnknown = !Object.hasOwn(known, name) && additionalProperties === undefined;
      return isUnknown ? `${path}.${name} is not described` : problem(of, member, `${path}.${name}`);
    }),
  );
}

const first = (problems: readonly (string | undefined)[]): string | undefined =>
  problems.find((each) => each !== undefined);

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
