// Rows that are read again: from memory until their table is written, whoever writes it, and never many of them.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openDatabase } from "../../src/storage/database.ts";
import { keepRows, keptKeyChars, keptRowChars, mostKept } from "../../src/storage/kept-rows.ts";
import { temporaryFolder } from "./folders.ts";

function openKept() {
  const folder = temporaryFolder();
  const path = join(folder.path, "kept.db");
  const database = openDatabase(path);
  database.raw.run(
    `CREATE TABLE agents (id INTEGER PRIMARY KEY, name TEXT) STRICT;
     CREATE TABLE notes (id INTEGER PRIMARY KEY, agent INTEGER REFERENCES agents (id) ON DELETE CASCADE) STRICT;
     INSERT INTO agents VALUES (1, 'ann'), (2, 'bob'); INSERT INTO notes VALUES (10, 1);`,
  );
  const asked: string[] = [];
  const kept = keepRows(database, {
    ...database,
    get<Row>(sql: string, ...values: (string | number)[]) {
      asked.push(sql);
      return database.get<Row>(sql, ...values);
    },
  });
  return {
    path,
    database,
    kept,
    /** How many of the look-ups went to the store. */
    asks(look: () => unknown): number {
      asked.length = 0;
      look();
      return asked.length;
    },
    [Symbol.dispose]() {
      database.close();
      folder[Symbol.dispose]();
    },
  };
}

const nameOf = "SELECT name FROM agents WHERE id = ?";
const noteOf = "SELECT n.id FROM notes n JOIN agents a ON a.id = n.agent WHERE a.name = ?";

test("a row is looked up once, one that is not there too, and is nobody's to change", () => {
  using store = openKept();
  const { kept, asks } = store;
  const row = kept.get<{ name: string }>(nameOf, 1);
  expect(row).toEqual({ name: "ann" });
  expect(asks(() => [kept.get(nameOf, 1), kept.get(nameOf, 1)])).toBe(0);
  expect(asks(() => [kept.get(nameOf, 3), kept.get(nameOf, 3)])).toBe(1);
  expect(kept.get(nameOf, 3)).toBeUndefined();
  expect(() => Object.assign(row ?? {}, { name: "eve" })).toThrow();
});

test("a write forgets what reads its table, in any part of the statement, and nothing else", () => {
  using store = openKept();
  const { kept, asks } = store;
  const looks = () => [kept.get(nameOf, 1), kept.get(noteOf, "ann"), kept.get("SELECT count(*) AS n FROM notes")];
  const table: [string, number][] = [
    ["INSERT INTO notes VALUES (11, 2)", 2],
    ["UPDATE notes SET agent = 2 WHERE id = 11", 2],
    ["UPDATE agents SET name = 'ann' WHERE id = 1", 2],
    ["INSERT INTO agents SELECT 4, name FROM agents WHERE id = 2 ON CONFLICT (id) DO NOTHING", 2],
    // These reach further than their table, or may do anything.
    ["DELETE FROM agents WHERE id = 2", 3],
    ["INSERT OR REPLACE INTO notes VALUES (11, 1)", 3],
    ["INSERT INTO main.notes VALUES (13, 1)", 3],
    ["UPDATE OR IGNORE notes SET agent = 1 WHERE id = 13", 3],
    ["WITH gone AS (SELECT 11 AS id) DELETE FROM notes WHERE id IN (SELECT id FROM gone)", 3],
    ["SAVEPOINT a", 3],
    ["ROLLBACK TO a", 3],
    ["RELEASE a", 3],
  ];
  for (const [sql, count] of table) {
    looks();
    expect(asks(looks)).toBe(0);
    kept.run(sql);
    expect([sql, asks(looks)]).toEqual([sql, count]);
  }
  looks();
  kept.all("UPDATE notes SET agent = 1 RETURNING id");
  expect(asks(looks)).toBe(2);
  kept.get("INSERT INTO notes VALUES (12, 1) RETURNING id");
  expect(asks(looks)).toBe(2);
  expect(kept.get("SELECT count(*) AS n FROM notes")).toEqual({ n: 3 });
});

test("a statement that fails forgets as well, and a table that is new is known", () => {
  using store = openKept();
  const { kept } = store;
  kept.get(nameOf, 1);
  expect(() => kept.run("INSERT INTO agents VALUES (5, 'eve'), (1, 'again')")).toThrow("UNIQUE");
  expect(kept.get(nameOf, 5)).toBeUndefined();
  expect(() => kept.get("SELECT n FROM later")).toThrow("no such table");
  kept.run("CREATE TABLE later (n INTEGER) STRICT");
  expect(kept.get("SELECT count(*) AS n FROM later")).toEqual({ n: 0 });
  kept.run("INSERT INTO later VALUES (1)");
  expect(kept.get("SELECT count(*) AS n FROM later")).toEqual({ n: 1 });
});

test("what reads no table is never kept", () => {
  using store = openKept();
  const { kept, asks } = store;
  const look = () => kept.get("SELECT total_changes() AS n");
  look();
  expect(asks(look)).toBe(1);
});

test("what another connection writes is seen in the next turn, and where a transaction begins", async () => {
  using store = openKept();
  const { kept } = store;
  using other = openDatabase(store.path);
  const look = () => kept.get<{ name: string }>(nameOf, 1)?.name;
  expect(look()).toBe("ann");
  other.raw.run("UPDATE agents SET name = 'anna' WHERE id = 1");
  expect(look()).toBe("ann");
  await new Promise((resolve) => setImmediate(resolve));
  expect(look()).toBe("anna");
  other.raw.run("UPDATE agents SET name = 'anne' WHERE id = 1");
  kept.look();
  expect(look()).toBe("anne");
});

test("what is looked for by a long text is not kept", () => {
  using store = openKept();
  const { kept, asks } = store;
  for (const [size, count] of [
    [keptKeyChars, 0],
    [keptKeyChars + 1, 1],
  ] as const) {
    const look = () => kept.get(noteOf, "x".repeat(size));
    look();
    expect(asks(look)).toBe(count);
  }
});

test("few rows are kept, and no large one", () => {
  using store = openKept();
  const { kept, asks } = store;
  for (let id = 1; id <= mostKept; id += 1) kept.get(nameOf, id);
  expect(asks(() => kept.get(nameOf, 1))).toBe(0);
  kept.get(nameOf, mostKept + 1);
  expect(asks(() => kept.get(nameOf, 1))).toBe(1);
  for (const [size, count] of [
    [keptRowChars, 0],
    [keptRowChars + 1, 1],
  ] as const) {
    kept.run("UPDATE agents SET name = ? WHERE id = 1", "x".repeat(size));
    kept.get(nameOf, 1);
    expect(asks(() => kept.get(nameOf, 1))).toBe(count);
  }
});
