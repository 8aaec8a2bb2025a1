// `agent-hub help` (cli.md 2.1). Reads no settings.
import type { Command } from "./command.ts";
import { exitCodes, UsageError } from "./exit-codes.ts";

/** `load` finds a command by name; undefined when there is none of that name. */
export function helpCommand(topUsage: string, load: (name: string) => Promise<Command> | undefined): Command {
  return {
    name: "help",
    usage: topUsage,
    positionals: { min: 0, max: 1 },
    options: {},
    async run({ positionals: [name] }, io) {
      if (name === undefined) {
        await io.stdout(topUsage);
        return exitCodes.success;
      }
      const command = await load(name);
      if (command === undefined) throw new UsageError(`unknown subcommand '${name}'`);
      await io.stdout(command.usage);
      return exitCodes.success;
    },
  };
}
