// What can be wrong with hub.db by itself, and with what it says of blobs (operations.md 7).
import { existsSync } from "node:fs";
import { type OpenDatabase, openWithoutTrace } from "../database.ts";
import { newerSchema, schemaVersion } from "../migrate.ts";

/** A store that was opened for a check. */
export type CheckedDatabase = Disposable & { database: OpenDatabase; version: number };

/** Undefined, and a problem said, when it cannot be opened. */
export function openChecked(
  path: string,
  supported: number,
  problem: (text: string) => void,
): CheckedDatabase | undefined {
  if (!existsSync(path)) {
    problem("hub.db is missing");
    return undefined;
  }
  let database: OpenDatabase | undefined;
  try {
    database = openWithoutTrace(path);
    const version = schemaVersion(database);
    if (version > supported) problem(newerSchema(version, supported));
    const { close } = database;
    return { database, version, [Symbol.dispose]: close };
  } catch (error) {
    database?.close();
    problem(`hub.db cannot be opened: ${reason(error)}`);
    return undefined;
  }
}

export function checkIntegrity({ database }: CheckedDatabase, problem: (text: string) => void): void {
  try {
    for (const { integrity_check: found } of database.all<{ integrity_check: string }>("PRAGMA integrity_check")) {
      if (found !== "ok") problem(`hub.db: ${found.replaceAll(/\s+/g, " ")}`);
    }
    const dangling = new Map<string, number>();
    for (const { table, parent } of database.all<{ table: string; parent: string }>("PRAGMA foreign_key_check")) {
      // A blob that is missing is told by its digest.
      if (parent === "blobs") continue;
      const what = `${table} refer to rows of ${parent}`;
      dangling.set(what, (dangling.get(what) ?? 0) + 1);
    }
    for (const [what, count] of dangling) problem(`hub.db: ${count} rows of ${what} that are not there`);
  } catch (error) {
    problem(`hub.db cannot be read: ${reason(error)}`);
  }
}

/** The first line of what went wrong. */
export function reason(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "";
}
