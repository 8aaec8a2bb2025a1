// From a REST request to the input of an operation.
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { readOperation } from "../../src/kernel/operation.ts";
import { route } from "../../src/kernel/route.ts";
import { openKernel } from "./open-kernel.ts";

const echo = readOperation({
  name: "echo",
  input: z.record(z.string(), z.unknown()),
  access: () => undefined,
  run: (_ctx, input) => input,
});

const binding = route("revokeToken", {
  operation: echo,
  rename: { id: "agent_id" },
  present(output) {
    seen.push(output);
    return undefined;
  },
});
const seen: unknown[] = [];

describe("a route", () => {
  test("takes body, query and path as one input; the address wins, and its names are renamed", async () => {
    await using open = await openKernel();
    const answer = await binding.handle(
      {
        params: { id: "ann" },
        query: { limit: 5, note: "query" },
        body: { agent_id: "eve", note: "body", other: null },
      },
      open.ctx(),
    );
    expect(answer).toEqual({ status: 204, body: undefined });
    expect(seen.at(-1)).toEqual({ agent_id: "ann", limit: 5, note: "query" });
  });

  test.each([[["list"]], ["text"], [7], [null]])("a body that is %j is no input", async (body) => {
    await using open = await openKernel();
    const handled = binding.handle({ params: { id: "ann" }, query: {}, body }, open.ctx());
    await expect(handled).rejects.toMatchObject({
      code: "invalid_argument",
      message: `arguments is ${JSON.stringify(body)}; expected a JSON object`,
    });
  });
});
