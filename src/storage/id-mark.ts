// The highest millisecond ever minted (operations.md 1.4): ids stay ordered when the clock steps back between two runs.
import { timeOf, ulidPattern } from "../shared/ids.ts";
import type { Db } from "./database.ts";

const markName = "highest_minted_ms";

/** The later of the stored mark and the greatest ULID of any column given; 0 for a new store. Milliseconds. */
export function readIdMark(db: Db, columns: readonly { table: string; column: string }[]): number {
  const mark = db.get<{ value: number }>("SELECT value FROM marks WHERE name = ?", markName)?.value ?? 0;
  const times = columns.map(({ table, column }) => {
    // Table and column are names in the hub's own code.
    const top = db.get<{ id: string | null }>(`SELECT max(${column}) AS id FROM ${table}`)?.id;
    return typeof top === "string" && ulidPattern.test(top) ? timeOf(top) : 0;
  });
  return Math.max(mark, ...times);
}

/** The stored mark; null in a store that has none. */
export function findIdMark(db: Db): number | null {
  // Older stores lack the table.
  if (db.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'marks'") === undefined) return null;
  return db.get<{ value: number }>("SELECT value FROM marks WHERE name = ?", markName)?.value ?? null;
}

export function storeIdMark(db: Db, ms: number): void {
  db.run(
    "INSERT INTO marks (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)",
    markName,
    ms,
  );
}
