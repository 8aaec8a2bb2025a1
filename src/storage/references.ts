// Which blobs a store refers to, read off the store itself: every column that refers to a blob, by its digest or by its
// number, says so in its table, so this holds for a store of any schema version.
import type { Db } from "./database.ts";

/** `by` is the column of `blobs` that is named. */
export type Reference = { table: string; column: string; by: string };

export function blobReferences(db: Db): Reference[] {
  return db.all<Reference>(
    `SELECT s.name AS "table", f."from" AS "column", f."to" AS "by" FROM sqlite_schema s JOIN pragma_foreign_key_list(s.name) f
     WHERE s.type = 'table' AND f."table" = 'blobs' ORDER BY s.name, f."from"`,
  );
}

export type ReferencedBlob = { hash: string; size: number; bytes: Uint8Array | null };

// Names out of the store's own schema, quoted as SQL quotes them.
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function isNamed(references: readonly Reference[]): string {
  const tests = references.map(
    ({ table, column, by }) => `EXISTS (SELECT 1 FROM ${quoted(table)} r WHERE r.${quoted(column)} = b.${quoted(by)})`,
  );
  return tests.length === 0 ? "FALSE" : `(${tests.join(" OR ")})`;
}

/** Number and bytes of the referenced blobs that are files. */
export function weighFiles(db: Db, references: readonly Reference[]): { files: number; bytes: number } {
  if (references.length === 0) return { files: 0, bytes: 0 };
  const sum = db.get<{ files: number; bytes: number }>(
    `SELECT count(*) AS files, coalesce(sum(size), 0) AS bytes FROM blobs b WHERE b.bytes IS NULL AND ${isNamed(references)}`,
  );
  return sum ?? { files: 0, bytes: 0 };
}

const rowsAtOnce = 200;

/** Every referenced blob by digest, a few rows at a time. */
export function* referencedBlobs(db: Db, references: readonly Reference[]): Generator<ReferencedBlob> {
  if (references.length === 0) return;
  for (let after = ""; ; ) {
    const rows = db.all<ReferencedBlob>(
      `SELECT b.hash, b.size, b.bytes FROM blobs b WHERE b.hash > ? AND ${isNamed(references)} ORDER BY b.hash LIMIT ?`,
      after,
      rowsAtOnce,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    yield* rows;
    after = last.hash;
  }
}

export function isReferenced(db: Db, references: readonly Reference[], hash: string): boolean {
  if (references.length === 0) return false;
  return db.get(`SELECT 1 FROM blobs b WHERE b.hash = ? AND ${isNamed(references)}`, hash) !== undefined;
}

export type Dangling = Reference & { value: string | number };

/** What rows name although the store has no such blob. */
export function danglingReferences(db: Db, references: readonly Reference[]): Dangling[] {
  return references.flatMap((reference) => {
    const { table, column, by } = reference;
    return db
      .all<{ value: string | number }>(
        `SELECT DISTINCT r.${quoted(column)} AS value FROM ${quoted(table)} r WHERE r.${quoted(column)} IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM blobs b WHERE b.${quoted(by)} = r.${quoted(column)})`,
      )
      .map(({ value }) => ({ ...reference, value }));
  });
}

/** What names a blob, for a person: the table and the key of a row, and how many more there are. */
export function describeReferences(db: Db, references: readonly Reference[], hash: string): string {
  const named = references.flatMap((reference) => {
    const value = db.get<{ value: string | number }>(
      `SELECT ${quoted(reference.by)} AS value FROM blobs WHERE hash = ?`,
      hash,
    )?.value;
    return value === undefined ? [] : rowsNaming(db, { ...reference, value });
  });
  const [first = "nothing", ...more] = named;
  return more.length === 0 ? first : `${first} and ${more.length} more`;
}

/** Table and key of the rows that name a blob by a value, the value itself left out. */
export function rowsNaming(db: Db, { table, column, value }: Omit<Dangling, "by">): string[] {
  const keys = db
    .all<{ name: string }>(
      "SELECT name FROM pragma_table_info(?) WHERE pk > 0 AND name <> ? ORDER BY pk",
      table,
      column,
    )
    .map(({ name }) => quoted(name));
  return db
    .all<Record<string, unknown>>(
      `SELECT ${keys.length === 0 ? "rowid" : keys.join(", ")} FROM ${quoted(table)} WHERE ${quoted(column)} = ?`,
      value,
    )
    .map((row) => [table, ...Object.values(row).map(String)].join(" "));
}
