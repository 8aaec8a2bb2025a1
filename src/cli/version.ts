// `agent-hub version` (cli.md 16). Reads no settings.
import { commit, version } from "../shared/build.ts";
import type { Command } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";

export const command: Command = {
  name: "version",
  usage: `usage: agent-hub version
       agent-hub --version
       agent-hub -V

Prints the version and the commit it was built from.
`,
  positionals: { min: 0, max: 0 },
  options: {},
  async run(_input, io) {
    await io.stdout(`agent-hub ${version} (${commit})\n`);
    return exitCodes.success;
  },
};
