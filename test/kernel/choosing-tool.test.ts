// A tool over several operations, chosen by one argument: one flat schema, and no argument that means nothing.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import * as fields from "../../src/kernel/fields.ts";
import { readOperation } from "../../src/kernel/operation.ts";
import { choosingTool, variant } from "../../src/kernel/tool.ts";
import { HubError } from "../../src/shared/errors.ts";
import { openKernel } from "./open-kernel.ts";

const operation = <I>(input: z.ZodType<I>) =>
  readOperation({ name: "getThing", input, access: () => undefined, run: (_ctx, given: I) => ({ given }) });

function toolWith(fallback: { fallback?: string }) {
  return choosingTool({
    name: "thing_get",
    description: "\nGets a thing.\n",
    hints: { readOnlyHint: true },
    choice: { argument: "where", description: "which place", ...fallback },
    variants: {
      near: variant(
        operation(
          z.object({
            name: fields.anyId.meta({ description: "the near name" }),
            depth: fields.integer(1, 3).optional(),
          }),
        ),
        ({ given }) => ({ near: given }),
      ),
      far: variant(
        operation(z.object({ far_id: fields.anyId, name: fields.anyId.meta({ description: "the far name" }) })),
        ({ given }) => ({ far: given }),
      ),
    },
  });
}

async function call(args: unknown, fallback: { fallback?: string } = {}): Promise<object> {
  await using kernel = await openKernel();
  try {
    return await toolWith(fallback).call(args, kernel.ctx());
  } catch (error) {
    if (error instanceof HubError) return error.toObject().details;
    throw error;
  }
}

describe("the schema", () => {
  const properties = {
    name: { type: "string", description: "the near name" },
    where: { type: "string", enum: ["near", "far"], description: "which place" },
    depth: { type: "integer", maximum: 3 },
    far_id: { type: "string" },
  };

  test("is flat, requires what every variant does, and the argument unless there is a default", () => {
    expect(toolWith({}).inputSchema).toEqual({ type: "object", properties, required: ["name", "where"] });
    expect(toolWith({ fallback: "near" }).inputSchema).toEqual({ type: "object", properties, required: ["name"] });
    expect(Object.keys(Object(toolWith({}).inputSchema["properties"]))).toEqual(["name", "where", "depth", "far_id"]);
  });

  test("comes with the tool's other members", () => {
    expect(toolWith({})).toMatchObject({ description: "Gets a thing.", hints: { readOnlyHint: true }, core: false });
  });
});

describe("a call", () => {
  test("goes to the variant that is named, or to the default", async () => {
    expect(await call({ where: "far", name: "a", far_id: "b" })).toEqual({ far: { name: "a", far_id: "b" } });
    expect(await call({ name: "a", depth: 2 }, { fallback: "near" })).toEqual({ near: { name: "a", depth: 2 } });
    expect(await call({ where: null, name: "a" }, { fallback: "near" })).toEqual({ near: { name: "a" } });
  });

  test("ignores what no variant knows, and null", async () => {
    expect(await call({ where: "near", name: "a", far_id: null, other: 1 })).toEqual({ near: { name: "a" } });
  });

  test.each([undefined, null, "", "there", "toString", 5, {}])(
    "to %p is refused with the names there are",
    async (where) => {
      expect(await call({ name: "a", where })).toEqual({ field: "where", expected: "one of near, far" });
    },
  );

  test("is refused what only another variant takes", async () => {
    expect(await call({ where: "near", name: "a", far_id: "b" })).toEqual({
      field: "far_id",
      expected: "no far_id with where: near",
    });
    expect(await call({ where: "far", name: "a", far_id: "b", depth: 9 })).toMatchObject({ field: "depth" });
  });

  test("is refused what its own variant refuses, and no object", async () => {
    expect(await call({ where: "near", name: "a", depth: 9 })).toMatchObject({ field: "depth" });
    expect(await call({ where: "far", name: "a" })).toMatchObject({ field: "far_id" });
    for (const args of [[], "x", 5]) expect(await call(args)).toMatchObject({ field: "arguments" });
  });
});
