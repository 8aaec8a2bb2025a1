// `call` and `tools`: arguments, default project, streams, exit codes (cli.md 2.2 to 2.4, 5, 6).
import { describe, expect, test } from "bun:test";
import { closedUrl, openScriptedHub, problem, rpcAnswer, toolResult } from "../support/cli-hub.ts";
import { runInPlace } from "../support/cli-io.ts";

function argumentsOf(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body)).params.arguments;
}

describe("arguments", () => {
  test.each<[argv: string[], stdin: string, expected: object]>([
    [["whoami"], "never read", {}],
    [["whoami", '{"a":[1,"ä"]}'], "", { a: [1, "ä"] }],
    [["whoami", "-"], ' {"a":\n1}\n', { a: 1 }],
    [["whoami", "-"], '\ufeff{"a":1}', { a: 1 }],
    [["--", "whoami", "{}"], "", {}],
  ])("%j", async (argv, stdin, expected) => {
    using remote = openScriptedHub(() => toolResult({ ok: true }));
    const outcome = await runInPlace(["call", ...argv], { HUB_URL: remote.url }, stdin);
    expect(outcome).toEqual({ code: 0, stdout: '{"ok":true}\n', stderr: "" });
    expect(argumentsOf(remote.requests[0]?.body)).toEqual(expected);
  });

  test.each<[argv: string[], stdin: string, message: string]>([
    [["x", "limit=3"], "", "the arguments are not JSON"],
    [["x", ""], "", "the arguments are not JSON"],
    [["x", "[1]"], "", "not an object"],
    [["x", "null"], "", "not an object"],
    [["x", '"text"'], "", "not an object"],
    [["x", "-"], "", "the arguments are not JSON"],
    [["x", "-"], "{} {}", "the arguments are not JSON"],
  ])("%j with stdin %j is exit 2, nothing sent", async (argv, stdin, message) => {
    using remote = openScriptedHub(() => toolResult({}));
    const { code, stdout, stderr } = await runInPlace(["call", ...argv], { HUB_URL: remote.url }, stdin);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toStartWith("agent-hub: ");
    expect(stderr).toContain(message);
    expect(stderr).toContain("\nusage: agent-hub call <tool> [json|-]\n");
    expect(remote.requests).toHaveLength(0);
  });
});

describe("the default project", () => {
  const home = { project_id: "homelab" };
  test.each<[tool: string, given: object, expected: object]>([
    ["feed_read", {}, home],
    ["feed_read", { limit: 2 }, { limit: 2, ...home }],
    ["feed_read", { project_id: "other" }, { project_id: "other" }],
    ["feed_read", { project_id: null }, { project_id: null }],
    ["feed_read", { session: { name: "s" } }, { session: { name: "s" }, ...home }],
    ["whoami", {}, home],
    ["brain_history", { path: "/fs/a.md" }, { path: "/fs/a.md", ...home }],
    ...["brain_get", "brain_put", "brain_list", "brain_delete"].flatMap((tool): [string, object, object][] => [
      [tool, {}, {}],
      [tool, { store: "session" }, { store: "session" }],
      [tool, { store: null }, { store: null }],
      [tool, { store: "project" }, { store: "project", ...home }],
      [tool, { store: "project", project_id: "p" }, { store: "project", project_id: "p" }],
    ]),
  ])("%s %j", async (tool, given, expected) => {
    using remote = openScriptedHub(() => toolResult({}));
    const env = { HUB_URL: remote.url, HUB_PROJECT: "homelab" };
    expect((await runInPlace(["call", tool, JSON.stringify(given)], env)).code).toBe(0);
    expect(argumentsOf(remote.requests[0]?.body)).toEqual(expected);
  });

  test("nothing is added without one", async () => {
    using remote = openScriptedHub(() => toolResult({}));
    await runInPlace(["call", "feed_read"], { HUB_URL: remote.url });
    expect(argumentsOf(remote.requests[0]?.body)).toEqual({});
  });
});

describe("exit codes", () => {
  const notFound = { code: "not_found", message: "no page at '/fs/x.md'", retryable: false, details: {} };

  test("1: the hub's error, one line of JSON on stderr", async () => {
    using remote = openScriptedHub(() =>
      rpcAnswer({ result: { isError: true, structuredContent: { error: notFound } } }),
    );
    const outcome = await runInPlace(["call", "x"], { HUB_URL: remote.url });
    expect(outcome).toEqual({ code: 1, stdout: "", stderr: `${JSON.stringify({ error: notFound })}\n` });
  });

  test.each<[title: string, code: number, answer: () => Response]>([
    ["forbidden", 1, () => problem(403, { code: "forbidden", detail: "no" })],
    ["unavailable", 1, () => problem(503, { code: "unavailable", detail: "busy" })],
    ["unknown tool", 1, () => rpcAnswer({ error: { code: -32602, message: "Unknown tool: x" } })],
    ["redirect", 1, () => Response.redirect("/elsewhere", 307)],
    ["401", 77, () => problem(401, { code: "unauthenticated", detail: "bad token" })],
    ["401 of something else", 77, () => new Response("", { status: 401 })],
  ])("%s: %d", async (_title, expected, answer) => {
    using remote = openScriptedHub(answer);
    for (const argv of [["call", "x"], ["tools"]]) {
      const { code, stdout, stderr } = await runInPlace(argv, { HUB_URL: remote.url });
      expect([code, stdout]).toEqual([expected, ""]);
      expect(stderr).toMatch(
        /^\{"error":\{"code":"[a-z_]+","message":".*","retryable":(true|false),"details":\{\}\}\}\n$/,
      );
    }
  });

  test("69: nothing listens", async () => {
    const url = closedUrl();
    const message = `${url}/mcp is unreachable: connection refused`;
    expect(await runInPlace(["call", "x"], { HUB_URL: url })).toEqual({
      code: 69,
      stdout: "",
      stderr: `{"error":{"code":"unavailable","message":"${message}","retryable":true,"details":{}}}\n`,
    });
  });

  test("69: no answer within HUB_TIMEOUT", async () => {
    using remote = openScriptedHub(() => new Promise<Response>(() => undefined));
    const { code, stderr } = await runInPlace(["tools"], { HUB_URL: remote.url, HUB_TIMEOUT: "0.02" });
    expect(code).toBe(69);
    expect(stderr).toContain(`${remote.url}/mcp is unreachable: timed out`);
  });

  test.each<[env: Record<string, string>, message: string]>([
    [{}, "no hub URL is configured; set HUB_URL"],
    [{ HOME: "/home/a" }, "no hub URL is configured; set HUB_URL, or url under [client] in /home/a/.config/"],
    [{ HUB_URL: "hub.example" }, "HUB_URL is 'hub.example'"],
    [{ HUB_URL: "http://127.0.0.1:1", HUB_TIMEOUT: "0" }, "HUB_TIMEOUT is '0'"],
    [{ HUB_CONFIG: import.meta.dir }, "cannot read config file"],
  ])("78: %j", async (env, message) => {
    for (const argv of [["call", "x"], ["tools"]]) {
      const { code, stdout, stderr } = await runInPlace(argv, env);
      expect([code, stdout]).toEqual([78, ""]);
      expect(stderr).toStartWith(`agent-hub: ${message}`);
      expect(stderr.trimEnd()).not.toContain("\n");
    }
  });

  test("a bad [hub] value does not stop a client command", async () => {
    using remote = openScriptedHub(() => toolResult({}));
    expect((await runInPlace(["call", "x"], { HUB_URL: remote.url, HUB_BIND: "nowhere" })).code).toBe(0);
  });

  test("a wrong HUB_LOG is a warning", async () => {
    using remote = openScriptedHub(() => toolResult({}));
    const { code, stdout, stderr } = await runInPlace(["call", "x"], { HUB_URL: remote.url, HUB_LOG: "loud" });
    expect([code, stdout]).toEqual([0, "{}\n"]);
    expect(stderr).toStartWith("agent-hub: HUB_LOG is 'loud'");
  });
});

describe("tools", () => {
  const tools = [{ name: "a", description: "d", inputSchema: { type: "object" } }];

  test.each([
    [["tools"], 2],
    [["tools", "--compact"], 0],
  ] as const)("%j", async (argv, indent) => {
    using remote = openScriptedHub(() => rpcAnswer({ result: { tools } }));
    const outcome = await runInPlace(argv, { HUB_URL: remote.url });
    expect(outcome).toEqual({ code: 0, stdout: `${JSON.stringify({ tools }, null, indent)}\n`, stderr: "" });
  });
});
