// `agent-hub mcp` as a harness sees it: a process that is sent JSON-RPC lines and says nothing else on stdout.
import { isObject, type JsonObject } from "../../src/shared/json.ts";
import { binaryPath, cleanEnv, collect, TempDir } from "./binary.ts";
import { track, within } from "./processes.ts";

const boundMs = 30_000;

export type StdioProcess = AsyncDisposable & {
  readonly pid: number;
  /** One line: text as it is, or a message as JSON. */
  send(line: string | object): void;
  /** The answer to a call; fails when the process ends without one. */
  answer(id: number): Promise<JsonObject>;
  /** Sends a call of a tool and returns its structured result, an error's too. */
  call(id: number, tool: string, args?: object): Promise<JsonObject>;
  endInput(): void;
  kill(signal: NodeJS.Signals): void;
  /** The exit code once everything it said is read; null when a signal ended it. */
  exited(): Promise<number | null>;
  stdout(): string;
  stderr(): string;
  /** Settles once stderr holds the text; fails when the process ends without it. */
  says(text: string): Promise<void>;
};

/** Starts the binary in an empty home with nothing but `env` configured. */
export async function startStdio(env: Record<string, string>, args: readonly string[] = []): Promise<StdioProcess> {
  const home = await TempDir.create();
  const child = track(
    Bun.spawn([binaryPath, "mcp", ...args], {
      env: { PATH: process.env["PATH"] ?? "", ...cleanEnv(home.path), ...env },
      cwd: home.path,
      stdin: "pipe",
      stdout: "pipe",
      stderr: "pipe",
    }),
  );
  const output = collect(child.stdout);
  const errors = collect(child.stderr);

  async function exited(): Promise<number | null> {
    await within(boundMs, "exit of agent-hub mcp", child.exited, () => child.kill("SIGKILL"));
    await Promise.all([output.done, errors.done]);
    return child.signalCode === null ? child.exitCode : null;
  }

  async function answer(id: number): Promise<JsonObject> {
    const pattern = new RegExp(`^(?=.*"id":${id}[,}]).*\\n`, "m");
    const found = await within(boundMs, `answer to ${id}`, output.match(pattern));
    if (found === undefined) throw new Error(`no answer to ${id}; stderr:\n${errors.text()}`);
    return JSON.parse(found[0]);
  }

  const running: StdioProcess = {
    pid: child.pid,
    send(line) {
      child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
      child.stdin.flush();
    },
    answer,
    async call(id, tool, args = {}) {
      running.send({ jsonrpc: "2.0", id, method: "tools/call", params: { name: tool, arguments: args } });
      const { result } = await answer(id);
      if (!isObject(result) || !isObject(result["structuredContent"])) throw new Error(`${tool} gave no result`);
      return result["structuredContent"] as JsonObject; // came over the wire as JSON
    },
    endInput: () => void child.stdin.end(),
    kill: (signal) => child.kill(signal),
    exited,
    stdout: output.text,
    stderr: errors.text,
    async says(text) {
      const pattern = new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
      const found = await within(boundMs, `'${text}' on stderr`, errors.match(pattern));
      if (found === undefined) throw new Error(`it never said '${text}'; stderr:\n${errors.text()}`);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
      await exited();
      await home[Symbol.asyncDispose]();
    },
  };
  return running;
}
