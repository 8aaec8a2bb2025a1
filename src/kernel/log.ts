// One logger, to stderr, one line a record: `<RFC 3339 UTC> <level> <message> key=value ...` (cli.md 2.5).
// Tokens, Authorization values, request bodies and the path of notify_url are never given to it.
import { createConsola } from "consola/basic";
import type { LogLevel } from "../config/settings.ts";

export type LogFields = Record<string, string | number | boolean | null | undefined>;
export type Log = {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  trace(message: string, fields?: LogFields): void;
};

const consolaLevels: Record<LogLevel, number> = { off: -999, error: 0, warn: 1, info: 3, debug: 4, trace: 5 };

/** A logger that writes records of `level` and above through `write`, which gets whole lines. */
export function createLog(level: LogLevel, write: (line: string) => void): Log {
  const consola = createConsola({
    level: consolaLevels[level],
    throttle: 0,
    reporters: [{ log: (record) => write(`${record.date.toISOString()} ${record.type} ${record.args.join(" ")}\n`) }],
  });
  return {
    error: (message, fields) => consola.error(line(message, fields)),
    warn: (message, fields) => consola.warn(line(message, fields)),
    info: (message, fields) => consola.info(line(message, fields)),
    debug: (message, fields) => consola.debug(line(message, fields)),
    trace: (message, fields) => consola.trace(line(message, fields)),
  };
}

function line(message: string, fields: LogFields = {}): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${quoted(String(value))}`);
  return [oneLine(message), ...pairs].join(" ");
}

// A value with spaces, quotes or control characters is written as a JSON string, so a record stays one line. JSON itself
// lets some control characters and line separators pass.
function quoted(value: string): string {
  if (/^[^\s"=\p{Cc}]+$/u.test(value)) return value;
  const toEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(/[\p{Cc}\u2028\u2029]/gu, toEscape);
}

function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
