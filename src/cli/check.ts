// `agent-hub check`: is a data directory or a backup whole? (cli.md 13)

import { checkSummary } from "./check-summary.ts";
import type { Command } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { dataDirectory, offline } from "./offline-directory.ts";

export const command: Command = {
  name: "check",
  usage: `usage: agent-hub check [--data-dir DIR] [--quick]

Verifies a data directory no hub is using, or a backup: the database, and that every blob it refers to is there with the
right bytes. Changes nothing. Each problem is one line on stderr.

  --data-dir DIR  the data directory or the backup; default: HUB_DATA_DIR
  --quick         look for blobs and at their sizes, and do not read them

exit codes
  0   no problems
  1   problems, or a hub is using the directory
  2   bad command line
  78  configuration
`,
  positionals: { min: 0, max: 0 },
  options: { "data-dir": { takes: "value" }, quick: { takes: "flag" } },
  async run(input, io) {
    const path = await dataDirectory(input, io);
    const problem = (text: string): void => io.stderr(`agent-hub: ${text}\n`);
    const { checkDirectory } = await import("../server/offline.ts");
    const result = await offline(io, (watch) =>
      checkDirectory({ ...watch, path, problem, isQuick: input.flags.has("quick") }),
    );
    await io.stdout(checkSummary(result));
    return result.problems === 0 ? exitCodes.success : exitCodes.failed;
  },
};
