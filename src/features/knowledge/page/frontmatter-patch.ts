// Changes keys of a page's frontmatter and no other byte (knowledge-base.md 4). What cannot be changed safely is refused
// before anything is.
import { isObject } from "../../../shared/json.ts";
import { emitKey, emitRecord, newItemIndentation, type PatchRecord, type PatchValue } from "./frontmatter-emit.ts";
import { type Block, isValueless, type Key, type LayoutCode, type Line, layOut, trim } from "./frontmatter-layout.ts";

/** One change. What is set or appended may be any JSON; what cannot be written is refused. */
export type Change = { key: string; set: unknown } | { key: string; delete: true } | { key: string; append: unknown };

export type PatchCode =
  | LayoutCode
  | "invalid_value"
  | "invalid_key"
  | "duplicate_change"
  | "duplicate_key"
  | "anchor"
  | "not_block_sequence"
  | "indentation";

/** A patch that was refused: why, and at which key or line. */
export type PatchRefusal = { code: PatchCode; at: string };
export type PatchResult = { page: string } | { refused: PatchRefusal };

const keyForm = /^[A-Za-z_][A-Za-z0-9_-]*$/;

type Written = { key: string; set: PatchValue } | { key: string; delete: true } | { key: string; append: PatchRecord };

export function patchFrontmatter(page: string, changes: readonly Change[]): PatchResult {
  const written: Written[] = [];
  for (const change of changes) {
    const checked = checkShape(change);
    if (checked === undefined) return refuse("invalid_value", change.key);
    written.push(checked);
  }
  const refusal = checkChanges(written);
  if (refusal !== undefined) return { refused: refusal };
  if (written.length === 0) return { page };
  const layout = layOut(page);
  if (layout.kind === "refused") return refuse(layout.code, `line ${layout.line}`);
  if (layout.kind === "none") return { page: withNewBlock(page, written) };
  for (const change of written) {
    const code = checkKey(layout.block, change);
    if (code !== undefined) return refuse(code, change.key);
  }
  return { page: patchBlock(page, layout.block, written) };
}

function refuse(code: PatchCode, at: string): PatchResult {
  return { refused: { code, at } };
}

function checkShape(change: Change): Written | undefined {
  if ("delete" in change) return change;
  if ("append" in change) return isRecord(change.append) ? { key: change.key, append: change.append } : undefined;
  return isValue(change.set) ? { key: change.key, set: change.set } : undefined;
}

function isScalar(value: unknown): value is string | number | boolean {
  return (
    typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isInteger(value))
  );
}

function isRecord(value: unknown): value is PatchRecord {
  return isObject(value) && Object.values(value).every(isScalar);
}

function isValue(value: unknown): value is PatchValue {
  if (!Array.isArray(value)) return isScalar(value);
  return value.every((item) => typeof item === "string") || value.every(isRecord);
}

function checkChanges(changes: readonly Written[]): PatchRefusal | undefined {
  const seen = new Set<string>();
  for (const change of changes) {
    const { key } = change;
    if (!keyForm.test(key)) return { code: "invalid_key", at: key };
    if (seen.has(key)) return { code: "duplicate_change", at: key };
    seen.add(key);
    if (!isWithinBounds(change)) return { code: "invalid_value", at: key };
  }
  return undefined;
}

function isWithinBounds(change: Written): boolean {
  if ("delete" in change) return true;
  if ("append" in change) return isWritableRecord(change.append);
  const { set } = change;
  if (typeof set === "number") return Number.isSafeInteger(set);
  if (typeof set !== "object") return true;
  return set.every((item) => typeof item === "string" || isWritableRecord(item));
}

function isWritableRecord(record: PatchRecord): boolean {
  const fields = Object.entries(record);
  if (fields.length === 0) return false;
  return fields.every(
    ([name, value]) => keyForm.test(name) && (typeof value !== "number" || Number.isSafeInteger(value)),
  );
}

function checkKey(block: Block, change: Written): PatchCode | undefined {
  const found = block.keys.filter((key) => key.name === change.key);
  const [key] = found;
  if (key === undefined) return undefined;
  if (found.length > 1) return "duplicate_key";
  if (/^[&*]/.test(trim(key.inline))) return "anchor";
  return "append" in change ? checkSequence(key) : undefined;
}

function isContent({ text }: Line): boolean {
  const content = trim(text);
  return content !== "" && !content.startsWith("#");
}

function indentationOf(line: Line): string {
  return /^[ \t]*/.exec(line.text)?.[0] ?? "";
}

function isItem(line: Line): boolean {
  return /^[ \t]*-(?:[ \t]|$)/.test(line.text);
}

// Only a plain block sequence takes one more record.
function checkSequence(key: Key): PatchCode | undefined {
  if (!isValueless(key.inline)) return "not_block_sequence";
  const content = key.lines.filter(isContent);
  const [first] = content;
  if (first === undefined) return undefined;
  if (!isItem(first)) return "not_block_sequence";
  const column = indentationOf(first).length;
  const strays = content.filter((line) => indentationOf(line).length === column && !isItem(line));
  if (strays.length > 0) return "not_block_sequence";
  const isUneven = content.some((line) => indentationOf(line).length < column);
  const hasTab = key.lines.some((line) => trim(line.text) !== "" && indentationOf(line).includes("\t"));
  return isUneven || hasTab ? "indentation" : undefined;
}

function linesOf(change: Written, eol: string): string {
  if ("delete" in change) return "";
  if ("set" in change) return emitKey(change.key, change.set, eol);
  return `${change.key}:${eol}${emitRecord(change.append, newItemIndentation, eol)}`;
}

function withNewBlock(page: string, changes: readonly Written[]): string {
  const [, cr = ""] = /^[^\n]*?(\r?)\n/.exec(page) ?? [];
  const eol = page.includes("\n") ? `${cr}\n` : "\n";
  const keys = changes.map((change) => linesOf(change, eol)).join("");
  if (keys === "") return page;
  const separator = page === "" || /^\r?\n/.test(page) ? "" : eol;
  return `---${eol}${keys}---${eol}${separator}${page}`;
}

type Edit = { start: number; end: number; text: string };

function patchBlock(page: string, block: Block, changes: readonly Written[]): string {
  const edits: Edit[] = [];
  let added = "";
  for (const change of changes) {
    const key = block.keys.find((candidate) => candidate.name === change.key);
    if (key === undefined) added += linesOf(change, block.eol);
    else if ("append" in change)
      edits.push({ start: key.end, end: key.end, text: itemFor(key, change.append, block.eol) });
    else edits.push({ start: key.start, end: key.end, text: linesOf(change, block.eol) });
  }
  edits.sort((a, b) => a.start - b.start || a.end - b.end);
  // After the sort, so that a record stays under its key where both meet.
  edits.push({ start: block.close, end: block.close, text: added });
  let result = "";
  let at = 0;
  for (const edit of edits) {
    result += page.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + page.slice(at);
}

function itemFor(key: Key, record: PatchRecord, eol: string): string {
  const first = key.lines.find(isContent);
  return emitRecord(record, first === undefined ? newItemIndentation : indentationOf(first), eol);
}
