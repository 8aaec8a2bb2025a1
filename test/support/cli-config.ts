// Config files in a temporary home, and settings read from them.
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Env } from "../../src/config/environment.ts";
import { loadSettings, type Settings } from "../../src/config/load.ts";
import type { Sandbox } from "./cli-process.ts";

export const userFile = ".config/agent-hub/config.toml";
export const fallbackFile = ".agent-hub/config.toml";
export const systemFile = "system.toml";

/** Writes a file under the sandbox, mode 0600 unless another is asked for; returns its path. */
export async function writeConfig(
  sandbox: Sandbox,
  name: string,
  text: string | Uint8Array,
  mode = 0o600,
): Promise<string> {
  const path = join(sandbox.directory, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

/** Settings of an environment alone: no file is there to be read. */
export function settingsOf(env: Env): Promise<Settings> {
  return loadSettings({ AGENT_HUB_SYSTEM_CONFIG: "/nonexistent/config.toml", ...env });
}

/** The message of what `work` throws; fails when it does not. */
export async function messageOf(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Error) return `${error.name}: ${error.message}`;
    throw error;
  }
  throw new Error("expected a failure");
}
