// `agent-hub restore`: a backup becomes a data directory (cli.md 12).
import type { Command } from "./command.ts";
import { counted } from "./counted.ts";
import { exitCodes, UsageError } from "./exit-codes.ts";
import { dataDirectory, offline } from "./offline-directory.ts";

export const command: Command = {
  name: "restore",
  usage: `usage: agent-hub restore --from DIR [--data-dir DIR] [--force]

Verifies every file of a backup against its manifest, then puts it in the place of the data directory. Until all of it is
verified and copied, nothing is changed. A hub that made its admin token itself makes a new one at its next start.

  --from DIR      the backup
  --data-dir DIR  the data directory; default: HUB_DATA_DIR
  --force         replace a data directory that is not empty; what was in it is removed

exit codes
  0   done
  1   refused: not a whole backup, from a newer agent-hub, data directory in use or not empty, too little space
  2   bad command line
  78  configuration
`,
  positionals: { min: 0, max: 0 },
  options: { from: { takes: "value" }, "data-dir": { takes: "value" }, force: { takes: "flag" } },
  async run(input, io) {
    const from = input.values.get("from");
    if (from === undefined) throw new UsageError("'restore' needs --from DIR");
    const dataDir = await dataDirectory(input, io);
    const isForced = input.flags.has("force");
    const { restoreFrom } = await import("../server/offline.ts");
    const restored = await offline(io, (watch) => restoreFrom(from, dataDir, isForced, watch));
    if (restored.warning !== undefined) io.stderr(`agent-hub: ${restored.warning}\n`);
    await io.stdout(`restored ${counted(restored.files, "file")}, ${restored.bytes} bytes, to ${dataDir}\n`);
    return exitCodes.success;
  },
};
