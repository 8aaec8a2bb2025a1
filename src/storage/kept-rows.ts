// Who a caller is, what it may do and which session is its own is asked by every call, and the answers hardly ever
// change: a row that was looked up is kept until its table is written, here or by somebody else. Rows are shared by this, so
// they are frozen. That a write changes no table but the one it names holds because the store has no triggers.
import type { Db, SqlValue } from "./database.ts";

export type KeptRows = Db & {
  /** Call it when something may have changed in another way than by these three, as by a rollback. */
  forget(): void;
  /** Forgets all when another connection has written the store. Done once a turn; call it where a transaction begins. */
  look(): void;
};

/** Enough for what a few hundred agents ask; beyond that all are read anew. */
export const mostKept = 2000;
/** Far more than the hub has; statements that are built for one call could come to as many. */
const mostStatements = 1000;
/** Of texts and bytes in a row: larger ones are not kept. */
export const keptRowChars = 1024;
/** The same of what is looked for: ids and hashes are far shorter, and callers may send what they like. */
export const keptKeyChars = 256;

/** What a statement reads, or which table it writes; undefined for one that may do anything. */
type Effect = { reads: readonly string[] } | { writes: string } | undefined;
type Rows = Map<SqlValue, object | null>;

/** @param database reads where no transaction is needed; `through` is what the rows are read and written through */
export function keepRows(database: Pick<Db, "get">, through: Db): KeptRows {
  const effects = new Map<string, Effect>();
  const rowsOf = new Map<string, Rows>();
  const readersOf = new Map<string, Rows[]>();
  let tables: readonly string[] | undefined;
  let amount = 0;
  let version: number | undefined;
  let hasLooked = false;

  function look(): void {
    const now = database.get<{ data_version: number }>("PRAGMA data_version")?.data_version;
    if (now !== version) forget();
    version = now;
  }

  function lookOnceATurn(): void {
    if (hasLooked) return;
    hasLooked = true;
    setImmediate(() => {
      hasLooked = false;
    });
    look();
  }

  function forget(): void {
    for (const rows of rowsOf.values()) rows.clear();
    amount = 0;
  }

  function forgetSchema(): void {
    effects.clear();
    rowsOf.clear();
    readersOf.clear();
    tables = undefined;
    amount = 0;
  }

  function effectOf(sql: string): Effect {
    const known = effects.get(sql);
    if (known !== undefined || effects.has(sql)) return known;
    if (effects.size >= mostStatements) forgetSchema();
    const effect = readEffect(sql);
    effects.set(sql, effect);
    return effect;
  }

  function readEffect(sql: string): Effect {
    // Other changes reach further than the table they name, or say less plainly which it is.
    const written = /^(?:INSERT INTO|UPDATE) (\w+)\b/.exec(sql)?.[1];
    if (written === undefined && !sql.startsWith("SELECT")) return undefined;
    tables ??= through
      .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .map(({ name }) => name);
    if (written !== undefined) return tables.includes(written) ? { writes: written } : undefined;
    const words = new Set(sql.match(/\w+/g));
    return { reads: tables.filter((name) => words.has(name)) };
  }

  // Before the statement runs: what it changes is unknown when it fails.
  function note(sql: string): void {
    const effect = effectOf(sql);
    if (effect === undefined) {
      if (/^(?:CREATE|ALTER|DROP) /.test(sql)) forgetSchema();
      else forget();
    } else if ("writes" in effect) {
      for (const rows of readersOf.get(effect.writes) ?? []) {
        amount -= rows.size;
        rows.clear();
      }
    }
  }

  function rowsFor(sql: string, reads: readonly string[]): Rows {
    const known = rowsOf.get(sql);
    if (known !== undefined) return known;
    const rows: Rows = new Map();
    rowsOf.set(sql, rows);
    for (const table of reads) readersOf.set(table, [...(readersOf.get(table) ?? []), rows]);
    return rows;
  }

  return {
    get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
      const effect = effectOf(sql);
      if (effect === undefined || "writes" in effect) note(sql);
      // What reads no table of the store reads something that changes by itself.
      if (effect === undefined || "writes" in effect || effect.reads.length === 0) return through.get(sql, ...values);
      if (charsOf(values) > keptKeyChars) return through.get(sql, ...values);
      lookOnceATurn();
      const rows = rowsFor(sql, effect.reads);
      const [only] = values;
      const key = values.length === 1 && only !== undefined ? only : JSON.stringify(values);
      const kept = rows.get(key);
      // What the same statement gave for the same values; null is that there is no such row.
      if (kept !== undefined) return (kept ?? undefined) as Row | undefined;
      const row = through.get<object>(sql, ...values) ?? null;
      if (amount >= mostKept) forget();
      if (row === null || charsOf(Object.values(row)) <= keptRowChars) {
        rows.set(key, row === null ? row : Object.freeze(row));
        amount += 1;
      }
      return (row ?? undefined) as Row | undefined; // as above
    },
    all(sql, ...values) {
      note(sql);
      return through.all(sql, ...values);
    },
    run(sql, ...values) {
      note(sql);
      return through.run(sql, ...values);
    },
    forget,
    look,
  };
}

function charsOf(values: readonly unknown[]): number {
  let size = 0;
  for (const value of values) {
    if (typeof value === "string" || value instanceof Uint8Array) size += value.length;
  }
  return size;
}
