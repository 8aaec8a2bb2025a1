// A hub that backs up into a folder of its own, with something in it, and what lies in such a folder.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../src/storage/blobs.ts";
import { temporaryFolder } from "../../storage/folders.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { type Named, put, startNamed } from "../sessions/working.ts";

export type BackupLab = AsyncDisposable & { hub: TestHub; backupDir: string; alice: Caller; work: Named };

/** @param backupDir a new folder when left out */
export async function openBackupLab(backupDir?: string | null, dataDir?: string): Promise<BackupLab> {
  const folder = temporaryFolder();
  const config = { backupDir: backupDir === undefined ? folder.path : backupDir };
  const hub = await openTestHub({ config, ...(dataDir !== undefined && { dataDir }) });
  await hub.project("p");
  const alice = await hub.agent("alice");
  const work = await startNamed(alice, "p", "work");
  await put(alice, work, "/fs/a.md", "alpha");
  await put(alice, work, "/kv/k", "inline");
  await hub.rest("putPage", { params: { id: "p", path: "a.md" }, body: { content: "# A\n" } });
  return {
    hub,
    backupDir: backupDir ?? folder.path,
    alice,
    work,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Every file below a folder, by its path in it. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

export function modesIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true });
  return [...new Set(all.map((entry) => `${entry.isFile()} ${modeOf(join(entry.parentPath, entry.name))}`))].sort();
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

/** Path, size and digest as they are, to compare with a manifest. */
export function membersIn(folder: string): { path: string; size: number; sha256: string }[] {
  return filesIn(folder)
    .filter((path) => path !== "manifest.json")
    .map((path) => {
      const bytes = readFileSync(join(folder, path));
      return { path, size: bytes.byteLength, sha256: sha256(bytes) };
    });
}

export function fileOfBlob(dataDir: string, text: string): string {
  const hash = sha256(new TextEncoder().encode(text));
  return join(dataDir, "blobs", "sha256", hash.slice(0, 2), hash.slice(2));
}
