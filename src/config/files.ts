// Which config files there are, which of them are read, and what a file may hold (config.md 1, 3 and 8).
import { isObject } from "../shared/json.ts";
import { ConfigError, quoted } from "./config-error.ts";
import { type Env, variable } from "./environment.ts";
import { formOf, isKey, type Key, type KeyForm, type Table } from "./keys.ts";

export type Candidate = Readonly<{ layer: "named" | "user" | "system"; path: string }>;
/** What a file sets, as trimmed text; blank values are unset and not in here. */
export type FileValues = ReadonlyMap<Key, string>;
export type ReadFile = Readonly<{ path: string; values: FileValues; warnings: readonly string[] }>;

const fileName = "config.toml";
const defaultSystemFile = `/etc/agent-hub/${fileName}`;
const tables: readonly Table[] = ["hub", "client"];

export function systemFile(env: Env): Candidate {
  return { layer: "system", path: variable(env, "AGENT_HUB_SYSTEM_CONFIG") ?? defaultSystemFile };
}

export function namedFile(env: Env): Candidate | undefined {
  const path = variable(env, "HUB_CONFIG");
  return path === undefined ? undefined : { layer: "named", path };
}

/** User files in reading order: at most the first that exists is read. Empty without a home. */
export function userFiles(env: Env): readonly Candidate[] {
  const home = variable(env, "HOME");
  const xdg = variable(env, "XDG_CONFIG_HOME");
  const paths: string[] = [];
  if (xdg !== undefined) paths.push(`${xdg}/agent-hub/${fileName}`);
  if (xdg === undefined && home !== undefined) paths.push(`${home}/.config/agent-hub/${fileName}`);
  if (home !== undefined) paths.push(`${home}/.agent-hub/${fileName}`);
  return paths.map((path) => ({ layer: "user", path }));
}

/** The file to name when a setting is missing, and the one enrolment would write: named, read, or first candidate. */
export function writableFile(env: Env, read: readonly string[]): string | undefined {
  const named = namedFile(env);
  if (named !== undefined) return named.path;
  const candidates = userFiles(env).map(({ path }) => path);
  return candidates.find((path) => read.includes(path)) ?? candidates[0];
}

/** Files in layer order, highest first. A missing file is no error. */
export async function readFiles(env: Env): Promise<readonly ReadFile[]> {
  const named = namedFile(env);
  if (named !== undefined) return present([await readFile(named.path)]);
  return present([await firstUserFile(env), await readFile(systemFile(env).path)]);
}

async function firstUserFile(env: Env): Promise<ReadFile | undefined> {
  for (const { path } of userFiles(env)) {
    const file = await readFile(path);
    if (file !== undefined) return file;
  }
  return undefined;
}

function present(files: readonly (ReadFile | undefined)[]): readonly ReadFile[] {
  return files.filter((file) => file !== undefined);
}

async function readFile(path: string): Promise<ReadFile | undefined> {
  const text = await readText(path);
  if (text === undefined) return undefined;
  const warnings: string[] = [];
  const values = fileValues(path, await parseToml(path, text), warnings);
  const exposed = await exposedMode(path, values);
  if (exposed !== undefined) {
    warnings.push(`${path} holds a secret and has mode ${exposed}; run: chmod 600 ${path}`);
  }
  return { path, values, warnings };
}

/** True when there is something at `path`, readable or not. */
export async function isPresent(path: string): Promise<boolean> {
  try {
    await Bun.file(path).stat();
    return true;
  } catch (error) {
    return !isMissing(error);
  }
}

async function readText(path: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await Bun.file(path).bytes();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new ConfigError(`cannot read config file ${path}: ${reasonOf(error)}`, { cause: error });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new ConfigError(`config file ${path} is not UTF-8 text; save it as UTF-8`, { cause: error });
  }
}

function codeOf(error: unknown): string {
  return isObject(error) && typeof error["code"] === "string" ? error["code"] : "";
}

function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error));
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "EISDIR") return "it is a directory";
  return code === "" ? "read failed" : code;
}

async function parseToml(path: string, text: string): Promise<Record<string, unknown>> {
  // Loaded only when there is a file: most calls from hooks are configured by the environment alone.
  const { parse, TomlError } = await import("smol-toml");
  try {
    // As bigints, integers can be told from floats.
    return parse(text, { integersAsBigInt: true });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const [first = ""] = error.message.split("\n");
    const problem = first.replace(/^Invalid TOML document: /, "");
    throw new ConfigError(`config file ${path}, line ${error.line}, column ${error.column}: ${problem}`, {
      cause: error,
    });
  }
}

function fileValues(path: string, document: Record<string, unknown>, warnings: string[]): FileValues {
  const values = new Map<Key, string>();
  for (const [name, content] of Object.entries(document)) {
    const table = tables.find((known) => known === name);
    if (table === undefined) {
      const what = isTable(content) ? `table [${oneLine(name)}]` : `key ${quoted(name)} outside [hub] and [client]`;
      warnings.push(`config file ${path}: ${what} is not used and is ignored`);
      continue;
    }
    if (!isTable(content)) {
      throw new ConfigError(`config file ${path}: '${table}' is not a table; write its keys under [${table}]`);
    }
    for (const [key, value] of Object.entries(content)) addValue(path, table, key, value, values);
  }
  return values;
}

function addValue(path: string, table: Table, key: string, value: unknown, values: Map<Key, string>): void {
  if (!isKey(key) || formOf(key).table !== table) {
    throw new ConfigError(
      `config file ${path}: unknown key ${quoted(key)} in [${table}]; remove it, agent-hub config lists every key`,
    );
  }
  const { type } = formOf(key);
  const text = textOf(type, value);
  if (text === undefined) {
    throw new ConfigError(`config file ${path}: '${key}' in [${table}] must be ${wanted[type]}`);
  }
  if (text !== "") values.set(key, text);
}

const wanted: Record<KeyForm["type"], string> = {
  string: "a string in quotes",
  integer: "an integer without quotes",
  number: "a number without quotes",
};

function textOf(type: KeyForm["type"], value: unknown): string | undefined {
  if (type === "string") return typeof value === "string" ? value.trim() : undefined;
  if (typeof value === "bigint") return String(value);
  return type === "number" && typeof value === "number" ? String(value) : undefined;
}

// TOML dates are objects too.
function isTable(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(value instanceof Date);
}

function oneLine(text: string): string {
  return quoted(text).slice(1, -1);
}

/** The mode of a file that sets a secret and that group or others can read or write; undefined when all is well. */
async function exposedMode(path: string, values: FileValues): Promise<string | undefined> {
  if (process.platform === "win32") return undefined;
  if (![...values.keys()].some((key) => formOf(key).shown === "secret")) return undefined;
  const { mode } = await Bun.file(path).stat();
  return (mode & 0o066) === 0 ? undefined : `0${(mode & 0o777).toString(8)}`;
}
