// TypeScript types as JSON Schema: the small part of the language in which the shared views are written. What it does not
// know it refuses, so a type is described as it is or the build fails.
import type { Json, JsonObject } from "../../shared/json.ts";

/** Finds the text of a declaration by its name. @throws Error when there is none, or more than one */
export type Declarations = { type(name: string): string; list(name: string): readonly string[] };

export type TypeReader = {
  /** Schema of a type, named types as references. */
  schemaOf(text: string): JsonObject;
  /** Schemas of the members of an object type, by name; undefined for what has no value. */
  membersOf(name: string): Record<string, JsonObject | undefined>;
  /** Every named type that was referred to. */
  readonly named: Record<string, JsonObject>;
};

const tokenPattern = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\]|\\.)*"|[A-Za-z_$][\w$]*|\d+|[{}[\]()<>|&:;,?=]/g;
const keywords: Readonly<Record<string, JsonObject>> = {
  string: { type: "string" },
  number: { type: "number" },
  boolean: { type: "boolean" },
  null: { type: "null" },
  true: { const: true },
  false: { const: false },
  // Anything JSON can hold.
  Json: {},
  // An answer that is text as it was stored.
  Uint8Array: { type: "string" },
  // Marked, so that an object leaves it out.
  undefined: { not: {} },
};

export function createTypeReader(declarations: Declarations): TypeReader {
  const named: Record<string, JsonObject> = {};

  function reference(name: string): JsonObject {
    if (!Object.hasOwn(named, name)) {
      // Said before it is read: a type may hold itself.
      named[name] = {};
      named[name] = read(declarations.type(name));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  function read(text: string): JsonObject {
    const tokens = (text.match(tokenPattern) ?? []).filter((token) => !/^\/[/*]/.test(token));
    let at = 0;
    const peek = (): string => tokens[at] ?? "";
    const next = (): string => tokens[at++] ?? "";
    const take = (token: string): boolean => peek() === token && next() === token;
    const expect = (token: string): void => {
      if (!take(token)) throw new Error(`expected ${token}, found ${JSON.stringify(peek())} in: ${text}`);
    };

    function union(): JsonObject {
      take("|");
      const parts = [intersection()];
      while (take("|")) parts.push(intersection());
      return unionOf(parts);
    }

    function intersection(): JsonObject {
      let whole = postfix();
      while (take("&")) whole = merged(resolve(whole), resolve(postfix()));
      return whole;
    }

    function postfix(): JsonObject {
      let schema = primary();
      while (take("[")) {
        // `(typeof list)[number]`: the list stands for its entries already.
        if (!take("number")) schema = { type: "array", items: schema };
        expect("]");
      }
      return schema;
    }

    function primary(): JsonObject {
      const token = next();
      if (token === "readonly") return postfix();
      if (token === "{") return object();
      if (token === "(") {
        const inner = union();
        expect(")");
        return inner;
      }
      if (token === "typeof") return { enum: [...declarations.list(next())] };
      if (token.startsWith('"') || /^\d/.test(token)) return { const: JSON.parse(token) };
      const keyword = Object.hasOwn(keywords, token) ? keywords[token] : undefined;
      if (keyword !== undefined) return keyword;
      if (peek() === "<") return generic(token);
      if (!/^[A-Z]/.test(token))
        throw new Error(`no type that is known begins with ${JSON.stringify(token)} in: ${text}`);
      return reference(token);
    }

    function object(): JsonObject {
      const properties: Record<string, JsonObject> = {};
      const required: string[] = [];
      while (!take("}")) {
        if (take("[")) {
          // An index signature: any name, one kind of value.
          while (next() !== "]");
          expect(":");
          const additionalProperties = union();
          take(";");
          expect("}");
          return { type: "object", additionalProperties };
        }
        const name = next();
        if (!take("?")) required.push(name);
        expect(":");
        properties[name] = union();
        take(";");
      }
      return { type: "object", properties, required };
    }

    function generic(name: string): JsonObject {
      expect("<");
      const [first, second] = [union(), take(",") ? union() : undefined];
      expect(">");
      if (second === undefined) throw new Error(`${name} with one argument is not known in: ${text}`);
      const keys = constants(resolve(first));
      if (name === "Exclude" && keys !== undefined) {
        const without = constants(resolve(second)) ?? [];
        return { enum: keys.filter((key) => !without.includes(key)) };
      }
      if (name === "Record") {
        if (keys === undefined) return { type: "object", additionalProperties: second };
        const names = keys.map(String);
        return { type: "object", properties: Object.fromEntries(names.map((key) => [key, second])), required: names };
      }
      throw new Error(`${name} is not known in: ${text}`);
    }

    const schema = union();
    if (at < tokens.length) throw new Error(`${JSON.stringify(peek())} is left over in: ${text}`);
    return schema;
  }

  // What a reference stands for.
  function resolve(schema: JsonObject): JsonObject {
    const { $ref } = schema;
    return typeof $ref === "string" ? resolve(named[$ref.split("/").at(-1) ?? ""] ?? {}) : schema;
  }

  function merged(left: JsonObject, right: JsonObject): JsonObject {
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      // Each of several ways, with the rest.
      if (Array.isArray(one["anyOf"])) return { anyOf: one["anyOf"].map((way) => merged(resolve(Object(way)), other)) };
    }
    const properties = { ...Object(left["properties"]), ...Object(right["properties"]) };
    return { type: "object", properties, required: [...requiredOf(left), ...requiredOf(right)] };
  }

  return {
    schemaOf: read,
    membersOf(name) {
      const properties: Record<string, JsonObject> = Object(read(declarations.type(name))["properties"]);
      return Object.fromEntries(
        Object.entries(properties).map(([member, schema]) => [member, "not" in schema ? undefined : schema]),
      );
    },
    named,
  };
}

function requiredOf({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

/** The values of a schema that lists them. */
function constants(schema: JsonObject): Json[] | undefined {
  if (Array.isArray(schema["enum"])) return schema["enum"];
  if (schema["const"] !== undefined) return [schema["const"]];
  return schema["type"] === "null" ? [null] : undefined;
}

function unionOf(parts: readonly JsonObject[]): JsonObject {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined) return first;
  const values = parts.map(constants);
  if (values.every((each) => each !== undefined)) return { enum: values.flat() };
  const plain = parts.map((part) => (Object.keys(part).join() === "type" ? part["type"] : undefined));
  if (plain.every((type) => typeof type === "string")) return { type: plain };
  return { anyOf: [...parts] };
}
