// Finds the frontmatter block of a page and the lines of each key (knowledge-base.md 3.1). Reader and patcher share it,
// so both agree where a value ends. No YAML parser: what is not plainly laid out is refused with a code.

export type LayoutCode = "byte_order_mark" | "carriage_return" | "unclosed" | "delimiter" | "unsupported_line";

/** One line of a page: where it starts, its text, and where the next one starts. */
export type Line = { start: number; text: string; end: number; number: number };

/** A key with its line and every line that extends it; `lines` may hold comments and blank lines between those. */
export type Key = {
  name: string;
  /** After the colon, as written. */
  inline: string;
  start: number;
  end: number;
  /** The lines after the key's own. */
  lines: readonly Line[];
};

export type Block = {
  keys: readonly Key[];
  /** Line ending of the opening line. */
  eol: string;
  /** Where the closing line starts, and where the body does. */
  close: number;
  body: number;
};

export type Layout =
  | { kind: "none" }
  | { kind: "block"; block: Block }
  | { kind: "refused"; code: LayoutCode; line: number };

const whitespace = /^\p{White_Space}$/u;
const notAKey = /^["'?[\]{}&*!|>%@`,]/;

export function layOut(page: string): Layout {
  if (page.startsWith("\uFEFF")) return refused("byte_order_mark", 1);
  const first = lineAt(page, 0, 1);
  if (first.text === "---" && first.end > 3) return layOutBlock(page, first);
  if (!first.text.startsWith("---") || first.text.startsWith("----")) return { kind: "none" };
  if (first.text.includes("\r")) return refused("carriage_return", 1);
  if (first.text === "---") return refused("unclosed", 1);
  const isDelimiter = /^---[ \t]/.test(first.text) || isBlank(first.text.slice(3));
  return refused(isDelimiter ? "delimiter" : "unsupported_line", 1);
}

function refused(code: LayoutCode, line: number): Layout {
  return { kind: "refused", code, line };
}

type OpenKey = { name: string; inline: string; start: number; end: number; lines: Line[] };

function layOutBlock(page: string, first: Line): Layout {
  const keys: OpenKey[] = [];
  // Blank lines and comments belong to the key above only when a later line extends it.
  let undecided: Line[] = [];
  const extend = (line: Line): boolean => {
    const key = keys.at(-1);
    if (key === undefined) return false;
    key.lines.push(...undecided, line);
    key.end = line.end;
    undecided = [];
    return true;
  };
  let number = 1;
  for (let at = first.end; at < page.length; ) {
    number += 1;
    const line = lineAt(page, at, number);
    const { text } = line;
    at = line.end;
    if (text.includes("\r")) return refused("carriage_return", number);
    if (text === "---") {
      const eol = page.slice(first.text.length, first.end);
      return { kind: "block", block: { keys, eol, close: line.start, body: line.end } };
    }
    if (/^(?:---|\.\.\.)[ \t]/.test(text) || text === "...") return refused("delimiter", number);
    if (isBlank(text) || text.startsWith("#")) {
      undecided.push(line);
      continue;
    }
    if (/^[ \t]/.test(text)) {
      if (!extend(line)) return refused("unsupported_line", number);
      continue;
    }
    if (/^-(?:[ \t]|$)/.test(text)) {
      const key = keys.at(-1);
      if (key === undefined || !isValueless(key.inline)) return refused("unsupported_line", number);
      extend(line);
      continue;
    }
    const key = keyOf(line);
    if (key === undefined) return refused("unsupported_line", number);
    keys.push(key);
    undecided = [];
  }
  return refused("unclosed", number);
}

function lineAt(page: string, start: number, number: number): Line {
  const feed = page.indexOf("\n", start);
  const end = feed === -1 ? page.length : feed + 1;
  const stop = feed === -1 ? page.length : feed - (page[feed - 1] === "\r" && feed > start ? 1 : 0);
  return { start, text: page.slice(start, stop), end, number };
}

function keyOf(line: Line): OpenKey | undefined {
  const found = splitKey(line.text);
  if (found === undefined || found.name === "" || notAKey.test(found.name) || /[ \t]#/.test(found.name))
    return undefined;
  return { ...found, start: line.start, end: line.end, lines: [] };
}

/** `key: value` at the first colon that a space, a tab or the end follows. */
export function splitKey(text: string): { name: string; inline: string } | undefined {
  const at = text.search(/:(?:[ \t]|$)/);
  return at === -1 ? undefined : { name: trimEnd(text.slice(0, at)), inline: text.slice(at + 1) };
}

/** True when nothing but white space or a comment stands after a key's colon. */
export function isValueless(inline: string): boolean {
  const value = trim(inline);
  return value === "" || value.startsWith("#");
}

/** White space is the Unicode property: U+0085 is, U+FEFF is not. */
function isBlank(text: string): boolean {
  return trim(text) === "";
}

export function trim(text: string): string {
  let start = 0;
  while (start < text.length && whitespace.test(text.charAt(start))) start += 1;
  return trimEnd(text.slice(start));
}

function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && whitespace.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
