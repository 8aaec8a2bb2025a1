// A command's `Io` without a process: what it wrote, and the standard input it is given.
import type { Io, StopSignal } from "../../src/cli/command.ts";
import { main } from "../../src/cli/main.ts";
import type { Env } from "../../src/config/environment.ts";

export type CliOutcome = { code: number; stdout: string; stderr: string };

export async function runInPlace(argv: readonly string[], env: Env = {}, stdin = ""): Promise<CliOutcome> {
  let stdout = "";
  let stderr = "";
  const listeners = new Set<(signal: StopSignal) => void>();
  const io: Io = {
    env: { AGENT_HUB_SYSTEM_CONFIG: "/nonexistent/config.toml", ...env },
    async stdout(text) {
      stdout += text;
    },
    stderr(text) {
      stderr += text;
    },
    async *stdin() {
      yield new TextEncoder().encode(stdin);
    },
    isWatched: async () => false,
    onStop(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async endBy(signal) {
      throw new Error(`ended by ${signal}`);
    },
  };
  const code = await main(argv, io);
  return { code, stdout, stderr };
}
