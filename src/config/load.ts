// Files and environment become one value per key, with where it came from (config.md 2). Nothing is validated here:
// each command validates the table it uses, with hubConfig or clientConfig.
import { ConfigError } from "./config-error.ts";
import { type Env, variable } from "./environment.ts";
import { readFiles, writableFile } from "./files.ts";
import { formOf, type Key, keyNames, variableOf } from "./keys.ts";
import { logLevelWarning } from "./log-level.ts";

export type Source = Readonly<{ from: "environment" } | { from: "file"; path: string }>;
export type Found = Readonly<{ text: string; source: Source }>;

export type Settings = Readonly<{
  env: Env;
  /** Keys that are set somewhere; a key not in here has its default. */
  found: ReadonlyMap<Key, Found>;
  /** To be printed on stderr, one `agent-hub: <text>` line each. */
  warnings: readonly string[];
  /** The config file to name when something is missing; undefined without a home. */
  configFile: string | undefined;
}>;

/** Reads once, at process start. Throws `ConfigError` when a present file cannot be used. */
export async function loadSettings(env: Env): Promise<Settings> {
  const files = await readFiles(env);
  const found = new Map<Key, Found>();
  for (const key of keyNames) {
    const set = variable(env, variableOf(key));
    if (set !== undefined) {
      found.set(key, { text: set, source: { from: "environment" } });
      continue;
    }
    for (const { path, values } of files) {
      const text = values.get(key);
      if (text === undefined) continue;
      found.set(key, { text, source: { from: "file", path } });
      break;
    }
  }
  const configFile = writableFile(
    env,
    files.map(({ path }) => path),
  );
  const warnings = [...files.flatMap((file) => file.warnings), ...logLevelWarning(env)];
  return { env, found, warnings, configFile };
}

/** What is set, or undefined. Unvalidated: for `agent_id` and for telling whether a hub URL is configured. */
export function findText(settings: Settings, key: Key): string | undefined {
  return settings.found.get(key)?.text;
}

/** What is set, else the constant default; undefined when there is neither. */
export function textOrDefault(settings: Settings, key: Key): string | undefined {
  return findText(settings, key) ?? formOf(key).default;
}

/** `HUB_BIND`, and the file when the value stands in one: the start of every message about a value. */
export function nameOf(settings: Settings, key: Key): string {
  const source = settings.found.get(key)?.source;
  if (source?.from !== "file") return variableOf(key);
  return `${variableOf(key)} ([${formOf(key).table}] ${key} in ${source.path})`;
}

export function badValue(settings: Settings, key: Key, problem: string): ConfigError {
  return new ConfigError(`${nameOf(settings, key)} ${problem}`);
}
