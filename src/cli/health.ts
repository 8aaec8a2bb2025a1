// `agent-hub health`: is the hub ready? For container and service health checks (cli.md 15). Reads no settings.
import { endpointOf } from "../client/connection.ts";
import { shortCause } from "../client/hub-failure.ts";
import { probe, type Readiness } from "../client/readiness.ts";
import { probeBodyChars, probePhaseMs } from "../shared/limits.ts";
import type { Command } from "./command.ts";
import { CommandError, exitCodes, UsageError } from "./exit-codes.ts";

const defaultUrl = "http://127.0.0.1:8080";

export const command: Command = {
  name: "health",
  usage: `usage: agent-hub health [--url URL]

Asks a hub whether it is ready: GET /readyz, plain http. Prints "ready". Reads no settings.

  --url URL  the hub's own listener; default ${defaultUrl}

exit codes
  0  ready
  1  not ready or not reached, with one line on stderr
  2  bad command line
`,
  positionals: { min: 0, max: 0 },
  options: { url: { takes: "value" } },
  async run({ values }, io) {
    const url = readinessUrl(values.get("url") ?? defaultUrl);
    const { status, body } = await readiness(url);
    if (status !== 200) throw new CommandError(`${url} answered ${status}: ${shown(body)}`);
    await io.stdout("ready\n");
    return exitCodes.success;
  },
};

async function readiness(url: string): Promise<Readiness> {
  try {
    return await probe(url, probePhaseMs);
  } catch (error) {
    throw new CommandError(`${url} is unreachable: ${shortCause(error)}`, { cause: error });
  }
}

function readinessUrl(text: string): string {
  const base = text.trim().replace(/\/+$/, "");
  if (/^https:/i.test(base)) {
    throw new CommandError(`health speaks plain http only; give the listener's own address, such as ${defaultUrl}`);
  }
  if (!/^http:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/i.test(base) || !URL.canParse(base)) {
    throw new UsageError(`option '--url' is not an http URL; give the listener's address, such as ${defaultUrl}`);
  }
  return base.endsWith("/readyz") ? base : endpointOf(base, "/readyz");
}

// A problem document may be long or hold newlines; the report is one line.
function shown(body: string): string {
  const line = body.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.length > probeBodyChars ? `${line.slice(0, probeBodyChars)}...` : line || "(empty body)";
}
