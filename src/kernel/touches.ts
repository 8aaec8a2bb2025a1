// Touches ("last used", activity) in one coalescer (architecture.md 14): the last value of a key wins and goes out with
// a later drain, so that a read stays a read.
import type { Db } from "../storage/database.ts";
import type { Log } from "./log.ts";

const flushMs = 1000;

export type Touches = {
  /** Remembers a small write under a key. Best effort: a failed touch is logged and never fails a call. */
  touch(key: string, write: (db: Db) => void): void;
  /** Writes what is remembered now. */
  flush(): Promise<void>;
};

export function createTouches(write: (job: (db: Db) => void) => Promise<void>, log: Log): Touches {
  let pending = new Map<string, (db: Db) => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (pending.size === 0) return;
    const due = pending;
    pending = new Map();
    try {
      await write((db) => {
        for (const touch of due.values()) touch(db);
      });
    } catch (error) {
      log.warn("could not record activity", { cause: String(error) });
    }
  }

  return {
    touch(key, job) {
      pending.set(key, job);
      // flush() catches its own failures.
      timer ??= setTimeout(() => void flush(), flushMs);
    },
    flush,
  };
}
