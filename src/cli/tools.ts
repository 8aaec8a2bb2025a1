// `agent-hub tools`: the hub's tools with their schemas (cli.md 6).
import { listTools } from "../client/one-shot.ts";
import type { Command } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { hubHelp } from "./hub-help.ts";
import { readHub } from "./settings.ts";

export const command: Command = {
  name: "tools",
  usage: `usage: agent-hub tools [--compact]

Lists the hub's tools: {"tools":[{"name","description","inputSchema"}, ...]}, in the hub's order.

  --compact  one line instead of indented JSON

${hubHelp}`,
  positionals: { min: 0, max: 0 },
  options: { compact: { takes: "flag" } },
  async run({ flags }, io) {
    const { hub } = await readHub(io);
    const tools = await listTools(hub);
    await io.stdout(`${JSON.stringify({ tools }, null, flags.has("compact") ? 0 : 2)}\n`);
    return exitCodes.success;
  },
};
