// Opening new, older, newer, foreign and broken stores.
import { describe, expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/storage/database.ts";
import { type Migration, migrations as product } from "../../src/storage/migrations/index.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { StoreRefusedError } from "../../src/storage/store-fault.ts";
import { canMount, modeOf, smallDisk, temporaryFolder } from "./folders.ts";

const first: Migration = {
  version: 1,
  name: "first",
  sql: `CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
        CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id) ON DELETE CASCADE) STRICT;
        INSERT INTO parents VALUES (1); INSERT INTO children VALUES (10, 1);`,
};
const second: Migration = { version: 2, name: "second", sql: "CREATE TABLE more (id INTEGER PRIMARY KEY) STRICT" };
const third: Migration = {
  version: 3,
  name: "third",
  sql: "INSERT INTO more VALUES (1); INSERT INTO nowhere VALUES (1)",
};

type Options = { migrations?: readonly Migration[]; now?: number; warnings?: string[] };

function openAt(
  dataDir: string,
  { migrations = [first], now = Date.UTC(2026, 0, 2, 3, 4, 5, 6), warnings = [] }: Options,
) {
  return openStorage({
    dataDir,
    migrations,
    now: () => now,
    warn: (message) => warnings.push(message),
    error: () => undefined,
  });
}

async function openAndClose(dataDir: string, options: Options): Promise<number> {
  const storage = openAt(dataDir, options);
  await storage.close(() => undefined);
  return storage.schemaVersion;
}

const copies = (dataDir: string): string[] => readdirSync(join(dataDir, "backups")).sort();
const digestOf = (path: string): string => Bun.SHA256.hash(readFileSync(path), "hex");

describe("a new store", () => {
  test("gets every migration and the time of each, and no copy", async () => {
    using folder = temporaryFolder();
    const storage = openAt(folder.path, { migrations: [first, second], now: 5 });
    expect(storage.schemaVersion).toBe(2);
    expect(storage.db.all("SELECT * FROM schema_version")).toEqual([
      { version: 1, applied_at: 5 },
      { version: 2, applied_at: 5 },
    ]);
    await storage.close(() => undefined);
    expect(copies(folder.path)).toEqual([]);
    expect(modeOf(join(folder.path, "hub.db"))).toBe("600");
  });

  test("the product's migrations are numbered from 1 without a gap, say why, and make STRICT tables only, without triggers", async () => {
    expect(product.map(({ version }) => version)).toEqual(product.map((_, index) => index + 1));
    for (const { sql } of product) expect(sql).toMatch(/^-- What changes: /);
    using folder = temporaryFolder();
    const storage = openAt(folder.path, { migrations: product });
    const loose = storage.db.all(
      "SELECT name FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite_%'",
    );
    expect(loose).toEqual([]);
    // A write changes the table it names; what is kept of the others stays true.
    const others = storage.db.all(
      "SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'view') OR sql LIKE '%ON UPDATE%'",
    );
    expect(others).toEqual([]);
    await storage.close(() => undefined);
  });

  test("the product's migrations are never edited: a store that has one keeps what it made", () => {
    const digests = product.map(({ sql }) => Bun.SHA256.hash(sql, "hex"));
    // Changes of the store are a new file, whose digest is added here.
    expect(digests).toEqual([
      "4029e35b68f58c6d76798cbab8351f47c7cb3ee4328c9ee6484ef0713c813268",
      "37612425b56d52279ad931a1fa8e8bdc762b1970f1788b26d3eda62f05f5268e",
      "9bace40b6a3136f94ea0485c775d865e735670b21c780ff8c3c4d83435e8d453",
      "7d14e3ed061883140899f88a1d513ab6a3950a561d8f763c4c0eba031e741c75",
      "b361614083346cca81e48306f5734a60ce77bffe8711359a3c6a3d9c212ff12d",
      "4fd22a603131587e753dcab54a48eec861316b035cadd83a99015d6075c9c799",
      "4dc4e3585385e67f677857186e40c8a17700b0ce5e40a6a468ed688fb3a31a8f",
    ]);
  });

  test("its settings are those of the specification", async () => {
    using folder = temporaryFolder();
    const storage = openAt(folder.path, {});
    const settings = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map((name) => {
      const [value] = Object.values(storage.db.get<Record<string, unknown>>(`PRAGMA ${name}`) ?? {});
      return `${name} ${value}`;
    });
    expect(settings).toEqual(["journal_mode wal", "synchronous 2", "foreign_keys 1", "busy_timeout 5000"]);
    await storage.close(() => undefined);
  });
});

describe("an older store", () => {
  test("is copied whole, what is in its write-ahead log included, then migrated", async () => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, "data");
    await openAndClose(dataDir, {});
    const { raw, close } = openDatabase(join(dataDir, "hub.db"));
    raw.run("INSERT INTO parents VALUES (2)");
    // As a crash leaves it: the row is in hub.db-wal only.
    const crashed = join(folder.path, "crashed");
    mkdirSync(crashed);
    for (const suffix of ["", "-wal"]) copyFileSync(join(dataDir, `hub.db${suffix}`), join(crashed, `hub.db${suffix}`));
    close();
    expect(await openAndClose(crashed, { migrations: [first, second] })).toBe(2);
    expect(copies(crashed)).toEqual(["pre-migration-v1-20260102T030405.006Z.db"]);
    const copy = join(crashed, "backups", copies(crashed)[0] ?? "");
    expect(modeOf(copy)).toBe("600");
    const copied = openDatabase(copy, { readonly: true });
    expect(copied.all("SELECT version FROM schema_version")).toEqual([{ version: 1 }]);
    expect(copied.all("SELECT id FROM parents ORDER BY id")).toEqual([{ id: 1 }, { id: 2 }]);
    copied.close();
  });

  test("of schema 5 keeps its blobs, marks and brain entries, and its events count as indexed", async () => {
    using folder = temporaryFolder();
    const old = openAt(folder.path, { migrations: product.slice(0, 5) });
    await old.write((db) => {
      for (const sql of [
        "INSERT INTO projects (id, display_name, created_at) VALUES ('lab', 'Lab', 1)",
        "INSERT INTO sessions (id, project_id, agent, name, status, created_at, last_activity, brain_bytes) VALUES ('s1', 'lab', 'ann', 'main', 'active', 1, 1, 6)",
        "INSERT INTO blobs (hash, size, bytes, created_at, unreferenced_at) VALUES ('bb', 3, x'616263', 1, NULL), ('aa', 3, NULL, 2, NULL), ('cc', 4, NULL, 3, 77)",
        "INSERT INTO brain_entries (session_id, path, blob, size, written_at) VALUES ('s1', '/kv/a', 'bb', 3, 5), ('s1', '/fs/b', 'aa', 3, 6)",
        "INSERT INTO events (id, project_id, kind, actor, summary, created_at) VALUES ('01A', 'lab', 'signal', 'ann', 'first', 1), ('01B', 'lab', 'signal', 'ann', 'second', 2)",
      ]) {
        db.run(sql);
      }
    });
    await old.close(() => undefined);
    const storage = openAt(folder.path, { migrations: product });
    const { db } = storage;
    expect(db.all("SELECT hash, size, bytes, created_at FROM blobs ORDER BY id")).toEqual([
      { hash: "bb", size: 3, bytes: new TextEncoder().encode("abc"), created_at: 1 },
      { hash: "aa", size: 3, bytes: null, created_at: 2 },
      { hash: "cc", size: 4, bytes: null, created_at: 3 },
    ]);
    expect(db.all("SELECT b.hash, released_at FROM released_blobs JOIN blobs b ON b.id = blob")).toEqual([
      { hash: "cc", released_at: 77 },
    ]);
    expect(
      db.all("SELECT path, hash, e.size, written_at FROM brain_entries e JOIN blobs b ON b.id = e.blob ORDER BY path"),
    ).toEqual([
      { path: "/fs/b", hash: "aa", size: 3, written_at: 6 },
      { path: "/kv/a", hash: "bb", size: 3, written_at: 5 },
    ]);
    expect(db.all("SELECT event_id FROM search_feed_mark")).toEqual([{ event_id: "01B" }]);
    await expect(
      storage.write((job) => job.run("UPDATE brain_entries SET blob = 99 WHERE path = '/kv/a'")),
    ).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_FOREIGNKEY" });
    await storage.close(() => undefined);
  });

  test("is not copied again once it is migrated", async () => {
    using folder = temporaryFolder();
    await openAndClose(folder.path, {});
    await openAndClose(folder.path, { migrations: [first, second] });
    await openAndClose(folder.path, { migrations: [first, second] });
    expect(copies(folder.path).length).toBe(1);
  });

  test("the three newest copies are kept, by modification time", async () => {
    using folder = temporaryFolder();
    await openAndClose(folder.path, {});
    const names = ["pre-migration-v9-a.db", "pre-migration-v9-b.db", "pre-migration-v9-c.db", "pre-migration-v9-d.db"];
    for (const [index, name] of names.entries()) {
      for (const suffix of ["", "-wal", "-shm"]) writeFileSync(join(folder.path, "backups", name + suffix), "");
      utimesSync(join(folder.path, "backups", name), 1000 - index, 1000 - index);
    }
    writeFileSync(join(folder.path, "backups", "mine.db"), "");
    await openAndClose(folder.path, { migrations: [first, second] });
    expect(copies(folder.path).filter((name) => name.endsWith(".db"))).toEqual([
      "mine.db",
      "pre-migration-v1-20260102T030405.006Z.db",
      "pre-migration-v9-a.db",
      "pre-migration-v9-b.db",
    ]);
    expect(copies(folder.path).filter((name) => /v9-[cd]/.test(name))).toEqual([]);
  });

  test("a migration may rebuild a table that others refer to without losing their rows", async () => {
    using folder = temporaryFolder();
    await openAndClose(folder.path, {});
    const rebuild =
      "CREATE TABLE parents_new (id INTEGER PRIMARY KEY, name TEXT) STRICT; INSERT INTO parents_new (id) SELECT id FROM parents; DROP TABLE parents; ALTER TABLE parents_new RENAME TO parents;";
    const storage = openAt(folder.path, { migrations: [first, { version: 2, name: "rebuild", sql: rebuild }] });
    expect(storage.db.all("SELECT id, parent FROM children")).toEqual([{ id: 10, parent: 1 }]);
    expect(storage.db.get("PRAGMA foreign_keys")).toEqual({ foreign_keys: 1 });
    await expect(storage.write((db) => db.run("INSERT INTO children VALUES (11, 99)"))).rejects.toMatchObject({
      code: "SQLITE_CONSTRAINT_FOREIGNKEY",
    });
    await storage.close(() => undefined);
  });

  test.each([
    ["fails halfway", third.sql],
    ["leaves rows that refer to nothing", "DELETE FROM parents"],
  ])(
    "a migration that %s leaves the store at the last version that was committed, free for the next try",
    async (_name, sql) => {
      using folder = temporaryFolder();
      await openAndClose(folder.path, {});
      const broken = { migrations: [first, second, { version: 3, name: "third", sql }] };
      for (let attempt = 0; attempt < 2; attempt += 1) {
        expect(() => openAt(folder.path, broken)).toThrow("migration 3 (third) failed");
      }
      const storage = openAt(folder.path, { migrations: [first, second] });
      expect(storage.schemaVersion).toBe(2);
      expect(storage.db.all("SELECT * FROM more")).toEqual([]);
      expect(storage.db.all("SELECT id FROM parents")).toEqual([{ id: 1 }]);
      await storage.close(() => undefined);
    },
  );

  if (canMount) {
    test("too little space for the copy refuses the start and changes nothing", async () => {
      using disk = smallDisk(8_388_608);
      if (disk === undefined) throw new Error("no volume");
      await openAndClose(disk.path, {});
      const before = digestOf(join(disk.path, "hub.db"));
      expect(() => openAt(disk.path, { migrations: [first, second] })).toThrow(/too little space to copy hub\.db/);
      expect(digestOf(join(disk.path, "hub.db"))).toBe(before);
      expect(copies(disk.path)).toEqual([]);
    });
  }
});

describe("a store this binary must not open", () => {
  /** What lies in the directory, by content. */
  const contents = (dataDir: string): Record<string, string> =>
    Object.fromEntries(
      readdirSync(dataDir)
        .filter((name) => /^hub\.db/.test(name) && !name.endsWith("-shm"))
        .map((name) => [name, digestOf(join(dataDir, name))]),
    );

  test("newer: refused with both numbers, bytes untouched, nothing left beside it", async () => {
    using folder = temporaryFolder();
    await openAndClose(folder.path, { migrations: [first, second] });
    const before = contents(folder.path);
    expect(() => openAt(folder.path, {})).toThrow(
      new StoreRefusedError("hub.db has schema 2, this binary supports up to 1; use a newer agent-hub"),
    );
    expect(contents(folder.path)).toEqual(before);
    expect(readdirSync(folder.path).filter((name) => name.startsWith("hub.db"))).toEqual(["hub.db"]);
    expect(copies(folder.path)).toEqual([]);
    // The lock is free again.
    await openAndClose(folder.path, { migrations: [first, second] });
  });

  test("newer and not closed cleanly: its write-ahead log is not folded in either", async () => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, "data");
    const crashed = join(folder.path, "crashed");
    mkdirSync(crashed);
    const storage = openAt(dataDir, { migrations: [first, second] });
    for (const suffix of ["", "-wal"]) copyFileSync(join(dataDir, `hub.db${suffix}`), join(crashed, `hub.db${suffix}`));
    await storage.close(() => undefined);
    const before = contents(crashed);
    expect(Object.keys(before).sort()).toEqual(["hub.db", "hub.db-wal"]);
    expect(() => openAt(crashed, {})).toThrow(/schema 2/);
    expect(contents(crashed)).toEqual(before);
    expect(existsSync(join(crashed, "hub.db-shm"))).toBe(false);
  });

  test("foreign: a database of something else keeps its bytes and its journal mode", () => {
    using folder = temporaryFolder();
    const { raw, close } = openDatabase(join(folder.path, "hub.db"));
    raw.run("PRAGMA journal_mode = DELETE");
    raw.run("CREATE TABLE bookmarks (url TEXT)");
    close();
    const before = contents(folder.path);
    expect(() => openAt(folder.path, {})).toThrow(/not a store of Agent Hub/);
    expect(contents(folder.path)).toEqual(before);
  });

  test("no database at all", () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "hub.db"), "notes, kept in a file of an unlucky name\n".repeat(50));
    const before = contents(folder.path);
    expect(() => openAt(folder.path, {})).toThrow(/hub\.db is not a database/);
    expect(contents(folder.path)).toEqual(before);
  });
});
