// `agent-hub backup`, on a data directory and by a hub (cli.md 11, operations.md 5.2).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../src/storage/migrations/index.ts";
import { fileOfBlob, membersIn, modesIn } from "../features/upkeep/backup-lab.ts";
import { openHttpHub } from "../server/http/requests.ts";
import { canMount, modeOf, smallDisk, temporaryFolder } from "../storage/folders.ts";
import { closedUrl, openScriptedHub, problem } from "../support/cli-hub.ts";
import { runInPlace } from "../support/cli-io.ts";
import { namesIn, type OfflineLab, openOfflineLab, whileHeld } from "./offline-lab.ts";

const schema = migrations.at(-1)?.version ?? 0;
let lab: OfflineLab;
beforeEach(async () => {
  lab = await openOfflineLab();
});
afterEach(() => lab[Symbol.dispose]());

const failed = (stderr: string) => ({ code: 1, stdout: "", stderr: `agent-hub: ${stderr}\n` });

describe("--out", () => {
  test("copies what the store refers to, and leaves the data directory as it was", async () => {
    const before = namesIn(lab.dataDir);
    const out = lab.at("out");
    const done = await lab.run(["backup", "--out", out]);
    const members = membersIn(out);
    const bytes = members.reduce((sum, { size }) => sum + size, 0);
    expect(done).toEqual({
      code: 0,
      stdout: `backed up 3 files, ${bytes} bytes, schema ${schema}, to ${out}\n`,
      stderr: "",
    });
    expect(JSON.parse(readFileSync(join(out, "manifest.json"), "utf8"))).toMatchObject({ format: 1, files: members });
    expect([modeOf(out), ...modesIn(out)]).toEqual(["700", "false 700", "true 600"]);
    expect(namesIn(lab.dataDir)).toEqual(before);
    expect(existsSync(fileOfBlob(lab.dataDir, "gone"))).toBe(true);
    expect(existsSync(fileOfBlob(out, "gone"))).toBe(false);
  });

  test("takes an empty directory and another data directory", async () => {
    mkdirSync(lab.at("out"));
    const done = await runInPlace(["backup", `--out=${lab.at("out")}`, "--data-dir", lab.dataDir], {
      HOME: lab.folder,
    });
    expect(done).toMatchObject({ code: 0, stderr: "" });
  });

  test("refuses a place that is not its own, and touches nothing", async () => {
    writeFileSync(lab.at("file"), "x");
    mkdirSync(lab.at("full"));
    writeFileSync(join(lab.at("full"), "x"), "x");
    symlinkSync(lab.dataDir, lab.at("link"));
    const inData = join(lab.dataDir, "backups", "b");
    const before = namesIn(lab.folder);
    const refusals: [string, string][] = [
      [lab.at("file"), `${lab.at("file")} is not a directory; name another`],
      [lab.at("full"), `${lab.at("full")} is not empty; name a new or an empty directory`],
      [inData, `${inData} lies in the data directory; name a directory outside it`],
      [lab.at("link"), `${lab.at("link")} lies in the data directory; name a directory outside it`],
      [lab.at("no/where"), `${lab.at("no")} does not exist; make it, or name another directory`],
    ];
    for (const [out, why] of refusals) expect(await lab.run(["backup", "--out", out])).toEqual(failed(why));
    expect(namesIn(lab.folder)).toEqual(before);
  });

  test("refuses while a hub holds the directory, and says what to do", async () => {
    const held = "a hub is using this data directory; use backup --url, stop the hub, or snapshot the volume";
    const out = lab.at("out");
    expect(await whileHeld(lab.dataDir, () => lab.run(["backup", "--out", out]))).toEqual(failed(held));
    expect(existsSync(out)).toBe(false);
  });

  test("without a store there is nothing to back up, and none is made", async () => {
    const empty = lab.at("empty");
    expect(await lab.run(["backup", "--out", lab.at("out"), "--data-dir", empty])).toEqual(
      failed(`no hub store at ${empty}`),
    );
    expect(existsSync(empty)).toBe(false);
  });

  test.each(["absent", "empty"])("names a blob that is missing, and leaves an %s directory as it was", async (kind) => {
    const out = lab.at("out");
    if (kind === "empty") mkdirSync(out);
    rmSync(fileOfBlob(lab.dataDir, "alpha"));
    const done = await lab.run(["backup", "--out", out]);
    expect(done).toMatchObject({ code: 1, stdout: "" });
    expect(done.stderr).toMatch(/^agent-hub: blob [0-9a-f]{64} is missing or damaged, .*\n$/);
    expect(existsSync(out)).toBe(kind === "empty");
    if (kind === "empty") expect(readdirSync(out)).toEqual([]);
  });

  test.if(canMount)("a volume that is too small or not writable is told, and left as it was", async () => {
    using small = smallDisk(16 * 1_048_576);
    const there = join(small?.path ?? "", "b");
    const tooSmall = await lab.run(["backup", "--out", there]);
    expect(tooSmall.stderr).toMatch(/^agent-hub: too little space for a backup: \d+ bytes are free .*\n$/);
    expect(existsSync(there)).toBe(false);
    Bun.spawnSync(["mount", "-o", "remount,ro", small?.path ?? ""]);
    const readOnly = await lab.run(["backup", "--out", there]);
    expect(readOnly).toEqual(failed(`${there} cannot be written; make it writable, or name another`));
    using narrow = smallDisk(128 * 1_048_576);
    Bun.spawnSync(["mount", "-o", "remount,nr_inodes=4", narrow?.path ?? ""]);
    const full = join(narrow?.path ?? "", "b");
    const filled = await lab.run(["backup", "--out", full]);
    expect(filled).toEqual(failed(`the volume of ${full} is full and nothing was kept; free space and try again`));
    expect(existsSync(full)).toBe(false);
  });
});

describe("--url", () => {
  test("asks a hub, with the operator's token, and prints where it is", async () => {
    using backups = temporaryFolder();
    await using http = await openHttpHub({ config: { backupDir: backups.path } });
    const token = http.hub.operator.token;
    const done = await runInPlace(["backup", "--url", `${http.url}/`], { HUB_ADMIN_TOKEN: token, HOME: lab.folder });
    const [name = ""] = readdirSync(backups.path);
    const bytes = membersIn(join(backups.path, name)).reduce((sum, { size }) => sum + size, 0);
    expect(done.stdout.replace(/\d+ ms/, "N ms")).toBe(
      `backed up 1 file, ${bytes} bytes, schema ${schema}, to ${join(backups.path, name)} in N ms\n`,
    );
    expect([done.code, done.stderr]).toEqual([0, ""]);
  });

  test("a hub without a directory refuses with its own words; a wrong token is 77, no hub 69, no token 78", async () => {
    await using http = await openHttpHub();
    const at = (url: string, env: Record<string, string>) =>
      runInPlace(["backup", "--url", url], { HOME: lab.folder, ...env });
    const token = { HUB_ADMIN_TOKEN: http.hub.operator.token };
    const off = await at(http.url, token);
    expect([off.code, JSON.parse(off.stderr)]).toEqual([
      1,
      { error: expect.objectContaining({ code: "not_found", message: expect.stringContaining("HUB_BACKUP_DIR") }) },
    ]);
    expect((await at(http.url, { HUB_ADMIN_TOKEN: "wrong" })).code).toBe(77);
    expect((await at(closedUrl(), token)).code).toBe(69);
    const none = await at(http.url, {});
    expect([none.code, none.stdout]).toEqual([78, ""]);
    expect(none.stderr).toContain("HUB_ADMIN_TOKEN");
    expect((await at(http.url, { ...token, HUB_TIMEOUT: "soon" })).code).toBe(78);
  });

  test("what is no backup is no success", async () => {
    const env = { HUB_ADMIN_TOKEN: "t", HOME: lab.folder };
    using stranger = openScriptedHub(() => Response.json({ path: 1 }));
    expect((await runInPlace(["backup", "--url", stranger.url], env)).code).toBe(1);
    using full = openScriptedHub(() =>
      problem(503, { code: "unavailable", detail: "full", retryable: true, details: {} }),
    );
    expect(await runInPlace(["backup", "--url", full.url], env)).toEqual({
      code: 1,
      stdout: "",
      stderr: '{"error":{"code":"unavailable","message":"full","retryable":true,"details":{}}}\n',
    });
    expect(full.requests).toMatchObject([{ method: "POST", path: "/api/v1/backups", body: undefined }]);
  });
});
