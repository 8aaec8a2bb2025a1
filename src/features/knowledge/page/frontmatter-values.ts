// Reads the frontmatter fields a knowledge base looks at (knowledge-base.md 3.2). Anything else is kept and ignored.
import { isValueless, type Key, type Layout, type Line, splitKey, trim } from "./frontmatter-layout.ts";

export type VerifiedEntry = { by: string; at: string };

/** What a page says of itself; null where it says nothing that can be read. */
export type PageFields = {
  type: string | null;
  title: string | null;
  description: string | null;
  status: string | null;
  tags: string[] | null;
  staleAfter: string | null;
  /** Whether the block carries `okf_version`, whatever its value. */
  hasVersion: boolean;
  verified: VerifiedEntry[];
};

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  "0": "\0",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  v: "\v",
};

/** The fields of a page that was laid out; none of a block that was refused. */
export function readFields(layout: Layout): PageFields {
  const keys = new Map(layout.kind === "block" ? layout.block.keys.map((key) => [key.name, key]) : []);
  const text = (name: string): string | null => {
    const key = keys.get(name);
    const value = key === undefined ? undefined : scalarOf(key);
    return value === undefined || trim(value) === "" ? null : value;
  };
  const tags = keys.get("tags");
  const verified = keys.get("verified");
  return {
    type: text("type"),
    title: text("title"),
    description: text("description"),
    status: text("status"),
    tags: (tags === undefined ? undefined : itemsOf(tags)) ?? null,
    staleAfter: text("stale_after"),
    hasVersion: keys.has("okf_version"),
    verified: verified === undefined ? [] : recordsOf(verified, ["by", "at"]).map(([by = "", at = ""]) => ({ by, at })),
  };
}

// Lines that hold content: comments at column zero and blank lines lie between, in the extent but in no value.
function contentLines(lines: readonly Line[]): string[] {
  return lines
    .filter(({ text }) => !text.startsWith("#"))
    .flatMap(({ text }) => (trim(text) === "" ? [] : [trim(text)]));
}

/** Undefined for a key whose value is no single text. */
function scalarOf(key: Key): string | undefined {
  const inline = trim(key.inline);
  if (isValueless(key.inline) || inline.startsWith("[")) return undefined;
  if (/^[|>][-+0-9]*(?:[ \t]+#.*)?$/.test(inline)) return contentLines(key.lines).join(" ");
  return readScalar([inline, ...contentLines(key.lines)].join(" "));
}

/** Undefined for a key whose value is no list. */
function itemsOf(key: Key): string[] | undefined {
  const inline = trim(key.inline);
  if (inline.startsWith("[")) return key.lines.length === 0 ? readFlow(inline) : undefined;
  if (!isValueless(key.inline)) return undefined;
  return contentLines(key.lines).flatMap((line) =>
    /^-(?:[ \t]|$)/.test(line) ? [readScalar(trim(line.slice(1)))] : [],
  );
}

/** The values of the fields, in that order, of each record that has them all. */
export function recordsOf(key: Key, fields: readonly string[]): string[][] {
  if (!isValueless(key.inline)) return [];
  const records: Map<string, string>[] = [];
  for (const line of contentLines(key.lines)) {
    const isItem = /^-(?:[ \t]|$)/.test(line);
    if (isItem) records.push(new Map());
    const field = splitKey(isItem ? trim(line.slice(1)) : line);
    if (field !== undefined) records.at(-1)?.set(field.name, readScalar(trim(field.inline)));
  }
  return records.flatMap((record) => {
    const values = fields.flatMap((field) => record.get(field) ?? []);
    return values.length === fields.length ? [values] : [];
  });
}

/** One scalar: quoted, or plain and cut at a comment. What does not close is taken as written. */
function readScalar(text: string): string {
  const quoted = /^["']/.test(text) ? readQuoted(text, 0) : undefined;
  if (quoted !== undefined && /^(?:[ \t]*|[ \t]+#.*)$/s.test(text.slice(quoted.end)))
    return quoted.value.toWellFormed();
  if (quoted === undefined && !/^["']/.test(text)) return plain(text);
  return text;
}

function plain(text: string): string {
  if (text.startsWith("#")) return "";
  const comment = text.search(/[ \t]#/);
  return comment === -1 ? text : trim(text.slice(0, comment));
}

type Quoted = { value: string; end: number };

function readQuoted(text: string, start: number): Quoted | undefined {
  return text[start] === "'" ? readSingle(text, start) : readDouble(text, start);
}

function readSingle(text: string, start: number): Quoted | undefined {
  let value = "";
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] !== "'") {
      value += text.charAt(at);
      continue;
    }
    if (text[at + 1] !== "'") return { value, end: at + 1 };
    value += "'";
    at += 1;
  }
  return undefined;
}

function readDouble(text: string, start: number): Quoted | undefined {
  let value = "";
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return { value, end: at + 1 };
    if (character !== "\\") {
      value += character;
      continue;
    }
    const escaped = readEscape(text, at + 1);
    value += escaped.value;
    at = escaped.end - 1;
  }
  return undefined;
}

const digitsOf: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

function readEscape(text: string, at: number): Quoted {
  const letter = text.charAt(at);
  const digits = digitsOf[letter];
  if (digits !== undefined) {
    const hex = text.slice(at + 1, at + 1 + digits);
    const code = new RegExp(`^[0-9a-fA-F]{${digits}}$`).test(hex) ? Number.parseInt(hex, 16) : Number.NaN;
    // Half a pair given as \u is completed by the next one; as \U it names no character.
    if (code <= 0xffff) return { value: String.fromCharCode(code), end: at + 1 + digits };
    if (code <= 0x10ffff) return { value: String.fromCodePoint(code), end: at + 1 + digits };
  }
  return { value: escapes[letter] ?? letter, end: at + 1 };
}

/** Items of a one-line flow list; undefined when it does not close on the line or anything but a comment follows. */
function readFlow(text: string): string[] | undefined {
  const items: string[] = [];
  let at = 1;
  for (let round = 0; round <= text.length; round += 1) {
    at = skipSpace(text, at);
    if (text[at] === "]") return isCommentOrNothing(text.slice(at + 1)) ? items : undefined;
    const item = readFlowItem(text, at);
    if (item === undefined) return undefined;
    items.push(item.value);
    at = skipSpace(text, item.end);
    if (text[at] === ",") at += 1;
    else if (text[at] !== "]") return undefined;
  }
  return undefined;
}

function readFlowItem(text: string, start: number): Quoted | undefined {
  if (/["']/.test(text.charAt(start))) return readQuoted(text, start);
  let end = start;
  while (end < text.length && !/[,[\]{}]/.test(text.charAt(end))) end += 1;
  const value = trim(text.slice(start, end));
  if (end === text.length || value === "" || /(?:^|[ \t])#/.test(value)) return undefined;
  return { value, end };
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

function isCommentOrNothing(text: string): boolean {
  return /^[ \t]*$|^[ \t]+#/.test(text);
}
