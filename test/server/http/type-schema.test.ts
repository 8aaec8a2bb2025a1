// Types as JSON Schema: each form the shared views are written in, and that no other passes.
import { describe, expect, test } from "bun:test";
import { createTypeReader } from "../../../src/server/http/type-schema.ts";
import type { JsonObject } from "../../../src/shared/json.ts";

const types: Record<string, string> = {
  A: "{ a: string; b?: number }",
  Kind: "(typeof kinds)[number]",
  Tree: "{ children: Tree[] }",
  Ways: '{ way: "x"; x: 1 } | { way: "y" }',
  All: "A & { left: undefined; c: true }",
};
const reader = () =>
  createTypeReader({
    type(name) {
      const found = types[name];
      if (found === undefined) throw new Error(`no ${name}`);
      return found;
    },
    list: () => ["p", "q"],
  });
const object = (properties: JsonObject, required: string[]): JsonObject => ({ type: "object", properties, required });
const text = { type: "string" };

describe("a type", () => {
  test.each<[string, JsonObject]>([
    ["string", text],
    ["string | null", { type: ["string", "null"] }],
    ["string[] | null", { anyOf: [{ type: "array", items: text }, { type: "null" }] }],
    ["readonly (string | number)[]", { type: "array", items: { type: ["string", "number"] } }],
    ['"a" | "b"', { enum: ["a", "b"] }],
    ['| "a" | null', { enum: ["a", null] }],
    ["0", { const: 0 }],
    ["Json", {}],
    ["Kind", { $ref: "#/components/schemas/Kind" }],
    ["(typeof kinds)[number]", { enum: ["p", "q"] }],
    ["Record<Kind, number>", object({ p: { type: "number" }, q: { type: "number" } }, ["p", "q"])],
    ['Record<Exclude<Kind, "p">, boolean>', object({ q: { type: "boolean" } }, ["q"])],
    ["Record<string, number>", { type: "object", additionalProperties: { type: "number" } }],
    ["{ [fact: string]: Json }", { type: "object", additionalProperties: {} }],
    ["{ /** Words. */ a: string; // more\n b?: null }", object({ a: text, b: { type: "null" } }, ["a"])],
    ["A & { c: string }", object({ a: text, b: { type: "number" }, c: text }, ["a", "c"])],
    [
      "A & (Ways)",
      {
        anyOf: [
          object({ a: text, b: { type: "number" }, way: { const: "x" }, x: { const: 1 } }, ["way", "x", "a"]),
          object({ a: text, b: { type: "number" }, way: { const: "y" } }, ["way", "a"]),
        ],
      },
    ],
  ])("%s", (type, schema) => {
    expect(reader().schemaOf(type)).toEqual(schema);
  });

  test("that holds itself is named once", () => {
    const self = reader();
    self.schemaOf("Tree");
    expect(self.named).toEqual({
      Tree: object({ children: { type: "array", items: { $ref: "#/components/schemas/Tree" } } }, ["children"]),
    });
  });

  test("tells its members, and which have no value", () => {
    expect(reader().membersOf("All")).toEqual({ a: text, b: { type: "number" }, left: undefined, c: { const: true } });
  });

  test.each([
    "Partial<A>",
    "string extends A ? 1 : 2",
    "(a: string) => void",
    "keyof A",
    "Record<A>",
    "{ a: }",
    "bigint",
  ])("%s is refused", (type) => {
    expect(() => reader().schemaOf(type)).toThrow();
  });
});
