// Exit codes of every command (cli.md 2.3), and the two errors that exist only on a command line.

export const exitCodes = {
  success: 0,
  failed: 1,
  usage: 2,
  unreachable: 69,
  unauthenticated: 77,
  configuration: 78,
} as const;

/** A bad command line: `agent-hub: <message>`, the usage of the command, exit 2. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UsageError";
  }
}

/** A local failure the user can act on: `agent-hub: <message>`, exit 1. */
export class CommandError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "CommandError";
  }
}

/** Nobody reads stdout any more (`EPIPE`): exit 0 without a word. */
export class StdoutClosed extends Error {
  constructor(options?: ErrorOptions) {
    super("stdout is closed", options);
    this.name = "StdoutClosed";
  }
}
