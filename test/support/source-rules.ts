// Rules about the text of one file that neither the compiler nor Biome holds, or that a suppression comment could
// switch off. Each takes a file that was read and returns what is wrong, as `path:line: reason`.
import { isPunct, isWord, type ReadFile } from "./source-files.ts";
import { endsValue, type Token } from "./tokens.ts";

type Rule = (file: ReadFile) => string[];

export const maxLines = 400;

/** Product words the kernel must not know; a short list on purpose, since `session` or `page` mean other things too. */
const kernelStrangers: readonly string[] = ["question", "approval", "artifact", "brain", "knowledge"];

const vagueNames = /^(.+-)?(utils?|helpers?|managers?)$|^(common|types?)$/;

export const sizeGate: Rule = (file) => {
  const lines = file.text.split("\n").length - (file.text.endsWith("\n") ? 1 : 0);
  return lines > maxLines ? [`${file.path}:${lines}: ${lines} lines, the gate is ${maxLines}`] : [];
};

export const vagueFileName: Rule = (file) => {
  const name = (file.path.split("/").at(-1) ?? "").replace(/\..*$/, "");
  return vagueNames.test(name) ? [`${file.path}:1: '${name}' says nothing about what is inside`] : [];
};

/** The environment is read in src/config alone. */
export const environmentAccess: Rule = (file) => {
  if (file.path.startsWith("src/config/")) return [];
  const named = find(file, (token, index) => {
    const holder = token.text === "process" || token.text === "Bun";
    return token.kind === "word" && holder && reads(file.tokens, index, "env");
  });
  const meta = find(file, (token, index) => token.text === "meta" && reads(file.tokens, index, "env"));
  const module = file.imports.filter((entry) => /^(node:)?process$/.test(entry.specifier));
  return [
    ...report(file, [...named, ...meta], "the environment is read in src/config only"),
    ...module.map((entry) => `${file.path}:${entry.line}: node:process is imported in src/config only`),
  ];
};

export const consoleUse: Rule = (file) => {
  const found = find(
    file,
    (token, index) => isWord(token, "console") && /^(\.|\?\.|\[)$/.test(file.tokens[index + 1]?.text ?? ""),
  );
  return report(file, found, "no console: results go to stdout, records through the one logger");
};

/**
 * `as` other than `as const` needs a comment that explains the checked boundary: on its line, on the line before, or
 * there where the bracket that is cast opens.
 */
export const bareCast: Rule = (file) => {
  const found = find(file, (token, index) => {
    if (!isWord(token, "as") || file.clauseTokens.has(index)) return false;
    const next = file.tokens[index + 1];
    if (!endsValue(file.tokens[index - 1]) || next === undefined || isWord(next, "const")) return false;
    const isOperand = next.kind === "punct" && !["{", "[", "(", "|", "&", "-"].includes(next.text);
    return !isOperand && !hasComment(file, token.line) && !hasComment(file, openingLine(file.tokens, index - 1));
  });
  return report(file, found, "'as' without a comment that explains the checked boundary");
};

export const nonNullAssertion: Rule = (file) => {
  const found = find(file, (token, index) => {
    const previous = file.tokens[index - 1];
    return isPunct(token, "!") && endsValue(previous) && !isPunct(previous, "}");
  });
  return report(file, found, "no '!' assertions");
};

export const compilerSilencing: Rule = (file) =>
  file.comments
    .filter((comment) => /@ts-(ignore|expect-error|nocheck)/.test(comment.text))
    .map((comment) => `${file.path}:${comment.line}: the compiler is not silenced`);

/** Ambient declarations of text modules are exempt: there a default export is the only form. */
export const defaultExport: Rule = (file) => {
  if (file.path.endsWith(".d.ts")) return [];
  const found = find(file, (token, index) => {
    if (!isWord(token, "default")) return false;
    const previous = file.tokens[index - 1];
    return isWord(previous, "export") || (isWord(previous, "as") && file.clauseTokens.has(index));
  });
  return report(file, found, "named exports only");
};

export const kernelNoun: Rule = (file) => {
  if (!file.path.startsWith("src/kernel/")) return [];
  const found = find(file, (token) => {
    if (token.kind !== "word") return false;
    const parts = token.text
      .replace(/([a-z\d])([A-Z])/g, "$1_$2")
      .toLowerCase()
      .split(/[_$#]+/);
    return parts.some((part) => kernelStrangers.includes(part) || kernelStrangers.includes(part.replace(/s$/, "")));
  });
  return report(file, found, "the kernel knows no product noun");
};

/** Tests that do not run, or keep others from running. */
export const switchedOffTest: Rule = (file) => {
  const found = find(file, (token, index) => {
    if (token.kind !== "word" || !isPunct(file.tokens[index - 1], ".")) return false;
    if (!/^(only|skip|skipIf|todo|todoIf|failing)$/.test(token.text)) return false;
    const next = file.tokens[index + 1]?.text;
    return next === "(" || next === ".";
  });
  return report(file, found, "every test runs");
};

/** What holds for each file below src/. */
export const sourceRules: readonly Rule[] = [
  sizeGate,
  vagueFileName,
  environmentAccess,
  consoleUse,
  bareCast,
  nonNullAssertion,
  compilerSilencing,
  defaultExport,
  kernelNoun,
];

// `x.name`, `x?.name` and `x["name"]`, from the index of `x`.
function reads(tokens: readonly Token[], index: number, name: string): boolean {
  const mark = tokens[index + 1]?.text ?? "";
  return /^(\.|\?\.|\[)$/.test(mark) && tokens.slice(index + 2, index + 4).some((token) => token.text === name);
}

// Line of the bracket that the one at `index` closes, or of the token itself when it closes none.
function openingLine(tokens: readonly Token[], index: number): number {
  let depth = 0;
  for (let at = index; at >= 0; at -= 1) {
    const token = tokens[at];
    if (token?.kind === "punct" && ")]}".includes(token.text)) depth += 1;
    if (token?.kind === "punct" && "([{".includes(token.text)) depth -= 1;
    if (token !== undefined && depth === 0) return token.line;
  }
  return 1;
}

function hasComment(file: ReadFile, line: number): boolean {
  return file.comments.some((comment) => comment.endLine === line || comment.endLine === line - 1);
}

function find(file: ReadFile, matches: (token: Token, index: number) => boolean): Token[] {
  return file.tokens.filter(matches);
}

function report(file: ReadFile, tokens: readonly Token[], reason: string): string[] {
  return tokens.map((token) => `${file.path}:${token.line}: ${reason}`);
}
