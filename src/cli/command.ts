// What a command is to the dispatcher, and what a command gets to work with. A command touches the process only
// through `Io`, so a test runs it in place.
import type { Env } from "../config/environment.ts";

export type StopSignal = "SIGINT" | "SIGTERM";

/** The process as a command sees it. */
export type Io = Readonly<{
  env: Env;
  /**
   * Results only (cli.md 2.2). Writes keep their order; the promise settles once the text is handed over, so a command
   * that returns after awaiting it loses nothing. Rejects with `StdoutClosed` when nobody reads: let it pass, `main`
   * makes it exit 0.
   */
  stdout(text: string): Promise<void>;
  /** Errors, warnings and log records. Never fails, keeps its order, is flushed before the process exits. */
  stderr(text: string): void;
  /** Whether a person watches stderr. */
  isWatched(): Promise<boolean>;
  /** Standard input to its end. Opened by this call and not before; call it once. */
  stdin(): AsyncIterable<Uint8Array>;
  /**
   * Takes SIGINT and SIGTERM over, for `serve` and `mcp`, which drain and exit 0, and for `enrol`, which says how to go on.
   * Returns how to give them back.
   * A command that never calls this ends by the signal.
   */
  onStop(listener: (signal: StopSignal) => void): () => void;
  /** Ends the process by the signal, all of stderr written: what the shell sees of a command that never took it over. */
  endBy(signal: StopSignal): Promise<never>;
}>;

/** One entry of a closed list: `value` takes `--name v` or `--name=v`, `flag` takes nothing. */
export type OptionForm = { takes: "value" | "flag"; choices?: readonly string[] };

/** A parsed command line, strict per cli.md 2.1: every name in here is declared, every value is present. */
export type Input = Readonly<{
  positionals: readonly string[];
  /** Last value of each `value` option that was given. */
  values: ReadonlyMap<string, string>;
  /** Names of the `flag` options that were given. */
  flags: ReadonlySet<string>;
}>;

/**
 * A command file exports one of these as `command`. The module is loaded for its help text too, so what it needs to run
 * and costs time to load (the server, the MCP SDKs) is imported inside `run`.
 */
export type Command = Readonly<{
  name: string;
  /** The whole help text: first line `usage: agent-hub <name> ...`, ends in a newline. */
  usage: string;
  /** Fewest and most positionals; a missing or surplus one is exit 2. */
  positionals: Readonly<{ min: number; max: number }>;
  /** Keys are option names without the dashes. */
  options: Readonly<Record<string, OptionForm>>;
  /**
   * Returns the exit code. May throw: `UsageError` is 2, `ConfigError` 78, `HubFailure` 69, 77 or 1, anything else 1,
   * each printed by `main` in its form (cli.md 2.4).
   */
  run(input: Input, io: Io): Promise<number>;
}>;
