// Checks of one value, shared by both tables. Each throws a ConfigError that names variable, value and bounds.
import { quoted } from "./config-error.ts";
import { type Bounds, formOf, type Key } from "./keys.ts";
import { badValue, findText, type Settings, textOrDefault } from "./load.ts";

/** A setting of type integer, within the bounds of its key. */
export function wholeNumber(settings: Settings, key: Key): number {
  const { bounds = { min: 0 } } = formOf(key);
  const text = textOrDefault(settings, key) ?? "";
  const value = parseWhole(text, bounds);
  if (value === undefined) throw badValue(settings, key, `is ${quoted(text)}; give ${describeWhole(bounds)}`);
  return value;
}

export function parseWhole(text: string, { min, max = Number.MAX_SAFE_INTEGER }: Bounds): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

export function describeWhole({ min, max = Number.MAX_SAFE_INTEGER }: Bounds): string {
  return `a whole number from ${min} to ${max}`;
}

/** A path as configured. */
export function path(settings: Settings, key: Key): string | null {
  const text = textOrDefault(settings, key);
  if (text === undefined) return null;
  if (text.includes("\0")) throw badValue(settings, key, "holds a NUL character, which no path can");
  return text;
}

/** A secret that travels in an `Authorization` header of ours. */
export function headerSafe(settings: Settings, key: Key): string | null {
  const text = findText(settings, key);
  if (text === undefined) return null;
  if (/^[\x20-\x7e]+$/.test(text)) return text;
  throw badValue(settings, key, "holds a character no header can carry; use printable ASCII characters only");
}

/**
 * `http` or `https` URL text, without credentials and fragment. `secret` keeps the value out of the message; so does an
 * `@`, since what stands before it may be a password.
 */
export function webUrl(settings: Settings, key: Key, form: "any" | "no-query", secret = false): string | null {
  const text = findText(settings, key);
  if (text === undefined) return null;
  const pattern =
    form === "any" ? /^https?:\/\/[^/?#@\\\s]+([/?][^#\\\s]*)?$/i : /^https?:\/\/[^/?#@\\\s]+(\/[^?#\\\s]*)?$/i;
  if (pattern.test(text) && URL.canParse(text)) return text;
  const value = secret || text.includes("@") ? "is not usable" : `is ${quoted(text)}`;
  const without = form === "any" ? "credentials or fragment" : "credentials, query or fragment";
  throw badValue(settings, key, `${value}; give an http or https URL without ${without}, such as https://hub.example`);
}

/** Entries of a comma-separated value, trimmed, blank ones left out. */
export function entries(settings: Settings, key: Key): readonly string[] {
  const text = findText(settings, key) ?? "";
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}
