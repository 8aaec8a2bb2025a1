// Puts a backup in the place of a data directory (operations.md 6): all of it is verified first, staged beside the old
// tree, and renamed into place, so that at no moment a half-restored directory could be started.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { freeBytes } from "../data-dir.ts";
import { createSyncs, digestFile, syncPath } from "../durable-file.ts";
import { isMountPoint } from "../mounts.ts";
import { createPace, type Watch } from "../pace.ts";
import { StoreRefusedError } from "../store-fault.ts";
import { bytesOf, type Manifest } from "./manifest.ts";
import { memberProblems, readManifest } from "./verify.ts";

export type Restore = {
  from: string;
  /** Absolute and resolved; need not exist. */
  destination: string;
  /** Replaces what is there. */
  isForced: boolean;
  /** Names the stage and what it replaces. */
  id: string;
};

/** @throws StoreRefusedError when it is no whole backup of this binary's reach; nothing was touched */
export async function verifyBackup(from: string, supported: number, watch: Watch): Promise<Manifest> {
  const manifest = readManifest(from);
  if (manifest.schema_version > supported) {
    throw new StoreRefusedError(
      `the backup has schema ${manifest.schema_version}, this binary supports up to ${supported}; use a newer agent-hub`,
    );
  }
  for await (const problem of memberProblems(from, manifest, { ...watch, digests: true })) {
    throw new StoreRefusedError(`${problem}; nothing was restored`);
  }
  return manifest;
}

/** Takes the backup to be verified and the destination's lock to be held. Returns what could not be cleaned up. */
export async function restore(order: Restore, manifest: Manifest, watch: Watch): Promise<{ warning?: string }> {
  const { destination, id } = order;
  const isThere = existsSync(destination);
  const isFixed = isMountPoint(destination);
  if (isThere && !statSync(destination).isDirectory()) {
    throw new StoreRefusedError(`${destination} is not a directory; name another`);
  }
  if (isThere && readdirSync(destination).length > 0 && !order.isForced) {
    throw new StoreRefusedError(`${destination} is not empty; --force replaces what is in it`);
  }
  const beside = isFixed ? destination : dirname(destination);
  mkdirSync(beside, { recursive: true, mode: 0o700 });
  requireSpace(beside, bytesOf(manifest.files));
  const stage = join(beside, `.agent-hub-restore-${id}`);
  const replaced = join(beside, `.agent-hub-replaced-${id}`);
  await fillStage(order.from, stage, manifest, watch);
  if (isFixed) {
    // A volume cannot be renamed. A start is refused as long as the stage is there.
    moveEntries(destination, replaced, [stage, replaced]);
    moveEntries(stage, destination, []);
    syncPath(destination);
    rmSync(stage, { recursive: true });
  } else {
    swap(stage, destination, replaced, isThere);
  }
  syncPath(beside);
  return removeReplaced(replaced);
}

function requireSpace(folder: string, needed: number): void {
  const free = freeBytes(folder);
  if (free === null || free >= needed) return;
  throw new StoreRefusedError(`too little space in ${folder}: ${free} bytes are free, ${needed} are needed`);
}

async function fillStage(from: string, stage: string, manifest: Manifest, watch: Watch): Promise<void> {
  const pace = createPace(watch);
  pace.expect(bytesOf(manifest.files));
  mkdirSync(stage, { mode: 0o700 });
  try {
    const folders = new Set([stage]);
    const syncs = createSyncs();
    for (const { path, sha256 } of manifest.files) {
      const target = join(stage, path);
      for (let folder = dirname(target); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      const copied = await digestFile(join(from, path), pace, { path: target, syncs });
      if (copied.sha256 !== sha256) throw new StoreRefusedError(`${path} changed while it was restored; try again`);
    }
    await syncs.done();
    for (const folder of folders) syncPath(folder);
  } catch (error) {
    rmSync(stage, { recursive: true, force: true });
    throw error;
  }
}

function swap(stage: string, destination: string, replaced: string, isThere: boolean): void {
  if (isThere) renameSync(destination, replaced);
  try {
    renameSync(stage, destination);
  } catch (error) {
    if (isThere) renameSync(replaced, destination);
    rmSync(stage, { recursive: true, force: true });
    throw error;
  }
}

function moveEntries(from: string, to: string, besides: readonly string[]): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from)) {
    if (!besides.includes(join(from, name))) renameSync(join(from, name), join(to, name));
  }
}

function removeReplaced(path: string): { warning?: string } {
  try {
    rmSync(path, { recursive: true, force: true });
    return {};
  } catch (error) {
    return { warning: `the replaced data is still in ${path} and can be removed: ${String(error)}` };
  }
}
