// Group commit (architecture.md 4): the writes of one turn of the event loop share one transaction, each inside its
// own savepoint, and a promise resolves only after the commit that made its write durable.
import { HubError } from "../shared/errors.ts";
import { type Db, type OpenDatabase, sqliteCode } from "./database.ts";

const maxJobs = 64;
const maxDrainMs = 8;

type Job = { run: () => void; settle: () => void; fail: (error: unknown) => void };

export type WriteQueue = {
  /**
   * Runs `job` inside the next transaction and resolves with its value once that is durable. A job that throws rolls
   * back alone and rejects with what it threw. A job that returns a promise is refused: an asynchronous transaction
   * commits before it fails.
   * @throws HubError `unavailable` when the store failed and nothing of the batch was kept
   */
  write<T>(job: (db: Db) => T): Promise<T>;
  /** Resolves when everything queued so far has been committed or rejected. */
  idle(): Promise<void>;
};

export function createWriteQueue(database: OpenDatabase, onFailure: (error: unknown) => void): WriteQueue {
  const begin = database.raw.prepare("BEGIN IMMEDIATE");
  const commit = database.raw.prepare("COMMIT");
  const rollback = database.raw.prepare("ROLLBACK");
  const savepoint = database.raw.prepare("SAVEPOINT job");
  const release = database.raw.prepare("RELEASE job");
  const undo = database.raw.prepare("ROLLBACK TO job");
  let waiting: Job[] = [];
  let armed = false;

  function arm(): void {
    if (armed || waiting.length === 0) return;
    armed = true;
    setImmediate(drain);
  }

  function drain(): void {
    armed = false;
    const started = performance.now();
    // Jobs queued from inside a job land in the new array, so in the next drain.
    const batch = waiting;
    waiting = [];
    const settled: (() => void)[] = [];
    let taken = 0;
    try {
      begin.run();
      while (taken < batch.length && taken < maxJobs && performance.now() - started < maxDrainMs) {
        const job = batch[taken];
        taken += 1;
        if (job !== undefined) settled.push(runInSavepoint(job));
      }
      commit.run();
      for (const settle of settled) settle();
    } catch (error) {
      if (database.raw.inTransaction) rollback.run();
      onFailure(error);
      const refusal = storeFailure(error);
      // Nothing taken means BEGIN itself failed: the whole batch learns of it rather than spinning on a broken store.
      for (const job of batch.slice(0, taken === 0 ? batch.length : taken)) job.fail(refusal);
      if (taken === 0) taken = batch.length;
    }
    if (taken < batch.length) waiting = [...batch.slice(taken), ...waiting];
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
      if (!database.raw.inTransaction) throw error;
      undo.run();
      release.run();
      const failure = sqliteCode(error) === undefined ? error : jobFailure(error);
      if (failure !== error) onFailure(error);
      return () => job.fail(failure);
    }
  }

  const queue: WriteQueue = {
    write<T>(job: (db: Db) => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        let value: T;
        waiting.push({
          run: () => {
            value = job(database);
            if (value instanceof Promise) throw new Error("a write job must be synchronous");
          },
          settle: () => resolve(value),
          fail: reject,
        });
        arm();
      });
    },
    idle: () => queue.write(() => undefined),
  };
  return queue;
}

/** What a caller hears when the store itself failed; the cause goes to the log (mcp-tools.md 4.2). */
export function storeFailure(cause: unknown): HubError {
  if (sqliteCode(cause) === "SQLITE_FULL") {
    return new HubError(
      "unavailable",
      "the hub's disk is full; free space and send the same request again",
      {},
      { cause },
    );
  }
  return new HubError("unavailable", "the store is busy or failing; send the same request again", {}, { cause });
}

// A constraint that fails is a fault in the hub's own checks, so it stays what it is and is answered as `internal`.
function jobFailure(error: unknown): unknown {
  return sqliteCode(error)?.startsWith("SQLITE_CONSTRAINT") ? error : storeFailure(error);
}
