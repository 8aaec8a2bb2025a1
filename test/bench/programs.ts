// Programs under measurement: compiled the way build.ts compiles the product, started, found by the port they print, and
// ended with the benchmark.
import { join } from "node:path";
import { track, within } from "../support/processes.ts";

const startTimeoutMs = 30_000;
const stopTimeoutMs = 20_000;
const compiled = { target: "bun", format: "esm", minify: true, splitting: true, bytecode: true } as const;

export type Server = AsyncDisposable & {
  readonly port: number;
  readonly pid: number;
  /** Ends it with SIGTERM. */
  stop(): Promise<void>;
};

/** Compiles one file of this folder with the flags of the product's own build and returns the program's path. */
export async function compile(entry: string, folder: string, name: string): Promise<string> {
  const outfile = join(folder, name);
  const result = await Bun.build({
    ...compiled,
    entrypoints: [join(import.meta.dir, entry)],
    define: { "process.env.NODE_ENV": '"production"' },
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  });
  if (!result.success) throw new Error(`${entry} could not be compiled:\n${result.logs.join("\n")}`);
  return outfile;
}

/** Starts a server and waits for the line on stderr or stdout that names its address on 127.0.0.1. */
export async function startServer(
  command: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Promise<Server> {
  const child = track(
    Bun.spawn([...command], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      cwd,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    }),
  );
  async function stop(): Promise<void> {
    child.kill("SIGTERM");
    await within(stopTimeoutMs, "end of a server", child.exited, () => child.kill("SIGKILL"));
  }
  try {
    const port = await within(startTimeoutMs, `address of ${command.join(" ")}`, portPrinted(child.stderr));
    return { port, pid: child.pid, stop, [Symbol.asyncDispose]: stop };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

async function portPrinted(stream: ReadableStream<Uint8Array>): Promise<number> {
  const found = Promise.withResolvers<number>();
  const decoder = new TextDecoder();
  let text = "";
  // Read to the end: a program that is not listened to stops at a full pipe.
  async function read(): Promise<void> {
    for await (const chunk of stream) {
      text = (text + decoder.decode(chunk, { stream: true })).slice(-4000);
      const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port !== undefined) found.resolve(Number(port));
    }
    found.reject(new Error(`the program ended; its last words:\n${text}`));
  }
  read().catch(found.reject);
  return found.promise;
}
