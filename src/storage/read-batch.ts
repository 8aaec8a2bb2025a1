// Group reads: the reads of one turn of the event loop share one read transaction. Taking and giving back SQLite's
// locks costs more than a look-up by key, and a call makes several of those.
import type { Db, OpenDatabase } from "./database.ts";

export type ReadBatch = Pick<Db, "get" | "all"> & {
  /** Ends the batch now, for what needs the connection outside a transaction. */
  end(): void;
};

/** Its reads are those of the batch of this turn; inside a write job, of its transaction. */
export function createReadBatch({ get, all, isInTransaction }: OpenDatabase): ReadBatch {
  let isOpen = false;

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
    // A read that failed hard has ended the transaction itself.
    if (isInTransaction()) get("COMMIT");
  }

  return {
    get(sql, ...values) {
      open();
      return get(sql, ...values);
    },
    all(sql, ...values) {
      open();
      return all(sql, ...values);
    },
    end,
  };
}
