// `agent-hub mcp`: MCP over stdio for a harness, carried to a hub (cli.md 4).

import type { ProxyOptions } from "../client/proxy/run-proxy.ts";
import { clientConfig, requiredUrl } from "../config/client.ts";
import { ConfigError } from "../config/config-error.ts";
import { findText, type Settings } from "../config/load.ts";
import { logLevel } from "../config/log-level.ts";
import { hubActor, operatorActor } from "../shared/ids.ts";
import type { Command, Io } from "./command.ts";
import { CommandError } from "./exit-codes.ts";
import { hubHelp } from "./hub-help.ts";
import { readSettings } from "./settings.ts";

export const command: Command = {
  name: "mcp",
  usage: `usage: agent-hub mcp [--tools core|full]

Serves MCP over stdin and stdout, one JSON-RPC message a line, for a program that starts its MCP servers itself. Every
message goes to the hub and every answer comes from it; the session that session_start opens stays active until this
process ends.

Without a hub URL it serves the local data directory itself, standalone: as the human admin, under the label
HUB_AGENT_ID or "local". That takes the directory for itself: while a hub runs on it, this ends with 1.

  --tools core|full  which tools are listed, full when left out; a call to a tool that is not listed works all the same

${hubHelp}`,
  positionals: { min: 0, max: 0 },
  options: { tools: { takes: "value", choices: ["core", "full"] } },
  async run({ values }, io) {
    const settings = await readSettings(io);
    const stop = new AbortController();
    const giveBack = io.onStop(() => stop.abort());
    const harness: Harness = {
      tools: values.get("tools") === "core" ? "core" : "full",
      input: lazily(() => io.stdin()),
      output: { write: (text) => io.stdout(text) },
      stderr: (text) => io.stderr(text),
      stop: stop.signal,
    };
    try {
      // Only the table of the mode is validated (config.md 7).
      return findText(settings, "url") === undefined
        ? await runStandalone(settings, harness, io)
        : await runProxyTo(settings, harness);
    } finally {
      giveBack();
    }
  },
};

type Harness = Pick<ProxyOptions, "tools" | "input" | "output" | "stderr" | "stop">;

async function runProxyTo(settings: Settings, harness: Harness): Promise<number> {
  const config = clientConfig(settings);
  const { runProxy } = await import("../client/proxy/run-proxy.ts");
  return runProxy({ ...harness, url: requiredUrl(config, settings), token: config.token });
}

// Never resolved: the requests go to the hub in this process.
const standaloneUrl = "http://standalone.invalid";

/** No hub is configured: the same hub on the local data directory, as the operator (cli.md 4.3). */
async function runStandalone(settings: Settings, harness: Harness, io: Io): Promise<number> {
  const { hubConfig } = await import("../config/hub.ts");
  const config = hubConfig(settings);
  const label = labelOf(settings);
  const { createLog } = await import("../kernel/log.ts");
  const { DataDirHeldError, openHub } = await import("../server/hub.ts");
  const { createStandalone } = await import("../server/standalone.ts");
  const { runProxy } = await import("../client/proxy/run-proxy.ts");
  const log = createLog(logLevel(settings.env, "info"), io.stderr);
  await using hub = await openHub({ config, log, hasListener: false }).catch((error: unknown) => {
    if (!(error instanceof DataDirHeldError)) throw error;
    throw new CommandError(`${error.message}; set HUB_URL to reach it instead`, { cause: error });
  });
  const standalone = createStandalone(hub, label);
  if (standalone === undefined) {
    throw new ConfigError(`HUB_AGENT_ID is ${JSON.stringify(label)}, an agent of this hub; choose another label`);
  }
  io.stderr(
    `agent-hub mcp: standalone on ${config.dataDir} as the human admin; set HUB_URL to use a running hub as this token's agent\n`,
  );
  // Nobody waits any more once the harness is done: waits answer at once, and the process ends.
  const drain = (): void => hub.drain();
  harness.stop.addEventListener("abort", drain, { once: true });
  try {
    const input = followedBy(harness.input, drain);
    return await runProxy({ ...harness, input, url: standaloneUrl, token: null, send: standalone.send });
  } finally {
    await standalone.close();
  }
}

function labelOf(settings: Settings): string {
  const label = findText(settings, "agent_id") ?? "local";
  // `local` is reserved for just this.
  if (label === hubActor || label === operatorActor) {
    throw new ConfigError(`HUB_AGENT_ID is ${JSON.stringify(label)}, a reserved name; choose another label`);
  }
  return label;
}

async function* followedBy(input: AsyncIterable<Uint8Array>, ended: () => void): AsyncGenerator<Uint8Array> {
  yield* input;
  ended();
}

/** Stdin is opened when the proxy first reads, which is after its opening. */
async function* lazily(open: () => AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* open();
}
