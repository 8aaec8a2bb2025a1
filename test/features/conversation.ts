// What the tests of the conversation share: short forms of its calls, typed reading of their answers, and the one
// helper that shows a refused write left no trace.
import { expect } from "bun:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ErrorCode, ErrorObject } from "../../src/shared/errors.ts";
import { HubError } from "../../src/shared/errors.ts";
import type { JsonObject } from "../../src/shared/json.ts";
import type { EventView, InboxItemView } from "../../src/shared/views.ts";
import type { Caller, TestHub } from "../support/hub.ts";

export const dayMs = 24 * 3600 * 1000;

/** The events of a feed page. */
export function eventsOf(page: JsonObject): EventView[] {
  return page["events"] as unknown as EventView[]; // the member's type by contract, mcp-tools.md 17.5
}

/** The items of an inbox page. */
export function itemsOf(page: JsonObject): InboxItemView[] {
  return page["items"] as unknown as InboxItemView[]; // the member's type by contract, mcp-tools.md 17.9
}

export function idsOf(page: JsonObject): string[] {
  return "events" in page ? eventsOf(page).map(({ id }) => id) : itemsOf(page).map((item) => item.event_id);
}

/** Appends an event and returns its id. */
export async function append(by: Caller, projectId: string, args: object = {}): Promise<string> {
  const written = await by.call("signal_append", { project_id: projectId, kind: "signal", summary: "s", ...args });
  return String(written["event_id"]);
}

/** Posts a question and returns its id. */
export async function ask(by: Caller, projectId: string, args: object = {}): Promise<string> {
  const posted = await by.call("question_post", { project_id: projectId, subject: "q", ...args });
  return String(posted["question_id"]);
}

/** Appends an approval and returns its id. */
export function request(by: Caller, projectId: string, args: object = {}): Promise<string> {
  return append(by, projectId, { kind: "approval", ...args });
}

export async function answer(by: Caller, questionId: string, args: object = {}): Promise<string> {
  return String((await by.call("answer_post", { question_id: questionId, body: "a", ...args }))["event_id"]);
}

/** The operator decides an approval, over REST. */
export async function decide(hub: TestHub, id: string, body: object = {}): Promise<string> {
  const decided = await hub.rest("decideApproval", { params: { id }, body: { decision: "approve", ...body } });
  return String(decided["event_id"]);
}

/** The operator answers a question, over REST. */
export async function reply(hub: TestHub, id: string, body: object = {}): Promise<string> {
  return String((await hub.rest("answerQuestion", { params: { id }, body: { body: "a", ...body } }))["event_id"]);
}

/** All of a project's events, oldest first, read by the operator, who moves no agent's cursor. */
export async function wholeFeed(hub: TestHub, projectId: string, kinds?: string[]): Promise<EventView[]> {
  const events: EventView[] = [];
  let since = "0";
  for (let page = 0; page < 1000; page += 1) {
    const query = { since, limit: 500, ...(kinds === undefined ? {} : { kinds }) };
    const answered = await hub.rest("listProjectFeed", { params: { id: projectId }, query });
    events.push(...eventsOf(answered));
    if (eventsOf(answered).length < 500) return events;
    since = String(answered["next_since"]);
  }
  throw new Error("the feed does not end");
}

export async function eventOf(hub: TestHub, projectId: string, id: string): Promise<EventView> {
  const found = (await wholeFeed(hub, projectId)).find((event) => event.id === id);
  if (found === undefined) throw new Error(`no event ${id} in ${projectId}`);
  return found;
}

/** One item as an agent reads it. */
export async function itemOf(by: Caller, eventId: string): Promise<InboxItemView> {
  const found = itemsOf(await by.call("inbox_read", { limit: 500 })).find((item) => item.event_id === eventId);
  if (found === undefined) throw new Error(`no item ${eventId}`);
  return found;
}

/** The error a call is refused with; a call that succeeds fails the test. */
export async function refusalOf(call: Promise<unknown>): Promise<ErrorObject> {
  let outcome: unknown;
  try {
    outcome = await call;
  } catch (error) {
    if (error instanceof HubError) return error.toObject();
    throw error;
  }
  throw new Error(`expected a refusal, got ${JSON.stringify(outcome)}`);
}

export type Refusal = { code: ErrorCode; details: Record<string, unknown> };

// The last token of a message, when it is one (mcp-tools.md 4.4).
const tail = /(?:^|\s)([a-z_]+)=(\S+)$/;

/** Shows that the call is refused as said, and that every table and every blob is as it was. */
export async function expectNoTrace(
  hub: TestHub,
  call: () => Promise<unknown>,
  refusal: Refusal,
): Promise<ErrorObject> {
  const before = await hub.snapshot();
  const error = await refusalOf(call());
  expect<object>({ code: error.code, details: error.details }).toEqual(refusal);
  expect(error.retryable).toBe(false);
  expect(await hub.snapshot()).toBe(before);
  // The message names what `details` says as data; a tail, where there is one, is one of its members.
  for (const fact of Object.values(refusal.details)) {
    if (typeof fact === "number") expect(error.message).toContain(`${fact}`);
  }
  const [, key = "", value] = tail.exec(error.message) ?? [];
  if (value !== undefined) expect(String(error.details[key])).toBe(value);
  return error;
}

const boundMs = 20_000;

/** Lets the event loop turn until the condition holds; fails when it does not within a bound. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const end = performance.now() + boundMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error(`${what}: not within ${boundMs} ms`);
    await nextTurn();
  }
}
