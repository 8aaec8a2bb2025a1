// `agent-hub mcp`: MCP over stdio for a harness, carried to a hub (cli.md 4).

import { clientConfig } from "../config/client.ts";
import { ConfigError } from "../config/config-error.ts";
import type { Command } from "./command.ts";
import { hubHelp } from "./hub-help.ts";
import { readSettings } from "./settings.ts";

export const command: Command = {
  name: "mcp",
  usage: `usage: agent-hub mcp [--tools core|full]

Serves MCP over stdin and stdout, one JSON-RPC message a line, for a program that starts its MCP servers itself. Every
message goes to the hub and every answer comes from it; the session that session_start opens stays active until this
process ends.

  --tools core|full  which tools are listed, full when left out; a call to a tool that is not listed works all the same

${hubHelp}`,
  positionals: { min: 0, max: 0 },
  options: { tools: { takes: "value", choices: ["core", "full"] } },
  async run({ values }, io) {
    const settings = await readSettings(io);
    const { url, token } = clientConfig(settings);
    if (url === null) {
      const file = settings.configFile === undefined ? "a config file" : settings.configFile;
      throw new ConfigError(`no hub URL: set HUB_URL or url in [client] of ${file}`);
    }
    const { runProxy } = await import("../client/proxy/run-proxy.ts");
    const stop = new AbortController();
    const giveBack = io.onStop(() => stop.abort());
    try {
      return await runProxy({
        url,
        token,
        tools: values.get("tools") === "core" ? "core" : "full",
        input: lazily(() => io.stdin()),
        output: { write: (text) => io.stdout(text) },
        stderr: (text) => io.stderr(text),
        stop: stop.signal,
      });
    } finally {
      giveBack();
    }
  },
};

/** Stdin is opened when the proxy first reads, which is after its opening. */
async function* lazily(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* open();
}
