// Everything that touches the data directory, opened together and closed together (operations.md 3 and 11).
import { type Blobs, createBlobs, hasBlobFolder } from "./blobs.ts";
import {
  clearUnfinishedWrites,
  type DataDir,
  dataDirAt,
  ensureFile,
  freeBytes,
  identityOf,
  prepareDataDir,
  refuseInterruptedRestore,
} from "./data-dir.ts";
import { busyTimeoutMs, type Db, openDatabase } from "./database.ts";
import { keepRows } from "./kept-rows.ts";
import { takeLock } from "./lock.ts";
import { migrate, refuseStrangeStore, schemaVersion } from "./migrate.ts";
import { type Migration, migrations as productMigrations } from "./migrations/index.ts";
import { createReadBatch } from "./read-batch.ts";
import { createUsageGauge, type StorageUsage } from "./usage.ts";
import { createWriteQueue, type WriteQueue, writesOutsideJob } from "./write-queue.ts";

export type StorageOptions = {
  dataDir: string;
  now: () => number;
  warn: (message: string) => void;
  error: (message: string, detail: string) => void;
  migrations?: readonly Migration[];
};

/** Why a store cannot serve now; the first leg that fails (operations.md 9). */
export type Readiness =
  | { ready: true; schemaVersion: number; supportedMax: number; freeBytes: number | null }
  | { ready: false; reason: string };

export type Storage = {
  readonly dir: DataDir;
  readonly db: Db;
  readonly blobs: Blobs;
  readonly schemaVersion: number;
  write: WriteQueue["write"];
  readiness(marginBytes: number): Readiness;
  usage(): StorageUsage;
  /** Folds the write-ahead log in and empties it; false when it was in use. Not in a write job. */
  foldLog(): boolean;
  /**
   * Waits for queued writes, runs `last` as the final write, checkpoints, closes and releases the lock. Writes that
   * come later are refused, reads too. What goes wrong is a warning; a second call waits for the first.
   */
  close(last: (db: Db) => void): Promise<void>;
};

/**
 * Locks, creates, migrates and opens a data directory.
 * @throws DataDirHeldError, StoreRefusedError
 */
export function openStorage(options: StorageOptions): Storage {
  const dir = dataDirAt(options.dataDir);
  const migrations = options.migrations ?? productMigrations;
  const version = migrations.at(-1)?.version ?? 0;
  refuseInterruptedRestore(dir.path);
  prepareDataDir(dir, options.warn);
  using stack = new DisposableStack();
  stack.use(takeLock(dir.lock, options.dataDir));
  refuseStrangeStore(dir.database, version);
  ensureFile(dir.database);
  const database = openDatabase(dir.database);
  stack.defer(() => database.close());
  migrate(database, { migrations, dataDir: dir.path, now: options.now, warn: options.warn });
  clearUnfinishedWrites(dir, options.warn);
  const identities = { dataDir: identityOf(dir.path), database: identityOf(dir.database) };
  const reads = createReadBatch(database);
  const kept = keepRows(database, { ...reads, run: database.run });
  stack.defer(kept.forget);
  const queue = createWriteQueue(
    database,
    kept,
    (error) => options.error("a write failed in the store", String(error)),
    reads.end,
  );
  const blobs = createBlobs(dir, options.error);
  const usage = createUsageGauge(dir, database, options.now);
  const held = stack.move();
  let closing: Promise<void> | undefined;

  function foldLog(): boolean {
    reads.end();
    // A backup reads for seconds; the event loop does not wait for it.
    database.get("PRAGMA busy_timeout = 0");
    try {
      return database.get<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)")?.busy === 0;
    } finally {
      database.get(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    }
  }

  async function closeOnce(last: (db: Db) => void): Promise<void> {
    // Whatever fails on the way out, the lock is given back.
    using _held = held;
    try {
      await queue.close(last);
    } catch (error) {
      options.warn(`the last write failed at shutdown: ${String(error)}`);
    }
    try {
      if (!foldLog()) options.warn("the write-ahead log is in use and could not be folded in at shutdown");
    } catch (error) {
      options.warn(`the write-ahead log could not be folded in at shutdown: ${String(error)}`);
    }
  }

  return {
    dir,
    db: { ...kept, run: writesOutsideJob },
    blobs,
    schemaVersion: version,
    write: queue.write,
    usage: () => usage.read(),
    foldLog,
    readiness(marginBytes) {
      const fail = (reason: string): Readiness => ({ ready: false, reason });
      let stored: number;
      try {
        stored = schemaVersion(database);
      } catch {
        // Whatever the store said, a probe reads one fixed sentence; the log of the failing calls has the cause.
        return fail("the store does not answer");
      }
      if (stored !== version) return fail(`the store has schema ${stored}, not ${version}`);
      try {
        database.get("SELECT count(*) AS projects FROM projects");
        const now = { dataDir: identityOf(dir.path), database: identityOf(dir.database) };
        if (JSON.stringify(now) !== JSON.stringify(identities)) return fail("the data directory was replaced");
      } catch {
        // Same as above: missing paths and unreadable tables are both "not ready".
        return fail("the data directory or its content cannot be read");
      }
      if (!hasBlobFolder(dir)) return fail("the blob folder is missing");
      const free = freeBytes(dir.path);
      if (free !== null && free < marginBytes) return fail(`only ${free} bytes are free on the data volume`);
      return { ready: true, schemaVersion: stored, supportedMax: version, freeBytes: free };
    },
    close(last) {
      closing ??= closeOnce(last);
      return closing;
    },
  };
}
