// What every call carries: who calls, from where, and the means to read, write, wait and be cancelled.
import type { HubConfig } from "../config/settings.ts";
import type { Blobs } from "../storage/blobs.ts";
import type { Db } from "../storage/database.ts";
import type { StorageUsage } from "../storage/usage.ts";
import type { Bus } from "./bus.ts";
import type { FactKind } from "./facts.ts";
import type { Log } from "./log.ts";
import type { ReplayStore } from "./operation.ts";
import type { Parts } from "./parts.ts";
import type { Touches } from "./touches.ts";

/** Who a request is. `tokenId` is null for the operator, whose token is a setting. */
export type Principal = Readonly<{ kind: "operator" | "agent"; actor: string; tokenId: string | null }>;

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
}>;

/** The hub as operations see it. */
export type Services = Readonly<{
  db: Db;
  blobs: Blobs;
  bus: Bus;
  log: Log;
  config: HubConfig;
  parts: Parts;
  touches: Touches;
  replay: ReplayStore;
  now: () => number;
  /** What the data directory takes on disk and what is left, at most 10 s old. */
  usage: () => StorageUsage;
  /** Aborted when the hub drains: a wait then answers as if its time were up (operations.md 11). */
  draining: AbortSignal;
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
  parts: Parts;
  blobs: Blobs;
  /** Mints a ULID above every id minted before. */
  id(): string;
  emit<T>(fact: FactKind<T>, value: T): void;
  /** Runs after the commit, in order; must not throw. */
  afterCommit(effect: () => void): void;
  /** Publishes topics on the bus after the commit. */
  wake(...topics: string[]): void;
}>;
