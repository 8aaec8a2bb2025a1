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

/** A call looks up a dozen rows; what reads thousands in one go looks at each once. */
export const mostKept = 1000;

export function keepRows({ get, all }: Pick<Db, "get" | "all">): KeptRows {
  // By statement and values.
  const rows = new Map<string, Map<SqlValue, unknown>>();
  let amount = 0;

  function forget(): void {
    rows.clear();
    amount = 0;
  }

  // A statement that returns rows may change others, too.
  function isRead(sql: string): boolean {
    if (sql.startsWith("SELECT")) return true;
    forget();
    return false;
  }

  return {
    all<Row>(sql: string, ...values: SqlValue[]): Row[] {
      isRead(sql);
      return all<Row>(sql, ...values);
    },
    get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
      if (!isRead(sql)) return get<Row>(sql, ...values);
      if (amount >= mostKept) forget();
      let ofStatement = rows.get(sql);
      if (ofStatement === undefined) {
        ofStatement = new Map();
        rows.set(sql, ofStatement);
      }
      const [only] = values;
      const key = values.length === 1 && only !== undefined ? only : JSON.stringify(values);
      if (!ofStatement.has(key)) {
        ofStatement.set(key, get<Row>(sql, ...values));
        amount += 1;
      }
      // What the same statement gave for the same values.
      return ofStatement.get(key) as Row | undefined;
    },
    forget,
  };
}
