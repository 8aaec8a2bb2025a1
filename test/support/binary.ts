// The compiled binary as tests use it: a hub on a free port with a directory of its own, and one-shot commands. Neither
// inherits anything of the environment the tests run in but PATH.
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Finished, type RunOptions, runCommand, track, within } from "./processes.ts";
import { listFiles, root } from "./source-files.ts";

const startTimeoutMs = 30_000;
const stopTimeoutMs = 20_000;
const listening = /^agent-hub: listening on (http:\/\/\S+), data .*, admin token .*\n/m;

/**
 * Path of the binary; built when it is missing or older than what it is made of. That happens while the module loads,
 * where no time-out of a test can cut it off.
 */
export const binaryPath: string = await buildWhenStale();

async function buildWhenStale(): Promise<string> {
  const binary = join(root, "dist", "agent-hub");
  const parts = [...(await listFiles("src")), ...(await listFiles("skills")), "build.ts", "package.json", "bun.lock"];
  const newest = Math.max(...(await Promise.all(parts.map((path) => modifiedAt(join(root, path))))));
  if ((await modifiedAt(binary)) >= newest) return binary;
  const build = await runCommand([process.execPath, "build.ts"], { cwd: root, timeoutMs: 120_000 });
  if (build.code !== 0) throw new Error(`the build failed:\n${build.stdout}${build.stderr}`);
  return binary;
}

async function modifiedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return 0; // absent: older than anything
  }
}

/** A directory that lives as long as the test. */
export class TempDir implements AsyncDisposable {
  private constructor(readonly path: string) {}

  static async create(): Promise<TempDir> {
    return new TempDir(await mkdtemp(join(tmpdir(), "agent-hub-test-")));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

/** Environment in which neither the machine nor the person running the tests has configured anything. */
export function cleanEnv(home: string): Record<string, string> {
  return { HOME: home, AGENT_HUB_SYSTEM_CONFIG: join(home, "no-system-config.toml") };
}

/** Runs one command of the binary in an empty home to its end. */
export async function run(args: string[], options: RunOptions = {}): Promise<Finished> {
  await using home = await TempDir.create();
  const env = { ...cleanEnv(home.path), ...options.env };
  return await runCommand([binaryPath, ...args], { cwd: home.path, ...options, env });
}

export type HubOptions = {
  env?: Record<string, string>;
  /** Kept after the test when given, so that a second hub can start on it. */
  dataDir?: string;
  port?: number;
  /** Instead of `serve`. */
  args?: string[];
};

export type RunningHub = AsyncDisposable & {
  /** Origin, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly dataDir: string;
  readonly adminToken: string;
  /** All of each stream so far. */
  stdout(): string;
  stderr(): string;
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number>;
  /** Sends SIGKILL; resolves with the exit code the shell would show, 137. */
  kill(): Promise<number>;
};

/** Starts `agent-hub serve` and waits until it says where it listens. */
export async function startHub(options: HubOptions = {}): Promise<RunningHub> {
  const home = await TempDir.create();
  const dataDir = options.dataDir ?? join(home.path, "data");
  await mkdir(home.path, { recursive: true });
  const env: Record<string, string> = {
    PATH: process.env["PATH"] ?? "",
    ...cleanEnv(home.path),
    HUB_BIND: `127.0.0.1:${options.port ?? 0}`,
    HUB_DATA_DIR: dataDir,
    HUB_LOG: "warn",
    ...options.env,
  };
  const child = track(
    Bun.spawn([binaryPath, ...(options.args ?? ["serve"])], {
      env,
      cwd: home.path,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    }),
  );
  const output = collect(child.stdout);
  const errors = collect(child.stderr);

  async function end(signal: NodeJS.Signals): Promise<number> {
    child.kill(signal);
    const code = await within(stopTimeoutMs, `exit after ${signal}`, child.exited, () => child.kill("SIGKILL"));
    await Promise.all([output.done, errors.done]);
    return code;
  }

  async function dispose(): Promise<void> {
    if (child.exitCode === null && child.signalCode === null) await end("SIGKILL");
    await home[Symbol.asyncDispose]();
  }

  try {
    const match = await within(startTimeoutMs, "line that names the address", errors.match(listening));
    if (match === undefined) throw new Error(`the hub ended with ${await child.exited}`);
    const url = match[1] ?? "";
    const adminToken = env["HUB_ADMIN_TOKEN"] ?? (await Bun.file(join(dataDir, "admin-token")).text()).trim();
    return {
      url,
      port: Number(new URL(url).port),
      pid: child.pid,
      dataDir,
      adminToken,
      stdout: output.text,
      stderr: errors.text,
      stop: () => end("SIGTERM"),
      kill: () => end("SIGKILL"),
      [Symbol.asyncDispose]: dispose,
    };
  } catch (cause) {
    await dispose();
    throw new Error(`the hub did not start; its stderr:\n${errors.text()}`, { cause });
  }
}

export type Collected = {
  text(): string;
  /** The first match, as soon as it is there; undefined when the stream ends without one. */
  match(pattern: RegExp): Promise<RegExpExecArray | undefined>;
  done: Promise<void>;
};

export function collect(stream: ReadableStream<Uint8Array>): Collected {
  let text = "";
  let isDone = false;
  let changed = Promise.withResolvers<void>();

  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      changed.resolve();
      changed = Promise.withResolvers();
    }
    isDone = true;
    changed.resolve();
  }

  return {
    text: () => text,
    async match(pattern) {
      for (;;) {
        const match = pattern.exec(text);
        if (match !== null) return match;
        if (isDone) return undefined;
        await changed.promise;
      }
    },
    done: read(),
  };
}
