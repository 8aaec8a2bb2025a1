// Brings hub.db to the schema of this binary (operations.md 4): forward only, each migration with the record of its
// version in one transaction, a copy of an older store first.
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { freeSpaceMarginBytes } from "../shared/limits.ts";
import { freeBytes } from "./data-dir.ts";
import { type OpenDatabase, openWithoutTrace, sidecars } from "./database.ts";
import type { Migration } from "./migrations/index.ts";
import { errorCode, StoreRefusedError } from "./store-fault.ts";

const copiesKept = 3;

export type MigrationOptions = {
  migrations: readonly Migration[];
  /** Where hub.db lies; the copy goes to `backups/` below. */
  dataDir: string;
  now: () => number;
  warn: (message: string) => void;
};

/**
 * The schema version of a store; 0 when it is new.
 * @throws StoreRefusedError when the database is not one of Agent Hub
 */
export function schemaVersion(database: OpenDatabase): number {
  const tables = database.all<{ name: string }>("SELECT name FROM sqlite_schema");
  if (tables.length === 0) return 0;
  if (!tables.some((table) => table.name === "schema_version")) {
    throw new StoreRefusedError("hub.db is not a store of Agent Hub: it has tables but no schema_version");
  }
  return database.get<{ version: number }>("SELECT max(version) AS version FROM schema_version")?.version ?? 0;
}

/**
 * Looks at a store before it is opened for writing, which alone may change its bytes.
 * @throws StoreRefusedError when it is newer than `supported`, or not a store of Agent Hub; nothing was written
 */
export function refuseStrangeStore(path: string, supported: number): void {
  if (!existsSync(path) || statSync(path).size === 0) return;
  try {
    using database = openWithoutTrace(path);
    const version = schemaVersion(database);
    if (version > supported) throw new StoreRefusedError(newerSchema(version, supported));
  } catch (error) {
    if (errorCode(error) !== "SQLITE_NOTADB") throw error;
    throw new StoreRefusedError("hub.db is not a database; put the store of Agent Hub back, or move the file away", {
      cause: error,
    });
  }
}

export function newerSchema(version: number, supported: number): string {
  return `hub.db has schema ${version}, this binary supports up to ${supported}; use a newer agent-hub`;
}

/** Migrates a store that `refuseStrangeStore` let pass. @throws StoreRefusedError when it is too large to copy */
export function migrate(database: OpenDatabase, options: MigrationOptions): void {
  const from = schemaVersion(database);
  const due = options.migrations.filter((migration) => migration.version > from);
  if (due.length === 0) return;
  if (from > 0) copyBefore(database, from, options);
  // A migration that rebuilds a table drops the old one, which would take the rows that refer to it along.
  database.raw.run("PRAGMA foreign_keys = OFF");
  for (const migration of due) apply(database, migration, options.now());
  database.raw.run("PRAGMA foreign_keys = ON");
}

function apply(database: OpenDatabase, migration: Migration, now: number): void {
  const { raw } = database;
  raw.run("BEGIN IMMEDIATE");
  try {
    raw.run(
      "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT",
    );
    raw.run(migration.sql);
    const dangling = database.get<{ table: string }>("PRAGMA foreign_key_check");
    if (dangling !== undefined) throw new Error(`rows of ${dangling.table} refer to rows that are not there`);
    raw.run("INSERT INTO schema_version (version, applied_at) VALUES (?, ?)", [migration.version, now]);
    raw.run("COMMIT");
  } catch (error) {
    if (raw.inTransaction) raw.run("ROLLBACK");
    throw new Error(`migration ${migration.version} (${migration.name}) failed: ${String(error)}`, { cause: error });
  }
}

function copyBefore(database: OpenDatabase, from: number, options: MigrationOptions): void {
  const free = freeBytes(options.dataDir);
  const needed = statSync(join(options.dataDir, "hub.db")).size + freeSpaceMarginBytes;
  if (free !== null && free < needed) {
    throw new StoreRefusedError(
      `too little space to copy hub.db before its migration: ${free} bytes free, ${needed} needed; free some and start again`,
    );
  }
  const folder = join(options.dataDir, "backups");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date(options.now()).toISOString().replaceAll(/[-:]/g, "");
  const copy = join(folder, `pre-migration-v${from}-${stamp}.db`);
  rmSync(copy, { force: true });
  try {
    database.raw.run("VACUUM INTO ?", [copy]);
    chmodSync(copy, 0o600);
  } catch (error) {
    // Half a copy must not push a whole one out of the three that are kept.
    rmSync(copy, { force: true });
    throw error;
  }
  dropOldCopies(folder, options.warn);
}

function dropOldCopies(folder: string, warn: (message: string) => void): void {
  const copies = readdirSync(folder)
    .filter((name) => name.startsWith("pre-migration-") && name.endsWith(".db"))
    .map((name) => ({ name, modified: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.modified - a.modified);
  for (const { name } of copies.slice(copiesKept)) {
    for (const suffix of ["", ...sidecars]) {
      try {
        rmSync(join(folder, name + suffix), { force: true });
      } catch (error) {
        warn(`cannot remove the old copy ${name}${suffix}: ${String(error)}`);
      }
    }
  }
}
