// `agent-hub config`: show or validate settings (cli.md 10).
import type { Command, Io } from "./command.ts";
import { exitCodes, UsageError } from "./exit-codes.ts";
import { readSettings } from "./settings.ts";

export const command: Command = {
  name: "config",
  usage: `usage: agent-hub config [--path|--check]

Shows every setting: table and key, variable, value, source. Secrets are masked.

  --path   show the config files instead, and which of them are read
  --check  print nothing and validate every setting of both tables

A setting comes from its variable, else the user's config file, else the system's, else its default.

exit codes
  0   done; with --check: valid
  2   bad command line
  78  a config file cannot be used; with --check: the first bad setting, on stderr
`,
  positionals: { min: 0, max: 0 },
  options: { path: { takes: "flag" }, check: { takes: "flag" } },
  async run({ flags }, io) {
    if (flags.has("path") && flags.has("check")) throw new UsageError("give --path or --check, not both");
    if (flags.has("check")) return check(io);
    const { filesReport, settingsReport } = await import("../config/display.ts");
    await io.stdout(flags.has("path") ? await filesReport(io.env) : settingsReport(await readSettings(io)));
    return exitCodes.success;
  },
};

async function check(io: Io): Promise<number> {
  const settings = await readSettings(io);
  const { hubConfig } = await import("../config/hub.ts");
  const { clientConfig } = await import("../config/client.ts");
  const { checkDataDir } = await import("../config/data-dir.ts");
  const { dataDir } = hubConfig(settings);
  clientConfig(settings);
  await checkDataDir(dataDir);
  return exitCodes.success;
}
