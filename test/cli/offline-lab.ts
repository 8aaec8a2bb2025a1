// A store with something in it that no hub uses, made by a hub, and the offline commands run in place.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../src/config/environment.ts";
import { isObject } from "../../src/shared/json.ts";
import { put } from "../features/sessions/working.ts";
import { openBackupLab } from "../features/upkeep/backup-lab.ts";
import { type Folder, temporaryFolder } from "../storage/folders.ts";
import { type CliOutcome, runInPlace } from "../support/cli-io.ts";
import { openTestHub } from "../support/hub.ts";

export type OfflineLab = Disposable & {
  /** Holds everything the test makes. */
  folder: string;
  dataDir: string;
  at(name: string): string;
  /** Runs `agent-hub` with the data directory configured. */
  run(argv: readonly string[], env?: Env): Promise<CliOutcome>;
};

/** Blobs: two files and one value in its row, all referenced, and one file that is not. */
export async function openOfflineLab(): Promise<OfflineLab> {
  const folder: Folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  const lab = await openBackupLab(null, dataDir);
  await put(lab.alice, lab.work, "/fs/b.md", "gone");
  await put(lab.alice, lab.work, "/fs/b.md", "alpha");
  await lab[Symbol.asyncDispose]();
  return {
    folder: folder.path,
    dataDir,
    at: (name) => join(folder.path, name),
    run: (argv, env = {}) => runInPlace(argv, { HUB_DATA_DIR: dataDir, HOME: folder.path, ...env }),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Runs a command while a hub holds the directory. */
export async function whileHeld<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  await using _hub = await openTestHub({ dataDir });
  return await work();
}

export function editManifest(backup: string, edit: (manifest: Record<string, unknown>) => void): void {
  const path = join(backup, "manifest.json");
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!isObject(manifest)) throw new Error("no manifest");
  edit(manifest);
  writeFileSync(path, JSON.stringify(manifest));
}

/** Names below a folder, so that a test sees that nothing came and nothing went. */
export function namesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true }).map(String).sort();
}
