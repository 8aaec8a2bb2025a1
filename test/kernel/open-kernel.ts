// A kernel on a real store in a temporary directory, without the product's features.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hubConfig } from "../../src/config/hub.ts";
import { loadSettings } from "../../src/config/load.ts";
import { replayStore } from "../../src/features/events/index.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Call, Ctx } from "../../src/kernel/ctx.ts";
import type { FactListener } from "../../src/kernel/facts.ts";
import { createKernel, type Kernel } from "../../src/kernel/kernel.ts";
import { createLog } from "../../src/kernel/log.ts";
import type { Part } from "../../src/kernel/parts.ts";
import { type OpenDatabase, openDatabase } from "../../src/storage/database.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";

export type OpenKernel = AsyncDisposable & {
  readonly kernel: Kernel;
  readonly storage: Storage;
  readonly log: string[];
  /** Another connection, which sees only what is committed. */
  readonly reader: OpenDatabase;
  ctx(call?: Partial<Call>): Ctx;
  /** Rows of the table the tests write to, as committed. */
  marks(): Record<string, number>;
};

export type KernelOptions = { listeners?: readonly FactListener[]; parts?: readonly Part[]; clock?: Clock };

export async function openKernel({
  listeners = [],
  parts = [],
  clock = Date.now,
}: KernelOptions = {}): Promise<OpenKernel> {
  const folder = await mkdtemp(join(tmpdir(), "agent-hub-test-"));
  const dataDir = join(folder, "data");
  const config = hubConfig(await loadSettings({ HUB_DATA_DIR: dataDir, HOME: folder }));
  const lines: string[] = [];
  const log = createLog("trace", (line) => lines.push(line));
  const storage = openStorage({
    dataDir,
    now: clock,
    warn: log.warn,
    error: (message, detail) => log.error(message, { detail }),
  });
  const kernel = createKernel({ storage, config, clock, log, listeners, parts, replay: replayStore, idSeedMs: 0 });
  const reader = openDatabase(join(dataDir, "hub.db"), { readonly: true });
  return {
    kernel,
    storage,
    log: lines,
    reader,
    ctx: (call = {}) =>
      kernel.ctx({
        principal: { kind: "agent", actor: "ann", tokenId: "t" },
        connection: null,
        origin: "http://hub.test",
        signal: new AbortController().signal,
        progress: null,
        ...call,
      }),
    marks: () =>
      Object.fromEntries(
        reader
          .all<{ name: string; value: number }>("SELECT name, value FROM marks ORDER BY name")
          .map(({ name, value }) => [name, value]),
      ),
    async [Symbol.asyncDispose]() {
      reader.close();
      await kernel.services.touches.flush();
      await storage.close(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Looks again, a turn later each time, until it holds; fails after a bound. */
export async function until(what: string, holds: () => boolean, boundMs = 10_000): Promise<void> {
  const end = Date.now() + boundMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within ${boundMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
