// A real hub in this process on a temporary data directory: real store, real operations; only the clock may be faked.
import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hubConfig } from "../../src/config/hub.ts";
import { loadSettings } from "../../src/config/load.ts";
import type { HubConfig } from "../../src/config/settings.ts";
import { settleIndex } from "../../src/features/search/settle.ts";
import type { Call, ConnectionRef, Principal } from "../../src/kernel/ctx.ts";
import { createLog } from "../../src/kernel/log.ts";
import { type Listener, startListener } from "../../src/server/http/listener.ts";
import { type Hub, openHub } from "../../src/server/hub.ts";
import type { CallName } from "../../src/shared/api.ts";
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { expectDescribed } from "./described-answers.ts";

/** A clock that stands still until it is told to move. Milliseconds. */
export type TestClock = { now: number };

export type CallOptions = { connection?: string; signal?: AbortSignal };

/** One caller. `call` goes through the tool binding, so through shape, access, transaction and presentation. */
export type Caller = {
  readonly actor: string;
  /** Plain token of an agent, for tests over HTTP. */
  readonly token: string;
  /** @throws HubError as the surface would show it */
  call(tool: string, args?: object, options?: CallOptions): Promise<JsonObject>;
};

export type TestHub = AsyncDisposable & {
  readonly hub: Hub;
  readonly dataDir: string;
  readonly clock: TestClock;
  readonly log: string[];
  readonly operator: Caller;
  /** One REST call of the shared table as the operator, without HTTP. @throws HubError */
  rest(
    call: CallName,
    request?: { params?: Record<string, string>; query?: object; body?: unknown },
  ): Promise<JsonObject>;
  project(id: string, options?: { confidential?: boolean }): Promise<string>;
  agent(id: string): Promise<Caller>;
  /** Opens a connection of the caller, so that session_start binds. */
  connect(caller: Caller): Promise<string>;
  /** Starts the listener, once, and returns its address. */
  listen(): Promise<string>;
  /** Hash of every table's rows and the list of blob files: equal before and after means no trace. */
  snapshot(): Promise<string>;
  /** Closes the hub and opens it again on the same data directory. */
  reopen(): Promise<void>;
};

export type TestHubOptions = { config?: Partial<HubConfig>; startAt?: number; dataDir?: string };

const defaultStart = Date.UTC(2026, 0, 2, 3, 4, 5);

export async function openTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const folder = await mkdtemp(join(tmpdir(), "agent-hub-test-"));
  const dataDir = options.dataDir ?? join(folder, "data");
  const clock: TestClock = { now: options.startAt ?? defaultStart };
  const log: string[] = [];
  const config: HubConfig = {
    ...hubConfig(await loadSettings({ HUB_DATA_DIR: dataDir, HUB_BIND: "127.0.0.1:0", HOME: folder })),
    ...options.config,
  };
  const open = (): Promise<Hub> =>
    openHub({ config, log: createLog("trace", (line) => log.push(line)), clock: () => clock.now, hasListener: true });
  let hub = await open();
  let listener: Listener | undefined;

  function caller(principal: Principal, token: string): Caller {
    return {
      actor: principal.actor,
      token,
      async call(name, args = {}, { connection, signal } = {}) {
        const tool = hub.tools.find((candidate) => candidate.name === name);
        if (tool === undefined) throw new Error(`no tool ${name}`);
        const ref: ConnectionRef | null =
          connection === undefined ? null : { identity: principal.actor, id: connection };
        // Presenters return plain JSON objects.
        return (await tool.call(args, hub.kernel.ctx(callOf(principal, ref, signal)))) as JsonObject;
      },
    };
  }

  const operatorPrincipal: Principal = { kind: "operator", actor: "human", tokenId: null };

  const test: TestHub = {
    get hub() {
      return hub;
    },
    dataDir,
    clock,
    log,
    operator: caller(operatorPrincipal, hub.adminToken?.token ?? ""),
    async rest(name, { params = {}, query = {}, body } = {}) {
      const route = hub.routes.find((candidate) => candidate.call === name);
      if (route === undefined) throw new Error(`no route ${name}`);
      const ctx = hub.kernel.ctx(callOf(operatorPrincipal, null));
      const answer = await route.handle({ params, query: { ...query }, body }, ctx);
      expectDescribed(name, answer.body);
      return isObject(answer.body) ? (JSON.parse(JSON.stringify(answer.body)) as JsonObject) : {}; // made of JSON
    },
    async project(id, { confidential = false } = {}) {
      await test.rest("createProject", { body: { id, display_name: `Project ${id}`, confidential } });
      return id;
    },
    async agent(id) {
      await test.rest("createAgent", { body: { id, display_name: `Agent ${id}` } });
      const { token } = await test.rest("issueToken", { params: { id } });
      return caller({ kind: "agent", actor: id, tokenId: "test" }, String(token));
    },
    async connect(of) {
      const id = crypto.randomUUID();
      await hub.kernel.services.write((tx) => {
        tx.db.run(
          "INSERT INTO connections (identity, id, created_at, last_used_at) VALUES (?, ?, ?, ?)",
          of.actor,
          id,
          tx.now,
          tx.now,
        );
      });
      return id;
    },
    async listen() {
      listener ??= startListener(hub);
      return listener.url;
    },
    async snapshot() {
      await hub.kernel.services.touches.flush();
      // What waits for the index is taken in at any time; nothing else may differ between two snapshots.
      await settleIndex(hub.kernel.services);
      const { db } = hub.kernel.services;
      const hash = createHash("sha256");
      const tables = db.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
      for (const { name } of tables) hash.update(`${name}\n${JSON.stringify(db.all(`SELECT * FROM "${name}"`))}\n`);
      const blobs = await readdir(join(dataDir, "blobs"), { recursive: true });
      hash.update(blobs.sort().join("\n"));
      return hash.digest("hex");
    },
    async reopen() {
      await close();
      hub = await open();
    },
    async [Symbol.asyncDispose]() {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };

  async function close(): Promise<void> {
    await listener?.stop(AbortSignal.abort());
    listener = undefined;
    await hub[Symbol.asyncDispose]();
  }
  return test;
}

function callOf(principal: Principal, connection: ConnectionRef | null, signal?: AbortSignal): Call {
  return {
    principal,
    connection,
    origin: "http://hub.test",
    signal: signal ?? new AbortController().signal,
    progress: null,
  };
}
