// `call` and `tools` against a real hub: the default project, the session store, what stdin brings, what the trailer
// adds, and that a call leaves nothing behind (cli.md 5, 6).
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { JsonObject } from "../../src/shared/json.ts";
import { rows } from "../features/as-caller.ts";
import { type CliOutcome, runInPlace } from "../support/cli-io.ts";
import { validCalls, walkedProject } from "../support/every-tool.ts";
import { type Caller, openTestHub, type TestHub } from "../support/hub.ts";

setDefaultTimeout(60_000);

let hub: TestHub;
let url: string;
let alice: Caller;
let bob: Caller;

beforeAll(async () => {
  hub = await openTestHub();
  for (const id of [walkedProject, "other"]) await hub.project(id);
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
  url = await hub.listen();
});
afterAll(() => hub[Symbol.asyncDispose]());

function call(argv: string[], { project = "", stdin = "", as = alice } = {}): Promise<CliOutcome> {
  return runInPlace(["call", ...argv], { HUB_URL: url, HUB_TOKEN: as.token, HUB_PROJECT: project }, stdin);
}

/** The result of a call that succeeds: one line of JSON on stdout, nothing on stderr. */
async function resultOf(argv: string[], options: Parameters<typeof call>[1] = {}): Promise<JsonObject> {
  const { code, stdout, stderr } = await call(argv, options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toEndWith("\n");
  expect(stdout.trimEnd()).not.toContain("\n");
  return JSON.parse(stdout);
}

async function errorOf(argv: string[], options: Parameters<typeof call>[1] = {}): Promise<JsonObject> {
  const { code, stdout, stderr } = await call(argv, options);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr.trimEnd()).not.toContain("\n");
  return JSON.parse(stderr).error;
}

describe("every tool", () => {
  test("is called with a project configured and none in the arguments", async () => {
    const storeTools = ["brain_get", "brain_put", "brain_list", "brain_delete"];
    for (const { name } of hub.hub.tools) {
      const prepared = await validCalls[name]?.((tool, args) => alice.call(tool, args));
      if (prepared === undefined) throw new Error(`no valid call of ${name} in every-tool.ts`);
      const { project_id: _given, ...args } = prepared as JsonObject; // arguments are JSON
      if (name === "brain_promote") {
        // It works on the active session alone, which a call without a connection never has.
        expect(await errorOf([name, JSON.stringify(args)], { project: walkedProject })).toMatchObject({
          code: "conflict",
        });
        continue;
      }
      const result = await resultOf([name, JSON.stringify(args)], { project: walkedProject });
      if (name === "feed_read") expect(JSON.stringify(result["events"])).toContain(`"project_id":"${walkedProject}"`);
      if (name === "session_start") expect(result["project_id"]).toBe(walkedProject);
      if (!storeTools.includes(name)) continue;
      // Had the project been added, the session store would have refused it.
      const refused = { ...args, project_id: walkedProject };
      if (args["store"] !== "project") {
        expect(await errorOf([name, JSON.stringify(refused)])).toMatchObject({ code: "invalid_argument" });
      }
    }
  });

  test("leaves nothing on the hub: no connection, and so no active session", async () => {
    const started = await resultOf(["session_start", '{"session_name":"hook"}'], { project: walkedProject });
    expect(started).toMatchObject({ bound: false });
    expect(rows(hub, "SELECT * FROM connections")).toEqual([]);
  });
});

describe("the default project", () => {
  test("gives way to the one in the arguments", async () => {
    const args = { project_id: "other", kind: "signal", summary: "elsewhere" };
    const { event_id: id } = await resultOf(["signal_append", JSON.stringify(args)], { project: walkedProject });
    const { events } = await hub.rest("listProjectFeed", { params: { id: "other" } });
    expect(events).toMatchObject([{ id: String(id), project_id: "other" }]);
  });

  test("scopes what selects by project, and a null in the arguments leaves it unscoped", async () => {
    await alice.call("session_start", { project_id: "other", session_name: "in-other" });
    const names = (result: JsonObject): string[] =>
      // mcp-tools.md 17.3
      (result["sessions"] as { project_id: string }[]).map(({ project_id }) => project_id);
    expect(names(await resultOf(["session_list"], { project: "other" }))).toEqual(["other"]);
    expect(new Set(names(await resultOf(["session_list", '{"project_id":null}'], { project: "other" })))).toEqual(
      new Set(["other", walkedProject]),
    );
  });

  test("that is missing or denied is the hub's to refuse", async () => {
    expect(await errorOf(["feed_read"], { project: "nowhere" })).toEqual({
      code: "forbidden",
      message: "not found or not permitted",
      retryable: false,
      details: {},
    });
  });

  test("is not added inside session", async () => {
    const session = JSON.stringify({ session: { agent: "alice", name: "walk" }, path: "/kv/x" });
    expect(await errorOf(["brain_get", session], { project: walkedProject })).toMatchObject({
      code: "invalid_argument",
      details: { field: "session.project_id" },
    });
  });

  test("a session brain is reached one-shot by naming the session alone", async () => {
    expect(await errorOf(["brain_get", '{"path":"/kv/x"}'], { project: walkedProject })).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("pass session"),
    });
    const named = { session: { agent: "alice", name: "hook", project_id: walkedProject } };
    await resultOf(["session_start", JSON.stringify({ project_id: walkedProject, session_name: "hook" })]);
    const absent = await errorOf(["brain_get", JSON.stringify({ ...named, path: "/fs/RECOVERY.md" })]);
    expect(absent).toEqual({
      code: "not_found",
      message: "no brain value at '/fs/RECOVERY.md'",
      retryable: false,
      details: {},
    });
  });
});

describe("the arguments", () => {
  test("come from stdin, as they are, in any script", async () => {
    const summary = "次: ゾーンを確認する — größer 🦊";
    const stdin = JSON.stringify({ kind: "idea", summary, project_id: walkedProject }, null, 2);
    const { event_id: id } = await resultOf(["signal_append", "-"], { stdin });
    const { events } = await hub.rest("listProjectFeed", { params: { id: walkedProject }, query: { kinds: ["idea"] } });
    expect(events).toContainEqual(expect.objectContaining({ id: String(id), summary }));
  });

  test("left out are an empty object, and stdin is not read", async () => {
    expect(await resultOf(["whoami"], { stdin: "not json" })).toMatchObject({ actor: "alice" });
  });

  test("of the wrong shape are the hub's to refuse, and a tool it has not is not found", async () => {
    expect(await errorOf(["signal_append", '{"kind":"noise"}'])).toMatchObject({ code: "invalid_argument" });
    expect(await errorOf(["no_such_tool"])).toMatchObject({ code: "not_found" });
  });
});

test("what is pending is printed at the top level of the result, once", async () => {
  const { question_id: id } = await bob.call("question_post", { project_id: "other", subject: "Now?" });
  await hub.rest("answerQuestion", { params: { id: String(id) }, body: { body: "yes" } });
  expect(await resultOf(["version"], { as: bob })).toMatchObject({
    notifications: { pending: [{ kind: "question_answered", id: String(id), title: "answered: Now?" }] },
  });
  expect(await resultOf(["version"], { as: bob })).not.toHaveProperty("notifications");
});

describe("tools", () => {
  test.each([[[], 2] as const, [["--compact"], 0] as const])("%j prints the hub's list", async (options, indent) => {
    const { code, stdout, stderr } = await runInPlace(["tools", ...options], { HUB_URL: url, HUB_TOKEN: alice.token });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { tools } = JSON.parse(stdout);
    expect(stdout).toBe(`${JSON.stringify({ tools }, null, indent)}\n`);
    expect(tools).toEqual(
      hub.hub.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    );
  });

  test("exits 77 for a refused token and for none", async () => {
    for (const env of [{ HUB_TOKEN: "wrong" }, {}]) {
      const { code, stdout, stderr } = await runInPlace(["tools"], { HUB_URL: url, ...env });
      expect({ code, stdout }).toEqual({ code: 77, stdout: "" });
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: "unauthenticated" } });
    }
  });
});
