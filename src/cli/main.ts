// One command line to one exit code. Every failure is printed here, once, in its form (cli.md 2.4).
import { HubFailure } from "../client/hub-failure.ts";
import { ConfigError } from "../config/config-error.ts";
import type { Io } from "./command.ts";
import { exitCodes, StdoutClosed, UsageError } from "./exit-codes.ts";
import { isHelpFlag, parseArguments } from "./parse-arguments.ts";
import { findRow, topUsage } from "./table.ts";

/** `argv` without the program itself. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = argv;
  const row = findRow(first);
  try {
    if (row === undefined) throw new UsageError(unknownCommand(first ?? ""));
    const command = await row.load();
    if (rest.some(isHelpFlag)) {
      // Help wins over whatever else is on the line, before a setting is read.
      await io.stdout(command.usage);
      return exitCodes.success;
    }
    try {
      return await command.run(parseArguments(command, rest), io);
    } catch (error) {
      return report(error, command.usage, io);
    }
  } catch (error) {
    return report(error, topUsage(), io);
  }
}

function unknownCommand(name: string): string {
  return name.startsWith("-") ? `unknown option '${name}'` : `unknown subcommand '${name}'`;
}

function report(error: unknown, usage: string, io: Io): number {
  if (error instanceof StdoutClosed) return exitCodes.success;
  if (error instanceof HubFailure) {
    io.stderr(`${JSON.stringify({ error: error.error })}\n`);
    return exitOf(error);
  }
  if (error instanceof UsageError) {
    io.stderr(`agent-hub: ${firstLine(error)}\n${usage}`);
    return exitCodes.usage;
  }
  io.stderr(`agent-hub: ${firstLine(error)}\n`);
  return error instanceof ConfigError ? exitCodes.configuration : exitCodes.failed;
}

function exitOf({ reason }: HubFailure): number {
  switch (reason) {
    case "unreachable":
      return exitCodes.unreachable;
    case "unauthenticated":
      return exitCodes.unauthenticated;
    case "refused":
      return exitCodes.failed;
  }
}

// A failure is one line on stderr, never a stack.
function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split(/[\r\n]+/, 1)[0] || "failed without a message";
}
