// Group commit (architecture.md 4): the writes of one turn of the event loop share one transaction, each inside its
// own savepoint, and a promise resolves only after the commit that made its write durable.
import type { Db, OpenDatabase } from "./database.ts";
import type { KeptRows } from "./kept-rows.ts";
import { isStoreFault, storeClosed, storeFault } from "./store-fault.ts";

const maxJobs = 64;
const maxDrainMs = 8;

type Job = { run: () => void; settle: () => void; fail: (error: unknown) => void };

export type WriteQueue = {
  /**
   * Runs `job` inside the next transaction and resolves with its value once that is durable. A job that throws rolls
   * back alone and rejects with what it threw. A job that returns a promise is refused: an asynchronous transaction
   * commits before it fails.
   * @throws HubError `unavailable` when the store failed and nothing of the batch was kept, or the queue is closed
   */
  write<T>(job: (db: Db) => T): Promise<T>;
  /** Takes no more writes, finishes those queued before, and runs `last` as the final one. Call it once. */
  close(last: (db: Db) => void): Promise<void>;
};

/**
 * @param kept what the jobs read and write through
 * @param beforeBegin leaves the connection outside any transaction
 */
export function createWriteQueue(
  { raw }: OpenDatabase,
  kept: KeptRows,
  onFailure: (error: unknown) => void,
  beforeBegin: () => void = () => undefined,
): WriteQueue {
  const begin = raw.prepare("BEGIN IMMEDIATE");
  const commit = raw.prepare("COMMIT");
  const rollback = raw.prepare("ROLLBACK");
  const savepoint = raw.prepare("SAVEPOINT job");
  const release = raw.prepare("RELEASE job");
  const undo = raw.prepare("ROLLBACK TO job");
  const waiting: Job[] = [];
  let isArmed = false;
  let isClosed = false;
  let isInJob = false;

  const jobDb: Db = {
    ...kept,
    // What an asynchronous job goes on to write would be a transaction of its own, or part of another's.
    run: (sql, ...values) => (isInJob ? kept.run(sql, ...values) : writesOutsideJob()),
  };

  function arm(): void {
    if (isArmed || waiting.length === 0) return;
    isArmed = true;
    setImmediate(drain);
  }

  function drain(): void {
    isArmed = false;
    // Jobs queued from inside a job land behind these, so in a later drain.
    const batch = waiting.splice(0, maxJobs);
    const answers: (() => void)[] = [];
    let taken = 0;
    try {
      beforeBegin();
      begin.run();
      kept.look();
      // Counted from here: BEGIN may have waited for a lock, and a drain always gets something done.
      const until = performance.now() + maxDrainMs;
      for (const job of batch) {
        taken += 1;
        answers.push(runInSavepoint(job));
        if (performance.now() >= until) break;
      }
      commit.run();
      for (const answer of answers) answer();
    } catch (error) {
      kept.forget();
      onFailure(error);
      const refusal = storeFault(error);
      // BEGIN itself failed: everyone learns of it, rather than each batch blocking for the busy timeout again.
      if (taken === 0) batch.push(...waiting.splice(0));
      for (const job of batch.slice(0, taken === 0 ? batch.length : taken)) job.fail(refusal);
      if (taken === 0) taken = batch.length;
      if (raw.inTransaction) rollback.run();
    }
    waiting.unshift(...batch.slice(taken));
    arm();
  }

  // Returns what to tell the caller after the commit. Throws only when the whole transaction is gone.
  function runInSavepoint(job: Job): () => void {
    savepoint.run();
    try {
      job.run();
      release.run();
      return job.settle;
    } catch (error) {
      if (!raw.inTransaction) throw error;
      kept.forget();
      undo.run();
      release.run();
      if (!isStoreFault(error)) return () => job.fail(error);
      onFailure(error);
      return () => job.fail(storeFault(error));
    }
  }

  function write<T>(job: (db: Db) => T): Promise<T> {
    if (isClosed) return Promise.reject(storeClosed());
    return new Promise<T>((resolve, reject) => {
      let value: T;
      waiting.push({
        run: () => {
          isInJob = true;
          try {
            value = job(jobDb);
          } finally {
            isInJob = false;
          }
          if (isThenable(value)) {
            // Its end is of no interest: what it goes on to write is refused.
            void Promise.resolve(value).catch(() => undefined);
            throw new Error("a write job must be synchronous");
          }
        },
        settle: () => resolve(value),
        fail: reject,
      });
      arm();
    });
  }

  return {
    write,
    async close(last) {
      const final = write(last);
      isClosed = true;
      try {
        await final;
      } finally {
        // A statement left open would keep the connection, and so the store, writable after it was closed.
        for (const statement of [begin, commit, rollback, savepoint, release, undo]) statement.finalize();
      }
    },
  };
}

/** @throws Error always */
export function writesOutsideJob(): never {
  throw new Error("rows are changed inside a write job only");
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
