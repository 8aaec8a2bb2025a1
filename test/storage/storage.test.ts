// The data directory as a whole: states in which a hub must not start, readiness, closing.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/storage/database.ts";
import { readIdMark, storeIdMark } from "../../src/storage/id-mark.ts";
import { type Migration, migrations as product } from "../../src/storage/migrations/index.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { StoreRefusedError } from "../../src/storage/store-fault.ts";
import { temporaryFolder } from "./folders.ts";

function openAt(dataDir: string, warnings: string[] = [], migrations: readonly Migration[] = product) {
  return openStorage({
    dataDir,
    migrations,
    now: () => 1,
    warn: (message) => warnings.push(message),
    error: () => undefined,
  });
}

describe("an interrupted restore", () => {
  test.each([
    ["absent", (_dataDir: string) => undefined],
    ["empty", (dataDir: string) => mkdirSync(dataDir)],
  ])("with the data directory %s is refused, and the replaced one is named", (_name, prepare) => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, "data");
    const replaced = join(folder.path, ".agent-hub-replaced-01HZ");
    mkdirSync(replaced);
    prepare(dataDir);
    const before = existsSync(dataDir);
    expect(() => openAt(dataDir)).toThrow(StoreRefusedError);
    expect(() => openAt(dataDir)).toThrow(`left the data in ${replaced}; move it back to ${dataDir}`);
    expect(existsSync(dataDir)).toBe(before);
  });

  test("inside the data directory is refused, and the stage is named", () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, ".agent-hub-restore-01HZ"));
    expect(() => openAt(folder.path)).toThrow(join(folder.path, ".agent-hub-restore-01HZ"));
    expect(() => openAt(folder.path)).toThrow("--force");
    expect(readdirSync(folder.path)).toEqual([".agent-hub-restore-01HZ"]);
  });

  test("that ended well is none: a store with something beside it opens", async () => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, "data");
    await openAt(dataDir).close(() => undefined);
    mkdirSync(join(folder.path, ".agent-hub-replaced-01HZ"));
    await openAt(dataDir).close(() => undefined);
  });
});

describe("the data directory", () => {
  test("may be a symlink; a link inside is left alone", async () => {
    using folder = temporaryFolder();
    const target = join(folder.path, "target");
    const outside = join(folder.path, "outside");
    mkdirSync(target, 0o755);
    mkdirSync(outside, 0o755);
    symlinkSync(target, join(folder.path, "data"));
    symlinkSync(outside, join(target, "link"));
    const storage = openAt(join(folder.path, "data"));
    expect(existsSync(join(target, "hub.db"))).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(statSync(outside).mode & 0o777).toBe(0o755);
    await storage.close(() => undefined);
  });

  test("what cannot be cleared at start is a warning", async () => {
    using folder = temporaryFolder();
    mkdirSync(join(folder.path, "blobs/tmp/odd/inner"), { recursive: true });
    const warnings: string[] = [];
    const storage = openAt(folder.path, warnings);
    expect(warnings).toEqual([expect.stringContaining(join(folder.path, "blobs/tmp/odd"))]);
    await storage.close(() => undefined);
  });
});

describe("readiness", () => {
  test("names the first leg that fails", async () => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, "data");
    const storage = openAt(dataDir);
    expect(storage.readiness(0)).toMatchObject({
      ready: true,
      schemaVersion: storage.schemaVersion,
      supportedMax: storage.schemaVersion,
      freeBytes: expect.any(Number),
    });
    expect(storage.readiness(Number.MAX_SAFE_INTEGER)).toMatchObject({
      reason: expect.stringContaining("bytes are free"),
    });
    const { blobs } = storage.dir;
    renameSync(blobs, `${blobs}-away`);
    expect(storage.readiness(0)).toMatchObject({ reason: "the blob folder is missing" });
    renameSync(`${blobs}-away`, blobs);
    await storage.write((db) => db.run("INSERT INTO schema_version VALUES (9999, 1)"));
    expect(storage.readiness(0)).toMatchObject({ reason: `the store has schema 9999, not ${storage.schemaVersion}` });
    await storage.write((db) => db.run("DELETE FROM schema_version WHERE version = 9999"));
    renameSync(join(dataDir, "hub.db"), join(dataDir, "hub.db-away"));
    writeFileSync(join(dataDir, "hub.db"), "");
    expect(storage.readiness(0)).toMatchObject({ reason: "the data directory was replaced" });
    rmSync(join(dataDir, "hub.db"));
    expect(storage.readiness(0)).toMatchObject({ reason: expect.stringContaining("cannot be read") });
    renameSync(join(dataDir, "hub.db-away"), join(dataDir, "hub.db"));
    expect(storage.readiness(0)).toMatchObject({ ready: true });
    await storage.close(() => undefined);
    expect(storage.readiness(0)).toMatchObject({ reason: "the store does not answer" });
  });
});

describe("closing", () => {
  test("folds the write-ahead log in and leaves one file; what comes later is refused and writes nothing", async () => {
    using folder = temporaryFolder();
    const storage = openAt(folder.path);
    const queued = storage.write((db) => db.run("INSERT INTO marks (name, value) VALUES ('queued', 1)"));
    const closed = storage.close((db) => storeIdMark(db, 5));
    const during = storage.write((db) => db.run("INSERT INTO marks (name, value) VALUES ('during', 1)"));
    await expect(during).rejects.toMatchObject({ code: "unavailable" });
    expect(await queued).toBe(1);
    await closed;
    expect(readdirSync(folder.path).filter((name) => name.startsWith("hub.db"))).toEqual(["hub.db"]);
    await expect(storage.write((db) => db.run("DELETE FROM marks"))).rejects.toMatchObject({ code: "unavailable" });
    expect(() => storage.db.get("SELECT 1")).toThrow("shutting down");
    const reader = openDatabase(join(folder.path, "hub.db"), { readonly: true });
    expect(reader.all("SELECT name, value FROM marks ORDER BY name")).toEqual([
      { name: "highest_minted_ms", value: 5 },
      { name: "queued", value: 1 },
    ]);
    reader.close();
  });

  test("a last write that fails and a log in use are warnings; the lock is given back", async () => {
    using folder = temporaryFolder();
    const warnings: string[] = [];
    const storage = openAt(folder.path, warnings);
    storage.db.get("PRAGMA busy_timeout = 0");
    const reader = openDatabase(join(folder.path, "hub.db"), { readonly: true });
    reader.raw.run("BEGIN");
    reader.get("SELECT count(*) FROM marks");
    await storage.write((db) => db.run("INSERT INTO marks (name, value) VALUES ('a', 1)"));
    await storage.close(() => {
      throw new Error("no room");
    });
    expect(warnings).toEqual([expect.stringContaining("no room"), expect.stringContaining("write-ahead log")]);
    reader.close();
    const again = openAt(folder.path);
    expect(again.db.get("SELECT value FROM marks WHERE name = 'a'")).toEqual({ value: 1 });
    await again.close(() => undefined);
  });
});

describe("reads", () => {
  test("of one turn see one state of the store, those of the next turn and of a write job the newest", async () => {
    using folder = temporaryFolder();
    const storage = openAt(folder.path);
    const other = openDatabase(join(folder.path, "hub.db"));
    const count = () => storage.db.get<{ n: number }>("SELECT count(*) AS n FROM marks")?.n;
    expect(count()).toBe(0);
    other.raw.run("INSERT INTO marks (name, value) VALUES ('a', 1)");
    expect(count()).toBe(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(count()).toBe(1);
    const inside = storage.write((db) => {
      db.run("INSERT INTO marks (name, value) VALUES ('b', 1)");
      return count();
    });
    expect(count()).toBe(1);
    expect(await inside).toBe(2);
    expect(count()).toBe(2);
    other.close();
    await storage.close(() => undefined);
  });
});

describe("rows that are read again", () => {
  test("in the same turn come without a look at the store, by the very statement and values", async () => {
    using folder = temporaryFolder();
    const storage = openAt(folder.path);
    await storage.write((db) => db.run("CREATE TABLE looked (name, n)"));
    await storage.write((db) =>
      db.run("INSERT INTO looked VALUES ('1', 'text'), (1, 'number'), (?, 'joined')", "a\u0000b"),
    );
    const n = (...values: (string | number)[]) =>
      storage.db.get<{ n: string }>(
        `SELECT n FROM looked WHERE ${values.map(() => "name = ?").join(" OR ")}`,
        ...values,
      );
    const first = n("1");
    expect(n("1")).toBe(first);
    expect(n(1)).toEqual({ n: "number" });
    expect(n("a\u0000b")).toEqual({ n: "joined" });
    expect(n("a", "b")).toBeUndefined();
    expect(n("none", "a\u0000b")).toEqual({ n: "joined" });
    await storage.write((db) => db.run("UPDATE looked SET n = 'new'"));
    expect(n("1")).toEqual({ n: "new" });
    await storage.write((db) => {
      const inJob = () => db.get<{ n: string }>("SELECT n FROM looked WHERE name = ?", "1");
      const before = inJob();
      expect(inJob()).toBe(before);
      db.run("UPDATE looked SET n = 'newer'");
      expect(inJob()).toEqual({ n: "newer" });
      const count = () =>
        db.get<{ n: number }>("UPDATE looked SET n = n || '!' WHERE name = '1' RETURNING length(n) AS n")?.n;
      expect([count(), inJob()?.n, count(), inJob()?.n]).toEqual([6, "newer!", 7, "newer!!"]);
      db.all("UPDATE looked SET n = 'all' RETURNING n");
      expect(inJob()).toEqual({ n: "all" });
    });
    await storage.close(() => undefined);
  });
});

describe("statements", () => {
  test("rows are changed inside a write job only", async () => {
    using folder = temporaryFolder();
    const storage = openAt(folder.path);
    const insert = "INSERT INTO marks (name, value) VALUES ('a', 1)";
    expect(() => storage.db.run(insert)).toThrow("inside a write job only");
    expect(await storage.write((db) => db.run(insert))).toBe(1);
    expect(storage.db.get("SELECT value FROM marks WHERE name = ?", "b")).toBeUndefined();
    await storage.close(() => undefined);
  });

  test("however many different ones callers bring about, all work and the memory they take is bounded", async () => {
    using folder = temporaryFolder();
    const storage = openAt(folder.path);
    const lists = Array.from({ length: 2500 }, (_, index) =>
      Array(index + 1)
        .fill("?")
        .join(", "),
    );
    for (const [index, list] of lists.entries()) {
      const row = storage.db.get<{ n: number }>(
        `SELECT count(*) AS n FROM marks WHERE name IN (${list})`,
        ...Array(index + 1).fill("a"),
      );
      expect(row?.n).toBe(0);
    }
    await storage.close(() => undefined);
  });

  test("cascades are left out of the number of changed rows", async () => {
    using folder = temporaryFolder();
    const sql = `CREATE TABLE parents (id INTEGER PRIMARY KEY) STRICT;
      CREATE TABLE children (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parents (id) ON DELETE CASCADE) STRICT`;
    const storage = openAt(folder.path, [], [{ version: 1, name: "family", sql }]);
    const changed = await storage.write((db) => {
      db.run("INSERT INTO parents VALUES (1), (2)");
      db.run("INSERT INTO children VALUES (10, 1), (11, 1)");
      return db.run("DELETE FROM parents WHERE id = ?", 1);
    });
    expect(changed).toBe(1);
    expect(storage.db.all("SELECT * FROM children")).toEqual([]);
    await storage.close(() => undefined);
  });
});

describe("the id mark", () => {
  test("is the later of the mark and the greatest ULID, ignores what is none, and never goes back", async () => {
    using folder = temporaryFolder();
    const storage = openAt(folder.path);
    const columns = [{ table: "projects", column: "id" }];
    const read = (): number => readIdMark(storage.db, columns);
    const project = (id: string) =>
      storage.write((db) => db.run("INSERT INTO projects (id, display_name, created_at) VALUES (?, 'P', 1)", id));
    expect(read()).toBe(0);
    await storage.write((db) => storeIdMark(db, 1000));
    await storage.write((db) => storeIdMark(db, 500));
    expect(read()).toBe(1000);
    await project("0000000Z000000000000000000");
    expect(read()).toBe(31 * 32 ** 2);
    await project("zzz-not-an-id");
    expect(read()).toBe(1000);
    await storage.close(() => undefined);
  });
});
