// A data directory that tests hand from one process to the next.
import { cp, stat } from "node:fs/promises";
import { join } from "node:path";
import { TempDir } from "./binary.ts";

export type DataDirectory = AsyncDisposable & {
  readonly dataDir: string;
  /** Names it to a program. */
  readonly env: Readonly<Record<string, string>>;
};

/** A copy of a directory that no process holds. */
export async function copyDirectory(from: string): Promise<DataDirectory> {
  const folder = await TempDir.create();
  const dataDir = join(folder.path, "data");
  await cp(from, dataDir, { recursive: true });
  return { dataDir, env: { HUB_DATA_DIR: dataDir }, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

export async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false, // what cannot be looked at is not there for anybody
  );
}

/** Bytes of the write-ahead log; 0 when there is none. */
export async function walBytes(dataDir: string): Promise<number> {
  return stat(join(dataDir, "hub.db-wal")).then(
    ({ size }) => size,
    () => 0, // a log without a file holds nothing
  );
}
