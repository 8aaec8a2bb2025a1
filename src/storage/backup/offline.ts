// A backup of a store no hub uses (operations.md 5.2), into a folder that is absent or empty.
import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type DataDir, isInside } from "../data-dir.ts";
import { openWithoutTrace } from "../database.ts";
import { syncPath } from "../durable-file.ts";
import { refuseStrangeStore } from "../migrate.ts";
import type { Watch } from "../pace.ts";
import { StoreRefusedError } from "../store-fault.ts";
import { writeSet } from "./backup-set.ts";
import type { Manifest } from "./manifest.ts";

export type OfflineBackup = { dir: DataDir; out: string; hubVersion: string; supported: number };

/** Takes the lock to be held. @throws StoreRefusedError, HubError, or of the file system; nothing is left of it then */
export async function takeOfflineBackup(order: OfflineBackup, watch: Watch): Promise<Manifest> {
  const { dir, hubVersion } = order;
  const out = usableTarget(order.out, dir);
  refuseStrangeStore(dir.database, order.supported);
  const isNew = !existsSync(out);
  try {
    if (isNew) mkdirSync(out, { mode: 0o700 });
    using database = openWithoutTrace(dir.database);
    const manifest = await writeSet({ dir, database, hubVersion, createdAt: new Date().toISOString() }, out, watch);
    if (isNew) syncPath(dirname(out));
    return manifest;
  } catch (error) {
    // It was empty or not there before.
    const ours = isNew ? [out] : readdirSync(out).map((name) => join(out, name));
    for (const path of ours) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

function usableTarget(given: string, dir: DataDir): string {
  const out = existsSync(given) ? realpathSync(given) : join(existingParent(given), basename(resolve(given)));
  if (isInside(out, realpathSync(dir.path))) {
    throw new StoreRefusedError(`${given} lies in the data directory; name a directory outside it`);
  }
  if (!existsSync(out)) return out;
  if (!statSync(out).isDirectory()) throw new StoreRefusedError(`${given} is not a directory; name another`);
  if (readdirSync(out).length > 0)
    throw new StoreRefusedError(`${given} is not empty; name a new or an empty directory`);
  return out;
}

function existingParent(given: string): string {
  const parent = dirname(resolve(given));
  if (!existsSync(parent)) throw new StoreRefusedError(`${parent} does not exist; make it, or name another directory`);
  return realpathSync(parent);
}
