// `agent-hub projects` against a real hub and what only looks like one (cli.md 9).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Env } from "../../src/config/environment.ts";
import { openScriptedHub, problem } from "../support/cli-hub.ts";
import { type CliOutcome, runInPlace } from "../support/cli-io.ts";
import { openTestHub, type TestHub } from "../support/hub.ts";

let hub: TestHub;
let operator: Env;
let agent: Env;
beforeAll(async () => {
  hub = await openTestHub();
  const url = await hub.listen();
  operator = { HUB_URL: `${url}/`, HUB_TOKEN: hub.operator.token };
  agent = { HUB_URL: url, HUB_TOKEN: (await hub.agent("alice")).token };
});
afterAll(() => hub[Symbol.asyncDispose]());

const errorOf = ({ stderr }: CliOutcome): unknown => JSON.parse(stderr).error.code;
const projects = (env: Env, ...argv: string[]): Promise<CliOutcome> => runInPlace(["projects", ...argv], env);

describe("create", () => {
  test.each([
    [["--id", "one"], "one", "one"],
    [["--id", "two", "--name", "Number Two"], "two", "Number Two"],
    [["--id=three", "--display-name=Drei"], "three", "Drei"],
  ])("%j", async (options, id, name) => {
    const ended = await projects(agent, "create", ...options);
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    expect(ended.stdout.split("\n").length).toBe(2);
    expect(JSON.parse(ended.stdout)).toMatchObject({ id, display_name: name, is_personal: false, confidential: false });
  });

  test.each([
    [["--id", "one"], "conflict"],
    [["--id", "no slug!"], "invalid_argument"],
    [["--id", "space-x"], "invalid_argument"],
  ])("%j is the hub's to refuse", async (options, code) => {
    const ended = await projects(agent, "create", ...options);
    expect([ended.code, ended.stdout, errorOf(ended)]).toEqual([1, "", code]);
  });
});

describe("list", () => {
  test("prints the hub's body, with personal spaces marked", async () => {
    const ended = await projects(agent, "list");
    const listed = JSON.parse(ended.stdout);
    expect(listed.projects.map(({ is_personal }: { is_personal: boolean }) => is_personal)).toContain(true);
    expect(ended.stdout.endsWith("}\n")).toBe(true);
  });

  test("--plain prints a line a project", async () => {
    using scripted = openScriptedHub(() =>
      Response.json({
        projects: [{ id: "a", display_name: "A\nb  c\u001b[2J" }, { id: "b" }, { id: "c", display_name: "" }],
      }),
    );
    const ended = await projects({ HUB_URL: scripted.url, HUB_TOKEN: "t" }, "list", "--plain");
    expect(ended.stdout).toBe("a  A b  c [2J\nb\nc\n");
    expect(scripted.requests[0]?.headers.get("authorization")).toBe("Bearer t");
  });

  test.each([[{}], [{ projects: {} }], [[]], ["x"]])("a body that is %j is exit 1", async (body) => {
    using scripted = openScriptedHub(() => Response.json(body));
    const ended = await projects({ HUB_URL: scripted.url }, "list");
    expect([ended.code, ended.stdout, errorOf(ended)]).toEqual([1, "", "internal"]);
  });
});

describe("delete", () => {
  test("removes a project, named or configured", async () => {
    expect(await projects(operator, "delete", "--id", "two")).toEqual({ code: 0, stdout: "deleted two\n", stderr: "" });
    const configured = await projects({ ...operator, HUB_PROJECT: "three" }, "delete");
    expect(configured).toEqual({ code: 0, stdout: "deleted three\n", stderr: "" });
    const gone = await projects(operator, "delete", "--id", "two");
    expect([gone.code, gone.stdout, errorOf(gone)]).toEqual([1, "", "not_found"]);
  });

  test("is the operator's alone: 77 for any other token", async () => {
    const ended = await projects(agent, "delete", "--id", "one");
    expect([ended.code, ended.stdout, errorOf(ended)]).toEqual([77, "", "unauthenticated"]);
  });

  test("sends the id as one segment", async () => {
    using scripted = openScriptedHub(() => problem(404, { code: "not_found", detail: "no" }));
    await projects({ HUB_URL: scripted.url }, "delete", "--id", "a/b c?d#ü");
    expect(scripted.requests[0]).toMatchObject({ method: "DELETE", path: "/api/v1/projects/a%2Fb%20c%3Fd%23%C3%BC" });
  });

  test("an agent's own space stays", async () => {
    const { personal_project_id: space } = await (await hub.agent("owner")).call("whoami");
    const ended = await projects(operator, "delete", "--id", String(space));
    expect([ended.code, errorOf(ended)]).toEqual([1, "conflict"]);
  });
});

describe("a command line that cannot be used", () => {
  test.each([
    [[]],
    [["rename"]],
    [["create"]],
    [["create", "--id", ""]],
    [["create", "--id", "x", "--plain"]],
    [["list", "--id", "x"]],
    [["list", "--name", "x"]],
    [["list", "more"]],
    [["delete"]],
    [["delete", "--id", "x", "--name", "y"]],
    [["delete", "--id", "x", "--plain"]],
    [["create", "--id", "x", "--confidential"]],
  ])("%j is exit 2 and sends nothing", async (argv) => {
    using scripted = openScriptedHub(() => new Response());
    const ended = await projects({ HUB_URL: scripted.url, HUB_TOKEN: "t" }, ...argv);
    expect([ended.code, ended.stdout, scripted.requests.length]).toEqual([2, "", 0]);
    expect(ended.stderr).toContain("usage: agent-hub projects");
  });

  test("no hub is 78, no token is 77, an unreachable hub is 69", async () => {
    expect((await projects({}, "list")).code).toBe(78);
    expect((await projects({ HUB_URL: String(agent["HUB_URL"]) }, "list")).code).toBe(77);
    expect((await projects({ HUB_URL: "http://127.0.0.1:1" }, "list")).code).toBe(69);
  });
});
