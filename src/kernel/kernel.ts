// Binds storage, clock, bus and facts into the one way to write.
import type { HubConfig } from "../config/settings.ts";
import type { Storage } from "../storage/storage.ts";
import { type Bus, createBus } from "./bus.ts";
import type { Clock } from "./clock.ts";
import type { Call, Ctx, Services, Tx } from "./ctx.ts";
import { createFacts, type FactListener } from "./facts.ts";
import { createIds, type Ids } from "./ids.ts";
import type { Log } from "./log.ts";
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
        parts,
        blobs: storage.blobs,
        id: ids.mint,
        emit: (fact, said) => facts.emit(tx, fact, said),
        afterCommit: (effect) => effects.push(effect),
        wake: (...names) => {
          for (const name of names) topics.add(name);
        },
      };
      return job(tx);
    });
    if (topics.size > 0) bus.publish(topics);
    for (const effect of effects) effect();
    return value;
  }

  const services: Services = {
    db: storage.db,
    blobs: storage.blobs,
    bus,
    log,
    config,
    parts,
    touches: createTouches(storage.write, log),
    replay: options.replay,
    now: clock,
    usage: storage.usage,
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
