// Whether the data directory could be used, asked without creating it (config.md 7, `config --check`).
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ConfigError } from "./config-error.ts";
import type { Settings } from "./load.ts";
import { path } from "./values.ts";

/** As configured, for a command that needs no other setting of the hub (config.md 7). */
export function dataDirOf(settings: Settings): string {
  return path(settings, "data_dir") ?? "";
}

/** Throws unless `dataDir`, or its nearest existing ancestor, is a writable directory. */
export async function checkDataDir(dataDir: string): Promise<void> {
  const directory = await nearestExisting(resolve(dataDir));
  try {
    const probe = await mkdtemp(join(directory, ".agent-hub-probe-"));
    try {
      await writeFile(join(probe, "probe"), "");
    } finally {
      await rm(probe, { recursive: true, force: true });
    }
  } catch (error) {
    throw new ConfigError(
      `HUB_DATA_DIR is '${dataDir}', and ${directory} cannot be written; make it writable or name another directory`,
      { cause: error },
    );
  }
}

async function nearestExisting(path: string): Promise<string> {
  for (let current = path; ; current = dirname(current)) {
    const kind = await kindOf(current);
    if (kind === "directory" || current === dirname(current)) return current;
    if (kind === "other") {
      throw new ConfigError(`HUB_DATA_DIR is '${path}', and ${current} is not a directory; name another directory`);
    }
  }
}

async function kindOf(path: string): Promise<"directory" | "other" | "missing"> {
  try {
    return (await stat(path)).isDirectory() ? "directory" : "other";
  } catch {
    // Whatever hides it, the next ancestor answers.
    return "missing";
  }
}
