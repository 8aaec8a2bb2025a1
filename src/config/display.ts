// What `agent-hub config` shows (cli.md 10): every setting with its source, secrets masked (config.md 9).
import { type Env, variable } from "./environment.ts";
import { type Candidate, isPresent, namedFile, systemFile, userFiles } from "./files.ts";
import { nodeNameOf } from "./hub.ts";
import { formOf, type Key, keyNames, variableOf } from "./keys.ts";
import { type Settings, textOrDefault } from "./load.ts";

/** One line a setting: `[table] key`, variable, value, source. */
export function settingsReport(settings: Settings): string {
  return columns(
    keyNames.map((key) => [
      `[${formOf(key).table}] ${key}`,
      variableOf(key),
      shownValue(settings, key),
      shownSource(settings, key),
    ]),
  );
}

/** One line a candidate file, in reading terms. Opens none of them. */
export async function filesReport(env: Env): Promise<string> {
  const named = namedFile(env);
  const rows: string[][] = [];
  if (named !== undefined) rows.push(row(env, named, await presence(named)));
  const replaced = named === undefined ? undefined : "not read (replaced by HUB_CONFIG)";
  const system = systemFile(env);
  rows.push(row(env, system, replaced ?? (await presence(system))));
  let isUserFound = false;
  for (const user of userFiles(env)) {
    const state: string = replaced ?? (isUserFound ? "not read (shadowed)" : await presence(user));
    isUserFound ||= state === "found";
    rows.push(row(env, user, state));
  }
  return columns(rows);
}

function row(env: Env, { layer, path }: Candidate, state: string): string[] {
  return [layer, withTilde(env, path), state];
}

async function presence({ path }: Candidate): Promise<string> {
  return (await isPresent(path)) ? "found" : "not found";
}

function shownValue(settings: Settings, key: Key): string {
  const text = key === "node_name" ? nodeNameOf(settings) : textOrDefault(settings, key);
  if (text === undefined) return "(unset)";
  const { shown } = formOf(key);
  if (shown === "secret") return maskedSecret(text);
  return escaped(shown === "origin" ? maskedUrl(text) : text);
}

function shownSource(settings: Settings, key: Key): string {
  const source = settings.found.get(key)?.source;
  if (source === undefined) return "default";
  return source.from === "environment" ? "environment" : withTilde(settings.env, source.path);
}

export function maskedSecret(text: string): string {
  const chars = [...text];
  return `${escaped(chars.slice(0, 4).join(""))}... (${chars.length} chars)`;
}

/** Scheme, host and port: the path of a nudge target is often its secret. */
export function maskedUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.host === "") return "(not a URL)";
  const hasMore = url.pathname !== "/" || url.search !== "";
  return `${url.protocol}//${url.host}${hasMore ? "/..." : ""}`;
}

// A value may hold a newline; a line of the report may not.
function escaped(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function withTilde(env: Env, path: string): string {
  const home = variable(env, "HOME");
  return home !== undefined && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const cells of rows) {
    cells.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.length);
    });
  }
  return rows.map((cells) => `${cells.map((cell, index) => padded(cell, index, cells, widths)).join("  ")}\n`).join("");
}

function padded(cell: string, index: number, cells: readonly string[], widths: readonly number[]): string {
  return index === cells.length - 1 ? cell : cell.padEnd(widths[index] ?? 0);
}
