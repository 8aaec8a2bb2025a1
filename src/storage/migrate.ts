// Brings hub.db to the schema of this binary (operations.md 4): forward only, each migration with the record of its
// version in one transaction, a copy of an older store first.
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { freeSpaceMarginBytes } from "../shared/limits.ts";
import type { OpenDatabase } from "./database.ts";
import type { Migration } from "./migrations/index.ts";

const copiesKept = 3;

/** A store this binary must not open; the message says why and what to do. */
export class StoreRefusedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StoreRefusedError";
  }
}

export type MigrationOptions = {
  migrations: readonly Migration[];
  /** Where hub.db lies; the copy goes to `backups/` below. */
  dataDir: string;
  now: () => number;
  warn: (message: string) => void;
};

/** The schema version of a store; 0 when it is new. */
export function schemaVersion(database: OpenDatabase): number {
  const tables = database.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'");
  if (tables.length === 0) return 0;
  if (!tables.some((table) => table.name === "schema_version")) {
    throw new StoreRefusedError("hub.db is not a store of Agent Hub: it has tables but no schema_version");
  }
  return database.get<{ version: number }>("SELECT max(version) AS version FROM schema_version")?.version ?? 0;
}

/**
 * Migrates the store and returns its version.
 * @throws StoreRefusedError when the store is newer than the binary, foreign, or too large to copy; nothing is written
 */
export function migrate(database: OpenDatabase, options: MigrationOptions): number {
  const from = schemaVersion(database);
  const supported = options.migrations.at(-1)?.version ?? 0;
  if (from > supported) {
    throw new StoreRefusedError(
      `hub.db has schema ${from}, this binary supports up to ${supported}; use a newer agent-hub`,
    );
  }
  const due = options.migrations.filter((migration) => migration.version > from);
  if (from > 0 && due.length > 0) copyBefore(database, from, options);
  for (const migration of due) {
    database.raw.run("BEGIN IMMEDIATE");
    try {
      database.raw.run(
        "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT",
      );
      database.raw.run(migration.sql);
      database.raw.run("INSERT INTO schema_version (version, applied_at) VALUES (?, ?)", [
        migration.version,
        options.now(),
      ]);
      database.raw.run("COMMIT");
    } catch (error) {
      if (database.raw.inTransaction) database.raw.run("ROLLBACK");
      throw error;
    }
  }
  return supported;
}

function copyBefore(database: OpenDatabase, from: number, options: MigrationOptions): void {
  const disk = statfsSync(options.dataDir);
  const free = disk.bavail * disk.bsize;
  const needed = statSync(join(options.dataDir, "hub.db")).size + freeSpaceMarginBytes;
  if (free < needed) {
    throw new StoreRefusedError(
      `too little space to copy hub.db before its migration: ${free} bytes free, ${needed} needed; free some and start again`,
    );
  }
  const folder = join(options.dataDir, "backups");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date(options.now()).toISOString().replaceAll(/[-:]/g, "");
  const copy = join(folder, `pre-migration-v${from}-${stamp}.db`);
  database.raw.run("VACUUM INTO ?", [copy]);
  chmodSync(copy, 0o600);
  dropOldCopies(folder, options.warn);
}

function dropOldCopies(folder: string, warn: (message: string) => void): void {
  const copies = readdirSync(folder)
    .filter((name) => name.startsWith("pre-migration-") && name.endsWith(".db"))
    .map((name) => ({ name, modified: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.modified - a.modified);
  for (const { name } of copies.slice(copiesKept)) {
    for (const suffix of ["", "-wal", "-shm"]) {
      try {
        rmSync(join(folder, name + suffix), { force: true });
      } catch (error) {
        warn(`cannot remove the old copy ${name}${suffix}: ${String(error)}`);
      }
    }
  }
}
