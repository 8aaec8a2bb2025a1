// What the hub takes on disk (operations.md 1, usage figures): its store files and every blob once. Measuring walks
// rows, so a figure is kept for 10 s.
import { statfsSync, statSync } from "node:fs";
import type { DataDir } from "./data-dir.ts";
import type { Db } from "./database.ts";

const keptMs = 10_000;

export type StorageUsage = {
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
  return { usedBytes: files + (blobs?.bytes ?? 0), ...volumeOf(dir.path) };
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
