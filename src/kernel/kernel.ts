// Binds storage, clock, bus and facts into the one way to write.
import type { HubConfig } from "../config/settings.ts";
import type { Storage } from "../storage/storage.ts";
import { type Bus, createBus } from "./bus.ts";
import type { Clock } from "./clock.ts";
import type { Call, Ctx, Services, Tx } from "./ctx.ts";
import { createFacts, type FactListener } from "./facts.ts";
import { createIds, type Ids } from "./ids.ts";
import type { Log } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { ReplayStore } from "./operation.ts";
import { createParts, type Part } from "./parts.ts";
import { createTouches } from "./touches.ts";

export type KernelOptions = {
  storage: Storage;
  config: HubConfig;
  clock: Clock;
  log: Log;
  listeners: readonly FactListener[];
  parts: readonly Part[];
  replay: ReplayStore;
  /** Every id minted is above this millisecond. */
  idSeedMs: number;
  /** Counts nothing by name when left out. */
  metrics?: Metrics;
};

export type Kernel = {
  readonly services: Services;
  readonly bus: Bus;
  readonly ids: Ids;
  ctx(call: Call): Ctx;
  /** Ends every wait; what is asked from now on does not wait at all. */
  drain(): void;
};

export function createKernel(options: KernelOptions): Kernel {
  const { storage, config, clock, log } = options;
  const metrics = options.metrics ?? createMetrics({ events: [], tools: [] });
  const bus = createBus();
  const ids = createIds(clock, options.idSeedMs);
  const facts = createFacts(options.listeners);
  const parts = createParts(options.parts);
  const drainer = new AbortController();

  async function write<T>(job: (tx: Tx) => T): Promise<T> {
    const effects: (() => void)[] = [];
    const topics = new Set<string>();
    const value = await storage.write((db) => {
      const tx: Tx = {
        db,
        now: clock(),
        config,
        metrics,
        parts,
        blobs: storage.blobs,
        id: ids.mint,
        emit: (fact, said) => facts.emit(tx, fact, said),
        attempt(what, part) {
          db.run("SAVEPOINT attempt");
          try {
            part();
            db.run("RELEASE attempt");
          } catch (error) {
            db.run("ROLLBACK TO attempt");
            db.run("RELEASE attempt");
            log.error(`${what} failed; the write stands`, { cause: String(error) });
          }
        },
        afterCommit: (effect) => effects.push(effect),
        wake: (...names) => {
          for (const name of names) topics.add(name);
        },
      };
      return job(tx);
    });
    if (topics.size > 0) afterwards(() => bus.publish(topics));
    for (const effect of effects) afterwards(effect);
    return value;
  }

  // The write is durable: an effect that fails is a bug to log, never the answer to the call.
  function afterwards(effect: () => void): void {
    try {
      effect();
    } catch (error) {
      log.error("an effect after a commit failed", { detail: error instanceof Error ? error.stack : String(error) });
    }
  }

  const services: Services = {
    db: storage.db,
    blobs: storage.blobs,
    bus,
    log,
    metrics,
    config,
    parts,
    touches: createTouches(storage.write, log),
    replay: options.replay,
    now: clock,
    usage: storage.usage,
    foldLog: storage.foldLog,
    dataDir: storage.dir,
    draining: drainer.signal,
    write,
  };
  return {
    services,
    bus,
    ids,
    ctx: (call) => ({ ...services, ...call }),
    drain: () => drainer.abort(),
  };
}
