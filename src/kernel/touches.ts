// Touches ("last used", activity) in one coalescer (architecture.md 14): the last value of a key wins and goes out with
// a later drain, so that a read stays a read.
import type { Db } from "../storage/database.ts";
import type { Log } from "./log.ts";

const flushMs = 1000;

export type Touches = {
  /** Remembers a small write under a key. Best effort: a failed touch is logged and never fails a call. */
  touch(key: string, write: (db: Db) => void): void;
  /** Writes what is remembered now; resolves when all that was remembered so far is written. */
  flush(): Promise<void>;
};

export function createTouches(write: (job: (db: Db) => void) => Promise<void>, log: Log): Touches {
  let pending = new Map<string, (db: Db) => void>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let flushed: Promise<unknown> = Promise.resolve();

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const due = [...pending.values()];
    pending = new Map();
    flushed = Promise.all([flushed, ...due.map(record)]);
    await flushed;
  }

  // Each touch is a job of its own, so that one that fails takes no other along.
  async function record(touch: (db: Db) => void): Promise<void> {
    try {
      await write(touch);
    } catch (error) {
      log.warn("could not record activity", { cause: String(error) });
    }
  }

  return {
    touch(key, job) {
      pending.set(key, job);
      if (timer !== undefined) return;
      // flush() catches its own failures.
      timer = setTimeout(() => void flush(), flushMs);
      // A hub that closes flushes; what comes later must not keep the process.
      timer.unref();
    },
    flush,
  };
}
