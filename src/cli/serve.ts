// `agent-hub serve`: the hub over HTTP (cli.md 3).
import { hubConfig } from "../config/hub.ts";
import { logLevel } from "../config/log-level.ts";
import type { Command, Io } from "./command.ts";
import { CommandError, exitCodes } from "./exit-codes.ts";
import { readSettings } from "./settings.ts";

export const command: Command = {
  name: "serve",
  usage: `usage: agent-hub serve

Serves the hub over HTTP until SIGTERM or SIGINT. Takes no arguments: settings come from variables and config files,
and agent-hub config shows them. HUB_BIND says where it listens, HUB_DATA_DIR where it keeps everything.

On a loopback address without HUB_ADMIN_TOKEN the hub makes an admin token, keeps it in <data_dir>/admin-token and
prints a start-up link with it. The link opens the web app, signed in.

Scripts call the API below /api/v1 with the header Authorization: Bearer <admin token>; /api/v1/openapi.json describes
it. Agents call /mcp with a token of their own; /bootstrap/SKILL.md tells them how.

exit codes
  0   stopped by a signal
  1   could not start: data directory in use, port in use, store from a newer agent-hub
  2   bad command line
  78  a setting or a config file cannot be used
`,
  positionals: { min: 0, max: 0 },
  options: {},
  async run(_input, io) {
    const settings = await readSettings(io);
    const config = hubConfig(settings);
    const { createLog } = await import("../kernel/log.ts");
    const { DataDirHeldError, openHub } = await import("../server/hub.ts");
    const { startListener } = await import("../server/http/listener.ts");
    const log = createLog(logLevel(settings.env, "info"), io.stderr);
    const stop = stopSignals(io);
    try {
      await using hub = await openHub({ config, log, hasListener: true }).catch((error: unknown) => {
        if (!(error instanceof DataDirHeldError)) throw error;
        throw new CommandError(`${error.message}; stop it, or set HUB_URL to reach it`, { cause: error });
      });
      const listener = startListener(hub);
      const token = hub.adminToken?.isSelfMade === true ? `in ${config.dataDir}/admin-token` : "set";
      io.stderr(`agent-hub: listening on ${listener.url}, data ${config.dataDir}, admin token ${token}\n`);
      if (hub.adminToken?.isSelfMade === true) {
        io.stderr(`agent-hub: open ${listener.url}/#/connect?token=${hub.adminToken.token}\n`);
      }
      await stop.first;
      log.info("stopping");
      await listener.stop(stop.second);
    } finally {
      stop.giveBack();
    }
    io.stderr("agent-hub: stopped\n");
    return exitCodes.success;
  },
};

/** The first signal starts the drain, a second one ends it at once. */
function stopSignals(io: Io): { first: Promise<void>; second: AbortSignal; giveBack: () => void } {
  const second = new AbortController();
  const first = Promise.withResolvers<void>();
  let count = 0;
  const giveBack = io.onStop(() => {
    count += 1;
    if (count === 1) first.resolve();
    else second.abort();
  });
  return { first: first.promise, second: second.signal, giveBack };
}
