// The hub as one object: starting, stopping, and what must hold in between.
import { describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hubConfig } from "../../src/config/hub.ts";
import { loadSettings } from "../../src/config/load.ts";
import type { HubConfig } from "../../src/config/settings.ts";
import { createLog } from "../../src/kernel/log.ts";
import { type Hub, openHub } from "../../src/server/hub.ts";
import { calls } from "../../src/shared/api.ts";
import { lowestUlidAt } from "../../src/shared/ids.ts";
import { DataDirHeldError, takeLock } from "../../src/storage/lock.ts";
import { openTestHub, type TestHub } from "../support/hub.ts";
import { within } from "../support/processes.ts";

const boundMs = 20_000;

/** A hub on the data directory of a test that has closed its own, or without a listener. */
async function openOn(dataDir: string, { hasListener = true, env = {} as Record<string, string> } = {}): Promise<Hub> {
  const config: HubConfig = hubConfig(
    await loadSettings({ HUB_DATA_DIR: dataDir, HUB_BIND: "127.0.0.1:0", HOME: dataDir, ...env }),
  );
  return openHub({ config, log: createLog("off", () => undefined), hasListener });
}

/** A directory that goes with the test, and no hub on it. */
async function emptyFolder(): Promise<{ dataDir: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), "agent-hub-test-"));
  return {
    dataDir: join(folder, "data"),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

function insertMark(test: TestHub, name: string): Promise<number> {
  return test.hub.kernel.services.write((tx) => tx.db.run("INSERT INTO marks (name, value) VALUES (?, 1)", name));
}

describe("starting and stopping", () => {
  test("over and over on one directory keeps what was acknowledged and leaves one store file", async () => {
    await using test = await openTestHub();
    await test.project("p");
    for (let round = 1; round <= 5; round += 1) {
      const ann = await test.agent(`ann-${round}`);
      await ann.call("signal_append", { project_id: "p", kind: "signal", summary: `round ${round}` });
      await test.reopen();
      const { events } = await ann.call("feed_read", { project_id: "p" });
      expect(events).toHaveLength(round);
    }
    await test.hub[Symbol.asyncDispose]();
    const files = (await readdir(test.dataDir)).filter((name) => name.startsWith("hub.db"));
    expect(files).toEqual(["hub.db"]);
  });

  test("a second hub is refused while one runs, and not after it closed", async () => {
    await using test = await openTestHub();
    await expect(openOn(test.dataDir)).rejects.toBeInstanceOf(DataDirHeldError);
    await test.hub[Symbol.asyncDispose]();
    using _lock = takeLock(join(test.dataDir, "hub.lock"), test.dataDir);
  });

  test("closing twice is closing once", async () => {
    await using test = await openTestHub();
    await Promise.all([test.hub[Symbol.asyncDispose](), test.hub[Symbol.asyncDispose]()]);
    expect(test.log.filter((line) => /warn|error/.test(line))).toEqual([]);
  });

  test("what is queued when it closes is written, what comes later is refused, and nothing hangs", async () => {
    await using test = await openTestHub();
    const queued = Array.from({ length: 200 }, (_, index) => insertMark(test, `mark ${index}`));
    const closed = Promise.resolve(test.hub[Symbol.asyncDispose]());
    const outcome = await within(boundMs, "every answer", Promise.allSettled(queued));
    await within(boundMs, "close", closed);
    expect(new Set(outcome.map(({ status }) => status))).toEqual(new Set(["fulfilled"]));
    await expect(insertMark(test, "late")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("shutting down"),
    });
    await expect(test.rest("listAgents")).rejects.toMatchObject({ code: "unavailable" });
    expect(test.hub.readiness()).toMatchObject({ ready: false });
    await test.reopen();
    const marks = test.hub.kernel.services.db.get<{ n: number }>(
      "SELECT count(*) AS n FROM marks WHERE name LIKE 'mark%'",
    );
    expect(marks?.n).toBe(200);
  });

  test("draining ends waits with an answer, and readiness is red from then on", async () => {
    await using test = await openTestHub();
    const ann = await test.agent("ann");
    expect(test.hub.readiness()).toMatchObject({ ready: true });
    const wait = ann.call("inbox_wait", { wait_seconds: 60 });
    while (test.hub.kernel.bus.size() === 0) await new Promise((resolve) => setImmediate(resolve));
    test.hub.drain();
    expect(await within(boundMs, "answer of the wait", wait)).toMatchObject({ items: [] });
    expect(test.hub.kernel.bus.size()).toBe(0);
    expect(test.hub.readiness()).toEqual({ ready: false, reason: "the hub is shutting down" });
    expect(await within(boundMs, "answer", ann.call("inbox_wait", { wait_seconds: 60 }))).toMatchObject({ items: [] });
  });

  test("activity that was only remembered is written when it closes", async () => {
    await using test = await openTestHub();
    const ann = await test.agent("ann");
    expect(test.hub.authenticator.resolve(ann.token)).toMatchObject({ actor: "ann" });
    await test.reopen();
    const { agents } = await test.rest("listAgents");
    expect(agents).toMatchObject([{ id: "ann", first_seen_at: expect.any(String) }]);
  });
});

describe("an agent stored as `hub`", () => {
  async function storeHubAgent(test: TestHub): Promise<void> {
    await test.hub.kernel.services.write((tx) => {
      const space = `space-${tx.id()}`;
      tx.db.run("INSERT INTO projects (id, display_name, owner_agent, created_at) VALUES (?, 'S', 'hub', 1)", space);
      tx.db.run(
        "INSERT INTO agents (id, display_name, personal_project_id, state, created_at) VALUES ('hub', 'Hub', ?, 'active', 1)",
        space,
      );
      tx.db.run(
        "INSERT INTO tokens (id, agent_id, hash, created_at) VALUES (?, 'hub', ?, 1)",
        tx.id(),
        Bun.SHA256.hash("secret of the hub", "hex"),
      );
    });
  }

  test("loses its token at the next start, once, as any revoked one", async () => {
    await using test = await openTestHub();
    await storeHubAgent(test);
    expect(test.hub.authenticator.resolve("secret of the hub")).toMatchObject({ actor: "hub" });
    for (let start = 0; start < 2; start += 1) {
      await test.reopen();
      expect(test.hub.authenticator.resolve("secret of the hub")).toBeUndefined();
    }
    const { db } = test.hub.kernel.services;
    expect(db.all("SELECT revoked_at FROM tokens WHERE agent_id = 'hub'")).toEqual([{ revoked_at: test.clock.now }]);
    const audits = db.all<{ payload: string }>(
      "SELECT payload FROM events WHERE kind = 'system' AND payload LIKE '%token_revoked%'",
    );
    expect(audits.map(({ payload }) => JSON.parse(payload))).toEqual([{ action: "token_revoked", agent_id: "hub" }]);
  });
});

describe("the admin token", () => {
  test("made by the hub: private, 64 hex digits, the same at every start", async () => {
    await using test = await openTestHub();
    const path = join(test.dataDir, "admin-token");
    const token = test.hub.adminToken?.token ?? "";
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(test.hub.adminToken?.isSelfMade).toBe(true);
    expect(await readFile(path, "utf8")).toBe(`${token}\n`);
    expect(await modeOf(path)).toBe("600");
    await chmod(path, 0o644);
    await test.reopen();
    expect(test.hub.adminToken?.token).toBe(token);
    expect(await modeOf(path)).toBe("600");
    expect(test.hub.authenticator.resolve(token)).toMatchObject({ kind: "operator", actor: "human" });
    expect(test.log.join("")).not.toContain(token);
    expect(await readdir(test.dataDir)).not.toContain("admin-token.new");
  });

  test.each([["nonsense"], [""], ["A".repeat(64)], [`${"a".repeat(64)} b`]])(
    "stored as %j is refused by path, and the directory is free again",
    async (stored) => {
      await using folder = await emptyFolder();
      await mkdir(folder.dataDir, { recursive: true });
      const path = join(folder.dataDir, "admin-token");
      await writeFile(path, stored);
      await expect(openOn(folder.dataDir)).rejects.toThrow(`${path} holds no token of 64 hex digits; remove the file`);
      await rm(path);
      await using hub = await openOn(folder.dataDir);
      expect(hub.adminToken?.isSelfMade).toBe(true);
    },
  );

  test("that a crash left unfinished stands in nobody's way", async () => {
    await using folder = await emptyFolder();
    await mkdir(folder.dataDir, { recursive: true });
    await writeFile(join(folder.dataDir, "admin-token.new"), "ab");
    await using hub = await openOn(folder.dataDir);
    expect(await readFile(join(folder.dataDir, "admin-token"), "utf8")).toBe(`${hub.adminToken?.token}\n`);
    expect(await readdir(folder.dataDir)).not.toContain("admin-token.new");
  });

  test("configured: the file is neither read nor made", async () => {
    await using folder = await emptyFolder();
    const env = { HUB_ADMIN_TOKEN: "chosen by the operator" };
    {
      await using hub = await openOn(folder.dataDir, { env });
      expect(hub.adminToken).toEqual({ token: "chosen by the operator", isSelfMade: false });
      expect(await readdir(folder.dataDir)).not.toContain("admin-token");
    }
    await writeFile(join(folder.dataDir, "admin-token"), "nonsense");
    await using hub = await openOn(folder.dataDir, { env });
    expect(hub.authenticator.resolve("chosen by the operator")).toMatchObject({ kind: "operator" });
    expect(hub.authenticator.resolve("nonsense")).toBeUndefined();
  });

  test("without a listener there is none, and no file", async () => {
    await using folder = await emptyFolder();
    await using hub = await openOn(folder.dataDir, { hasListener: false });
    expect(hub.adminToken).toBeNull();
    expect(await readdir(folder.dataDir)).not.toContain("admin-token");
  });
});

describe("the wiring", () => {
  test("each tool has a name of its own, each call of the table exactly one route", async () => {
    await using test = await openTestHub();
    const names = test.hub.tools.map(({ name }) => name);
    expect(names.length).toBe(new Set(names).size);
    for (const name of names) expect(name).toMatch(/^[a-z_]{1,30}$/);
    const routed: string[] = test.hub.routes.map(({ call }) => call);
    expect(routed.sort()).toEqual(Object.keys(calls).sort());
  });

  test("ids start above the greatest ULID of every table that has one", async () => {
    await using test = await openTestHub();
    await test.project("p");
    const ann = await test.agent("ann");
    await ann.call("session_start", { project_id: "p", session_name: "s" });
    await ann.call("notify_subscribe", { kinds: ["signal"] });
    const { db } = test.hub.kernel.services;
    // Named by people or by clients, not minted.
    const named = ["agents", "connections", "projects"];
    const tables = db
      .all<{ name: string }>(
        `SELECT t.name FROM pragma_table_list t JOIN pragma_table_info(t.name) c ON c.name = 'id'
         WHERE t.type = 'table' AND c.type = 'TEXT' ORDER BY t.name`,
      )
      .map(({ name }) => name)
      .filter((name) => !named.includes(name));
    expect(tables).toEqual(expect.arrayContaining(["events", "sessions", "subscriptions", "tokens"]));
    let newestMs = test.clock.now;
    for (const table of tables) {
      newestMs += 1_000_000;
      const newest = lowestUlidAt(newestMs);
      const moved = await test.hub.kernel.services.write((tx) => {
        tx.db.run("DELETE FROM marks");
        return tx.db.run(`UPDATE ${table} SET id = ? WHERE id = (SELECT max(id) FROM ${table})`, newest);
      });
      // A table that this test writes no row to proves nothing; the ones above are those it does.
      if (moved === 0) continue;
      await test.reopen();
      const minted = await test.hub.kernel.services.write((tx) => tx.id());
      expect(`${table} ${minted > newest}`).toBe(`${table} true`);
    }
  });
});
