// Forty proxies whose harness is killed: no process stays, no connection to the hub, and nobody has to clean up. A
// harness that crashes cannot say goodbye, so what ends a proxy is the end of its stdin.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { createAgent } from "../support/agents.ts";
import { binaryPath, cleanEnv, collect, type RunningHub, startHub, TempDir } from "../support/binary.ts";
import { operate } from "../support/operator.ts";
import { track, within } from "../support/processes.ts";

// A bound, not a wait: eighty processes start slowly on a busy machine.
setDefaultTimeout(180_000);

const proxies = 40;
const writesEach = 3;
const boundMs = 90_000;

/** What the harness does with its proxies once each has answered `whoami`. */
const modes = {
  idle: "nothing",
  "under load": "one write after the other, beside a wait",
} as const;
type Mode = keyof typeof modes;

// A harness that starts its proxies, talks to them and never ends by itself. It prints the pids, then `ready`.
const harness = `
  const [binary, count, mode] = process.argv.slice(1);
  const call = (id, name, args) =>
    JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } }) + "\\n";
  const ready = [];
  const pids = [];
  for (let index = 0; index < Number(count); index += 1) {
    const child = Bun.spawn([binary, "mcp"], { stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    pids.push(child.pid);
    const say = (line) => { child.stdin.write(line); child.stdin.flush(); };
    say(call(1, "whoami", {}));
    const { promise, resolve } = Promise.withResolvers();
    ready.push(promise);
    void (async () => {
      let id = 2;
      for await (const _chunk of child.stdout) {
        resolve();
        if (mode !== "under load") continue;
        if (id === 2) say(call(id++, "inbox_wait", { wait_seconds: 55 }));
        say(call(id++, "signal_append", { project_id: "busy", kind: "signal", summary: "from " + index }));
      }
    })();
  }
  await Bun.write(Bun.stdout, pids.join(" ") + "\\n");
  await Promise.all(ready);
  await Bun.write(Bun.stdout, "ready\\n");
  setInterval(() => undefined, 60_000);
`;

/** True while the process runs; one that only waits to be reaped does not. */
async function isRunning(pid: number): Promise<boolean> {
  try {
    const text = await readFile(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(text.slice(text.lastIndexOf(")") + 2));
  } catch {
    return false; // no such process
  }
}

/** Sockets a process holds: its listener, and each connection. */
async function socketsOf(pid: number): Promise<number> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all(
    (await readdir(folder)).map((fd) => readlink(join(folder, fd)).catch(() => "")), // closed meanwhile
  );
  return links.filter((link) => link.startsWith("socket:")).length;
}

async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + boundMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${boundMs} ms`);
    await Bun.sleep(20);
  }
}

let hub: RunningHub;
let home: TempDir;
let token: string;

beforeAll(async () => {
  home = await TempDir.create();
  hub = await startHub();
  token = await createAgent(hub, "worker");
  await operate(hub, "createProject", { body: { id: "busy", display_name: "Busy" } });
});
afterAll(async () => {
  await hub?.[Symbol.asyncDispose]();
  await home?.[Symbol.asyncDispose]();
});

/** Starts the harness in an environment in which its proxies find the hub, or a data directory of their own. */
function startHarness(count: number, mode: Mode, env: Record<string, string>) {
  const child = track(
    Bun.spawn([process.execPath, "-e", harness, binaryPath, String(count), mode], {
      env: { PATH: process.env["PATH"] ?? "", ...cleanEnv(home.path), ...env },
      cwd: home.path,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  return { child, output: collect(child.stdout) };
}

/** Writes that landed, by the proxy that sent them. */
async function writesByProxy(): Promise<Map<string, number>> {
  const { events } = await operate(hub, "listProjectFeed", { params: { id: "busy" }, query: { limit: "500" } });
  const counts = new Map<string, number>();
  // The members of an event by contract, mcp-tools.md 8.1.
  for (const { summary } of events as { summary: string }[]) counts.set(summary, (counts.get(summary) ?? 0) + 1);
  return counts;
}

describe.each(Object.keys(modes) as Mode[])("%s", (mode) => {
  test("proxies leave nothing behind when their parent is killed", async () => {
    const socketsBefore = await socketsOf(hub.pid);
    const { child, output } = startHarness(proxies, mode, { HUB_URL: hub.url, HUB_TOKEN: token });
    const pids: number[] = [];
    try {
      const match = await within(boundMs, "pids of the proxies", output.match(/^([\d ]+)\n/));
      pids.push(...(match?.[1] ?? "").split(" ").map(Number));
      expect(pids).toHaveLength(proxies);
      await within(boundMs, "an answer to each proxy", output.match(/^ready$/m));
      if (mode === "under load") {
        await eventually("a few writes of each proxy", async () => {
          const counts = await writesByProxy();
          return counts.size === proxies && [...counts.values()].every((count) => count >= writesEach);
        });
        // A wait of each is open on the hub.
        expect(await socketsOf(hub.pid)).toBeGreaterThanOrEqual(proxies);
      }
      for (const pid of pids) expect(await isRunning(pid), `proxy ${pid}`).toBe(true);

      child.kill("SIGKILL");
      await child.exited;

      await eventually("the end of every proxy", async () => {
        const running = await Promise.all(pids.map(isRunning));
        return !running.includes(true);
      });
      await eventually("the end of every connection", async () => (await socketsOf(hub.pid)) <= socketsBefore);
      // The hub is as it was, and so is the agent.
      expect((await fetch(`${hub.url}/readyz`, { keepalive: false })).status).toBe(200);
      expect(await operate(hub, "listAgents")).toMatchObject({ agents: [{ id: "worker", token_live: true }] });
    } finally {
      child.kill("SIGKILL");
      for (const pid of pids) if (await isRunning(pid)) process.kill(pid, "SIGKILL");
    }
  });
});

test("a standalone hub whose parent is killed gives its directory free", async () => {
  const dataDir = join(home.path, "standalone");
  const { child, output } = startHarness(1, "idle", { HUB_DATA_DIR: dataDir });
  let pid = 0;
  try {
    pid = Number((await within(boundMs, "pid", output.match(/^(\d+)\n/)))?.[1]);
    await within(boundMs, "an answer", output.match(/^ready$/m));
    child.kill("SIGKILL");
    await child.exited;
    await eventually("its end", async () => !(await isRunning(pid)));
    await using next = await startHub({ dataDir });
    expect((await fetch(`${next.url}/readyz`)).status).toBe(200);
  } finally {
    child.kill("SIGKILL");
    if (pid > 0 && (await isRunning(pid))) process.kill(pid, "SIGKILL");
  }
});
