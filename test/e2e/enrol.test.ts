// Enrolment with the binary on both sides: from nothing to a call, through restarts, crashes and expiry (cli.md 7,
// rest-api.md 10).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { binaryPath, cleanEnv, collect, type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { operate, request } from "../support/operator.ts";
import { runCommand, track, within } from "../support/processes.ts";

const boundMs = 60_000;
let home: TempDir;
let data: TempDir;
beforeEach(async () => {
  home = await TempDir.create();
  data = await TempDir.create();
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
});

function startEnrol(url: string, ...args: string[]) {
  const child = track(
    Bun.spawn([binaryPath, "enrol", "--url", url, ...args], {
      env: { PATH: process.env["PATH"] ?? "", ...cleanEnv(home.path) },
      cwd: home.path,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    }),
  );
  const [output, errors] = [collect(child.stdout), collect(child.stderr)];
  return {
    child,
    waiting: () => within(boundMs, "the wait of the client", errors.match(/is waiting for the operator/)),
    async ended() {
      await within(boundMs, "end of the client", child.exited, () => child.kill("SIGKILL"));
      await Promise.all([output.done, errors.done]);
      return { code: child.exitCode, signal: child.signalCode, stdout: output.text(), stderr: errors.text() };
    },
  };
}

const cli = (...args: string[]) => runCommand([binaryPath, ...args], { env: cleanEnv(home.path), cwd: home.path });
const configFile = (): string => join(home.path, ".config/agent-hub/config.toml");

test(
  "an agent asks, is let in, and works, with nothing configured but where the hub is",
  async () => {
    await using hub = await startHub({ dataDir: join(data.path, "d") });
    const enrolling = startEnrol(hub.url, "to build the shed", "--name", "Ada");
    await enrolling.waiting();
    await operate(hub, "admitAgent", { params: { agent_id: "ada" } });
    const ended = await enrolling.ended();
    expect([ended.code, ended.stdout.split("\n")[0]]).toEqual([0, "Enrolment approved: agent 'ada'."]);
    expect((await stat(configFile())).mode & 0o777).toBe(0o600);
    expect(JSON.parse((await cli("call", "whoami")).stdout)).toMatchObject({ actor: "ada", admin: false });
    expect((await cli("projects", "create", "--id", "shed")).code).toBe(0);
    expect((await cli("projects", "list", "--plain")).stdout).toContain("shed  shed\n");
    expect((await cli("projects", "delete", "--id", "shed")).code).toBe(77);
    const token = /token = "(\w+)"/.exec(await readFile(configFile(), "utf8"))?.[1] ?? "";
    expect([ended.stderr.includes(token), ended.stdout.includes(token), hub.stderr().includes(token)]).toEqual([
      false,
      false,
      false,
    ]);
  },
  boundMs,
);

test(
  "the wait outlives a restart of the hub, and an interruption of its own",
  async () => {
    const dataDir = join(data.path, "d");
    const first = await startHub({ dataDir });
    const { port } = first;
    const enrolling = startEnrol(first.url, "--id", "ada");
    await enrolling.waiting();
    expect(await first.stop()).toBe(0);
    await first[Symbol.asyncDispose]();
    await using second = await startHub({ dataDir, port });
    enrolling.child.kill("SIGINT");
    expect((await enrolling.ended()).signal).toBe("SIGINT");
    const resumed = startEnrol(second.url);
    await resumed.waiting();
    await operate(second, "admitAgent", { params: { agent_id: "ada" } });
    expect((await resumed.ended()).code).toBe(0);
  },
  boundMs,
);

test(
  "a request nobody decides ends by itself: the client with 77, the hub without a trace",
  async () => {
    const env = { HUB_ENROL_PENDING_TTL_SECS: "2", HUB_SWEEP_INTERVAL_SECS: "1" };
    await using hub = await startHub({ dataDir: join(data.path, "d"), env });
    const ended = await startEnrol(hub.url, "--id", "ada").ended();
    expect([ended.code, ended.stdout]).toEqual([77, ""]);
    expect(await operate(hub, "listAgents")).toEqual({ agents: [] });
    expect(await operate(hub, "listProjects")).toEqual({ projects: [] });
  },
  boundMs,
);

describe("a hub that is killed while the operator decides", () => {
  async function isWhole(hub: RunningHub, id: string, token: string): Promise<string> {
    const { agents } = await operate(hub, "listAgents");
    const agent = (Array.isArray(agents) ? agents : []).map(Object).find((each) => each.id === id);
    const status = await fetch(`${hub.url}/api/v1/enrol/status?wait=0`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const inbox = await operate(hub, "listInbox", { query: { actor: id } });
    const items = (Array.isArray(inbox["items"]) ? inbox["items"] : []).map(Object);
    if (agent === undefined) {
      expect([status.status, items]).toEqual([401, []]);
      return "gone";
    }
    const audit = await operate(hub, "listProjectFeed", {
      params: { id: agent.personal_project_id },
      query: { kinds: "system" },
    });
    const isIn = agent.state === "active";
    expect(await status.json()).toMatchObject({ status: isIn ? "approved" : "pending" });
    expect(items.map(({ status: state }) => state)).toEqual([isIn ? "resolved" : "action"]);
    expect(Array.isArray(audit["events"]) ? audit["events"].length : 0).toBe(isIn ? 1 : 0);
    return agent.state;
  }

  test.each(["admitAgent", "refuseAgent"] as const)(
    "%s: it is done wholly or not at all",
    async (call) => {
      const dataDir = join(data.path, "d");
      const outcomes = new Set<string>();
      for (let round = 0; round < 5; round += 1) {
        const id = `racer-${round}`;
        const hub = await startHub({
          dataDir,
          env: { HUB_ADMIN_TOKEN: "of-the-operator", HUB_TRUST_PROXY: "127.0.0.1" },
        });
        const asked = await fetch(`${hub.url}/api/v1/enrol`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-forwarded-for": `10.0.0.${round}` },
          body: JSON.stringify({ display_name: id, why: "to race" }),
        });
        const { token } = Object(await asked.json());
        const deciding = request(hub.url, hub.adminToken, call, { params: { agent_id: id } }).catch(() => undefined);
        // Sooner each round, so that the kill falls before, into and behind the write.
        if (round < 2) await Promise.race([deciding, Bun.sleep(2 * round)]);
        else await deciding;
        await hub.kill();
        const answer = await deciding;
        await hub[Symbol.asyncDispose]();
        await using again = await startHub({ dataDir, env: { HUB_ADMIN_TOKEN: "of-the-operator" } });
        const outcome = await isWhole(again, id, token);
        outcomes.add(outcome);
        // What was acknowledged stands.
        if (answer !== undefined) expect(outcome).toBe(call === "admitAgent" ? "active" : "gone");
      }
      expect(outcomes.size).toBeGreaterThan(0);
    },
    2 * boundMs,
  );
});

test(
  "what the client says of itself it says without loading what it does not need",
  async () => {
    for (const command of ["enrol", "projects"]) {
      const help = await cli(command, "--help");
      expect([help.code, help.stderr, help.stdout.startsWith(`usage: agent-hub ${command} `)]).toEqual([0, "", true]);
      expect((await cli("help", command)).stdout).toBe(help.stdout);
    }
    const ended = await cli("--help");
    expect(ended.stdout).toMatch(/agent-hub enrol \[why\] \[options\] +ask for an identity and wait for the operator/);
  },
  boundMs,
);
