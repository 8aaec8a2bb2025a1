// One process a data directory (operations.md 2): an exclusive transaction on hub.lock, which the kernel releases when
// the process dies, so there is no stale lock.

import { Database } from "bun:sqlite";
import { chmodSync } from "node:fs";
import { errorCode } from "./store-fault.ts";

/** The directory is held by another process. `dataDir` is as configured, for the message. */
export class DataDirHeldError extends Error {
  constructor(dataDir: string) {
    super(`a hub is using this data directory: ${dataDir}`);
    this.name = "DataDirHeldError";
  }
}

/** Holds the lock until disposed. Keep a reference: a collected Database would drop the lock. */
export type Lock = Disposable;

/** @throws DataDirHeldError when another process holds it */
export function takeLock(path: string, dataDir: string): Lock {
  const database = new Database(path, { create: true, readwrite: true });
  try {
    chmodSync(path, 0o600);
    database.run("PRAGMA busy_timeout = 0");
    // Nothing is ever written, so nothing lies beside the lock either.
    database.run("PRAGMA journal_mode = MEMORY");
    database.run("BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (errorCode(error)?.startsWith("SQLITE_BUSY")) throw new DataDirHeldError(dataDir);
    throw error;
  }
  return {
    [Symbol.dispose]: () => {
      database.run("ROLLBACK");
      database.close();
    },
  };
}
