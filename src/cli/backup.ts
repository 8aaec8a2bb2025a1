// `agent-hub backup`: a copy of everything, of a stopped hub's data directory or by a running hub itself (cli.md 11).
import type { Command, Input, Io } from "./command.ts";
import { counted } from "./counted.ts";
import { exitCodes, UsageError } from "./exit-codes.ts";
import { hubUrl } from "./hub-url.ts";
import { dataDirectory, offline } from "./offline-directory.ts";
import { readSettings } from "./settings.ts";

export const command: Command = {
  name: "backup",
  usage: `usage: agent-hub backup --out DIR [--data-dir DIR]
       agent-hub backup --url URL

Copies the store and every blob it refers to, with a manifest that agent-hub restore and agent-hub check verify.

  --out DIR       copy here, while no hub runs; DIR is new or empty, outside the data directory
  --data-dir DIR  the data directory, with --out; default: HUB_DATA_DIR
  --url URL       ask a running hub, which goes on serving and writes a new directory under its own HUB_BACKUP_DIR;
                  needs HUB_ADMIN_TOKEN: for a hub that made its token itself, $(cat <data_dir>/admin-token)

Backups are never deleted; HUB_TIMEOUT bounds the wait for a hub, which finishes all the same.

exit codes
  0   done
  1   refused or failed: directory in use, not empty, too little space; the hub's refusal is printed as JSON
  2   bad command line
  69  the hub could not be reached
  77  the hub refused the token
  78  configuration, or no admin token
`,
  positionals: { min: 0, max: 0 },
  options: { out: { takes: "value" }, "data-dir": { takes: "value" }, url: { takes: "value" } },
  async run(input, io) {
    const { values } = input;
    const out = values.get("out");
    const url = values.get("url");
    if (url === undefined) {
      if (out === undefined) throw new UsageError("give --out DIR, or --url URL for a running hub");
      return backUpHere(input, out, io);
    }
    if (out !== undefined || values.has("data-dir")) throw new UsageError("--url goes with no other option");
    return askHub(hubUrl(url), io);
  },
};

const heldMessage = "a hub is using this data directory; use backup --url, stop the hub, or snapshot the volume";

async function backUpHere(input: Input, out: string, io: Io): Promise<number> {
  const dataDir = await dataDirectory(input, io);
  const { backUp } = await import("../server/offline.ts");
  const { files, bytes, schema } = await offline(io, (watch) => backUp(dataDir, out, watch), heldMessage);
  await io.stdout(`backed up ${counted(files, "file")}, ${bytes} bytes, schema ${schema}, to ${out}\n`);
  return exitCodes.success;
}

async function askHub(url: string, io: Io): Promise<number> {
  const settings = await readSettings(io);
  const { operatorConfig } = await import("../config/client.ts");
  const { adminToken, timeoutMs } = operatorConfig(settings);
  const { askForBackup } = await import("../client/backup.ts");
  const { files, bytes, schema, path, durationMs } = await askForBackup({ url, token: adminToken, timeoutMs });
  await io.stdout(
    `backed up ${counted(files, "file")}, ${bytes} bytes, schema ${schema}, to ${path} in ${durationMs} ms\n`,
  );
  return exitCodes.success;
}
