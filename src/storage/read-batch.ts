// Group reads: the reads of one turn of the event loop share one read transaction. Taking and giving back SQLite's
// locks costs more than a look-up by key, and a call makes several of those.
import type { Db, OpenDatabase, SqlValue } from "./database.ts";
import { keepRows } from "./kept-rows.ts";
import { writesOutsideJob } from "./write-queue.ts";

export type ReadBatch = {
  /** Reads in the batch of this turn; inside a write job, in its transaction. */
  readonly db: Db;
  /** Ends the batch now, for what needs the connection outside a transaction. */
  end(): void;
};

export function createReadBatch({ get, all, isInTransaction }: OpenDatabase): ReadBatch {
  let isOpen = false;
  const kept = keepRows({ get, all });

  function open(): void {
    // A job that reads through here is in the queue's transaction already.
    if (isOpen || isInTransaction()) return;
    get("BEGIN");
    isOpen = true;
    setImmediate(end);
  }

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    kept.forget();
    // A read that failed hard has ended the transaction itself.
    if (isInTransaction()) get("COMMIT");
  }

  return {
    db: {
      get: <Row>(sql: string, ...values: SqlValue[]) => {
        open();
        return isOpen ? kept.get<Row>(sql, ...values) : get<Row>(sql, ...values);
      },
      all: (sql, ...values) => {
        open();
        return all(sql, ...values);
      },
      run: writesOutsideJob,
    },
    end,
  };
}
