// Tool calls as the MCP surface makes them: with the trailer, both views of the result, and errors as results.
import { expect } from "bun:test";
import type { ConnectionRef, Principal } from "../../src/kernel/ctx.ts";
import type { Hub } from "../../src/server/hub.ts";
import { createSurface, type Surface } from "../../src/server/mcp/surface.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import type { Caller, CallOptions, TestHub } from "./hub.ts";

export type Told = {
  /** The whole structured content, trailer included. */
  content: JsonObject;
  pending: JsonObject[];
  isError: boolean;
};

// One a hub, as the listener has it.
const surfaces = new WeakMap<Hub, Surface>();

function surfaceOf(hub: Hub): Surface {
  const surface = surfaces.get(hub) ?? createSurface(hub);
  surfaces.set(hub, surface);
  return surface;
}

/** One call of a tool. A failure is a result too; both views are held equal on each. */
export async function tell(
  hub: TestHub,
  caller: Caller,
  tool: string,
  args: object = {},
  { connection, signal }: CallOptions = {},
): Promise<Told> {
  const isOperator = caller.actor === hub.operator.actor;
  const principal: Principal = isOperator
    ? { kind: "operator", actor: caller.actor, tokenId: null }
    : { kind: "agent", actor: caller.actor, tokenId: "test" };
  const ref: ConnectionRef | null = connection === undefined ? null : { identity: caller.actor, id: connection };
  const ctx = hub.hub.kernel.ctx({
    principal,
    connection: ref,
    origin: "http://hub.test",
    signal: signal ?? new AbortController().signal,
    progress: null,
  });
  const result = await surfaceOf(hub.hub).callTool(tool, args, ctx);
  if (result === undefined) throw new Error(`no tool ${tool}`);
  const [block, ...more] = result.content;
  expect(more).toEqual([]);
  expect(JSON.parse(block.text)).toEqual(JSON.parse(JSON.stringify(result.structuredContent)));
  return {
    content: result.structuredContent,
    pending: pendingOf(result.structuredContent),
    isError: result.isError === true,
  };
}

/** What the trailer of a structured result names; [] without one, and a trailer is never empty. */
export function pendingOf(content: JsonObject): JsonObject[] {
  if (content["notifications"] === undefined) return [];
  // The shape of the contract, held by the tests that compare whole entries.
  const { pending } = content["notifications"] as { pending: JsonObject[] };
  expect(pending.length).toBeGreaterThan(0);
  return pending;
}

/** What a call by `caller` is told besides its own result. */
export async function toldBy(hub: TestHub, caller: Caller): Promise<JsonObject[]> {
  return (await tell(hub, caller, "whoami")).pending;
}

/** Everything pending for the caller, call after call until nothing is. */
export async function drain(hub: TestHub, caller: Caller): Promise<JsonObject[]> {
  const all: JsonObject[] = [];
  for (let call = 0; call < 1000; call += 1) {
    const pending = await toldBy(hub, caller);
    if (pending.length === 0) return all;
    all.push(...pending);
  }
  throw new Error("the trailer does not end");
}
