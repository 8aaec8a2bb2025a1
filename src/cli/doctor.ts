// `agent-hub doctor`: the state of a data directory on one page (cli.md 14).

import { checkSummary } from "./check-summary.ts";
import type { Command } from "./command.ts";
import { counted } from "./counted.ts";
import { exitCodes } from "./exit-codes.ts";
import { dataDirectory, offline } from "./offline-directory.ts";

export const command: Command = {
  name: "doctor",
  usage: `usage: agent-hub doctor [--data-dir DIR]

Reports on a data directory no hub is using: where it is, its schema, free space, blobs, and what a quick check finds.
Changes nothing. Each problem is one line on stderr.

  --data-dir DIR  the data directory; default: HUB_DATA_DIR

exit codes
  0   no problems
  1   problems, or a hub is using the directory
  2   bad command line
  78  configuration
`,
  positionals: { min: 0, max: 0 },
  options: { "data-dir": { takes: "value" } },
  async run(input, io) {
    const path = await dataDirectory(input, io);
    const problem = (text: string): void => io.stderr(`agent-hub: ${text}\n`);
    const { examineDirectory, supportedSchema } = await import("../server/offline.ts");
    const found = await offline(io, (watch) => examineDirectory({ ...watch, path, problem }));
    const { identity, files } = found;
    const lines = [
      `data directory: ${path}`,
      `identity: ${identity === null ? "none" : `device ${identity.device}, inode ${identity.inode}`}`,
      `schema: ${found.schema ?? "none"} (binary supports up to ${supportedSchema})`,
      `free space: ${found.freeBytes === null ? "unknown" : `${found.freeBytes} bytes`}`,
      `write-ahead log: ${found.logBytes} bytes`,
      `id high-water mark: ${found.idMark ?? "none"}`,
      `blobs: ${counted(files.files, "file")}, ${files.bytes} bytes, ${files.unreferenced} unreferenced`,
    ];
    await io.stdout(`${lines.join("\n")}\n${checkSummary(found)}`);
    return found.problems === 0 ? exitCodes.success : exitCodes.failed;
  },
};
