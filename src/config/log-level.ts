// HUB_LOG (config.md 6): how much is logged. A wrong value never stops a process.
import { quoted } from "./config-error.ts";
import { type Env, variable } from "./environment.ts";
import type { LogLevel } from "./settings.ts";

const levels: readonly LogLevel[] = ["off", "error", "warn", "info", "debug", "trace"];

/** The level that `HUB_LOG` names, else `fallback`: `info` for `serve` and standalone `mcp`, `error` elsewhere. */
export function logLevel(env: Env, fallback: LogLevel): LogLevel {
  return levels.find((level) => level === variable(env, "HUB_LOG")) ?? fallback;
}

/** The warning a wrong `HUB_LOG` earns; `loadSettings` hands it on with its own. */
export function logLevelWarning(env: Env): readonly string[] {
  const text = variable(env, "HUB_LOG");
  if (text === undefined || levels.some((level) => level === text)) return [];
  return [`HUB_LOG is ${quoted(text)}, the default is used; give one of ${levels.join(", ")}`];
}
