// The trailer rides on every successful result of every tool, and on no error (mcp-tools.md 5). Every listed tool is
// walked, so one that comes later without an entry in every-tool.ts fails here.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createSurface } from "../../../src/server/mcp/surface.ts";
import { validCalls, walkedProject } from "../../support/every-tool.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { drain, tell, toldBy } from "../../support/trailer.ts";

let hub: TestHub;
let alice: Caller;
let bob: Caller;
let connection: string;

beforeAll(async () => {
  hub = await openTestHub();
  await hub.project(walkedProject);
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
  connection = await hub.connect(alice);
  await tell(hub, alice, "notify_subscribe", { kinds: ["signal"], actor: "bob" });
});
afterAll(() => hub[Symbol.asyncDispose]());

async function makePending(summary: string): Promise<string> {
  await drain(hub, alice);
  const { event_id } = await bob.call("signal_append", { project_id: walkedProject, kind: "signal", summary });
  return String(event_id);
}

// The list is the same on every hub, and known before the tests are named.
const listed = await (async () => {
  await using other = await openTestHub();
  return createSurface(other.hub)
    .listTools("full")
    .map(({ name }) => name);
})();

test("every listed tool has a call to walk", () => {
  expect(listed.length).toBeGreaterThan(10);
  expect(listed.filter((name) => !Object.hasOwn(validCalls, name))).toEqual([]);
});

describe.each(listed)("%s", (name) => {
  test("carries what is pending, once", async () => {
    const args = await validCalls[name]?.(
      async (tool, given) => (await tell(hub, alice, tool, given, { connection })).content,
    );
    const id = await makePending(`heard beside ${name}`);
    const { content, pending, isError } = await tell(hub, alice, name, args, { connection });
    expect([name, isError, content["error"]]).toEqual([name, false, undefined]);
    expect(pending.filter((entry) => entry["source"] === "subscription")).toEqual([
      {
        source: "subscription",
        kind: "signal",
        id,
        project_id: walkedProject,
        title: `heard beside ${name}`,
        at: new Date(hub.clock.now).toISOString(),
      },
    ]);
    expect(await toldBy(hub, alice)).toEqual([]);
  });

  test("carries nothing on an error, which consumes nothing", async () => {
    const id = await makePending(`kept by ${name}`);
    // No tool takes a list for its arguments.
    const { content, isError } = await tell(hub, alice, name, [], { connection });
    expect(isError).toBe(true);
    expect(Object.keys(content)).toEqual(["error"]);
    expect(await toldBy(hub, alice)).toMatchObject([{ id }]);
  });

  test("has no such member when nothing is pending", async () => {
    const args = await validCalls[name]?.(
      async (tool, given) => (await tell(hub, alice, tool, given, { connection })).content,
    );
    await drain(hub, alice);
    const { content } = await tell(hub, alice, name, args, { connection });
    // An agent that answers its own question is told at once that it was answered.
    expect(Object.hasOwn(content, "notifications")).toBe(name === "answer_post");
  });
});
