// A call asks again for what it read a step before, its connection or its project, and between two changes the answer is
// the same: it is kept rather than looked up. Rows are shared by this, so nobody may change one.
import type { Db, SqlValue } from "./database.ts";

export type KeptRows = {
  /** As of the database; what was read since the last `forget` comes from memory. */
  get: Db["get"];
  /** As of the database. */
  all: Db["all"];
  /** Call it before anything may have changed in another way than by these two. */
  forget(): void;
};

export function keepRows({ get, all }: Pick<Db, "get" | "all">): KeptRows {
  // By statement and values.
  const rows = new Map<string, Map<SqlValue, unknown>>();

  // A statement that returns rows may change others, too.
  function isRead(sql: string): boolean {
    if (sql.startsWith("SELECT")) return true;
    rows.clear();
    return false;
  }

  return {
    all<Row>(sql: string, ...values: SqlValue[]): Row[] {
      isRead(sql);
      return all<Row>(sql, ...values);
    },
    get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
      if (!isRead(sql)) return get<Row>(sql, ...values);
      let ofStatement = rows.get(sql);
      if (ofStatement === undefined) {
        ofStatement = new Map();
        rows.set(sql, ofStatement);
      }
      const [only] = values;
      const key = values.length === 1 && only !== undefined ? only : JSON.stringify(values);
      if (!ofStatement.has(key)) ofStatement.set(key, get<Row>(sql, ...values));
      // What the same statement gave for the same values.
      return ofStatement.get(key) as Row | undefined;
    },
    forget: () => rows.clear(),
  };
}
