// Settings for a command: read once, warnings printed, the table in use validated.
import type { Hub } from "../client/connection.ts";
import { clientConfig, requiredUrl } from "../config/client.ts";
import { loadSettings, type Settings } from "../config/load.ts";
import type { ClientConfig } from "../config/settings.ts";
import type { Io } from "./command.ts";

/** Files and environment, with their warnings on stderr. Throws `ConfigError`. */
export async function readSettings(io: Io): Promise<Settings> {
  const settings = await loadSettings(io.env);
  for (const warning of settings.warnings) io.stderr(`agent-hub: ${warning}\n`);
  return settings;
}

/** What a one-shot command needs: a valid `[client]` with a hub URL. Throws `ConfigError`. */
export async function readHub(io: Io): Promise<{ hub: Hub; config: ClientConfig }> {
  const settings = await readSettings(io);
  const config = clientConfig(settings);
  const url = requiredUrl(config, settings);
  return { hub: { url, token: config.token, timeoutMs: config.timeoutMs }, config };
}
