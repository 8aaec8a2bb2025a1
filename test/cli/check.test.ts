// `agent-hub check` and `agent-hub doctor` (cli.md 13 and 14, operations.md 7 and 8): every kind of damage is found, and
// looking changes nothing.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { migrations } from "../../src/storage/migrations/index.ts";
import { fileOfBlob } from "../features/upkeep/backup-lab.ts";
import { canMount, smallDisk } from "../storage/folders.ts";
import { namesIn, type OfflineLab, openOfflineLab, whileHeld } from "./offline-lab.ts";

const schema = migrations.at(-1)?.version ?? 0;
let lab: OfflineLab;
let backup: string;
beforeEach(async () => {
  lab = await openOfflineLab();
  backup = lab.at("backup");
  await lab.run(["backup", "--out", backup]);
});
afterEach(() => lab[Symbol.dispose]());

const clean = { code: 0, stdout: "checked 1 database and 3 blobs, no problems\n", stderr: "" };
const checkOf = (path: string, ...more: string[]) => lab.run(["check", "--data-dir", path, ...more]);

function change(store: string, sql: string): void {
  const database = new Database(join(store, "hub.db"));
  database.run("PRAGMA foreign_keys = OFF");
  database.run(sql);
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
}

describe("check", () => {
  test("of what is whole: exit 0, and not a name more or less", async () => {
    const before = namesIn(lab.folder);
    expect(await lab.run(["check"])).toEqual(clean);
    expect(await lab.run(["check", "--quick"])).toEqual(clean);
    expect(await checkOf(backup)).toEqual(clean);
    expect(await checkOf(backup, "--quick")).toEqual(clean);
    expect(namesIn(lab.folder)).toEqual(before);
  });

  test("makes the lock of a data directory that has none, and no lock in a backup", async () => {
    rmSync(join(lab.dataDir, "hub.lock"));
    await lab.run(["check"]);
    await checkOf(backup);
    expect([lab.dataDir, backup].map((path) => existsSync(join(path, "hub.lock")))).toEqual([true, false]);
  });

  test("while a hub holds the directory is one refusal and no report", async () => {
    const held = `agent-hub: a hub is using this data directory: ${lab.dataDir}; stop the hub first\n`;
    for (const command of ["check", "doctor"]) {
      expect(await whileHeld(lab.dataDir, () => lab.run([command]))).toEqual({ code: 1, stdout: "", stderr: held });
    }
  });

  test("where nothing is: one problem, and nothing is made", async () => {
    const path = lab.at("nothing");
    const said = { code: 1, stdout: "checked 0 databases and 0 blobs, 1 problem\n" };
    expect(await checkOf(path)).toEqual({ ...said, stderr: `agent-hub: no hub store at ${path}\n` });
    expect(existsSync(path)).toBe(false);
  });

  const alpha = (store: string) => fileOfBlob(store, "alpha");
  const kinds: [string, (store: string) => void, RegExp, boolean][] = [
    [
      "a blob that is missing",
      (store) => rmSync(alpha(store)),
      /missing blob [0-9a-f]{64} \(brain_entries \w{26} \/fs\/a\.md and 1 more\)/,
      true,
    ],
    [
      "a blob of another size",
      (store) => writeFileSync(alpha(store), "alp"),
      /blob [0-9a-f]{64} has 3 bytes, its row says 5/,
      true,
    ],
    [
      "a blob of other bytes",
      (store) => writeFileSync(alpha(store), "alphA"),
      /blob [0-9a-f]{64} has another digest/,
      false,
    ],
    [
      "a value in its row of other bytes",
      (store) => change(store, "UPDATE blobs SET bytes = X'6e6f7065aaaa' WHERE bytes IS NOT NULL"),
      /has another digest/,
      false,
    ],
    [
      "a blob without a row",
      (store) => change(store, "DELETE FROM blobs WHERE bytes IS NULL AND size = 5"),
      /missing blob \d+ \(brain_entries \w{26} \/fs\/a\.md\)/,
      true,
    ],
    [
      "a symlink among the blobs",
      (store) => symlinkSync("/etc/hostname", join(dirname(alpha(store)), "link")),
      /symlink blobs\/sha256\/[0-9a-f]{2}\/link/,
      true,
    ],
    [
      "a foreign file among the blobs",
      (store) => writeFileSync(join(store, "blobs", "sha256", "x"), ""),
      /foreign file blobs\/sha256\/x/,
      true,
    ],
    [
      "rows that refer to none",
      (store) => change(store, "DELETE FROM projects WHERE id = 'p'"),
      /hub\.db: \d+ rows of \w+ refer to rows of projects that are not there/,
      true,
    ],
    [
      "a newer schema",
      (store) => change(store, "INSERT INTO schema_version VALUES (99, 0)"),
      /^agent-hub: hub\.db has schema 99, this binary supports up to \d+/,
      true,
    ],
    ["a damaged page", zeroTable, /hub\.db.*(?:[Pp]age|malformed)/, true],
    [
      "a file that is no database",
      (store) => writeFileSync(join(store, "hub.db"), "x".repeat(9000)),
      /hub\.db cannot be opened/,
      true,
    ],
  ];
  test.each(kinds)("finds %s", async (_what, damage, said, isQuick) => {
    damage(lab.dataDir);
    const found = await lab.run(["check"]);
    expect(found.stderr).toMatch(said);
    expect([found.code, found.stdout]).toEqual([
      1,
      expect.stringMatching(/^checked \d databases? and \d blobs?, \d problems?\n$/),
    ]);
    expect(found.stderr.match(/\n/g)?.length).toBe(Number(/(\d+) problem/.exec(found.stdout)?.[1]));
    expect((await lab.run(["check", "--quick"])).code).toBe(isQuick ? 1 : 0);
    // A store that is damaged is a report like any other.
    expect((await lab.run(["doctor"])).code).toBe(isQuick ? 1 : 0);
  });

  test.each<[string, () => void, RegExp]>([
    ["a member that is missing", () => rmSync(alpha(backup)), /missing member blobs/],
    ["a member that changed", () => writeFileSync(alpha(backup), "alphA"), /has another digest than the manifest says/],
    ["a blob that is not in the manifest", () => addBlob(), /is not in the manifest/],
    ["a blob nothing refers to", () => addBlob(), /is in the backup although nothing refers to it/],
    [
      "a manifest that is none",
      () => writeFileSync(join(backup, "manifest.json"), "[]"),
      /no format this binary knows/,
    ],
    ["no store", () => rmSync(join(backup, "hub.db")), /hub\.db is missing/],
  ])("of a backup finds %s", async (_what, damage, said) => {
    damage();
    const found = await checkOf(backup);
    expect([found.code, found.stderr]).toEqual([1, expect.stringMatching(said)]);
  });

  function addBlob(): void {
    const path = fileOfBlob(backup, "stranger");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "stranger");
  }

  test("reads an older store as far as it goes", async () => {
    change(lab.dataDir, "DROP TABLE page_comments");
    change(lab.dataDir, `DELETE FROM schema_version WHERE version = ${schema}`);
    expect(await lab.run(["check"])).toEqual(clean);
  });

  test("reads what a killed hub left in its log, and leaves the log", async () => {
    const copy = lab.at("killed");
    // Rows that were never folded in: copied while they are in the log alone.
    await whileHeld(lab.dataDir, async () => {
      const writer = new Database(join(lab.dataDir, "hub.db"));
      writer.run("UPDATE agents SET display_name = 'Later'");
      cpSync(lab.dataDir, copy, { recursive: true });
      writer.close();
    });
    rmSync(join(copy, "hub.db-shm"), { force: true });
    const logBytes = statSync(join(copy, "hub.db-wal")).size;
    expect(await checkOf(copy)).toEqual(clean);
    const { stdout } = await lab.run(["doctor", "--data-dir", copy]);
    expect([logBytes > 0, statSync(join(copy, "hub.db-wal")).size]).toEqual([true, logBytes]);
    expect(stdout).toContain(`write-ahead log: ${logBytes} bytes\n`);
    expect(existsSync(join(copy, "hub.db-shm"))).toBe(false);
  });
});

/** Overwrites the root page of a table. */
function zeroTable(store: string): void {
  const path = join(store, "hub.db");
  const database = new Database(path, { readonly: true });
  const row = database.query("SELECT rootpage FROM sqlite_schema WHERE name = 'subscriptions'").get();
  database.close();
  const bytes = readFileSync(path);
  const root = Number(Object(row).rootpage);
  bytes.fill(0, (root - 1) * 4096, root * 4096);
  writeFileSync(path, bytes);
}

describe("doctor", () => {
  test("reports on a store, and changes nothing", async () => {
    const before = namesIn(lab.folder);
    const { dev, ino } = statSync(lab.dataDir);
    const { code, stdout, stderr } = await lab.run(["doctor"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.replace(/free space: \d+/, "free space: N").replace(/mark: \d+/, "mark: N")).toBe(
      `data directory: ${lab.dataDir}
identity: device ${dev}, inode ${ino}
schema: ${schema} (binary supports up to ${schema})
free space: N bytes
write-ahead log: 0 bytes
id high-water mark: N
blobs: 3 files, 13 bytes, 1 unreferenced
checked 1 database and 3 blobs, no problems
`,
    );
    expect(namesIn(lab.folder)).toEqual(before);
  });

  test("reports on nothing at all without failing on it", async () => {
    const path = lab.at("nothing");
    expect(await lab.run(["doctor", "--data-dir", path])).toEqual({
      code: 1,
      stderr: `agent-hub: no hub store at ${path}\n`,
      stdout: `data directory: ${path}
identity: none
schema: none (binary supports up to ${schema})
free space: unknown
write-ahead log: 0 bytes
id high-water mark: none
blobs: 0 files, 0 bytes, 0 unreferenced
checked 0 databases and 0 blobs, 1 problem
`,
    });
  });

  test("an old store without the mark has none, which is no failure", async () => {
    change(lab.dataDir, "DROP TABLE marks");
    const { code, stdout } = await lab.run(["doctor"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("id high-water mark: none\n")]);
  });

  test("a newer schema is the first of its problems", async () => {
    change(lab.dataDir, "INSERT INTO schema_version VALUES (99, 0)");
    rmSync(fileOfBlob(lab.dataDir, "alpha"));
    const { stdout, stderr } = await lab.run(["doctor"]);
    expect(stdout).toContain(`schema: 99 (binary supports up to ${schema})\n`);
    expect(stderr).toMatch(/^agent-hub: hub\.db has schema 99.*\nagent-hub: missing blob .*\n$/);
  });

  test.if(canMount)("too little free space is a problem", async () => {
    using disk = smallDisk(16 * 1_048_576);
    const path = join(disk?.path ?? "", "data");
    cpSync(lab.dataDir, lab.at("copy"), { recursive: true });
    cpSync(lab.at("copy"), path, { recursive: true });
    const { code, stderr } = await lab.run(["doctor", "--data-dir", path]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^agent-hub: only \d+ bytes are free on the data volume/),
    ]);
  });

  test("a store that was moved is told by its identity", async () => {
    const first = (await lab.run(["doctor"])).stdout;
    renameSync(lab.dataDir, lab.at("moved"));
    const moved = (await lab.run(["doctor", "--data-dir", lab.at("moved")])).stdout;
    expect(moved).toBe(
      first.replace(lab.dataDir, lab.at("moved")).replace(/free space: \d+/, /free space: \d+/.exec(moved)?.[0] ?? ""),
    );
  });
});
