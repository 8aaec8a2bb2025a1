// `[client]`, validated (config.md 5 and 7). Loaded by every one-shot command, so it stays small.
import { timerMsMax } from "../shared/limits.ts";
import { ConfigError, quoted } from "./config-error.ts";
import { badValue, findText, type Settings, textOrDefault } from "./load.ts";
import type { ClientConfig } from "./settings.ts";
import { headerSafe, webUrl } from "./values.ts";

export function clientConfig(settings: Settings): ClientConfig {
  return Object.freeze({
    url: webUrl(settings, "url", "no-query")?.replace(/\/+$/, "") ?? null,
    token: headerSafe(settings, "token"),
    agentId: findText(settings, "agent_id") ?? null,
    project: findText(settings, "project") ?? null,
    timeoutMs: timeoutMs(settings),
  });
}

/** What a command needs that acts on a hub as its operator. Throws `ConfigError` without an admin token. */
export function operatorConfig(settings: Settings): { adminToken: string; timeoutMs: number } {
  const adminToken = headerSafe(settings, "admin_token");
  if (adminToken !== null) return { adminToken, timeoutMs: timeoutMs(settings) };
  throw new ConfigError(
    "no admin token is configured; set HUB_ADMIN_TOKEN, for a hub that made its own: HUB_ADMIN_TOKEN=$(cat <data_dir>/admin-token)",
  );
}

/** The hub URL, for a command that has nothing to do without one. */
export function requiredUrl(config: ClientConfig, settings: Settings): string {
  if (config.url !== null) return config.url;
  const file = settings.configFile === undefined ? "" : `, or url under [client] in ${settings.configFile}`;
  throw new ConfigError(`no hub URL is configured; set HUB_URL${file}`);
}

function timeoutMs(settings: Settings): number {
  const text = textOrDefault(settings, "timeout") ?? "";
  const seconds = /^\+?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!Number.isFinite(seconds) || seconds <= 0) {
    throw badValue(settings, "timeout", `is ${quoted(text)}; give seconds above 0, such as 30 or 2.5`);
  }
  return Math.min(Math.max(1, Math.round(seconds * 1000)), timerMsMax);
}
