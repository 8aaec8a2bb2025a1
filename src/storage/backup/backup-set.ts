// Writes the files of a backup (operations.md 5.1): one snapshot of hub.db, then every blob that snapshot refers to, then
// the manifest. What fails on the way is the caller's to remove.
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { HubError } from "../../shared/errors.ts";
import { freeSpaceMarginBytes } from "../../shared/limits.ts";
import { blobPath, type DataDir, freeBytes } from "../data-dir.ts";
import { type OpenDatabase, openDatabase } from "../database.ts";
import { createSyncs, digestFile, isFile, syncPath, writeDurably } from "../durable-file.ts";
import { schemaVersion } from "../migrate.ts";
import { createPace, type Pace, type Watch } from "../pace.ts";
import { blobReferences, referencedBlobs, weighFiles } from "../references.ts";
import {
  blobMemberPath,
  createManifest,
  databaseMember,
  type Manifest,
  type Member,
  manifestName,
  manifestText,
  tailnetMember,
} from "./manifest.ts";

export type SetSource = {
  dir: DataDir;
  /** A connection to its hub.db outside any transaction; read-only is enough. */
  database: OpenDatabase;
  hubVersion: string;
  createdAt: string;
};

/**
 * Fills an empty folder.
 * @throws HubError `unavailable` when the volume is too small or a blob is missing or damaged; or of the file system
 */
export async function writeSet(source: SetSource, target: string, watch: Watch): Promise<Manifest> {
  requireSpace(source.database, target);
  const pace = createPace(watch);
  watch.signal?.throwIfAborted();
  const copy = join(target, databaseMember);
  source.database.raw.run("VACUUM INTO ?", [copy]);
  chmodSync(copy, 0o600);
  syncPath(copy);
  const { version, blobs } = await copyBlobs(source.dir, target, copy, pace);
  const files: Member[] = [{ path: databaseMember, ...(await digestFile(copy, pace)) }, ...blobs];
  const keys = join(source.dir.path, tailnetMember);
  if (existsSync(keys)) {
    makeFolder(target, dirname(tailnetMember));
    const syncs = createSyncs();
    files.push({
      path: tailnetMember,
      ...(await digestFile(keys, pace, { path: join(target, tailnetMember), syncs })),
    });
    await syncs.done();
    syncPath(join(target, dirname(tailnetMember)));
  }
  const manifest = createManifest({
    schema_version: version,
    hub_version: source.hubVersion,
    created_at: source.createdAt,
    files,
  });
  syncPath(target);
  writeDurably(join(target, manifestName), manifestText(manifest));
  syncPath(target);
  return manifest;
}

async function copyBlobs(
  dir: DataDir,
  target: string,
  copy: string,
  pace: Pace,
): Promise<{ version: number; blobs: Member[] }> {
  // The copy is asked and not the store: what it refers to is what the set must hold.
  using database = openDatabase(copy, { readonly: true });
  const references = blobReferences(database);
  pace.expect(weighFiles(database, references).bytes + databaseBytes(database));
  const blobs: Member[] = [];
  const folders = new Set<string>();
  const syncs = createSyncs();
  for (const { hash, size, bytes } of referencedBlobs(database, references)) {
    if (bytes !== null) continue;
    const path = blobMemberPath(hash);
    const folder = dirname(path);
    if (!folders.has(folder)) makeFolder(target, folder);
    folders.add(folder);
    const from = blobPath(dir, hash);
    if (!isFile(from)) throw damaged(hash);
    const digest = await digestFile(from, pace, { path: join(target, path), syncs });
    if (digest.sha256 !== hash || digest.size !== size) throw damaged(hash);
    blobs.push({ path, ...digest });
  }
  await syncs.done();
  for (const folder of folders) syncPath(join(target, folder));
  if (folders.size > 0) for (const folder of ["blobs/sha256", "blobs"]) syncPath(join(target, folder));
  return { version: schemaVersion(database), blobs };
}

function damaged(hash: string): HubError {
  return new HubError(
    "unavailable",
    `blob ${hash} is missing or damaged, so nothing was backed up; run agent-hub check`,
  );
}

function makeFolder(target: string, folder: string): void {
  mkdirSync(join(target, folder), { recursive: true, mode: 0o700 });
}

// Pages still in the write-ahead log count as well.
function databaseBytes(database: OpenDatabase): number {
  const pages = database.get<{ page_count: number }>("PRAGMA page_count")?.page_count ?? 0;
  return pages * (database.get<{ page_size: number }>("PRAGMA page_size")?.page_size ?? 0);
}

function requireSpace(database: OpenDatabase, target: string): void {
  const free = freeBytes(target);
  const needed = databaseBytes(database) + weighFiles(database, blobReferences(database)).bytes + freeSpaceMarginBytes;
  if (free === null || free >= needed) return;
  throw new HubError(
    "unavailable",
    `too little space for a backup: ${free} bytes are free on its volume, ${needed} are needed; free some and try again`,
  );
}
