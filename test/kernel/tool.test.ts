// From a schema to what clients get: flat, and without what says nothing.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import * as fields from "../../src/kernel/fields.ts";
import { readOperation } from "../../src/kernel/operation.ts";
import { tool } from "../../src/kernel/tool.ts";
import { openKernel } from "./open-kernel.ts";

function toolOf<I>(input: z.ZodType<I>) {
  return tool({
    name: "thing_get",
    description: "\nGets a thing.\n",
    operation: readOperation({ name: "getThing", input, access: () => undefined, run: (_ctx, given: I) => given }),
    present: (output) => ({ got: output }),
  });
}

describe("the schema of a tool", () => {
  test("holds each field as clients need it", () => {
    const schema = toolOf(
      z.object({
        project_id: fields.pattern(/^[a-z]+$/, "small letters").describe("Which project."),
        count: fields.integer(1, 3),
        limit: fields.cutInteger(1, 500).optional(),
        kind: fields.oneOf(["a", "b"]).optional(),
        kinds: fields.listOf(fields.oneOf(["a", "b"]), "a list").optional(),
        text: fields.content(10),
        note: fields.trimmedText(10).optional(),
        loud: fields.flag.optional(),
        payload: fields.jsonValue(10).optional(),
        session: z.object({ id: fields.anyId, seen: z.number().int() }).optional(),
      }),
    ).inputSchema;
    expect(schema).toEqual({
      type: "object",
      properties: {
        project_id: { type: "string", description: "Which project." },
        count: { type: "integer", maximum: 3 },
        limit: { type: "integer" },
        kind: { type: "string", enum: ["a", "b"] },
        kinds: { type: "array", items: { type: "string", enum: ["a", "b"] } },
        text: { type: "string" },
        note: { type: "string" },
        loud: { type: "boolean" },
        payload: {},
        session: {
          type: "object",
          properties: { id: { type: "string" }, seen: { type: "integer" } },
          required: ["id", "seen"],
        },
      },
      required: ["project_id", "count", "text"],
    });
  });

  test("is a plain object without `required` when nothing is", () => {
    expect(toolOf(z.object({})).inputSchema).toEqual({ type: "object", properties: {} });
    expect(toolOf(z.strictObject({ a: fields.flag.optional() })).inputSchema).toEqual({
      type: "object",
      properties: { a: { type: "boolean" } },
    });
  });
});

test("a call goes through the operation and the presenter; the description is trimmed", async () => {
  await using open = await openKernel();
  const binding = toolOf(z.object({ limit: fields.cutInteger(1, 5) }));
  expect(binding.description).toBe("Gets a thing.");
  expect(await binding.call({ limit: 9, actor: "eve" }, open.ctx())).toEqual({ got: { limit: 5 } });
  await expect(binding.call({ limit: 0 }, open.ctx())).rejects.toMatchObject({ code: "invalid_argument" });
});
