// `check` of a data directory or a backup (operations.md 7): read only, every problem one sentence.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { hashOfMember, type Manifest, manifestName } from "../backup/manifest.ts";
import { memberProblems, readManifest } from "../backup/verify.ts";
import { type DataDir, dataDirAt } from "../data-dir.ts";
import type { Watch } from "../pace.ts";
import { blobReferences, isReferenced } from "../references.ts";
import { blobFiles } from "./blob-files.ts";
import { checkBlobs } from "./check-blobs.ts";
import { type CheckedDatabase, checkIntegrity, openChecked, reason } from "./check-database.ts";

export type CheckOrder = Watch & {
  path: string;
  /** Presence and sizes only. */
  isQuick: boolean;
  supported: number;
  problem(text: string): void;
};

export type BlobTotals = { files: number; bytes: number; unreferenced: number };
export type CheckResult = { databases: number; blobs: number; problems: number; files: BlobTotals };

export function isBackup(path: string): boolean {
  return existsSync(join(path, manifestName));
}

/** Takes the lock of a data directory to be held. Never throws for what it finds. */
export async function check(order: CheckOrder): Promise<CheckResult> {
  const result: CheckResult = { databases: 0, blobs: 0, problems: 0, files: { files: 0, bytes: 0, unreferenced: 0 } };
  const problem = (text: string): void => {
    result.problems += 1;
    order.problem(text);
  };
  const dir = dataDirAt(order.path);
  const isOfBackup = isBackup(order.path);
  if (!isOfBackup && !existsSync(dir.database)) {
    problem(`no hub store at ${order.path}`);
    return result;
  }
  using opened = openChecked(dir.database, order.supported, problem);
  result.databases = opened === undefined ? 0 : 1;
  try {
    const manifest = isOfBackup ? await checkMembers(order, problem) : undefined;
    if (opened !== undefined) {
      checkIntegrity(opened, problem);
      // The manifest has vouched for the digests of a backup.
      const digests = !order.isQuick && manifest === undefined;
      result.blobs = await checkBlobs(opened.database, dir, { ...order, problem, digests });
    }
    result.files = lookAtFiles(dir, opened, manifest, problem);
  } catch (error) {
    problem(`the check could not go on: ${reason(error)}`);
  }
  return result;
}

async function checkMembers(order: CheckOrder, problem: (text: string) => void): Promise<Manifest | undefined> {
  let manifest: Manifest;
  try {
    manifest = readManifest(order.path);
  } catch (error) {
    problem(reason(error));
    return undefined;
  }
  for await (const found of memberProblems(order.path, manifest, { ...order, digests: !order.isQuick })) problem(found);
  return manifest;
}

function lookAtFiles(
  dir: DataDir,
  opened: CheckedDatabase | undefined,
  manifest: Manifest | undefined,
  problem: (text: string) => void,
): BlobTotals {
  const totals: BlobTotals = { files: 0, bytes: 0, unreferenced: 0 };
  const members = new Set(manifest?.files.map(({ path }) => hashOfMember(path) ?? path));
  const references = opened === undefined ? [] : blobReferences(opened.database);
  for (const { hash, size } of blobFiles(dir.blobs, problem)) {
    totals.files += 1;
    totals.bytes += size;
    const isNamed = opened === undefined || isReferenced(opened.database, references, hash);
    if (!isNamed) totals.unreferenced += 1;
    if (manifest !== undefined && !isNamed) problem(`blob ${hash} is in the backup although nothing refers to it`);
    if (manifest !== undefined && !members.has(hash)) problem(`blob ${hash} is not in the manifest`);
  }
  return totals;
}
