// The command line as a process of its own, with nothing of this machine in its environment.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Finished, runCommand, track } from "./processes.ts";

export type Sandbox = AsyncDisposable & { directory: string; env: Record<string, string> };

/** An empty home, removed again at the end of the scope. */
export async function openSandbox(): Promise<Sandbox> {
  const directory = await mkdtemp(join(tmpdir(), "agent-hub-cli-"));
  return {
    directory,
    env: { HOME: directory, AGENT_HUB_SYSTEM_CONFIG: join(directory, "system.toml") },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}

export const mainFile: string = join(import.meta.dir, "../../src/main.ts");

export function runProcess(
  sandbox: Sandbox,
  argv: readonly string[],
  env: Record<string, string> = {},
  stdin?: string,
): Promise<Finished> {
  return runCommand([process.execPath, mainFile, ...argv], {
    cwd: sandbox.directory,
    env: { ...sandbox.env, ...env },
    ...(stdin === undefined ? {} : { stdin }),
  });
}

/** A process whose standard input stays open until the test ends it. */
export function startProcess(sandbox: Sandbox, argv: readonly string[], env: Record<string, string>) {
  return track(
    Bun.spawn([process.execPath, mainFile, ...argv], {
      cwd: sandbox.directory,
      env: { ...sandbox.env, ...env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    }),
  );
}
