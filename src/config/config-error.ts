// A setting or a config file that cannot be used. Every command ends with exit 78 on one (config.md 7).
import { quotedChars } from "../shared/limits.ts";

/** `message` is one line that names the variable or file, the value, the bounds and the next step. */
export class ConfigError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ConfigError";
  }
}

/** A value as it may stand in a message: one line, quoted, not endless. Never for a secret. */
export function quoted(text: string): string {
  const line = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
  return line.length > quotedChars ? `'${line.slice(0, quotedChars)}...'` : `'${line}'`;
}
