// Which lines of a page are prose and which are code (knowledge-base.md 6). Code spans are blanked out, so that columns
// stay where they were.

/** A line of prose with its number, counted from 1. */
export type ProseLine = { text: string; number: number };

type Fence = { character: string; length: number };

const item = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const markers = /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+)+/;
const heading = /^ {0,3}#{1,6}(?:[ \t]|$)/;

export function* proseOf(page: string): Generator<ProseLine> {
  let fence: Fence | undefined;
  let isInList = false;
  // What an indented line may follow to be code; a paragraph line it would continue.
  let mayStartCode = true;
  let isAfterBlank = false;
  for (const { text, number } of linesOf(page)) {
    if (fence !== undefined) {
      if (closes(text, fence, isInList)) {
        fence = undefined;
        mayStartCode = true;
        isAfterBlank = false;
      }
      continue;
    }
    if (text.trim() === "") {
      mayStartCode = true;
      isAfterBlank = true;
      continue;
    }
    const isIndented = /^(?: {4}| {0,3}\t)/.test(text);
    if (isInList && isAfterBlank && !/^[ \t]/.test(text) && !item.test(text)) isInList = false;
    isAfterBlank = false;
    if (!isInList && isIndented && mayStartCode) continue;
    mayStartCode = heading.test(text);
    if (item.test(text) && (isInList || !isIndented)) isInList = true;
    fence = opened(isInList ? text.replace(markers, "") : text, isInList);
    if (fence === undefined) yield { text: withoutCodeSpans(text), number };
  }
}

function* linesOf(page: string): Generator<ProseLine> {
  let number = 0;
  for (let at = 0; at < page.length; ) {
    number += 1;
    const feed = page.indexOf("\n", at);
    const end = feed === -1 ? page.length : feed;
    yield { text: page.slice(at, page[end - 1] === "\r" && end > at ? end - 1 : end), number };
    at = end + 1;
  }
}

function opened(text: string, isInList: boolean): Fence | undefined {
  const [, indentation = "", run = "", info = ""] = /^([ \t]*)(`{3,}|~{3,})(.*)$/.exec(text) ?? [];
  if (run === "" || (!isInList && !/^ {0,3}$/.test(indentation))) return undefined;
  const character = run.charAt(0);
  return character === "`" && info.includes("`") ? undefined : { character, length: run.length };
}

function closes(text: string, fence: Fence, isInList: boolean): boolean {
  const [, indentation = "", run = ""] = /^([ \t]*)(`{3,}|~{3,})[ \t]*$/.exec(text) ?? [];
  if (!isInList && !/^ {0,3}$/.test(indentation)) return false;
  return run.startsWith(fence.character) && run.length >= fence.length;
}

// A run of backticks pairs with the next run of its length; one without a partner stands for itself.
function withoutCodeSpans(text: string): string {
  if (!text.includes("`")) return text;
  const runs = [...text.matchAll(/`+/g)].map((match) => ({ start: match.index, length: match[0].length }));
  const partner: (number | undefined)[] = [];
  const nextOfLength = new Map<number, number>();
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const length = runs[index]?.length ?? 0;
    partner[index] = nextOfLength.get(length);
    nextOfLength.set(length, index);
  }
  let result = "";
  let at = 0;
  for (let index = 0; index < runs.length; index += 1) {
    const open = runs[index];
    const close = runs[partner[index] ?? -1];
    if (open === undefined || close === undefined) continue;
    const end = close.start + close.length;
    result += text.slice(at, open.start) + " ".repeat(end - open.start);
    at = end;
    index = partner[index] ?? index;
  }
  return result + text.slice(at);
}
