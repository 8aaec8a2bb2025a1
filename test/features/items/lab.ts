// A hub with the operator's eye on it, for the tests of what the operator does with entries.
import { expect } from "bun:test";
import type { CallName } from "../../../src/shared/api.ts";
import type { JsonObject } from "../../../src/shared/json.ts";
import type { InboxItemView } from "../../../src/shared/views.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { append, itemsOf, type Refusal } from "../conversation.ts";

export type Lab = AsyncDisposable & { hub: TestHub; ann: Caller; ticks: () => number };

const start = Date.UTC(2026, 0, 2, 3, 4, 5);
export const at = (ms: number): string => new Date(start + ms).toISOString();

export async function openLab(): Promise<Lab> {
  const hub = await openTestHub({ startAt: start });
  await hub.project("lab");
  await hub.project("other");
  const ann = await hub.agent("ann");
  let ticks = 0;
  const listener = hub.hub.kernel.services.bus.subscribe(["inbox"], () => {
    ticks += 1;
  });
  return {
    hub,
    ann,
    /** Ticks since it was asked last. */
    ticks() {
      const since = ticks;
      ticks = 0;
      return since;
    },
    async [Symbol.asyncDispose]() {
      listener[Symbol.dispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}

export const finish = (by: Caller, project = "lab"): Promise<string> => append(by, project, { kind: "finished" });
export const on = (hub: TestHub, call: CallName, event_id: string, body?: object): Promise<JsonObject> =>
  hub.rest(call, { params: { event_id }, ...(body === undefined ? {} : { body }) });
export const notFound: Refusal = { code: "not_found", details: {} };
export const conflict: Refusal = { code: "conflict", details: {} };
export const badField = (field: string): Refusal => ({
  code: "invalid_argument",
  details: { field, expected: expect.any(String) },
});
export const operatorItem = async (hub: TestHub, id: string): Promise<InboxItemView | undefined> =>
  itemsOf(await hub.rest("listInbox")).find((item) => item.event_id === id);
