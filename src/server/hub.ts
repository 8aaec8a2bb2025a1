// Wires the hub together: which features there are and in what order, and the one object that standalone and the
// listener share. Adding a noun adds a line here; adding a tool or a route does not.
import type { HubConfig } from "../config/settings.ts";
import { connections } from "../features/connections/index.ts";
import { events, replayStore } from "../features/events/index.ts";
import { feed } from "../features/feed/index.ts";
import { home } from "../features/home/index.ts";
import { type Authenticator, createAuthenticator, identity, revokeReservedAgent } from "../features/identity/index.ts";
import { inbox } from "../features/inbox/index.ts";
import { items } from "../features/items/index.ts";
import { createNotify } from "../features/notify/index.ts";
import { projects } from "../features/projects/index.ts";
import { questions } from "../features/questions/index.ts";
import { sessions } from "../features/sessions/index.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Feature } from "../kernel/feature.ts";
import { createKernel, type Kernel } from "../kernel/kernel.ts";
import type { Log } from "../kernel/log.ts";
import type { Route } from "../kernel/route.ts";
import { startSweeper } from "../kernel/sweeper.ts";
import type { Tool } from "../kernel/tool.ts";
import { freeSpaceMarginBytes } from "../shared/limits.ts";
import { readIdMark, storeIdMark } from "../storage/id-mark.ts";
import { openStorage, type Readiness, type Storage } from "../storage/storage.ts";
import { type AdminToken, resolveAdminToken } from "./admin-token.ts";

// The order of `tools/list`, and of listeners on one fact.
function createFeatures(config: HubConfig, log: Log): readonly Feature[] {
  return [
    sessions,
    feed,
    items,
    questions,
    inbox,
    createNotify(config, log),
    home,
    identity,
    projects,
    connections,
    events,
  ];
}

export type HubOptions = {
  config: HubConfig;
  log: Log;
  clock?: Clock;
  /** False for standalone, which has no listener and so makes no admin token. */
  hasListener: boolean;
};

export type Hub = AsyncDisposable & {
  readonly config: HubConfig;
  readonly kernel: Kernel;
  readonly tools: readonly Tool[];
  readonly routes: readonly Route[];
  readonly authenticator: Authenticator;
  readonly adminToken: AdminToken | null;
  readonly startedAt: number;
  /** Members that ride on the successful tool result of a call. */
  trailer(ctx: Ctx): Promise<object | undefined>;
  readiness(): Readiness;
  /** Waits end and answer; readiness turns red. Call before the listener closes. */
  drain(): void;
};

/**
 * Disposing stops sweeps, stores the id mark, checkpoints and releases the data directory.
 *
 * Opens a data directory and starts the hub on it, without a listener (operations.md 3, steps 2 to 11 and 13).
 * @throws DataDirHeldError, StoreRefusedError
 */
export async function openHub(options: HubOptions): Promise<Hub> {
  const { config, log } = options;
  const clock = options.clock ?? systemClock;
  const storage = openStorage({
    dataDir: config.dataDir,
    now: clock,
    warn: (message) => log.warn(message),
    error: (message, detail) => log.error(message, { detail }),
  });
  try {
    return await start(storage, options, clock);
  } catch (error) {
    await storage.close(() => undefined);
    throw error;
  }
}

async function start(storage: Storage, options: HubOptions, clock: Clock): Promise<Hub> {
  const { config, log } = options;
  const features = createFeatures(config, log);
  const all = <T>(pick: (feature: Feature) => readonly T[] | undefined): T[] =>
    features.flatMap((feature) => pick(feature) ?? []);
  const idSeedMs = readIdMark(
    storage.db,
    all((feature) => feature.ids),
  );
  if (idSeedMs > clock()) log.warn("the clock is behind the newest id; ids go on from there", { newest_ms: idSeedMs });
  const kernel = createKernel({
    storage,
    config,
    clock,
    log,
    listeners: all((feature) => feature.listeners),
    parts: all((feature) => feature.parts),
    replay: replayStore,
    idSeedMs,
  });
  await revokeReservedAgent(kernel.services);
  for (const feature of features) feature.start?.(kernel.services);
  const trailing = features.find((feature) => feature.trailer !== undefined);
  const adminToken = options.hasListener ? resolveAdminToken(storage.dir, config) : null;
  const sweeper = startSweeper(
    all((feature) => feature.sweeps),
    kernel.services,
  );
  let isDraining = false;
  return {
    config,
    kernel,
    tools: all((feature) => feature.tools),
    routes: all((feature) => feature.routes),
    authenticator: createAuthenticator(kernel.services, adminToken?.token ?? null),
    adminToken,
    startedAt: clock(),
    trailer: async (ctx) => trailing?.trailer?.(ctx),
    readiness: () =>
      isDraining ? { ready: false, reason: "the hub is shutting down" } : storage.readiness(freeSpaceMarginBytes),
    drain() {
      isDraining = true;
      kernel.drain();
    },
    async [Symbol.asyncDispose]() {
      isDraining = true;
      kernel.drain();
      await sweeper[Symbol.asyncDispose]();
      for (const feature of features) feature.stop?.();
      await kernel.services.touches.flush();
      await storage.close((db) => storeIdMark(db, kernel.ids.highWater()));
    },
  };
}
