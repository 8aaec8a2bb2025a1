// What a hub in this process asks its store, statement by statement.
import type { Db, SqlValue } from "../../src/storage/database.ts";
import type { TestHub } from "./hub.ts";

export type Statement = { sql: string; values: SqlValue[] };

export type Recording = Disposable & {
  /** So far; empty it with `splice`. */
  readonly statements: Statement[];
};

/** Keeps every statement run through the hub's store, inside and outside of writes, until disposed. */
export async function recordStatements(hub: TestHub): Promise<Recording> {
  const { services } = hub.hub.kernel;
  const statements: Statement[] = [];
  const outside = services.db;
  const inside = await services.write((tx) => tx.db);
  const undo = [...new Set([outside, inside])].map((db) => record(db, statements));
  return {
    statements,
    [Symbol.dispose]: () => {
      for (const restore of undo) restore();
    },
  };
}

function record(db: Db, statements: Statement[]): () => void {
  const { get, all, run } = db;
  db.get = <Row>(sql: string, ...values: SqlValue[]): Row | undefined => {
    statements.push({ sql, values });
    return get<Row>(sql, ...values);
  };
  db.all = <Row>(sql: string, ...values: SqlValue[]): Row[] => {
    statements.push({ sql, values });
    return all<Row>(sql, ...values);
  };
  db.run = (sql, ...values) => {
    statements.push({ sql, values });
    return run(sql, ...values);
  };
  return () => {
    Object.assign(db, { get, all, run });
  };
}
