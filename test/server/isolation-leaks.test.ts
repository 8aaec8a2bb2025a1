// Nothing of a project an agent may not read shows in what it may read (mcp-tools.md 6.2): the agent asks everything it
// can, the hidden projects fill with life, and it asks again. Every byte is as before, but for how long a query took.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { eventually } from "../support/proxy-harness.ts";
import { openWorld, type Target, type World } from "./isolation.ts";

setDefaultTimeout(60_000);

const newest = "Z".repeat(26);

function targetOf(world: World, name: Target["name"]): Target {
  const found = world.targets.find((target) => target.name === name);
  if (found === undefined) throw new Error(`no target ${name}`);
  return found;
}

/** The raw answer to one call of nina, who holds no grant. */
async function ask(world: World, path: string, body?: JsonObject, signal?: AbortSignal): Promise<string> {
  const response = await fetch(`${world.url}${path}`, {
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
    headers: { authorization: world.authorization.nina ?? "", "content-type": "application/json" },
  });
  return (await response.text()).replaceAll(/\\?"took_ms\\?":[\d.]+/g, "took");
}

function callTool(world: World, name: string, args: object = {}, signal?: AbortSignal): Promise<string> {
  const params: JsonObject = { name, arguments: JSON.parse(JSON.stringify(args)) };
  return ask(world, "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }, signal);
}

/** Everything nina can ask that might tell of what she may not read. Nothing here changes anything. */
async function everythingSheMayAsk(world: World): Promise<Map<string, string>> {
  const hidden = targetOf(world, "secret");
  const questions: [tool: string, args: object][] = [
    ["whoami", {}],
    ["notify_wait", { wait_seconds: 0 }],
    ["notify_list", {}],
    ["session_list", {}],
    ["session_list", { limit: 1 }],
    ["session_list", { agent: "grace" }],
    ["session_list", { agent: "vera", status: "ended" }],
    ...["unread", "action", "waiting", "resolved"].map((status): [string, object] => ["inbox_read", { status }]),
    ["inbox_read", {}],
    ["inbox_read", { limit: 1 }],
    ["inbox_read", { since: "0" }],
    ["inbox_read", { since: hidden.question, limit: 2 }],
    ["inbox_read", { actor: "grace" }],
    ["inbox_wait", { wait_seconds: 0, since: "0" }],
    ["inbox_wait", { wait_seconds: 0, actor: "grace", since: "0" }],
    ["feed_read", { project_id: "open", before: newest }],
    ["feed_read", { project_id: "open", since: "0", limit: 3 }],
    ["feed_read", { project_id: "open", since: hidden.root }],
    ["feed_read", { project_id: "open", since: newest }],
    ["session_brief", { project_id: "open" }],
    ["brain_list", { store: "project", project_id: "open" }],
    ["brain_history", { project_id: "open", path: "/fs/hidden.md" }],
    ["brain_get", { store: "project", project_id: "open", path: "/fs/hidden.md" }],
    ...["word", "hidden", "kept", "amber cobalt", '"amber cobalt"', hidden.word, "project", "session"].flatMap(
      (query): [string, object][] => [
        ["search", { query }],
        ["search", { query, limit: 1 }],
        ["search", { query, type: "feed" }],
        ["search", { query, type: "kb" }],
        ["search", { query, type: "brain", scope: "global", project_id: hidden.project }],
      ],
    ),
  ];
  const answers = new Map<string, string>();
  for (const [tool, args] of questions)
    answers.set(`${tool} ${JSON.stringify(args)}`, await callTool(world, tool, args));
  answers.set("GET projects", await ask(world, "/api/v1/projects"));
  answers.set("GET open", await ask(world, "/api/v1/projects/open"));
  const list = { jsonrpc: "2.0", id: 1, params: {} };
  answers.set("resources", await ask(world, "/mcp", { ...list, method: "resources/list" }));
  return answers;
}

/** Everything that can happen in a project, in one that nina may not read. */
async function liveIn(world: World, target: Target): Promise<void> {
  const { hub, agents } = world;
  const insider = target.author === "vera" ? agents.vera : agents.grace;
  const call = (tool: string, args: object): Promise<JsonObject> =>
    insider.call(tool, { project_id: target.project, ...args });
  for (const kind of ["signal", "finished", "idea"]) {
    for (let count = 0; count < 5; count += 1) {
      await call("signal_append", {
        kind,
        summary: `word hidden ${kind} ${count}`,
        payload: { body: "hidden project" },
      });
    }
  }
  const { question_id: question } = await call("question_post", { subject: "hidden?", options: ["word", "hidden"] });
  await hub.rest("answerQuestion", { params: { id: String(question) }, body: { body: "hidden word" } });
  await call("question_post", { subject: "hidden and open", expires_in_seconds: 60 });
  const { event_id: approval } = await call("signal_append", { kind: "approval", summary: "hidden approval" });
  await hub.rest("decideApproval", { params: { id: String(approval) }, body: { decision: "approve", note: "hidden" } });
  const { session_id: session } = await call("session_start", { session_name: "hidden-session" });
  const named = { session: { session_id: session }, store: "session" };
  for (const path of ["/fs/hidden.md", "/kv/hidden"]) {
    await insider.call("brain_put", { ...named, path, content: "word hidden kept amber cobalt" });
  }
  await insider.call("session_end", { session_id: session, handoff: "hidden handoff" });
  await call("session_start", { session_name: "hidden-again", from: { session_id: session } });
  for (const content of ["hidden page", "word hidden page"]) {
    await call("brain_put", { store: "project", path: "/fs/hidden.md", content });
  }
  await call("brain_delete", { store: "project", path: target.page });
  await call("notify_subscribe", { kinds: ["signal", "answer"] });
  await hub.rest("updateProject", { params: { id: target.project }, body: { display_name: "hidden word" } });
}

async function openQuietWorld(): Promise<World> {
  const world = await openWorld();
  await world.agents.nina.call("notify_subscribe", {
    kinds: ["signal", "finished", "approval", "question", "answer", "idea"],
  });
  return world;
}

function expectNothingNew(before: Map<string, string>, after: Map<string, string>): void {
  expect([...after.keys()]).toEqual([...before.keys()]);
  for (const [question, answer] of after) expect(`${question}: ${answer}`).toBe(`${question}: ${before.get(question)}`);
}

describe("an agent without a grant", () => {
  test.each(["secret", "space of vera"] as const)("sees nothing of what happens in %s", async (name) => {
    await using world = await openQuietWorld();
    const target = targetOf(world, name);
    const before = await everythingSheMayAsk(world);
    expectNothingNew(before, await everythingSheMayAsk(world));
    await liveIn(world, target);
    const after = await everythingSheMayAsk(world);
    expectNothingNew(before, after);
    for (const [question, answer] of after) {
      // What she names herself may be said again.
      if (!question.includes("hidden")) expect(answer).not.toContain("hidden");
      expect(answer).not.toContain(target.session);
    }
  });

  test("sees no deadline pass there, and nothing of its end", async () => {
    await using world = await openQuietWorld();
    const target = targetOf(world, "secret");
    await liveIn(world, target);
    const before = await everythingSheMayAsk(world);
    // Nothing of hers is due, so only what is hidden changes.
    world.hub.clock.now += 61_000;
    expectNothingNew(before, await everythingSheMayAsk(world));
    await world.hub.rest("deleteProject", { params: { id: target.project } });
    expectNothingNew(before, await everythingSheMayAsk(world));
  });

  test("is not woken by it: a wait ends with what she may read, and names nothing else", async () => {
    await using world = await openQuietWorld();
    const { bus } = world.hub.hub.kernel;
    const asleep = bus.size();
    const wait = callTool(world, "notify_wait", { wait_seconds: 55 });
    await eventually("the wait", () => bus.size() > asleep);
    for (const name of ["secret", "space of vera"] as const) await liveIn(world, targetOf(world, name));
    await world.agents.olive.call("signal_append", { project_id: "open", kind: "signal", summary: "for everybody" });
    const told: unknown = JSON.parse(await wait);
    const result = isObject(told) && isObject(told["result"]) ? told["result"] : {};
    expect(result["structuredContent"]).toMatchObject({
      timed_out: false,
      notifications: { pending: [{ source: "subscription", kind: "signal", title: "for everybody" }] },
    });
    expect(JSON.stringify(told)).not.toContain("hidden");
  });

  test("finds the same in the same order, whatever words are used where she may not read", async () => {
    await using world = await openWorld();
    for (const summary of ["amber amber amber cobalt", "amber cobalt cobalt cobalt", "amber amber cobalt"]) {
      await world.agents.nina.call("signal_append", { project_id: "open", kind: "idea", summary });
    }
    const find = async (limit: number): Promise<JsonObject> => {
      const { took_ms, ...found } = await world.agents.nina.call("search", { query: "amber cobalt ", limit });
      expect(took_ms).toBeNumber();
      return found;
    };
    const before = [await find(50), await find(3), await find(2)];
    for (let count = 0; count < 30; count += 1) {
      await world.agents.grace.call("signal_append", { project_id: "secret", kind: "idea", summary: "amber cobalt" });
    }
    expect(before.map(({ count, truncated }) => [count, truncated])).toEqual([
      [3, false],
      [3, false],
      [2, true],
    ]);
    const after = [await find(50), await find(3), await find(2)];
    expect(JSON.stringify(after)).toBe(JSON.stringify(before));
  });

  test("whose grant is taken away is told what she would be told had she never had it", async () => {
    await using world = await openQuietWorld();
    const before = await everythingSheMayAsk(world);
    const grant = { params: { id: "nina" }, body: { project_id: "secret" } };
    await world.hub.rest("createGrant", grant);
    const granted = await callTool(world, "session_list");
    expect(granted).toContain(targetOf(world, "secret").session);
    await world.hub.rest("deleteGrant", { params: { id: "nina", project_id: "secret" } });
    expectNothingNew(before, await everythingSheMayAsk(world));
  });
});
