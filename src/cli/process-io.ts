// The process behind `Io`. Bun's own file handles and not `process.stdout`, whose set-up costs as much time as an empty
// program.
import { processEnvironment } from "../config/environment.ts";
import type { Io, StopSignal } from "./command.ts";
import { CommandError, StdoutClosed } from "./exit-codes.ts";

/** Far longer than a signal to oneself takes. */
const signalMs = 1000;
const stopSignals: readonly StopSignal[] = ["SIGINT", "SIGTERM"];

/** `flush` settles when all of stderr is written; the process must not exit before. */
export function processIo(): { io: Io; flush: () => Promise<void> } {
  let results: Promise<void> = Promise.resolve();
  let messages: Promise<void> = Promise.resolve();
  const io: Io = {
    env: processEnvironment(),
    stdout(text) {
      results = results.then(() => writeResult(text));
      return results;
    },
    stderr(text) {
      messages = messages.then(() => writeMessage(text));
    },
    // Loaded by the few commands that take long.
    isWatched: async () => (await import("node:tty")).isatty(2),
    stdin: () => Bun.stdin.stream(),
    onStop(listener) {
      for (const signal of stopSignals) process.on(signal, listener);
      return () => {
        for (const signal of stopSignals) process.off(signal, listener);
      };
    },
    async endBy(signal) {
      await messages;
      for (const each of stopSignals) process.removeAllListeners(each);
      process.kill(process.pid, signal);
      // The signal ends the process; should it be blocked, the exit code says the same.
      await Bun.sleep(signalMs);
      process.exit(signal === "SIGINT" ? 130 : 143);
    },
  };
  return { io, flush: () => messages };
}

async function writeResult(text: string): Promise<void> {
  try {
    await Bun.write(Bun.stdout, text);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    if (code === "EPIPE") throw new StdoutClosed({ cause: error });
    throw new CommandError(`cannot write to stdout: ${code}`, { cause: error });
  }
}

async function writeMessage(text: string): Promise<void> {
  try {
    await Bun.write(Bun.stderr, text);
  } catch {
    // Nobody reads the messages; the exit code still tells.
  }
}
