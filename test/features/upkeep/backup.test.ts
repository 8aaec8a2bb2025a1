// Online backups (operations.md 5): what is in one, when there is none, and that nothing half is ever left.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../../src/shared/build.ts";
import { openDatabase } from "../../../src/storage/database.ts";
import { migrations } from "../../../src/storage/migrations/index.ts";
import { canMount, smallDisk, temporaryFolder } from "../../storage/folders.ts";
import { appears } from "../../support/folder-watch.ts";
import { refusal, restAs } from "../as-caller.ts";
import { put } from "../sessions/working.ts";
import { type BackupLab, fileOfBlob, filesIn, membersIn, modesIn, openBackupLab } from "./backup-lab.ts";

const schema = migrations.at(-1)?.version ?? 0;
const back = (lab: BackupLab) => lab.hub.rest("takeBackup");

describe("a backup", () => {
  test("is a directory named by its time, with every member in its manifest", async () => {
    await using lab = await openBackupLab();
    const taken = await back(lab);
    const path = join(lab.backupDir, "20260102T030405.000Z");
    const members = membersIn(path);
    const bytes = members.reduce((sum, { size }) => sum + size, 0);
    expect(taken).toEqual({
      directory: "20260102T030405.000Z",
      path,
      manifest: { schema_version: schema, created_at: "2026-01-02T03:04:05.000Z", files: 3, bytes },
      duration_ms: expect.any(Number),
    });
    expect(JSON.parse(readFileSync(join(path, "manifest.json"), "utf8"))).toEqual({
      format: 1,
      schema_version: schema,
      hub_version: version,
      created_at: "2026-01-02T03:04:05.000Z",
      files: members,
    });
    const blobs = ["alpha", "# A\n"].map((text) => fileOfBlob("/", text).slice(1));
    expect(members.map((member) => member.path)).toEqual([...blobs.sort(), "hub.db"]);
    expect(modesIn(lab.backupDir)).toEqual(["false 700", "true 600"]);
    expect(lab.hub.log.join("")).toContain(`info backup taken path=${path} files=3 bytes=${bytes} duration_ms=`);
  });

  test("holds the rows of one moment, values that live in their rows among them", async () => {
    await using lab = await openBackupLab();
    const { path } = await back(lab);
    await put(lab.alice, lab.work, "/fs/later.md", "later");
    using copy = openDatabase(join(String(path), "hub.db"), { readonly: true });
    expect(copy.all("SELECT path FROM brain_entries ORDER BY path")).toEqual([{ path: "/fs/a.md" }, { path: "/kv/k" }]);
    expect(copy.all("PRAGMA journal_mode")).toEqual([{ journal_mode: "delete" }]);
    expect(filesIn(String(path))).toHaveLength(4);
  });

  test("takes the keys of the embedded tailnet along, and nothing else of the data directory", async () => {
    await using lab = await openBackupLab();
    mkdirSync(join(lab.hub.dataDir, "tailnet"));
    writeFileSync(join(lab.hub.dataDir, "tailnet", "keys.json"), "{}");
    writeFileSync(join(lab.hub.dataDir, "tailnet", "other.json"), "{}");
    const { path } = await back(lab);
    const known = /^(?:hub\.db|manifest\.json|tailnet\/keys\.json|blobs\/sha256\/[0-9a-f]{2}\/[0-9a-f]{62})$/;
    expect(filesIn(String(path)).filter((name) => !known.test(name))).toEqual([]);
    expect(filesIn(String(path))).toContain("tailnet/keys.json");
  });

  test("leaves bytes out that nothing names any more", async () => {
    await using lab = await openBackupLab();
    await put(lab.alice, lab.work, "/fs/a.md", "changed");
    expect(existsSync(fileOfBlob(lab.hub.dataDir, "alpha"))).toBe(true);
    const { path } = await back(lab);
    expect(
      [fileOfBlob("/", "alpha"), fileOfBlob("/", "changed")].map((blob) => existsSync(String(path) + blob)),
    ).toEqual([false, true]);
  });

  test("never touches an older one, and gets a name of its own in the same millisecond", async () => {
    await using lab = await openBackupLab();
    for (let n = 0; n < 3; n += 1) await back(lab);
    expect(readdirSync(lab.backupDir).sort()).toEqual([0, 1, 2].map((n) => `20260102T030405.00${n}Z`));
  });

  test("removes what a killed one left, and nothing besides", async () => {
    await using lab = await openBackupLab();
    const leftover = join(lab.backupDir, "20250101T000000.000Z.partial");
    mkdirSync(join(leftover, "blobs"), { recursive: true });
    writeFileSync(join(leftover, "blobs", "x"), "x");
    mkdirSync(join(lab.backupDir, "mine.partial"));
    const { directory } = await back(lab);
    expect(readdirSync(lab.backupDir).sort()).toEqual([String(directory), "mine.partial"]);
  });

  test("is one at a time: a second is a conflict, and the next after it is not", async () => {
    await using lab = await openBackupLab();
    const [first, second] = await Promise.allSettled([back(lab), back(lab)]);
    expect(first.status).toBe("fulfilled");
    expect(await refusal(Promise.reject(Object(second).reason))).toMatchObject({ code: "conflict", retryable: false });
    expect(await back(lab)).toMatchObject({ manifest: { files: 3 } });
  });

  test("goes on when its caller hangs up", async () => {
    await using lab = await openBackupLab();
    const url = await lab.hub.listen();
    const gone = new AbortController();
    const asked = fetch(`${url}/api/v1/backups`, {
      method: "POST",
      headers: { authorization: `Bearer ${lab.hub.operator.token}` },
      signal: gone.signal,
    });
    await appears(lab.backupDir, /\.partial$/);
    const done = appears(lab.backupDir, /Z$/);
    gone.abort();
    expect(await asked.catch((error: unknown) => String(error))).toContain("abort");
    await done;
  });

  test("is for the operator alone", async () => {
    await using lab = await openBackupLab();
    const alice = { kind: "agent", actor: "alice", tokenId: "t" } as const;
    expect(await refusal(restAs(lab.hub, alice, "takeBackup"))).toMatchObject({ code: "forbidden" });
    expect(readdirSync(lab.backupDir)).toEqual([]);
  });
});

describe("no backup", () => {
  test("without a directory to put it in: the setting is named", async () => {
    await using lab = await openBackupLab(null);
    expect(await refusal(back(lab))).toMatchObject({
      code: "not_found",
      message: expect.stringContaining("HUB_BACKUP_DIR"),
    });
  });

  test("where the directory is missing or a file: it is never made", async () => {
    using folder = temporaryFolder();
    const missing = join(folder.path, "missing");
    await using lab = await openBackupLab(missing);
    expect(await refusal(back(lab))).toMatchObject({ code: "unavailable", retryable: true });
    expect(existsSync(missing)).toBe(false);
    writeFileSync(missing, "a file");
    expect(await refusal(back(lab))).toMatchObject({ code: "unavailable" });
    expect(lab.hub.log.join("")).toContain("warn a backup failed and left nothing");
  });

  test("where a symlink leads into the data directory", async () => {
    using folder = temporaryFolder();
    const link = join(folder.path, "link");
    await using lab = await openBackupLab(link);
    symlinkSync(lab.hub.dataDir, link);
    expect(await refusal(back(lab))).toMatchObject({ code: "conflict" });
    rmSync(link);
    symlinkSync(join(lab.hub.dataDir, "backups"), link);
    expect(await refusal(back(lab))).toMatchObject({ code: "conflict" });
    expect(readdirSync(join(lab.hub.dataDir, "backups"))).toEqual([]);
  });

  test.each([
    ["missing", (path: string) => rmSync(path)],
    ["cut short", (path: string) => writeFileSync(path, "alp")],
    ["changed", (path: string) => writeFileSync(path, "alphA")],
    ["a symlink", (path: string) => replaceBySymlink(path)],
  ])("of a store with a blob that is %s: it is named, and nothing is left", async (_what, damage) => {
    await using lab = await openBackupLab();
    const path = fileOfBlob(lab.hub.dataDir, "alpha");
    damage(path);
    expect(await refusal(back(lab))).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(path.split("/").slice(-2).join("")),
    });
    expect(readdirSync(lab.backupDir)).toEqual([]);
    await put(lab.alice, lab.work, "/fs/a.md", "fine again");
    expect(await back(lab)).toMatchObject({ manifest: { files: 3 } });
  });

  test("is left by a hub that shuts down in the middle", async () => {
    const lab = await openBackupLab();
    try {
      const taken = refusalOrEnd(back(lab));
      await appears(lab.backupDir, /\.partial$/);
      await lab.hub.hub[Symbol.asyncDispose]();
      await taken;
      expect(readdirSync(lab.backupDir).filter((name) => name.endsWith(".partial"))).toEqual([]);
    } finally {
      await lab[Symbol.asyncDispose]();
    }
  });
});

describe.if(canMount)("a volume", () => {
  const megabyte = 1_048_576;

  test("that is too small is refused before anything is written", async () => {
    using disk = smallDisk(32 * megabyte);
    await using lab = await openBackupLab(disk?.path ?? "");
    expect(await refusal(back(lab))).toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(/too little space for a backup: \d+ bytes are free .*, \d+ are needed/),
    });
    expect(readdirSync(lab.backupDir)).toEqual([]);
  });

  test("that cannot be written says so", async () => {
    using disk = smallDisk(128 * megabyte);
    await using lab = await openBackupLab(disk?.path ?? "");
    Bun.spawnSync(["mount", "-o", "remount,ro", lab.backupDir]);
    expect(await refusal(back(lab))).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("HUB_BACKUP_DIR cannot be written"),
    });
    Bun.spawnSync(["mount", "-o", "remount,rw", lab.backupDir]);
    expect(await back(lab)).toMatchObject({ manifest: { files: 3 } });
  });

  test("that fills up on the way is left as it was", async () => {
    using disk = smallDisk(128 * megabyte);
    await using lab = await openBackupLab(disk?.path ?? "");
    // There is room for as many bytes, not for as many files: what runs out was not asked about.
    Bun.spawnSync(["mount", "-o", "remount,nr_inodes=4", lab.backupDir]);
    expect(await refusal(back(lab))).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("full and nothing was kept"),
    });
    expect(readdirSync(lab.backupDir)).toEqual([]);
  });
});

function replaceBySymlink(path: string): void {
  rmSync(path);
  symlinkSync("/etc/hostname", path);
}

/** Settles with whatever becomes of it. */
async function refusalOrEnd(attempt: Promise<unknown>): Promise<void> {
  await attempt.catch(() => undefined);
}
