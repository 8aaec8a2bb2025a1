// Backups of the compiled binary at work: thirty-two writers never stop for one, what was acknowledged before it began is
// in it, and a hub that is killed in the middle of one leaves nothing that looks like a backup.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createAgent } from "../support/agents.ts";
import { type RunningHub, run, startHub, TempDir } from "../support/binary.ts";
import { appears } from "../support/folder-watch.ts";
import { agentOverHttp, type McpAgent } from "../support/mcp-agents.ts";
import { operate, request } from "../support/operator.ts";

// A bound, not a wait: thousands of synced files take their time on a busy machine.
setDefaultTimeout(180_000);

const writers = 32;
const agentNames = ["ada", "ben", "cy", "dee"];
const filesBefore = 160;
const fileText = (index: number): string => `file ${index} ${"x".repeat(20_000)}`;

type Written = { agent: number; path: string; version: string };

let folder: TempDir;
let hub: RunningHub;
let agents: McpAgent[];
let env: Record<string, string>;
const tokens: string[] = [];
const acknowledged: Written[] = [];

beforeAll(async () => {
  folder = await TempDir.create();
  mkdirSync(join(folder.path, "backups"));
  env = { HUB_BACKUP_DIR: join(folder.path, "backups"), HUB_LOG: "info", HUB_SWEEP_INTERVAL_SECS: "1" };
  hub = await startHub({ env, dataDir: join(folder.path, "data") });
  await operate(hub, "createProject", { body: { id: "shed", display_name: "Shed" } });
  for (const name of agentNames) tokens.push(await createAgent(hub, name));
  agents = await connect(hub);
  for (const agent of agents) await agent.call("session_start", { project_id: "shed", session_name: "work" });
  await Promise.all(
    Array.from({ length: filesBefore }, (_, index) =>
      put(index % agents.length, `/fs/before/${index}.md`, fileText(index)),
    ),
  );
});
afterAll(async () => {
  for (const agent of agents) await agent[Symbol.asyncDispose]();
  await hub?.[Symbol.asyncDispose]();
  await folder?.[Symbol.asyncDispose]();
});

const backups = (): string => env["HUB_BACKUP_DIR"] ?? "";
const connect = (to: RunningHub): Promise<McpAgent[]> =>
  Promise.all(tokens.map((token) => agentOverHttp(to.url, token, "2025")));

async function put(agent: number, path: string, content: string): Promise<void> {
  const { version } = (await agents[agent]?.call("brain_put", { store: "session", path, content })) ?? {};
  acknowledged.push({ agent, path, version: String(version) });
}

/** Thirty-two writers that go on until they are told to stop; each write is acknowledged before the next. */
function startWriters(): { written(): number[]; stop(): Promise<void> } {
  let isOver = false;
  const counts = Array.from({ length: writers }, () => 0);
  const running = counts.map(async (_, writer) => {
    for (let n = 0; !isOver; n += 1) {
      const kind = n % 2 === 0 ? "fs" : "kv";
      await put(writer % agents.length, `/${kind}/during/${writer}-${n}`, `${kind} ${writer} ${n}`);
      counts[writer] = n + 1;
    }
  });
  return {
    written: () => [...counts],
    async stop() {
      isOver = true;
      await Promise.all(running);
    },
  };
}

/** Every value of a list is served with the bytes its version names. */
async function expectServed(from: McpAgent[], list: readonly Written[], session: string): Promise<void> {
  for (const { agent, path, version } of list) {
    const got = (await from[agent]?.call("brain_get", {
      path,
      session: { agent: agentNames[agent] ?? "", name: session, project_id: "shed" },
    })) ?? { content: "" };
    const hash = createHash("sha256").update(String(got["content"])).digest("hex");
    expect([path, got["version"], `sha256:${hash}`]).toEqual([path, version, version]);
  }
}

describe("a backup while 32 writers write", () => {
  test("stops none of them, and restores to all that was acknowledged before it began", async () => {
    const load = startWriters();
    const taken = appears(backups(), /\.partial$/).then(() => load.written());
    const before = [...acknowledged];
    const answer = await operate(hub, "takeBackup");
    const [atStart, atEnd] = [await taken, load.written()];
    await load.stop();
    // Nobody waited for its end: each of them was answered while it ran.
    expect(atEnd.filter((count, writer) => count <= (atStart[writer] ?? 0))).toEqual([]);

    const path = String(answer["path"]);
    const checked = await run(["check", "--data-dir", path]);
    expect([checked.code, checked.stderr]).toEqual([0, ""]);
    const restored = join(folder.path, "restored");
    const { code, stdout } = await run(["restore", "--from", path, "--data-dir", restored]);
    const { files, bytes } = Object(answer["manifest"]);
    expect([code, stdout]).toEqual([0, `restored ${files} files, ${bytes} bytes, to ${restored}\n`]);
    expect((await run(["check", "--data-dir", restored])).stdout).toMatch(
      /^checked 1 database and \d+ blobs, no problems\n$/,
    );

    await using second = await startHub({ dataDir: restored });
    const again = await connect(second);
    expect(before.length).toBeGreaterThanOrEqual(filesBefore);
    await expectServed(again, before, "work");
    expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
    // It is a hub like any other: who was in is in, and what comes next is kept.
    await again[0]?.call("signal_append", { project_id: "shed", kind: "signal", summary: "moved house" });
    for (const agent of again) await agent[Symbol.asyncDispose]();
    expect(await second.stop()).toBe(0);
    expect((await run(["doctor", "--data-dir", restored])).code).toBe(0);
  });

  test("the integrity sample of a running hub passes and is told", async () => {
    const scrape = async (): Promise<string> =>
      (await fetch(`${hub.url}/metrics`, { headers: { authorization: `Bearer ${hub.adminToken}` } })).text();
    // The first sweep is a second after the start; each look is a request of its own.
    let text = await scrape();
    for (let look = 0; look < 2000 && !text.includes("agenthub_integrity_ok "); look += 1) text = await scrape();
    expect(text).toContain("\nagenthub_integrity_ok 1\n");
    expect(text).toContain("\nagenthub_integrity_failures_total 0\n");
  });
});

describe("a hub that is killed in the middle of a backup", () => {
  test("leaves no backup, loses no write, and cleans up at the next one", async () => {
    const older = readdirSync(backups());
    const asked = request(hub.url, hub.adminToken, "takeBackup").catch((error: unknown) => String(error));
    const partial = await appears(backups(), /\.partial$/);
    expect(await hub.kill()).toBe(137);
    await asked;
    expect(readdirSync(backups()).sort()).toEqual([...older, partial].sort());
    const half = join(backups(), partial);
    const refused = await run(["restore", "--from", half, "--data-dir", join(folder.path, "never")]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is not a backup")]);

    hub = await startHub({ env, dataDir: hub.dataDir, port: hub.port });
    for (const agent of agents) await agent[Symbol.asyncDispose]();
    agents = await connect(hub);
    await expectServed(agents, acknowledged.slice(-200), "work");
    const { path } = await operate(hub, "takeBackup");
    expect(readdirSync(backups()).filter((name) => name.endsWith(".partial"))).toEqual([]);
    expect((await run(["check", "--data-dir", String(path)])).code).toBe(0);
    expect(hub.stderr()).toMatch(/ info backup taken path=\S+ files=\d+ bytes=\d+ duration_ms=\d+\n/);
  });

  test("and one that is stopped abandons it, cleans up itself, and ends with 0", async () => {
    const older = readdirSync(backups());
    const asked = request(hub.url, hub.adminToken, "takeBackup").catch((error: unknown) => String(error));
    await appears(backups(), /\.partial$/);
    expect(await hub.stop()).toBe(0);
    await asked;
    const left = readdirSync(backups());
    expect(left.filter((name) => name.endsWith(".partial"))).toEqual([]);
    // It was finished in the ten seconds a request has, or it is not there at all.
    for (const name of left.filter((each) => !older.includes(each))) {
      expect((await run(["check", "--data-dir", join(backups(), name)])).code).toBe(0);
    }
  });

  test("the same binary backs up, checks and restores without a hub, by the words of its help", async () => {
    const out = join(folder.path, "offline");
    const backup = await run(["backup", "--out", out, "--data-dir", hub.dataDir]);
    expect([backup.code, backup.stderr]).toEqual([0, ""]);
    expect(backup.stdout).toMatch(/^backed up \d+ files, \d+ bytes, schema \d+, to .*\/offline\n$/);
    expect((await run(["restore", "--from", out, "--data-dir", hub.dataDir, "--force"])).code).toBe(0);
    hub = await startHub({ env, dataDir: hub.dataDir, port: hub.port });
    const again = await connect(hub);
    await expectServed(again, acknowledged.slice(0, 50), "work");
    for (const agent of again) await agent[Symbol.asyncDispose]();
    const held = await run(["backup", "--out", join(folder.path, "held"), "--data-dir", hub.dataDir]);
    expect([held.code, held.stderr]).toEqual([
      1,
      "agent-hub: a hub is using this data directory; use backup --url, stop the hub, or snapshot the volume\n",
    ]);
  });
});
