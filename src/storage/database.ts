// Opens hub.db with the settings of operations.md 1.4 and hands out statements. Only src/storage knows bun:sqlite.
import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { existsSync, rmSync } from "node:fs";
import { storeClosed } from "./store-fault.ts";

// Far more than the hub has; only statements built from what callers send could come to as many.
const maxStatements = 1000;
/** How long a statement waits for a lock (operations.md 1.4). */
export const busyTimeoutMs = 5000;

export type SqlValue = string | number | null | Uint8Array;

/** The statements a store may run. Rows come back as the columns of a STRICT table give them. */
export type Db = {
  /** The first row, or undefined. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SqlValue[]): Row[];
  /** Changes rows, in a write job only. Returns how many, those changed by cascades left out. */
  run(sql: string, ...values: SqlValue[]): number;
};

/** An open database: its statements and the raw handle for what only storage does. */
export type OpenDatabase = Db & Disposable & { readonly raw: Database; isInTransaction(): boolean; close(): void };

/** Opens a database file with the settings every connection of the hub shares. */
export function openDatabase(path: string, options: { readonly?: boolean } = {}): OpenDatabase {
  const raw = options.readonly
    ? new Database(path, { readonly: true, strict: true })
    : new Database(path, { create: true, readwrite: true, strict: true });
  try {
    raw.run(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    if (!options.readonly) raw.run("PRAGMA journal_mode = WAL");
    raw.run("PRAGMA synchronous = FULL");
    // What is deleted is gone from the file too; the operator's forget relies on it (knowledge-base.md 9.7).
    if (!options.readonly) raw.run("PRAGMA secure_delete = ON");
    raw.run("PRAGMA foreign_keys = ON");
    raw.run("PRAGMA cache_size = -65536");
    raw.run("PRAGMA wal_autocheckpoint = 4000");
    raw.run("PRAGMA journal_size_limit = 67108864");
    return withStatements(raw);
  } catch (error) {
    raw.close();
    throw error;
  }
}

/** What SQLite keeps beside a database, by the end of its name. */
export const sidecars = ["-wal", "-shm"];

/** Opens a store for looking at it, in a directory nobody else uses; closing leaves nothing that was not there before. */
export function openWithoutTrace(path: string): OpenDatabase {
  const absent = sidecars.map((suffix) => path + suffix).filter((sidecar) => !existsSync(sidecar));
  const removeNew = (): void => {
    for (const sidecar of absent) rmSync(sidecar, { force: true });
  };
  try {
    const database = openDatabase(path, { readonly: true });
    const close = (): void => {
      database.close();
      removeNew();
    };
    return { ...database, close, [Symbol.dispose]: close };
  } catch (error) {
    removeNew();
    throw error;
  }
}

function withStatements(raw: Database): OpenDatabase {
  // Bun caches only 20 queries per database; the hub has more and uses each of them all the time.
  const prepared = new Map<string, Statement<unknown, SQLQueryBindings[]>>();
  let isClosed = false;

  function statement<Row>(sql: string): Statement<Row, SQLQueryBindings[]> {
    if (isClosed) throw storeClosed();
    let found = prepared.get(sql);
    if (found === undefined) {
      if (prepared.size >= maxStatements) finalizeAll();
      found = raw.prepare<unknown, SQLQueryBindings[]>(sql);
      prepared.set(sql, found);
    }
    // The caller names the row; the columns are those of its own SELECT on STRICT tables.
    return found as Statement<Row, SQLQueryBindings[]>;
  }

  function finalizeAll(): void {
    for (const each of prepared.values()) each.finalize();
    prepared.clear();
  }

  function close(): void {
    isClosed = true;
    finalizeAll();
    raw.close();
  }

  return {
    raw,
    get: <Row>(sql: string, ...values: SqlValue[]) => statement<Row>(sql).get(...values) ?? undefined,
    all: <Row>(sql: string, ...values: SqlValue[]) => statement<Row>(sql).all(...values),
    run: (sql, ...values) => statement(sql).run(...values).changes,
    isInTransaction() {
      if (isClosed) throw storeClosed();
      return raw.inTransaction;
    },
    close,
    [Symbol.dispose]: close,
  };
}
