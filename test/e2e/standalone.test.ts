// `agent-hub mcp` with no hub configured (cli.md 4.3): the same hub on the local data directory, as the operator, for
// the one harness that started it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { run, startHub, TempDir } from "../support/binary.ts";
import { copyDirectory, type DataDirectory, isThere, walBytes } from "../support/data-directory.ts";
import { openFakeClock } from "../support/faketime.ts";
import { agentOverCommand, agentOverHttp, type ProtocolLine } from "../support/mcp-agents.ts";
import { operate } from "../support/operator.ts";
import { type StdioProcess, startStdio } from "../support/stdio-process.ts";

// A bound, not a wait: processes start slowly on a busy machine.
setDefaultTimeout(60_000);

const lines: ProtocolLine[] = ["2025", "2026"];
const announcement = (dataDir: string): string =>
  `agent-hub mcp: standalone on ${dataDir} as the human admin; set HUB_URL to use a running hub as this token's agent\n`;

let prepared: TempDir;
let toolsOfHub: Record<"full" | "core", JsonObject[]>;

// What a hub left behind: the project `homelab`, the agent `alice`, and what it listed.
beforeAll(async () => {
  prepared = await TempDir.create();
  await using hub = await startHub({ dataDir: join(prepared.path, "data"), env: { HUB_ADMIN_TOKEN: "of the hub" } });
  await operate(hub, "createProject", { body: { id: "homelab", display_name: "Home lab" } });
  await operate(hub, "createAgent", { body: { id: "alice", display_name: "Alice" } });
  await using operator = await agentOverHttp(hub.url, hub.adminToken);
  await using operatorOnCore = await agentOverCommand("2025", { HUB_URL: hub.url, HUB_TOKEN: hub.adminToken }, [
    "--tools",
    "core",
  ]);
  toolsOfHub = { full: await operator.tools(), core: await operatorOnCore.tools() };
  expect(await hub.stop()).toBe(0);
});
afterAll(() => prepared[Symbol.asyncDispose]());

/** A data directory of its own with what the hub left behind. */
const openDirectory = (): Promise<DataDirectory> => copyDirectory(join(prepared.path, "data"));

describe("one process a directory", () => {
  test("while a hub serves it, standalone is refused and says what to do", async () => {
    await using hub = await startHub();
    const { code, stdout, stderr } = await run(["mcp"], { env: { HUB_DATA_DIR: hub.dataDir } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(
      `agent-hub: a hub is using this data directory: ${hub.dataDir}; set HUB_URL to reach it instead\n`,
    );
    expect((await fetch(`${hub.url}/readyz`)).status).toBe(200);
  });

  test("while standalone holds it, a hub and a second one are refused; afterwards a hub starts on it", async () => {
    await using directory = await openDirectory();
    await using standalone = await startStdio(directory.env);
    await standalone.says(announcement(directory.dataDir));
    const serve = await run(["serve"], { env: { ...directory.env, HUB_BIND: "127.0.0.1:0" } });
    expect({ code: serve.code, stdout: serve.stdout }).toEqual({ code: 1, stdout: "" });
    expect(serve.stderr).toBe(
      `agent-hub: a hub is using this data directory: ${directory.dataDir}; stop it, or set HUB_URL to reach it\n`,
    );
    expect((await run(["mcp"], { env: directory.env })).code).toBe(1);
    standalone.endInput();
    expect(await standalone.exited()).toBe(0);
    await using hub = await startHub({ dataDir: directory.dataDir });
    expect(await operate(hub, "listProjects")).toMatchObject({ projects: expect.any(Array) });
  });
});

describe("the caller", () => {
  test.each(lines)("is the operator under the label local, on the %s line", async (line) => {
    await using directory = await openDirectory();
    await using agent = await agentOverCommand(line, directory.env);
    expect(agent.revision).toBe(line === "2025" ? "2025-11-25" : "2026-07-28");
    expect(await agent.call("whoami")).toEqual({
      actor: "local",
      admin: true,
      personal_project_id: null,
      skill_url: "http://127.0.0.1:8080/bootstrap/SKILL.md",
    });
    // The operator's view: every project, and what is missing is named.
    await expect(agent.call("feed_read", { project_id: "nowhere" })).rejects.toMatchObject({
      error: { code: "not_found", message: expect.stringContaining('"nowhere"') },
    });
  });

  test("signs with HUB_AGENT_ID, which no argument changes", async () => {
    await using directory = await openDirectory();
    await using agent = await agentOverCommand("2025", { ...directory.env, HUB_AGENT_ID: " Ann's laptop " });
    expect(await agent.call("whoami")).toMatchObject({ actor: "Ann's laptop", admin: true });
    await agent.call("session_start", { project_id: "homelab", session_name: "work" });
    await agent.call("signal_append", { project_id: "homelab", kind: "signal", summary: "hello", actor: "alice" });
    const { events } = await agent.call("feed_read", { project_id: "homelab" });
    expect(events).toMatchObject([
      { kind: "signal", actor: "Ann's laptop" },
      { kind: "session", actor: "Ann's laptop" },
    ]);
  });

  test.each([
    ["hub", "a reserved name"],
    ["human", "a reserved name"],
    ["alice", "an agent of this hub"],
  ])("may not be %j, %s", async (label, what) => {
    await using directory = await openDirectory();
    const { code, stdout, stderr } = await run(["mcp"], { env: { ...directory.env, HUB_AGENT_ID: label } });
    expect({ code, stdout }).toEqual({ code: 78, stdout: "" });
    expect(stderr).toBe(`agent-hub: HUB_AGENT_ID is ${JSON.stringify(label)}, ${what}; choose another label\n`);
    // The directory is free again, and checkpointed.
    expect(await walBytes(directory.dataDir)).toBe(0);
    await using hub = await startHub({ dataDir: directory.dataDir });
    expect(hub.adminToken).toMatch(/^[0-9a-f]{64}$/);
  });

  test("needs no token, and one that is set changes nothing", async () => {
    await using directory = await openDirectory();
    const env = { ...directory.env, HUB_TOKEN: "of some hub", HUB_PUBLIC_URL: "https://hub.example" };
    await using agent = await agentOverCommand("2026", env);
    expect(await agent.call("whoami")).toMatchObject({
      actor: "local",
      skill_url: "https://hub.example/bootstrap/SKILL.md",
    });
    expect(await agent.read("agenthub://skill")).toContain("POST https://hub.example/mcp");
    expect(await agent.read("skill://agent-hub/SKILL.md")).toStartWith("---\nname: agent-hub\n");
    expect(await readdir(directory.dataDir)).not.toContain("admin-token");
  });

  test.each(["full", "core"] as const)("is shown the tools a hub lists, in the %s profile", async (profile) => {
    await using directory = await openDirectory();
    await using agent = await agentOverCommand("2025", directory.env, ["--tools", profile]);
    expect(await agent.tools()).toEqual(toolsOfHub[profile]);
    // A call to a tool that is not listed works all the same.
    expect(await agent.call("version")).toMatchObject({ version: expect.stringMatching(/^agent-hub \d/) });
  });
});

describe("the start", () => {
  test.each(["off", "error"])("is announced on stderr with the log at %s", async (level) => {
    await using directory = await openDirectory();
    await using standalone = await startStdio({ ...directory.env, HUB_LOG: level });
    standalone.endInput();
    expect(await standalone.exited()).toBe(0);
    expect(standalone.stderr()).toBe(announcement(directory.dataDir));
  });

  test("creates a directory that is not there, with nothing for a listener in it", async () => {
    await using folder = await TempDir.create();
    const dataDir = join(folder.path, "deep", "data");
    await using agent = await agentOverCommand("2025", { HUB_DATA_DIR: dataDir });
    expect(await agent.call("session_list")).toMatchObject({ sessions: [] });
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect(await readdir(dataDir)).not.toContain("admin-token");
  });

  test.each<[env: Record<string, string>, named: string]>([
    [{ HUB_BIND: "0.0.0.0:8080" }, "HUB_ADMIN_TOKEN"],
    [{ HUB_BIND: "nowhere" }, "HUB_BIND"],
    [{ HUB_ENROL: "maybe" }, "HUB_ENROL"],
    [{ HUB_AGENT_ID: "human" }, "HUB_AGENT_ID"],
    [{ HUB_URL: "hub.example" }, "HUB_URL"],
  ])("refuses %j with 78 before it touches the directory", async (env, named) => {
    await using folder = await TempDir.create();
    const dataDir = join(folder.path, "data");
    const { code, stdout, stderr } = await run(["mcp"], { env: { HUB_DATA_DIR: dataDir, ...env } });
    expect({ code, stdout }).toEqual({ code: 78, stdout: "" });
    expect(stderr).toStartWith(`agent-hub: ${named} is `);
    expect(stderr.trimEnd()).not.toContain("\n");
    expect(await isThere(dataDir)).toBe(false);
  });

  test.each<[title: string, env: Record<string, string>, host: string]>([
    ["a bind for other machines with an admin token", { HUB_BIND: "0.0.0.0:81", HUB_ADMIN_TOKEN: "x" }, "localhost:81"],
    ["an IPv6 bind", { HUB_BIND: "[::1]:82" }, "[::1]:82"],
    ["a client setting it has no use for", { HUB_TIMEOUT: "0" }, "127.0.0.1:8080"],
    ["a blank hub URL, which is none", { HUB_URL: "  " }, "127.0.0.1:8080"],
  ])("takes %s, and names the address a hub would have", async (_title, env, host) => {
    await using directory = await openDirectory();
    await using agent = await agentOverCommand("2025", { ...directory.env, ...env });
    expect(await agent.call("whoami")).toMatchObject({
      actor: "local",
      skill_url: `http://${host}/bootstrap/SKILL.md`,
    });
  });
});

describe("at work", () => {
  test("the session stays active for the rest of the process, and is resumed by the next one", async () => {
    await using directory = await openDirectory();
    const recovery = { path: "/fs/RECOVERY.md", content: "half way", store: "session" };
    await using first = await agentOverCommand("2026", directory.env);
    const start = { project_id: "homelab", session_name: "night" };
    const started = await first.call("session_start", start);
    expect(started).toMatchObject({ agent: "local", resumed: false, bound: true });
    await first.call("brain_put", recovery);
    await first[Symbol.asyncDispose]();

    await using second = await agentOverCommand("2025", directory.env);
    await expect(second.call("brain_get", { path: recovery.path })).rejects.toMatchObject({
      error: { code: "conflict" },
    });
    const resumed = await second.call("session_start", start);
    expect(resumed).toMatchObject({ session_id: String(started["session_id"]), resumed: true, bound: true });
    expect(await second.call("brain_get", { path: recovery.path })).toMatchObject({ content: "half way" });
  });

  test("deadlines are kept: an item expires while its asker waits", async () => {
    await using directory = await openDirectory();
    await using clock = await openFakeClock();
    await using agent = await agentOverCommand("2026", { ...directory.env, ...clock.env });
    const question = await agent.call("question_post", {
      project_id: "homelab",
      subject: "Switch now?",
      expires_in_seconds: 60,
    });
    const approval = await agent.call("signal_append", {
      project_id: "homelab",
      kind: "approval",
      summary: "Reboot the router",
      expires_in_seconds: 120,
      on_expiry: "approve",
    });
    // A wait looks again only when something was written, so its answer shows that the sweep ran.
    const wait = agent.call("inbox_wait", { since: String(approval["event_id"]), wait_seconds: 55 });
    await clock.move(61_000);
    const closed = await wait;
    expect(closed["items"]).toMatchObject([
      {
        event_id: String(question["event_id"]),
        status: "resolved",
        on_expiry: "close",
        answer: { body: null, actor: "hub", expired: true },
      },
    ]);
    const next = agent.call("inbox_wait", { since: String(closed["next_since"]), wait_seconds: 55 });
    await clock.move(61_000);
    expect((await next)["items"]).toMatchObject([
      { status: "resolved", decision: { decision: "approved", actor: "hub", expired: true } },
    ]);
    const { events } = await agent.call("feed_read", { project_id: "homelab" });
    expect(events).toMatchObject([
      { kind: "answer", actor: "hub", payload: { expired: true, decision: "approved" } },
      { kind: "answer", actor: "hub", payload: { expired: true } },
      { kind: "approval", actor: "local", inbox_status: "resolved" },
      { kind: "question", actor: "local", inbox_status: "resolved" },
    ]);
  });

  test("a pruned session waits for a hub that serves before it goes for good", async () => {
    await using directory = await openDirectory();
    await using clock = await openFakeClock();
    const env = { ...directory.env, ...clock.env, HUB_SWEEP_INTERVAL_SECS: "1" };
    let undoToken: string;
    {
      await using agent = await agentOverCommand("2025", env);
      const { session_id } = await agent.call("session_start", { project_id: "homelab", session_name: "old" });
      await agent.call("session_end", { session_id });
    }
    {
      await using hub = await startHub({
        dataDir: directory.dataDir,
        env: { ...clock.env, HUB_SWEEP_INTERVAL_SECS: "60" },
      });
      const { sessions } = await operate(hub, "pruneSessions");
      const [pruned] = sessions as { undo_token: string }[]; // rest-api.md 14
      undoToken = String(pruned?.undo_token);
      expect(await hub.stop()).toBe(0);
    }
    await clock.move(600_000);
    {
      // Its quick sweep ran at least once past the window: an item that was due is closed.
      await using agent = await agentOverCommand("2025", env);
      const { event_id } = await agent.call("question_post", {
        project_id: "homelab",
        subject: "Due soon",
        expires_in_seconds: 60,
      });
      const wait = agent.call("inbox_wait", { since: String(event_id), wait_seconds: 55 });
      await clock.move(61_000);
      expect((await wait)["items"]).toMatchObject([{ status: "resolved" }]);
    }
    await using hub = await startHub({
      dataDir: directory.dataDir,
      env: { ...clock.env, HUB_SWEEP_INTERVAL_SECS: "60" },
    });
    // Too late to undo, but the row is still there: a token that was swept is unknown.
    await expect(operate(hub, "undoPrune", { params: { token: undoToken } })).rejects.toThrow("answered 409");
  });
});

describe("the end", () => {
  const append = (id: number) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "signal_append", arguments: { project_id: "homelab", kind: "signal", summary: `signal ${id}` } },
  });
  const wait = (id: number) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "inbox_wait", arguments: { wait_seconds: 55 } },
  });
  const calls = 20;

  /** What an operator finds in the directory afterwards. */
  async function signalsIn(dataDir: string): Promise<string[]> {
    await using hub = await startHub({ dataDir });
    const { events } = await operate(hub, "listProjectFeed", { params: { id: "homelab" }, query: { kinds: "signal" } });
    return (events as { summary: string }[]).map(({ summary }) => summary).sort(); // rest-api.md 5
  }

  const expected = Array.from({ length: calls }, (_, index) => `signal ${index + 1}`).sort();

  test("of stdin: what was sent is answered, the log is checkpointed, exit 0", async () => {
    await using directory = await openDirectory();
    await using standalone = await startStdio(directory.env);
    for (let id = 1; id <= calls; id += 1) standalone.send(append(id));
    standalone.endInput();
    expect(await standalone.exited()).toBe(0);
    expect(standalone.stdout().trimEnd().split("\n")).toHaveLength(calls);
    expect(await walBytes(directory.dataDir)).toBe(0);
    expect(await signalsIn(directory.dataDir)).toEqual(expected);
  });

  const ends: [string, (standalone: StdioProcess) => void][] = [
    ["stdin", (standalone) => standalone.endInput()],
    ["SIGTERM", (standalone) => standalone.kill("SIGTERM")],
    ["SIGINT", (standalone) => standalone.kill("SIGINT")],
  ];
  test.each(ends)("by %s: a wait answers as if its time were up, checkpointed, exit 0", async (_name, end) => {
    await using directory = await openDirectory();
    await using standalone = await startStdio(directory.env);
    await standalone.call(1, "signal_append", { project_id: "homelab", kind: "signal", summary: "signal 1" });
    standalone.send(wait(2));
    // Answered after the wait was read.
    await standalone.call(3, "whoami");
    end(standalone);
    expect(await standalone.exited()).toBe(0);
    expect(await standalone.answer(2)).toMatchObject({ result: { structuredContent: { items: [] } } });
    expect(await walBytes(directory.dataDir)).toBe(0);
    expect(await signalsIn(directory.dataDir)).toEqual(["signal 1"]);
  });

  test("a wait that was cancelled before is answered no more", async () => {
    await using directory = await openDirectory();
    await using standalone = await startStdio({ ...directory.env, HUB_LOG: "warn" });
    standalone.send(wait(2));
    standalone.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } });
    await standalone.call(3, "whoami");
    standalone.endInput();
    expect(await standalone.exited()).toBe(0);
    expect(standalone.stdout().trimEnd().split("\n")).toHaveLength(1);
    expect(standalone.stderr()).toBe(announcement(directory.dataDir));
  });

  test("by SIGKILL: what was answered is there, and a hub opens the directory", async () => {
    await using directory = await openDirectory();
    await using standalone = await startStdio(directory.env);
    for (let id = 1; id <= calls; id += 1) {
      await standalone.call(id, "signal_append", { project_id: "homelab", kind: "signal", summary: `signal ${id}` });
    }
    standalone.kill("SIGKILL");
    expect(await standalone.exited()).toBeNull();
    expect(await signalsIn(directory.dataDir)).toEqual(expected);
  });
});

test("stdout holds JSON-RPC and nothing else, whatever is logged and whatever is sent", async () => {
  await using directory = await openDirectory();
  await using standalone = await startStdio({ ...directory.env, HUB_LOG: "trace" });
  const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } };
  standalone.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize });
  standalone.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  standalone.send("not json");
  standalone.send("");
  standalone.send({ jsonrpc: "2.0", id: 2, method: "no/such/method" });
  standalone.send({ jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "no_such_tool" } });
  standalone.send({ jsonrpc: "2.0", id: 4, method: "resources/read", params: { uri: "agenthub://nowhere" } });
  standalone.send({ jsonrpc: "2.0", id: 5, method: "tools/call", params: { name: "feed_read", arguments: {} } });
  standalone.send([{ jsonrpc: "2.0", id: 6, method: "ping" }]);
  standalone.endInput();
  expect(await standalone.exited()).toBe(0);
  const messages: unknown[] = standalone
    .stdout()
    .trimEnd()
    .split("\n")
    .flatMap((line) => JSON.parse(line));
  expect(messages.every((message) => isObject(message) && message["jsonrpc"] === "2.0")).toBe(true);
  const ids = messages.map((message) => (isObject(message) ? message["id"] : undefined));
  expect(ids.toSorted()).toEqual([1, 2, 3, 4, 5, 6, null].toSorted());
});
