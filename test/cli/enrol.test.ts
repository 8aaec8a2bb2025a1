// `agent-hub enrol` against a real hub: from the question to the token in the config file (cli.md 7).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { userFile, writeConfig } from "../support/cli-config.ts";
import { closedUrl, openScriptedHub, problem } from "../support/cli-hub.ts";
import { openSandbox, runProcess, type Sandbox, startProcess } from "../support/cli-process.ts";
import { openTestHub, type TestHub } from "../support/hub.ts";
import { eventually } from "../support/proxy-harness.ts";

let hub: TestHub;
let url: string;
let home: Sandbox;
const pendingFile = `${userFile}.enrol-pending.json`;

beforeAll(async () => {
  hub = await openTestHub({ config: { enrolPendingMax: 1000 } });
  url = await hub.listen();
});
afterAll(() => hub[Symbol.asyncDispose]());
beforeEach(async () => {
  home = await openSandbox();
  return () => home[Symbol.asyncDispose]();
});

const path = (name: string): string => join(home.directory, name);
const modeOf = async (name: string): Promise<string> => ((await stat(path(name))).mode & 0o777).toString(8);
const isThere = async (name: string): Promise<boolean> => Bun.file(path(name)).exists();

/** Decides as soon as the agent asks. */
async function decide(id: string, call: "admitAgent" | "refuseAgent", body?: object): Promise<void> {
  const isPending = (): boolean =>
    hub.hub.kernel.services.db.get("SELECT 1 FROM agents WHERE id = ? AND state = 'pending'", id) !== undefined;
  await eventually(`a request of ${id}`, isPending);
  await hub.rest(call, { params: { agent_id: id }, body });
}

async function pendingOf(name = pendingFile): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(path(name), "utf8"));
}

async function decideAll(): Promise<void> {
  const rows = hub.hub.kernel.services.db.all<{ id: string }>("SELECT id FROM agents WHERE state = 'pending'");
  for (const { id } of rows) await hub.rest("refuseAgent", { params: { agent_id: id } });
}

describe("approved", () => {
  beforeEach(decideAll);

  test("the token is kept, and the next command needs no environment", async () => {
    const [ended] = await Promise.all([
      runProcess(home, ["enrol", "to build the shed", "--name", "Ada", "--url", `${url}/`]),
      decide("ada", "admitAgent"),
    ]);
    expect(ended).toEqual({
      code: 0,
      signal: null,
      stdout:
        "Enrolment approved: agent 'ada'.\nToken and hub URL saved to ~/.config/agent-hub/config.toml.\nNext: agent-hub call whoami\n",
      stderr: "agent-hub enrol: agent 'ada' is waiting for the operator\n",
    });
    const text = await readFile(path(userFile), "utf8");
    expect(text).toMatch(/^\[client\]\nurl = "http:\/\/127\.0\.0\.1:\d+"\ntoken = "[0-9a-f]{64}"\n$/);
    expect(await modeOf(userFile)).toBe("600");
    expect(await modeOf(".config/agent-hub")).toBe("700");
    expect((await readdir(path(".config/agent-hub"))).sort()).toEqual(["config.toml"]);
    const whoami = await runProcess(home, ["call", "whoami"]);
    expect(JSON.parse(whoami.stdout)).toMatchObject({ actor: "ada" });

    const again = await runProcess(home, ["enrol"]);
    expect(again).toMatchObject({ code: 0, stderr: "" });
    expect(again.stdout).toMatch(
      /^A token is configured in ~\/\.config\/agent-hub\/config\.toml;.*--force.*HUB_CONFIG=.*\n$/,
    );
    const listed = hub.hub.kernel.services.db.all("SELECT enrol_note FROM agents WHERE id = 'ada'");
    expect(listed).toEqual([{ enrol_note: "to build the shed" }]);
  });

  test("not to be kept, the token is printed once and nowhere else", async () => {
    const [ended] = await Promise.all([
      runProcess(home, ["enrol", "--id", "bea"], { HUB_URL: url, USER: "someone" }),
      decide("bea", "admitAgent", { share: false }),
    ]);
    expect(ended.stdout).toMatch(
      /^Enrolment approved: agent 'bea'\.\nToken: [0-9a-f]{64}\nNext: set HUB_URL and HUB_TOKEN, then agent-hub call whoami\n$/,
    );
    expect([ended.code, await isThere(userFile), await isThere(pendingFile)]).toEqual([0, false, false]);
    const token = /Token: (\w+)/.exec(ended.stdout)?.[1] ?? "";
    expect(ended.stderr).not.toContain(token);
    const named = hub.hub.kernel.services.db.all("SELECT display_name FROM agents WHERE id = 'bea'");
    expect(named).toEqual([{ display_name: "someone" }]);
  });

  test("where the file cannot be edited the token is printed, and the file stays as it is", async () => {
    const text = 'client = { project = "p" }\n';
    await writeConfig(home, userFile, text);
    const [ended] = await Promise.all([
      runProcess(home, ["enrol", "--id", "inline"], { HUB_URL: url }),
      decide("inline", "admitAgent"),
    ]);
    expect([ended.code, await readFile(path(userFile), "utf8")]).toEqual([0, text]);
    expect(ended.stdout).toContain("\nToken: ");
    expect(ended.stderr).toContain("could not be written");
    expect(await isThere(pendingFile)).toBe(false);
  });

  test("HUB_CONFIG names the file, and its folders are made", async () => {
    const env = { HUB_URL: url, HUB_CONFIG: path("deep/er/agent.toml"), HUB_AGENT_ID: "Config Bot" };
    const [ended] = await Promise.all([runProcess(home, ["enrol"], env), decide("config-bot", "admitAgent")]);
    expect(ended.stdout).toContain("saved to ~/deep/er/agent.toml.");
    expect([await modeOf("deep"), await modeOf("deep/er"), await modeOf("deep/er/agent.toml")]).toEqual([
      "700",
      "700",
      "600",
    ]);
  });

  test("a link is written through, and a mode that was too broad is closed", async () => {
    await mkdir(path(".config/agent-hub"), { recursive: true });
    await writeFile(path("dotfiles.toml"), '# mine\n[client]\nproject = "p"\n');
    await chmod(path("dotfiles.toml"), 0o644);
    await symlink(path("dotfiles.toml"), path(userFile));
    await Promise.all([
      runProcess(home, ["enrol", "--id", "linked"], { HUB_URL: url }),
      decide("linked", "admitAgent"),
    ]);
    expect(await modeOf("dotfiles.toml")).toBe("600");
    expect(await readFile(path("dotfiles.toml"), "utf8")).toMatch(
      /^# mine\n\[client\]\nproject = "p"\nurl = .*\ntoken = .*\n$/,
    );
  });
});

describe("a token that is there", () => {
  test("in the environment: nothing is sent", async () => {
    using scripted = openScriptedHub(() => new Response());
    const ended = await runProcess(home, ["enrol"], { HUB_URL: scripted.url, HUB_TOKEN: "abc" });
    expect([ended.code, ended.stderr, scripted.requests.length]).toEqual([0, "", 0]);
    expect(ended.stdout).toMatch(/^A token is configured in HUB_TOKEN; .*\n$/);
  });

  test("--force asks all the same, and sends no token", async () => {
    using scripted = openScriptedHub(() =>
      problem(409, { code: "conflict", detail: "taken", retryable: false, details: {} }),
    );
    const ended = await runProcess(home, ["enrol", "--force"], { HUB_URL: scripted.url, HUB_TOKEN: "abc" });
    expect([ended.code, scripted.requests[0]?.headers.get("authorization")]).toEqual([1, null]);
  });
});

describe("refused at once", () => {
  test.each([
    [400, "invalid_argument", 1],
    [403, "forbidden", 1],
    [409, "conflict", 1],
    [429, "rate_limited", 1],
    [500, "internal", 1],
    [503, "unavailable", 1],
  ])("%i is passed through", async (status, code, exit) => {
    const retryable = code === "unavailable";
    using scripted = openScriptedHub(() => problem(status, { code, detail: "because", retryable, details: { a: 1 } }));
    const ended = await runProcess(home, ["enrol", "--id", "x"], { HUB_URL: scripted.url });
    expect(ended).toMatchObject({ code: exit, stdout: "" });
    expect(JSON.parse(ended.stderr)).toEqual({ error: { code, message: "because", retryable, details: { a: 1 } } });
    expect(scripted.requests.map(({ method, path: at }) => [method, at])).toEqual([["POST", "/api/v1/enrol"]]);
    expect(await isThere(pendingFile)).toBe(false);
  });

  test("a hub below a path is asked there", async () => {
    using scripted = openScriptedHub(() => problem(403, { code: "forbidden", detail: "no" }));
    await runProcess(home, ["enrol", "--url", `${scripted.url}/below/`]);
    expect(scripted.requests[0]?.path).toBe("/below/api/v1/enrol");
  });

  test("no hub there: 69", async () => {
    const ended = await runProcess(home, ["enrol"], { HUB_URL: closedUrl() });
    expect([ended.code, ended.stdout]).toEqual([69, ""]);
    expect(JSON.parse(ended.stderr)).toMatchObject({ error: { code: "unavailable", retryable: true } });
  });

  test("something that is no hub: 1", async () => {
    using scripted = openScriptedHub(() => new Response("<html>"));
    const ended = await runProcess(home, ["enrol"], { HUB_URL: scripted.url });
    expect([ended.code, ended.stdout, JSON.parse(ended.stderr).error.code]).toEqual([1, "", "internal"]);
  });
});

describe("a command line or setting that cannot be used sends nothing", () => {
  test.each([
    [["enrol", ""], 2],
    [["enrol", "   "], 2],
    [["enrol", "a".repeat(200)], 2],
    [["enrol", "two\nlines"], 2],
    [["enrol", "--why", ""], 2],
    [["enrol", "a", "--why", "b"], 2],
    [["enrol", "a", "b"], 2],
    [["enrol", "--name", " "], 2],
    [["enrol", "--id", ""], 2],
    [["enrol", "--url", "ftp://hub"], 2],
    [["enrol", "--url", "http://a@hub"], 2],
    [["enrol", "--force=yes"], 2],
    [["enrol", "--token", "x"], 2],
  ])("%j", async (argv, code) => {
    using scripted = openScriptedHub(() => new Response());
    const ended = await runProcess(home, argv, { HUB_URL: scripted.url });
    expect([ended.code, ended.stdout, scripted.requests.length]).toEqual([code, "", 0]);
    expect(ended.stderr).toContain("usage: agent-hub enrol");
  });

  test("no hub URL: 78, and both ways to give one", async () => {
    const ended = await runProcess(home, ["enrol"]);
    expect([ended.code, ended.stdout]).toEqual([78, ""]);
    expect(ended.stderr).toContain("HUB_URL");
    expect(ended.stderr).toContain(path(userFile));
  });

  test("no file to keep a token in: 78", async () => {
    const ended = await runProcess(home, ["enrol"], { HUB_URL: "http://127.0.0.1:1", HOME: "" });
    expect([ended.code, ended.stderr.includes("HUB_CONFIG")]).toEqual([78, true]);
  });
});

describe("interrupted", () => {
  beforeEach(decideAll);

  test.each(["SIGINT", "SIGTERM"] as const)("by %s it ends so, and the same command goes on", async (signal) => {
    const id = `resume-${signal.toLowerCase()}`;
    const child = startProcess(home, ["enrol", "--id", id], { HUB_URL: url });
    await eventually("the pending file", () => Bun.file(path(pendingFile)).size > 0);
    await eventually("the wait", () => hub.hub.kernel.bus.size() > 0);
    child.kill(signal);
    await child.exited;
    const said = await new Response(child.stderr).text();
    expect(child.signalCode).toBe(signal);
    expect(said).toContain(`go on with: agent-hub enrol --url ${url}`);
    expect(await new Response(child.stdout).text()).toBe("");
    expect(await modeOf(pendingFile)).toBe("600");
    const pending = await pendingOf();
    expect(pending).toEqual({
      format: 1,
      url,
      agent_id: id,
      token: expect.stringMatching(/^[0-9a-f]{64}$/),
      requested_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(said).not.toContain(String(pending["token"]));

    // What is decided meanwhile is collected at once.
    await decide(id, "admitAgent");
    const ended = await runProcess(home, ["enrol"], { HUB_URL: `${url}/` });
    expect([ended.code, ended.stderr]).toEqual([0, `agent-hub enrol: agent '${id}' is waiting for the operator\n`]);
    expect(await readFile(path(userFile), "utf8")).toContain(String(pending["token"]));
    expect(await isThere(pendingFile)).toBe(false);
  });
});

describe("a pending file", () => {
  const pending = { format: 1, url: "http://127.0.0.1:1", agent_id: "old", token: "f".repeat(64), requested_at: "x" };

  test("for another hub is exit 2, and --force discards it", async () => {
    using scripted = openScriptedHub(() => problem(429, { code: "rate_limited", detail: "no" }));
    await writeConfig(home, pendingFile, JSON.stringify(pending));
    const ended = await runProcess(home, ["enrol", "--url", scripted.url]);
    expect([ended.code, scripted.requests.length]).toEqual([2, 0]);
    expect(ended.stderr).toContain("http://127.0.0.1:1");
    const forced = await runProcess(home, ["enrol", "--url", scripted.url, "--force"]);
    expect([forced.code, scripted.requests.length, await isThere(pendingFile)]).toEqual([1, 1, false]);
  });

  test("whose request was refused or expired: 77, and it goes", async () => {
    await writeConfig(home, pendingFile, JSON.stringify({ ...pending, url }));
    const ended = await runProcess(home, ["enrol", "--url", url]);
    expect([ended.code, ended.stdout, await isThere(pendingFile)]).toEqual([77, "", false]);
    expect(JSON.parse(ended.stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      error: { code: "unauthenticated" },
    });
  });

  test.each([
    ["--id", "other"],
    ["--why", "another reason"],
    ["--name", "Another"],
  ])("makes %s count for nothing, and says so", async (option, value) => {
    await writeConfig(home, pendingFile, JSON.stringify({ ...pending, url }));
    const ended = await runProcess(home, ["enrol", "--url", url, option, value]);
    expect(ended.stderr).toMatch(/^agent-hub enrol: going on with the open request of agent 'old'; .*ignored\n/);
  });

  test("that others may read is closed to them", async () => {
    using scripted = openScriptedHub(() => Response.json({ status: "approved", agent_id: "old", share: true }));
    await writeConfig(home, pendingFile, JSON.stringify({ ...pending, url: scripted.url }), 0o644);
    const ended = await runProcess(home, ["enrol", "--url", scripted.url]);
    expect(ended.stderr).toContain("had mode 0644");
    expect(ended.code).toBe(0);
    expect(scripted.requests.map(({ headers }) => headers.get("authorization"))).toEqual([`Bearer ${pending.token}`]);
  });

  test.each(["", "{", "[]", '{"format":2}', JSON.stringify({ ...pending, token: "" })])(
    "that holds %p is exit 1 and named",
    async (text) => {
      await writeConfig(home, pendingFile, text);
      const ended = await runProcess(home, ["enrol", "--url", url]);
      expect([ended.code, ended.stdout]).toEqual([1, ""]);
      expect(ended.stderr).toContain(path(pendingFile));
      expect(await isThere(pendingFile)).toBe(true);
    },
  );
});

test("the operator refuses: 77, and nothing is left", async () => {
  await decideAll();
  const [ended] = await Promise.all([
    runProcess(home, ["enrol", "--id", "unwanted"], { HUB_URL: url }),
    decide("unwanted", "refuseAgent"),
  ]);
  expect([ended.code, ended.stdout, await isThere(pendingFile), await isThere(userFile)]).toEqual([
    77,
    "",
    false,
    false,
  ]);
});
