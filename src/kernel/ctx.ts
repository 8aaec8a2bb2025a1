// What every call carries: who calls, from where, and the means to read, write, wait and be cancelled.
import type { HubConfig } from "../config/settings.ts";
import type { Blobs } from "../storage/blobs.ts";
import type { DataDir } from "../storage/data-dir.ts";
import type { Db } from "../storage/database.ts";
import type { StorageUsage } from "../storage/usage.ts";
import type { Bus } from "./bus.ts";
import type { FactKind } from "./facts.ts";
import type { Log } from "./log.ts";
import type { Metrics } from "./metrics.ts";
import type { ReplayStore } from "./operation.ts";
import type { Parts } from "./parts.ts";
import type { Touches } from "./touches.ts";

/**
 * Who a request is. `tokenId` is null for the operator, whose token is a setting. A stranger holds no token that lets
 * anybody in; its `actor` is empty, or the pending agent it asks to become.
 */
export type Principal = Readonly<{ kind: "operator" | "agent" | "stranger"; actor: string; tokenId: string | null }>;

/** A connection of the caller, if it has one; the feature that owns connections knows what it means. */
export type ConnectionRef = Readonly<{ identity: string; id: string }>;

/** What a surface knows of one call before any rule is applied. */
export type Call = Readonly<{
  principal: Principal;
  connection: ConnectionRef | null;
  /** Origin for documents, never for access decisions (rest-api.md 0.7). */
  origin: string;
  /** Aborted when the caller is gone or cancelled; a wait then ends and has consumed nothing. */
  signal: AbortSignal;
  /** Set when the caller asked for progress; a wait calls it now and then to stay alive. */
  progress: (() => void) | null;
  /** Address the call came from, for limits by source; absent or null when it is not known. */
  peer?: string | null;
}>;

/** The hub as operations see it. */
export type Services = Readonly<{
  db: Db;
  blobs: Blobs;
  bus: Bus;
  log: Log;
  metrics: Metrics;
  config: HubConfig;
  parts: Parts;
  touches: Touches;
  replay: ReplayStore;
  now: () => number;
  /** What the data directory takes on disk and what is left, at most 10 s old. */
  usage: () => StorageUsage;
  /** Where the hub keeps everything. */
  dataDir: DataDir;
  /** Aborted when the hub drains: a wait then answers as if its time were up (operations.md 11). */
  draining: AbortSignal;
  /** Folds the write-ahead log into the store and empties it; false when a reader held it up. */
  foldLog: () => boolean;
  /** One write job; resolves when it is durable. The job must not await. */
  write<T>(job: (tx: Tx) => T): Promise<T>;
}>;

export type Ctx = Services & Call;

/** Inside a write job. Everything here is undone when the job throws. */
export type Tx = Readonly<{
  db: Db;
  /** One time for all that the job writes, milliseconds. */
  now: number;
  config: HubConfig;
  metrics: Metrics;
  parts: Parts;
  blobs: Blobs;
  /** Mints a ULID above every id minted before. */
  id(): string;
  emit<T>(fact: FactKind<T>, value: T): void;
  /** Runs a part that may fail alone: what it wrote is undone then, the job goes on, and the failure is logged. */
  attempt(what: string, part: () => void): void;
  /** Runs after the commit, in order; must not throw. */
  afterCommit(effect: () => void): void;
  /** Publishes topics on the bus after the commit. */
  wake(...topics: string[]): void;
}>;
