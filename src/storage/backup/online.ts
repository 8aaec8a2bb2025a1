// A backup of a store in use (operations.md 5.3), in the worker: into a folder of its own that gets its name when it is
// whole. Nothing half is left behind, not even by a process that was killed: the next backup removes it.
import { existsSync, mkdirSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { HubError } from "../../shared/errors.ts";
import { type DataDir, dataDirAt, isInside } from "../data-dir.ts";
import { openDatabase } from "../database.ts";
import { syncPath } from "../durable-file.ts";
import { errorCode } from "../store-fault.ts";
import { writeSet } from "./backup-set.ts";
import { bytesOf } from "./manifest.ts";

const partialSuffix = ".partial";
const partialName = /^\d{8}T\d{6}\.\d{3}Z\.partial$/;

export type OnlineBackup = { dataDir: string; backupDir: string; hubVersion: string; startedAt: number };

export type OnlineBackupTaken = {
  directory: string;
  path: string;
  manifest: { schema_version: number; created_at: string; files: number; bytes: number };
};

/** @throws HubError `conflict` inside the data directory, `unavailable` for whatever the volume refuses */
export async function takeOnlineBackup(order: OnlineBackup, signal: AbortSignal): Promise<OnlineBackupTaken> {
  try {
    return await take(order, signal);
  } catch (error) {
    throw refusalOf(error);
  }
}

async function take(order: OnlineBackup, signal: AbortSignal): Promise<OnlineBackupTaken> {
  const dir = dataDirAt(order.dataDir);
  const folder = backupFolder(order.backupDir, dir);
  removeLeftovers(folder);
  const { name, at } = freeName(folder, order.startedAt);
  const partial = join(folder, name + partialSuffix);
  try {
    mkdirSync(partial, { mode: 0o700 });
    using database = openDatabase(dir.database, { readonly: true });
    const createdAt = new Date(at).toISOString();
    const { schema_version, files } = await writeSet(
      { dir, database, hubVersion: order.hubVersion, createdAt },
      partial,
      { signal },
    );
    renameSync(partial, join(folder, name));
    syncPath(folder);
    const manifest = { schema_version, created_at: createdAt, files: files.length, bytes: bytesOf(files) };
    return { directory: name, path: join(folder, name), manifest };
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Removes what backups that were cut short have left. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (partialName.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function backupFolder(configured: string, dir: DataDir): string {
  if (!isFolder(configured)) {
    // Never made by the hub: a volume that is not mounted must be noticed.
    throw new HubError(
      "unavailable",
      "HUB_BACKUP_DIR names no directory that is there; mount or create it, then try again",
    );
  }
  const folder = realpathSync(configured);
  if (isInside(folder, realpathSync(dir.path))) {
    throw new HubError("conflict", "HUB_BACKUP_DIR leads into the data directory; name a directory outside it");
  }
  return folder;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Whatever hides it, there is nothing to write to.
    return false;
  }
}

// The clock may have been set back, or two backups fall into one millisecond.
function freeName(folder: string, startedAt: number): { name: string; at: number } {
  for (let at = startedAt; ; at += 1) {
    const name = new Date(at).toISOString().replaceAll(/[-:]/g, "");
    if (!existsSync(join(folder, name))) return { name, at };
  }
}

/** What the caller is told of a failure of the backup volume. */
function refusalOf(error: unknown): unknown {
  switch (errorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
    case "SQLITE_FULL":
      return unavailable("the volume of HUB_BACKUP_DIR is full and nothing was kept; free space and try again", error);
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return unavailable("HUB_BACKUP_DIR cannot be written; make it writable for the hub and try again", error);
    default:
      return error;
  }
}

function unavailable(message: string, cause: unknown): HubError {
  return new HubError("unavailable", message, {}, { cause });
}
