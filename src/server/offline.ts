// What the command line does with a data directory that no hub uses, or with a backup (operations.md 5 to 8): the lock,
// and what this binary supports.
import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { systemClock } from "../kernel/clock.ts";
import { createIds } from "../kernel/ids.ts";
import { version } from "../shared/build.ts";
import { bytesOf } from "../storage/backup/manifest.ts";
import { takeOfflineBackup } from "../storage/backup/offline.ts";
import { restore, verifyBackup } from "../storage/backup/restore.ts";
import { type CheckResult, check, isBackup } from "../storage/check/check.ts";
import { type Examination, examine } from "../storage/check/examine.ts";
import { dataDirAt, isInside } from "../storage/data-dir.ts";
import { type Lock, takeLock } from "../storage/lock.ts";
import { migrations } from "../storage/migrations/index.ts";
import type { Watch } from "../storage/pace.ts";
import { errorCode, StoreRefusedError } from "../storage/store-fault.ts";

export { DataDirHeldError } from "../storage/lock.ts";

export const supportedSchema: number = migrations.at(-1)?.version ?? 0;

export type SetTotals = { files: number; bytes: number };

/** @throws DataDirHeldError, StoreRefusedError, HubError */
export async function backUp(dataDir: string, out: string, watch: Watch): Promise<SetTotals & { schema: number }> {
  const dir = dataDirAt(dataDir);
  if (!existsSync(dir.database)) throw new StoreRefusedError(`no hub store at ${dataDir}`);
  using _lock = takeLock(dir.lock, dataDir);
  const manifest = await takeOfflineBackup({ dir, out, hubVersion: version, supported: supportedSchema }, watch).catch(
    (error: unknown) => explain(error, out),
  );
  return { files: manifest.files.length, bytes: bytesOf(manifest.files), schema: manifest.schema_version };
}

/** @throws DataDirHeldError, StoreRefusedError */
export async function restoreFrom(
  from: string,
  dataDir: string,
  isForced: boolean,
  watch: Watch,
): Promise<SetTotals & { warning?: string }> {
  const manifest = await verifyBackup(from, supportedSchema, watch);
  const destination = resolved(dataDir);
  refuseNested(from, destination);
  using _lock = lockOf(destination, dataDir);
  const id = createIds(systemClock, 0).mint();
  const { warning } = await restore({ from, destination, isForced, id }, manifest, watch).catch((error: unknown) =>
    explain(error, dataDir),
  );
  const totals = { files: manifest.files.length, bytes: bytesOf(manifest.files) };
  return warning === undefined ? totals : { ...totals, warning };
}

export type CheckRequest = Watch & { path: string; problem(text: string): void };

/** @throws DataDirHeldError */
export async function checkDirectory(request: CheckRequest & { isQuick: boolean }): Promise<CheckResult> {
  using _lock = isBackup(request.path) ? undefined : lockOf(request.path, request.path);
  return await check({ ...request, supported: supportedSchema });
}

/** @throws DataDirHeldError */
export async function examineDirectory(request: CheckRequest): Promise<Examination> {
  using _lock = isBackup(request.path) ? undefined : lockOf(request.path, request.path);
  return await examine({ ...request, supported: supportedSchema });
}

// What the system says of a volume is an abbreviation; the rest passes as it is.
function explain(error: unknown, path: string): never {
  switch (errorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
    case "SQLITE_FULL":
      throw new StoreRefusedError(`the volume of ${path} is full and nothing was kept; free space and try again`, {
        cause: error,
      });
    case "EACCES":
    case "EPERM":
    case "EROFS":
      throw new StoreRefusedError(`${path} cannot be written; make it writable, or name another`, { cause: error });
    default:
      throw error;
  }
}

// What is replaced is removed, and the backup would go with it, or become a part of what it is.
function refuseNested(from: string, destination: string): void {
  const backup = realpathSync(from);
  if (!isInside(backup, destination) && !isInside(destination, backup)) return;
  throw new StoreRefusedError(
    `the backup ${from} and ${destination} lie in each other; move the backup out of the way first`,
  );
}

// A directory without a store is left as it is.
function lockOf(path: string, shown: string): Lock | undefined {
  const dir = dataDirAt(path);
  return existsSync(dir.lock) || existsSync(dir.database) ? takeLock(dir.lock, shown) : undefined;
}

// A data directory may be a symlink; what it leads to is what is replaced.
function resolved(dataDir: string): string {
  if (existsSync(dataDir)) return realpathSync(dataDir);
  const parent = dirname(resolve(dataDir));
  return join(existsSync(parent) ? realpathSync(parent) : parent, basename(resolve(dataDir)));
}
