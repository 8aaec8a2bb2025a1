// Sets keys of one TOML table in a text that parses, and leaves every other byte as it is (cli.md 7.2).

type Entry = {
  kind: "table" | "array" | "pair";
  /** Keys of the entry, a pair's without those of its table. */
  path: readonly string[];
  /** Where its line begins, where its value stands, and where its last line ends, before the line break. */
  start: number;
  valueStart: number;
  valueEnd: number;
  end: number;
};

/**
 * The text with the keys of `[table]` set to strings: a value that is there is replaced where it stands, a key that is not
 * follows the last key of the table, a table that is not there is appended.
 * @throws Error when the table is written in a form that cannot be edited so
 */
export function withTableKeys(text: string, table: string, values: Readonly<Record<string, string>>): string {
  const entries = readEntries(text);
  const owned = ownedPairs(entries, table);
  const edits: { from: number; to: number; text: string }[] = [];
  const missing: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const pair = owned.pairs.find(({ path }) => path.at(-1) === key && path.length === owned.depth);
    if (pair === undefined) missing.push(key);
    else edits.push({ from: pair.valueStart, to: pair.valueEnd, text: tomlString(value) });
  }
  if (missing.length > 0) edits.push(insertion(text, table, owned, missing, values));
  return edits
    .sort((a, b) => b.from - a.from)
    .reduce((edited, { from, to, text: put }) => edited.slice(0, from) + put + edited.slice(to), text);
}

type Owned = { header: Entry | undefined; pairs: Entry[]; depth: 1 | 2 };

// Pairs below `[table]`, else pairs `table.key` before any table.
function ownedPairs(entries: readonly Entry[], table: string): Owned {
  const at = entries.findIndex(({ kind, path }) => kind === "table" && path.length === 1 && path[0] === table);
  const header = entries[at];
  if (header !== undefined) {
    const rest = entries.slice(at + 1);
    const next = rest.findIndex(({ kind }) => kind !== "pair");
    return { header, pairs: next === -1 ? rest : rest.slice(0, next), depth: 1 };
  }
  const first = entries.findIndex(({ kind }) => kind !== "pair");
  const pairs = (first === -1 ? entries : entries.slice(0, first)).filter(({ path }) => path[0] === table);
  if (pairs.some(({ path }) => path.length === 1)) throw new Error(`'${table}' is an inline table`);
  return { header, pairs, depth: 2 };
}

function insertion(
  text: string,
  table: string,
  { header, pairs, depth }: Owned,
  missing: readonly string[],
  values: Readonly<Record<string, string>>,
): { from: number; to: number; text: string } {
  const newline = /\r?\n/.exec(text)?.[0] ?? "\n";
  const last = pairs.at(-1) ?? header;
  const prefix = depth === 2 && last !== undefined ? `${table}.` : "";
  const lines = missing.map((key) => `${prefix}${key} = ${tomlString(values[key] ?? "")}`);
  if (last !== undefined) {
    const indent = /^[ \t]*/.exec(text.slice(last.start))?.[0] ?? "";
    return { from: last.end, to: last.end, text: lines.map((line) => newline + indent + line).join("") };
  }
  const isEmpty = text.replace(/^\uFEFF/, "") === "";
  const ending = isEmpty || text.endsWith("\n") ? "" : newline;
  const gap = isEmpty ? "" : newline;
  const block = [`[${table}]`, ...lines].map((line) => line + newline).join("");
  return { from: text.length, to: text.length, text: ending + gap + block };
}

function tomlString(value: string): string {
  // JSON's escapes are TOML's, but for one character that TOML wants escaped too.
  return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
}

function readEntries(text: string): Entry[] {
  const entries: Entry[] = [];
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  while (at < text.length) {
    const start = at;
    at = skipBlank(text, at);
    const character = text[at];
    if (character === "[") {
      const isArray = text[at + 1] === "[";
      const key = readKey(text, at + (isArray ? 2 : 1));
      const end = lineEnd(text, key.end);
      entries.push({ kind: isArray ? "array" : "table", path: key.path, start, valueStart: end, valueEnd: end, end });
      at = end;
    } else if (character !== undefined && !"\r\n#".includes(character)) {
      const key = readKey(text, at);
      if (text[key.end] !== "=") throw new Error("a key without a value");
      const valueStart = skipBlank(text, key.end + 1);
      const valueEnd = skipValue(text, valueStart);
      const end = lineEnd(text, valueEnd);
      entries.push({ kind: "pair", path: key.path, start, valueStart, valueEnd, end });
      at = end;
    } else {
      at = lineEnd(text, at);
    }
    at = skipBreak(text, at);
  }
  return entries;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
}

function skipBreak(text: string, from: number): number {
  if (text.startsWith("\r\n", from)) return from + 2;
  return from + 1;
}

/** Where the line ends, before its break. */
function lineEnd(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  if (at === -1) return text.length;
  return text[at - 1] === "\r" && at > from ? at - 1 : at;
}

const bareKey = /[A-Za-z0-9_-]+/y;

function readKey(text: string, from: number): { path: string[]; end: number } {
  const path: string[] = [];
  let at = from;
  // Each round takes a part of the key, so it ends with the text.
  while (at < text.length) {
    at = skipBlank(text, at);
    const quote = text[at];
    if (quote === '"' || quote === "'") {
      const end = skipString(text, at);
      path.push(quote === '"' ? unescaped(text.slice(at, end)) : text.slice(at + 1, end - 1));
      at = end;
    } else {
      bareKey.lastIndex = at;
      const [part] = bareKey.exec(text) ?? [];
      if (part === undefined) throw new Error("a line that is no key");
      path.push(part);
      at += part.length;
    }
    at = skipBlank(text, at);
    if (text[at] !== ".") break;
    at += 1;
  }
  return { path, end: at };
}

function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    // An escape that only TOML knows: no key of ours is written so.
    return quoted;
  }
}

function skipString(text: string, from: number): number {
  const quote = text[from] ?? "";
  const isLong = text.startsWith(quote.repeat(3), from);
  const mark = isLong ? quote.repeat(3) : quote;
  let at = from + mark.length;
  while (at < text.length) {
    if (quote === '"' && text[at] === "\\") {
      at += 2;
    } else if (text.startsWith(mark, at)) {
      at += mark.length;
      // A long string may end in quotes of its own.
      while (isLong && text[at] === quote) at += 1;
      return at;
    } else {
      at += 1;
    }
  }
  throw new Error("a string without an end");
}

function skipValue(text: string, from: number): number {
  const first = text[from] ?? "";
  if (first === '"' || first === "'") return skipString(text, from);
  if (first === "[" || first === "{") return skipNested(text, from);
  const plain = /[^\r\n#]*/y;
  plain.lastIndex = from;
  return from + (plain.exec(text)?.[0] ?? "").trimEnd().length;
}

function skipNested(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    const character = text[at] ?? "";
    if (character === '"' || character === "'") {
      at = skipString(text, at);
      continue;
    }
    if (character === "#") {
      at = lineEnd(text, at);
      continue;
    }
    if (character === "[" || character === "{") depth += 1;
    if (character === "]" || character === "}") depth -= 1;
    at += 1;
    if (depth === 0) return at;
  }
  throw new Error("a list or table without an end");
}
