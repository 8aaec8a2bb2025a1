// Calls of a hub in this process as any principal, through the same bindings the surfaces use.
import type { Principal } from "../../src/kernel/ctx.ts";
import type { CallName } from "../../src/shared/api.ts";
import { HubError } from "../../src/shared/errors.ts";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import type { TestHub } from "../support/hub.ts";

const call = (principal: Principal) => ({
  principal,
  connection: null,
  origin: "http://hub.test",
  signal: new AbortController().signal,
  progress: null,
});

export const agent = (actor: string): Principal => ({ kind: "agent", actor, tokenId: "test" });

/** A REST call of the shared table, as an agent or under another name of the operator. */
export async function restAs(
  hub: TestHub,
  principal: Principal,
  name: CallName,
  request: { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown } = {},
): Promise<JsonObject> {
  const route = hub.hub.routes.find((candidate) => candidate.call === name);
  if (route === undefined) throw new Error(`no route ${name}`);
  const { params = {}, query = {}, body } = request;
  const answer = await route.handle({ params, query, body }, hub.hub.kernel.ctx(call(principal)));
  return isObject(answer.body) ? (JSON.parse(JSON.stringify(answer.body)) as JsonObject) : {}; // made of JSON
}

export async function callAs(hub: TestHub, principal: Principal, name: string, args: object = {}): Promise<JsonObject> {
  const tool = hub.hub.tools.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return (await tool.call(args, hub.hub.kernel.ctx(call(principal)))) as JsonObject; // presenters return JSON
}

/** The error object a call is refused with; fails when it succeeds. */
export async function refusal(attempt: Promise<unknown>): Promise<JsonObject> {
  try {
    await attempt;
  } catch (error) {
    if (error instanceof HubError) return error.toObject();
    throw error;
  }
  throw new Error("the call was not refused");
}

/** Members of a list in an answer, for those that are objects. */
export function objectsIn(answer: JsonObject, member: string): JsonObject[] {
  const list = answer[member];
  return Array.isArray(list) ? list.filter((entry): entry is JsonObject => isObject(entry)) : [];
}

/** Runs a statement in the hub's store: state that nothing can make yet, or that takes days to come about. */
export async function sql(hub: TestHub, statement: string, ...values: (string | number | null)[]): Promise<void> {
  await hub.hub.kernel.services.write((tx) => tx.db.run(statement, ...values));
}

/** Rows of a statement, as the store gives them. */
export function rows(hub: TestHub, statement: string, ...values: (string | number)[]): Record<string, unknown>[] {
  return hub.hub.kernel.services.db.all<Record<string, unknown>>(statement, ...values);
}
