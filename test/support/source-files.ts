// The files of this repository, and what their text says they import. Read from the text because Bun's `scanImports`
// drops `import type`.
import { readdir } from "node:fs/promises";
import { dirname, join, posix, relative, sep } from "node:path";
import { type Lexed, lex, type Token } from "./tokens.ts";

/** Top of the repository. */
export const root: string = join(import.meta.dir, "..", "..");

/** `path` is relative to the top of the repository, with forward slashes. */
export type SourceFile = { path: string; text: string };

/** `target` is the specifier, or for a relative one the path it means, relative to the top of the repository. */
export type Import = { specifier: string; target: string; isRelative: boolean; isTypeOnly: boolean; line: number };

/** A file read once: its tokens, its imports, and which tokens belong to import and export clauses. */
export type ReadFile = SourceFile & Lexed & { imports: Import[]; clauseTokens: ReadonlySet<number> };

/** Every file below `folder`, without what `.gitignore` names; works without git. */
export async function listFiles(folder = ""): Promise<string[]> {
  const ignored = (await Bun.file(join(root, ".gitignore")).text())
    .split("\n")
    .filter((entry) => entry.endsWith("/"))
    .map((entry) => entry.slice(0, -1));
  // With a slash in front only the folder at the top is meant.
  const skipped = new Set([...ignored.map((entry) => (entry.startsWith("/") ? join(root, entry) : entry)), ".git"]);
  const found: string[] = [];
  const folders = [join(root, folder)];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      const path = join(next, entry.name);
      if (skipped.has(entry.name) || skipped.has(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) found.push(relative(root, path).split(sep).join("/"));
    }
  }
  return found.sort();
}

export async function readSources(folder: string): Promise<SourceFile[]> {
  const paths = (await listFiles(folder)).filter((path) => /\.[cm]?tsx?$/.test(path));
  return Promise.all(paths.map(async (path) => ({ path, text: await Bun.file(join(root, path)).text() })));
}

export function readFile(file: SourceFile): ReadFile {
  const lexed = lex(file.text, file.path.endsWith("x"));
  return { ...file, ...lexed, ...readImports(file.path, lexed.tokens) };
}

function readImports(path: string, tokens: Token[]): { imports: Import[]; clauseTokens: ReadonlySet<number> } {
  const imports: Import[] = [];
  const clauseTokens = new Set<number>();

  function add(token: Token, isTypeOnly: boolean): void {
    const isRelative = token.text.startsWith(".");
    const target = isRelative ? posix.join(dirname(path), token.text) : token.text;
    imports.push({ specifier: token.text, target, isRelative, isTypeOnly, line: token.line });
  }

  for (const [index, token] of tokens.entries()) {
    if (token.kind !== "word" || isPunct(tokens[index - 1], ".") || isPunct(tokens[index - 1], "?.")) continue;
    const next = tokens[index + 1];
    if (token.text === "URL" && isPunct(next, "(")) {
      // `new URL("./worker.ts", import.meta.url)` pulls a module in as surely as an import does.
      const argument = tokens[index + 2];
      if (argument?.kind === "string" && isWord(tokens[index + 4], "import")) add(argument, false);
      continue;
    }
    if (token.text === "import" && isPunct(next, "(")) {
      const argument = tokens[index + 2];
      add(isText(argument) ? argument : { kind: "string", text: "(computed)", line: token.line }, false);
      continue;
    }
    if (token.text === "import" && next?.kind === "string") {
      add(next, false);
      continue;
    }
    const isImport = token.text === "import" && (isPunct(next, "{") || isPunct(next, "*") || next?.kind === "word");
    if (!isImport && !(token.text === "export" && opensExportClause(tokens, index))) continue;
    const end = clauseEnd(tokens, index);
    for (let inside = index; inside <= end; inside += 1) clauseTokens.add(inside);
    const source = tokens[end];
    if (source?.kind === "string") add(source, isTypeClause(tokens.slice(index, end)));
  }
  return { imports, clauseTokens };
}

function opensExportClause(tokens: Token[], index: number): boolean {
  const after = isWord(tokens[index + 1], "type") ? index + 2 : index + 1;
  return isPunct(tokens[after], "{") || isPunct(tokens[after], "*");
}

// The string after `from`; without one, the closing brace of an export list.
function clauseEnd(tokens: Token[], start: number): number {
  for (let index = start + 1; index < tokens.length; index += 1) {
    if (isWord(tokens[index], "from") && tokens[index + 1]?.kind === "string") return index + 1;
    if (isPunct(tokens[index], "}") && !isWord(tokens[index + 1], "from")) return index;
    if (isPunct(tokens[index], ";")) return index;
  }
  return tokens.length - 1;
}

// `import type { A }`, or a list in which every name has its own `type`.
function isTypeClause(clause: Token[]): boolean {
  if (isWord(clause[1], "type") && !isWord(clause[2], "from") && !isPunct(clause[2], ",")) return true;
  const open = clause.findIndex((token) => isPunct(token, "{"));
  if (open !== 1) return false;
  const names = clause
    .slice(open)
    .filter((_, index, list) => isPunct(list[index - 1], "{") || isPunct(list[index - 1], ","));
  return names.every((name) => isWord(name, "type") || isPunct(name, "}"));
}

export function isPunct(token: Token | undefined, text: string): boolean {
  return token?.kind === "punct" && token.text === text;
}

export function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === "word" && token.text === text;
}

function isText(token: Token | undefined): token is Token {
  return token?.kind === "string" || token?.kind === "template";
}
