// Wires the hub together: which features there are and in what order, and the one object that standalone and the
// listener share. Adding a noun adds a line here; adding a tool or a route does not.
import type { HubConfig } from "../config/settings.ts";
import { artifacts, isPassValid, viewerPassRoute } from "../features/artifacts/index.ts";
import { createBrief } from "../features/brief/index.ts";
import { connections } from "../features/connections/index.ts";
import { corpus } from "../features/corpus/index.ts";
import { enrolment } from "../features/enrolment/index.ts";
import { events, replayStore } from "../features/events/index.ts";
import { feed } from "../features/feed/index.ts";
import { home } from "../features/home/index.ts";
import { type Authenticator, createAuthenticator, identity, revokeReservedAgent } from "../features/identity/index.ts";
import { inbox } from "../features/inbox/index.ts";
import { items } from "../features/items/index.ts";
import { knowledge } from "../features/knowledge/index.ts";
import { createNotifier, createNotify } from "../features/notify/index.ts";
import { projects } from "../features/projects/index.ts";
import { questions } from "../features/questions/index.ts";
import { createSearch } from "../features/search/index.ts";
import { sessions } from "../features/sessions/index.ts";
import { createUpkeep } from "../features/upkeep/index.ts";
import { type Clock, systemClock } from "../kernel/clock.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Feature } from "../kernel/feature.ts";
import { createKernel, type Kernel } from "../kernel/kernel.ts";
import type { Log } from "../kernel/log.ts";
import { createMetrics } from "../kernel/metrics.ts";
import type { Route } from "../kernel/route.ts";
import { startSweeper } from "../kernel/sweeper.ts";
import type { Tool } from "../kernel/tool.ts";
import { freeSpaceMarginBytes } from "../shared/limits.ts";
import { eventKinds } from "../shared/views.ts";
import { readIdMark, storeIdMark } from "../storage/id-mark.ts";
import { openStorage, type Readiness, type Storage } from "../storage/storage.ts";
import { type AdminToken, resolveAdminToken } from "./admin-token.ts";
import { hubRoute } from "./hub-route.ts";

// The order of `tools/list`, and of listeners on one fact.
function createFeatures(config: HubConfig, log: Log): readonly Feature[] {
  const notifier = createNotifier();
  const features = [
    createBrief(notifier),
    sessions,
    knowledge,
    artifacts,
    feed,
    items,
    questions,
    inbox,
    createNotify(notifier, config, log),
    createSearch(),
    home,
    enrolment,
    identity,
    projects,
    connections,
    events,
    corpus,
  ];
  return [...features, createUpkeep(features.flatMap((feature) => feature.blobs ?? []))];
}

export { DataDirHeldError } from "../storage/lock.ts";

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
  /** True for a pass that opens a concealed artifact now (rest-api.md 12). */
  opensConcealed(artifactId: string, pass: string): boolean;
  /** Waits end and answer; readiness turns red. Call before the listener closes. */
  drain(): void;
};

/**
 * Opens a data directory and starts the hub on it, without a listener (operations.md 3, steps 2 to 11 and 13).
 * Disposing stops sweeps, stores the id mark, checkpoints and releases the data directory.
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
  const startedAt = clock();
  const features = createFeatures(config, log);
  const all = <T>(pick: (feature: Feature) => readonly T[] | undefined): T[] =>
    features.flatMap((feature) => pick(feature) ?? []);
  const idSeedMs = readIdMark(
    storage.db,
    all((feature) => feature.ids),
  );
  if (idSeedMs > clock()) log.warn("the clock is behind the newest id; ids go on from there", { newest_ms: idSeedMs });
  const tools = all((feature) => feature.tools);
  const kernel = createKernel({
    storage,
    config,
    clock,
    log,
    listeners: all((feature) => feature.listeners),
    parts: all((feature) => feature.parts),
    replay: replayStore,
    idSeedMs,
    metrics: createMetrics({ events: eventKinds, tools: tools.map(({ name }) => name) }),
  });
  await revokeReservedAgent(kernel.services);
  const adminToken = options.hasListener ? resolveAdminToken(storage.dir, config) : null;
  // Last, since only the hub's disposal stops what starts here.
  for (const feature of features) await feature.start?.(kernel.services);
  const trailing = features.find((feature) => feature.trailer !== undefined);
  const sweeper = startSweeper(
    // Standalone keeps deadlines alone; the rest waits for a hub that serves (cli.md 4.3).
    all((feature) => feature.sweeps).filter((sweep) => options.hasListener || sweep.pace === "quick"),
    kernel.services,
  );
  let isDraining = false;
  let closing: Promise<void> | undefined;

  function drain(): void {
    isDraining = true;
    kernel.drain();
  }

  function readiness(): Readiness {
    if (isDraining) return { ready: false, reason: "the hub is shutting down" };
    const found = storage.readiness(freeSpaceMarginBytes);
    const hasFailedSample = kernel.services.metrics.integrity.isOk === false;
    if (found.ready && hasFailedSample) return { ready: false, reason: "the newest integrity sample failed" };
    return found;
  }

  async function close(): Promise<void> {
    drain();
    try {
      await sweeper[Symbol.asyncDispose]();
      for (const feature of features) await feature.stop?.();
      await kernel.services.touches.flush();
    } finally {
      await storage.close((db) => storeIdMark(db, kernel.ids.highWater()));
    }
  }

  return {
    config,
    kernel,
    tools,
    routes: [
      ...all((feature) => feature.routes),
      viewerPassRoute(adminToken?.token ?? null),
      hubRoute({ startedAt, schemaVersion: storage.schemaVersion }),
    ],
    authenticator: createAuthenticator(kernel.services, adminToken?.token ?? null),
    adminToken,
    opensConcealed: (artifactId, pass) =>
      adminToken !== null && isPassValid(adminToken.token, artifactId, pass, clock()),
    startedAt,
    trailer: async (ctx) => trailing?.trailer?.(ctx),
    readiness,
    drain,
    [Symbol.asyncDispose]() {
      closing ??= close();
      return closing;
    },
  };
}
