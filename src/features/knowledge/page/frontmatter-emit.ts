// Values as the patcher writes them (knowledge-base.md 4.2): plain where every reader takes it for the same text, quoted
// otherwise.
import { isDate, timestampMs } from "./calendar.ts";

export type Scalar = string | number | boolean;
/** A record's fields in the order they are written. */
export type PatchRecord = Readonly<Record<string, Scalar>>;
export type PatchValue = Scalar | readonly string[] | readonly PatchRecord[];

// The characters that are written as escapes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not stand in a page as they are
const escaped = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/;
const badStart = /^[-?:,[\]{}#&*!|>'"%@`~<=+.]/;
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

function isSafe(text: string): boolean {
  if (text === "" || escaped.test(text) || badStart.test(text)) return false;
  if (/^\p{White_Space}|\p{White_Space}$/u.test(text)) return false;
  if (/^[0-9]/.test(text) && !isDate(text) && timestampMs(text) === undefined) return false;
  return !text.includes(": ") && !text.includes(" #") && !text.endsWith(":") && !reserved.test(text);
}

const shortEscapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function quote(text: string): string {
  const inside = [...text]
    .map((character) => {
      const short = shortEscapes[character];
      if (short !== undefined) return short;
      if (!escaped.test(character)) return character;
      return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    })
    .join("");
  return `"${inside}"`;
}

function emitScalar(value: Scalar): string {
  if (typeof value !== "string") return String(value);
  return isSafe(value) ? value : quote(value);
}

/** One item of a block sequence, at an indentation. */
export function emitRecord(record: PatchRecord, indentation: string, eol: string): string {
  return Object.entries(record)
    .map(([field, value], index) => `${indentation}${index === 0 ? "- " : "  "}${field}: ${emitScalar(value)}${eol}`)
    .join("");
}

export const newItemIndentation = "  ";

/** A key with its value, as whole lines. */
export function emitKey(key: string, value: PatchValue, eol: string): string {
  if (!isList(value)) return `${key}: ${emitScalar(value)}${eol}`;
  const records = value.filter((item) => typeof item !== "string");
  if (records.length > 0) {
    return `${key}:${eol}${records.map((record) => emitRecord(record, newItemIndentation, eol)).join("")}`;
  }
  return `${key}: [${value.map((item) => quote(String(item))).join(", ")}]${eol}`;
}

function isList(value: PatchValue): value is readonly string[] | readonly PatchRecord[] {
  return Array.isArray(value);
}
