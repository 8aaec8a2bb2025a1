// Child processes of the tests: each is known by pid, ends with us, and is waited for within a bound.
import type { Subprocess } from "bun";

const endTimeoutMs = 10_000;
const running = new Set<Subprocess>();

let ending: NodeJS.Signals | undefined;

/** Remembers a child until it ends, so that a signal to us ends it too, even one that came before. */
export function track<Child extends Subprocess>(child: Child): Child {
  if (ending !== undefined) child.kill(ending);
  running.add(child);
  void child.exited.finally(() => running.delete(child)); // bookkeeping; `exited` never rejects
  return child;
}

// A child gets the signal we got and the time to end its own children; then it is killed.
async function endAll(signal: NodeJS.Signals): Promise<void> {
  ending = signal;
  const children = [...running];
  for (const child of children) child.kill(signal);
  const ended = Promise.all(children.map((child) => child.exited));
  await Promise.race([ended, Bun.sleep(endTimeoutMs)]);
  for (const child of children) child.kill("SIGKILL");
}

for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const]) {
  process.once(signal, () => void endAll(signal).then(() => process.exit(code))); // the exit is what is awaited
}

export type Finished = { code: number | null; signal: string | null; stdout: string; stderr: string };

export type RunOptions = {
  env?: Record<string, string | undefined>;
  cwd?: string;
  stdin?: string;
  /** A bound, not a wait: the child is killed and the call fails when it takes longer. */
  timeoutMs?: number;
};

/** Runs a command to its end. `env` is the whole environment besides PATH; nothing else is inherited. */
export async function runCommand(command: string[], options: RunOptions = {}): Promise<Finished> {
  const child = track(
    Bun.spawn(command, {
      env: { PATH: process.env["PATH"] ?? "", ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      stdin: options.stdin === undefined ? "ignore" : new Blob([options.stdin]),
      stdout: "pipe",
      stderr: "pipe",
    }),
  );
  const output = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
  const [stdout, stderr] = await within(options.timeoutMs ?? 30_000, `end of ${command.join(" ")}`, output, () =>
    child.kill("SIGKILL"),
  );
  const signal = child.signalCode === null ? null : String(child.signalCode);
  return { code: signal === null ? child.exitCode : null, signal, stdout, stderr };
}

/** The promise's value, or an error that names what was waited for once the bound has passed. */
export async function within<T>(
  timeoutMs: number,
  what: string,
  promise: Promise<T>,
  onTimeout: () => void = () => undefined,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    onTimeout();
    reject(new Error(`no ${what} within ${timeoutMs} ms`));
  }, timeoutMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
