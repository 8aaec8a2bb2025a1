// The data directory: its layout, its modes, and the states in which a hub must not start (operations.md 1 and 3).
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { StoreRefusedError } from "./store-fault.ts";

export type DataDir = Readonly<{
  path: string;
  lock: string;
  database: string;
  adminToken: string;
  blobs: string;
  blobsTmp: string;
}>;

export function dataDirAt(path: string): DataDir {
  return {
    path,
    lock: join(path, "hub.lock"),
    database: join(path, "hub.db"),
    adminToken: join(path, "admin-token"),
    blobs: join(path, "blobs", "sha256"),
    blobsTmp: join(path, "blobs", "tmp"),
  };
}

export function blobPath(dir: DataDir, hash: string): string {
  return join(dir.blobs, hash.slice(0, 2), hash.slice(2));
}

/** @throws StoreRefusedError when a restore was interrupted here; names the directory and the move to make */
export function refuseInterruptedRestore(path: string): void {
  const entries = existsSync(path) ? readdirSync(path) : [];
  const staged = entries.find((name) => name.startsWith(".agent-hub-restore-"));
  if (staged !== undefined) {
    throw new StoreRefusedError(
      `an interrupted restore left ${join(path, staged)}; run the same restore again with --force`,
    );
  }
  if (entries.length > 0) return;
  const absolute = resolve(path);
  const parent = dirname(absolute);
  const replaced = existsSync(parent)
    ? readdirSync(parent).find((name) => name.startsWith(".agent-hub-replaced-"))
    : undefined;
  if (replaced !== undefined && basename(absolute) !== replaced) {
    throw new StoreRefusedError(
      `an interrupted restore left the data in ${join(parent, replaced)}; move it back to ${path} and start again`,
    );
  }
}

/** Creates what is missing and repairs modes: directories 0700, files 0600. A mode that stays is a warning. */
export function prepareDataDir(dir: DataDir, warn: (message: string) => void): void {
  for (const folder of [dir.path, dirname(dir.blobs), dir.blobs, dir.blobsTmp, join(dir.path, "backups")]) {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A new store is as durable as what is acknowledged in it.
    if (made !== undefined) syncFolder(dirname(made));
  }
  repairModes(dir, dir.path, warn);
}

function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // The parent of a data directory may be closed to its user; then the system syncs it in its own time.
  }
}

/** Creates an empty file of mode 0600 if there is none: what SQLite puts beside hub.db gets the same mode. */
export function ensureFile(path: string): void {
  closeSync(openSync(path, "a", 0o600));
}

function repairModes(dir: DataDir, folder: string, warn: (message: string) => void): void {
  repairMode(folder, 0o700, warn);
  // Blobs are as many as the hub ever stored, created 0600 and below a directory of 0700: a start does not walk them.
  if (dirname(folder) === dir.blobs) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) repairModes(dir, path, warn);
    else if (entry.isFile()) repairMode(path, 0o600, warn);
  }
}

function repairMode(path: string, mode: number, warn: (message: string) => void): void {
  try {
    if ((statSync(path).mode & 0o777) !== mode) chmodSync(path, mode);
  } catch (error) {
    warn(`cannot set mode ${mode.toString(8)} on ${path}: ${String(error)}`);
  }
}

/** Writes a process left unfinished when it died. Nothing else may use the directory at this time. */
export function clearUnfinishedWrites(dir: DataDir, warn: (message: string) => void): void {
  for (const name of readdirSync(dir.blobsTmp)) {
    try {
      rmSync(join(dir.blobsTmp, name), { force: true });
    } catch (error) {
      warn(`cannot remove ${join(dir.blobsTmp, name)}: ${String(error)}`);
    }
  }
}

/** What tells that a path still is the thing it was at start; readiness compares it (operations.md 9). */
export type PathIdentity = { device: number; inode: number };

export function identityOf(path: string): PathIdentity {
  const { dev, ino } = statSync(path);
  return { device: dev, inode: ino };
}

/** Bytes a non-root writer may still use on the volume of `path`; null when that cannot be measured. */
export function freeBytes(path: string): number | null {
  try {
    const disk = statfsSync(path);
    return disk.bavail * disk.bsize;
  } catch {
    // Not every filesystem answers statfs; unknown is an answer, not a fault (operations.md 9).
    return null;
  }
}

/** Whether a path is a folder or lies in it. Both are absolute and resolved. */
export function isInside(path: string, folder: string): boolean {
  return `${path}/`.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
