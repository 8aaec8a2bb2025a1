// `agent-hub restore` (cli.md 12, operations.md 6): all of a backup or nothing at all.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { startNamed } from "../features/sessions/working.ts";
import { fileOfBlob, membersIn, modesIn } from "../features/upkeep/backup-lab.ts";
import { canMount, modeOf, smallDisk } from "../storage/folders.ts";
import { openTestHub } from "../support/hub.ts";
import { editManifest, namesIn, type OfflineLab, openOfflineLab, whileHeld } from "./offline-lab.ts";

let lab: OfflineLab;
let backup: string;
beforeEach(async () => {
  lab = await openOfflineLab();
  backup = lab.at("backup");
  expect((await lab.run(["backup", "--out", backup])).code).toBe(0);
});
afterEach(() => lab[Symbol.dispose]());

const restoreTo = (dataDir: string, ...more: string[]) =>
  lab.run(["restore", "--from", backup, "--data-dir", dataDir, ...more]);
const failed = (stderr: string) => ({ code: 1, stdout: "", stderr: `agent-hub: ${stderr}\n` });
const totalOf = (folder: string): string => {
  const members = membersIn(folder);
  return `${members.length} files, ${members.reduce((sum, { size }) => sum + size, 0)} bytes`;
};

/** What the hub serves from a data directory. */
async function servedFrom(dataDir: string): Promise<unknown> {
  await using hub = await openTestHub({ dataDir });
  const alice = { ...hub.operator };
  const { sessions } = await hub.rest("listSessions", { query: { project: "p" } });
  const id = String(Object(sessions)[0].id);
  const entry = await hub.rest("getBrainEntry", { params: { id }, query: { path: "/fs/a.md" } });
  const page = await hub.rest("getPage", { params: { id: "p", path: "a.md" } });
  const inline = await alice.call("brain_get", { session: { session_id: id }, path: "/kv/k" });
  return [entry["content"], page["content"], inline["content"]];
}

describe("a restored directory", () => {
  test("is the backup, private, and a hub serves all of it", async () => {
    const to = lab.at("new/deep/data");
    expect(await restoreTo(to)).toEqual({ code: 0, stdout: `restored ${totalOf(backup)}, to ${to}\n`, stderr: "" });
    expect(membersIn(to)).toEqual(membersIn(backup));
    expect([modeOf(to), ...modesIn(to)]).toEqual(["700", "false 700", "true 600"]);
    expect(readdirSync(dirname(to))).toEqual(["data"]);
    expect(await servedFrom(to)).toEqual(["alpha", "# A\n", "inline"]);
  });

  test("takes the place of an older one only when told to, tokens and all, without its admin token", async () => {
    const before = namesIn(lab.dataDir);
    expect(await restoreTo(lab.dataDir)).toEqual(failed(`${lab.dataDir} is not empty; --force replaces what is in it`));
    expect(namesIn(lab.dataDir)).toEqual(before);
    await using changed = await openTestHub({ dataDir: lab.dataDir });
    await changed.project("later");
    await changed.hub[Symbol.asyncDispose]();
    expect((await restoreTo(lab.dataDir, "--force")).code).toBe(0);
    expect(existsSync(join(lab.dataDir, "admin-token"))).toBe(false);
    expect(readdirSync(lab.folder).filter((name) => name.startsWith(".agent-hub"))).toEqual([]);
    await using hub = await openTestHub({ dataDir: lab.dataDir });
    const { projects } = await hub.rest("listProjects");
    expect(JSON.stringify(projects)).not.toContain('"later"');
    await startNamed(hub.operator, "p", "goes-on");
  });

  test("is where a symlink leads, and the symlink stays", async () => {
    const link = lab.at("link");
    symlinkSync(lab.dataDir, link);
    expect((await restoreTo(link, "--force")).code).toBe(0);
    expect(membersIn(lab.dataDir)).toEqual(membersIn(link));
    expect(membersIn(link)).toEqual(membersIn(backup));
  });

  test("may be an empty one", async () => {
    mkdirSync(lab.at("empty"));
    expect((await restoreTo(lab.at("empty"))).code).toBe(0);
  });
});

describe("nothing is touched", () => {
  const blob = () => fileOfBlob(backup, "alpha");
  test.each<[string, () => void, RegExp]>([
    ["has no manifest", () => rmSync(join(backup, "manifest.json")), /is not a backup: it has no manifest\.json/],
    ["has a manifest that is no JSON", () => writeFileSync(join(backup, "manifest.json"), "{"), /not JSON/],
    ["has another format", () => editManifest(backup, (set) => (set["format"] = 2)), /no format this binary knows/],
    ["lacks a member of the manifest", () => editManifest(backup, (set) => delete set["files"]), /incomplete/],
    ["is of a newer hub", () => editManifest(backup, (set) => (set["schema_version"] = 99)), /schema 99, .* up to \d+/],
    ["lacks a file", () => rmSync(blob()), /missing member blobs\/sha256\//],
    ["has a file cut short", () => writeFileSync(blob(), "alp"), /has 3 bytes, not 5/],
    ["has a file that changed", () => writeFileSync(blob(), "alphA"), /another digest/],
    ["has a symlink for a file", () => replaceBySymlink(blob()), /is not a file/],
    ["leads out of its folder", () => rename("../hub.db"), /names "\.\.\/hub\.db", which is no member/],
    ["leads to the root", () => rename("/etc/x"), /which is no member/],
    ["would bring a token", () => rename("admin-token"), /which is no member/],
    [
      "names a blob by another digest",
      () => rename(`blobs/sha256/00/${"0".repeat(62)}`),
      /another digest than its name/,
    ],
  ])("where the backup %s", async (_what, damage, why) => {
    damage();
    const before = namesIn(lab.folder);
    const done = await restoreTo(lab.dataDir, "--force");
    expect([done.code, done.stdout]).toEqual([1, ""]);
    expect(done.stderr).toMatch(why);
    expect(done.stderr.match(/\n/g)).toHaveLength(1);
    expect(namesIn(lab.folder)).toEqual(before);
    expect((await lab.run(["check"])).code).toBe(0);
  });

  /** Gives the first blob of the manifest another path. */
  function rename(path: string): void {
    editManifest(backup, (set) => {
      const [first] = Array.isArray(set["files"]) ? set["files"] : [];
      Object(first).path = path;
    });
  }

  function replaceBySymlink(path: string): void {
    const bytes = readFileSync(path);
    rmSync(path);
    writeFileSync(lab.at("elsewhere"), bytes);
    symlinkSync(lab.at("elsewhere"), path);
  }

  test("while a hub holds the destination", async () => {
    const held = `a hub is using this data directory: ${lab.dataDir}; stop the hub first`;
    expect(await whileHeld(lab.dataDir, () => restoreTo(lab.dataDir, "--force"))).toEqual(failed(held));
    expect(readdirSync(lab.folder).filter((name) => name.startsWith(".agent-hub"))).toEqual([]);
  });

  test.each([
    ["the backup lies in the directory it would replace", () => join(lab.dataDir, "kept", "backup"), () => lab.dataDir],
    ["the backup is the directory it would replace", () => lab.at("backup"), () => lab.at("backup")],
    ["the directory lies in the backup", () => lab.at("backup"), () => join(lab.at("backup"), "data")],
  ])("where %s, also by a symlink", async (_what, place, destination) => {
    if (place() !== backup) {
      mkdirSync(dirname(place()));
      renameSync(backup, place());
    }
    const link = lab.at("link");
    symlinkSync(place(), link);
    const before = namesIn(lab.folder);
    for (const from of [place(), link]) {
      expect(await lab.run(["restore", "--from", from, "--data-dir", destination(), "--force"])).toEqual(
        failed(`the backup ${from} and ${destination()} lie in each other; move the backup out of the way first`),
      );
    }
    expect(namesIn(lab.folder)).toEqual(before);
  });

  test("where the destination is a file", async () => {
    writeFileSync(lab.at("file"), "x");
    expect(await restoreTo(lab.at("file"), "--force")).toEqual(
      failed(`${lab.at("file")} is not a directory; name another`),
    );
  });
});

describe.if(canMount)("a volume of its own, which cannot be renamed,", () => {
  const megabytes = 1_048_576;

  test("is filled in place, and a restore that was cut off is completed by the same one with --force", async () => {
    using disk = smallDisk(64 * megabytes);
    const volume = disk?.path ?? "";
    expect((await restoreTo(volume)).code).toBe(0);
    expect(readdirSync(volume).sort()).toEqual(["blobs", "hub.db"]);
    // As a crash leaves it between the moves: half of the new is up, the old is aside.
    mkdirSync(join(volume, ".agent-hub-restore-01KA0000000000000000000000"));
    mkdirSync(join(volume, ".agent-hub-replaced-01KA0000000000000000000000"));
    rmSync(join(volume, "hub.db"));
    expect(openTestHub({ dataDir: volume })).rejects.toThrow("run the same restore again with --force");
    expect((await restoreTo(volume, "--force")).code).toBe(0);
    expect(readdirSync(volume).sort()).toEqual(["blobs", "hub.db"]);
    expect(await servedFrom(volume)).toEqual(["alpha", "# A\n", "inline"]);
  });

  test("that is too small is refused before anything is moved", async () => {
    using disk = smallDisk(262_144);
    const volume = disk?.path ?? "";
    const done = await restoreTo(volume);
    expect([done.code, done.stderr]).toEqual([1, expect.stringMatching(/^agent-hub: too little space in .*\n$/)]);
    expect(readdirSync(volume)).toEqual([]);
  });
});
