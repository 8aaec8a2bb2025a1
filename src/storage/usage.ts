// What the hub takes on disk (operations.md 1, usage figures): its store files and every blob once. Measuring walks
// rows, so a figure is kept for 10 s.
import { readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DataDir } from "./data-dir.ts";
import type { Db } from "./database.ts";

const keptMs = 10_000;

export type StorageUsage = {
  /** Files of the hub store. */
  storeBytes: number;
  usedBytes: number;
  /** Of the volume; null when it cannot be measured. */
  capacityBytes: number | null;
  /** Free to a non-root writer; null when it cannot be measured. */
  freeBytes: number | null;
};

export function createUsageGauge(dir: DataDir, db: Db, now: () => number): { read(): StorageUsage } {
  let kept: { at: number; usage: StorageUsage } | undefined;
  return {
    read() {
      const at = now();
      if (kept === undefined || Math.abs(at - kept.at) >= keptMs) kept = { at, usage: measure(dir, db) };
      return kept.usage;
    },
  };
}

function measure(dir: DataDir, db: Db): StorageUsage {
  const files = ["", "-wal", "-shm"].reduce((sum, suffix) => sum + sizeOf(dir.database + suffix), 0);
  const blobs = db.get<{ bytes: number }>("SELECT coalesce(sum(size), 0) AS bytes FROM blobs WHERE bytes IS NULL");
  return { storeBytes: files, usedBytes: files + (blobs?.bytes ?? 0), ...volumeOf(dir.path) };
}

function volumeOf(path: string): Pick<StorageUsage, "capacityBytes" | "freeBytes"> {
  try {
    const disk = statfsSync(path);
    return { capacityBytes: disk.blocks * disk.bsize, freeBytes: disk.bavail * disk.bsize };
  } catch {
    // Not every filesystem answers; unknown is null, never 0 (rest-api.md 3).
    return { capacityBytes: null, freeBytes: null };
  }
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    // The write-ahead log is not always there.
    return 0;
  }
}

/** What the metrics show of the store, measured now; null when the volume does not say what is free. */
export type StoreGauges = {
  databaseBytes: number;
  logBytes: number;
  blobBytes: number;
  blobs: number;
  freeBytes: number | null;
};

export function measureStore(dir: DataDir, db: Db): StoreGauges {
  const blobs = db.get<{ n: number; bytes: number }>(
    "SELECT count(*) AS n, coalesce(sum(size), 0) AS bytes FROM blobs",
  );
  return {
    databaseBytes: sizeOf(dir.database),
    logBytes: sizeOf(`${dir.database}-wal`),
    blobBytes: blobs?.bytes ?? 0,
    blobs: blobs?.n ?? 0,
    freeBytes: volumeOf(dir.path).freeBytes,
  };
}

/** Whether a copy of the store from before a migration is younger than `ageMs`; it may still be put back. */
export function hasFreshMigrationCopy(dir: DataDir, now: number, ageMs: number): boolean {
  const folder = join(dir.path, "backups");
  return namesIn(folder).some(
    (name) => name.startsWith("pre-migration-") && now - modifiedAt(join(folder, name)) < ageMs,
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No folder, no copies.
    return [];
  }
}

function modifiedAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    // Removed meanwhile.
    return 0;
  }
}
