// From what somebody typed to what the index is asked (mcp-tools.md 17.33). Any text is a query and none is an error:
// every word is quoted, so nothing of the index's own syntax comes through.
import { isLoneCharacter, runsOf, wordsOf, wordsOfRun } from "../corpus/index.ts";

const maxWords = 64;
const maxBytes = 8192;
// Words of the index's language on their own, upper case.
const operators = /(?<![\p{L}\p{N}\p{M}\p{Co}])(?:AND|OR|NOT|NEAR)(?![\p{L}\p{N}\p{M}\p{Co}])/gu;

/** One word or phrase to find: its folded words in order. */
export type Term = { words: readonly string[]; isPrefix: boolean };

/** The terms of a query in order; empty when no word is in it. */
export function parseQuery(text: string): Term[] {
  const terms: Term[] = [];
  const parts = cut(text).split('"');
  let isLastPhrase = false;
  for (const [index, part] of parts.entries()) {
    // An unbalanced quote is read as words, so the last part after an odd number of quotes is no phrase.
    const isPhrase = index % 2 === 1 && index < parts.length - 1;
    const found = isPhrase ? [wordsOf(part)] : runsOf(part.replace(operators, " ")).map(wordsOfRun);
    for (const words of found) {
      if (words.length === 0) continue;
      terms.push(termOf(words));
      isLastPhrase = isPhrase;
    }
  }
  const kept = firstWords(terms);
  const last = kept.at(-1);
  if (last !== undefined && !isLastPhrase) kept[kept.length - 1] = { ...last, isPrefix: true };
  return kept;
}

// A run without spaces ends in its last character alone, which a query does not ask for: there the run may go on. One
// that is a single character begins a pair.
function termOf(words: readonly string[]): Term {
  const last = words.at(-1) ?? "";
  if (!isLoneCharacter(last)) return { words, isPrefix: false };
  const isTail = words.at(-2)?.endsWith(last) === true;
  return isTail ? { words: words.slice(0, -1), isPrefix: false } : { words, isPrefix: true };
}

function firstWords(terms: readonly Term[]): Term[] {
  const kept: Term[] = [];
  let left = maxWords;
  for (const term of terms) {
    if (left <= 0) break;
    kept.push(term.words.length <= left ? term : { words: term.words.slice(0, left), isPrefix: false });
    left -= term.words.length;
  }
  return kept;
}

function cut(text: string): string {
  const bytes = Buffer.from(text, "utf8");
  // Half a character at the end becomes a sign that is in no word.
  return bytes.byteLength <= maxBytes ? text : bytes.subarray(0, maxBytes).toString("utf8");
}

/** One term as the index reads it. */
function termExpression(term: Term, isWhole: boolean): string {
  return `"${term.words.join(" ")}"${term.isPrefix && !isWhole ? "*" : ""}`;
}

/** All terms, found in the columns given. */
export function expression(terms: readonly Term[], columns: "title body" | "title", isWhole: boolean): string {
  return `{${columns}} : (${terms.map((term) => termExpression(term, isWhole)).join(" AND ")})`;
}

// Words of one thought: closer than a sentence, further than a phrase.
const nearWords = 10;

/** All terms, close to each other in the columns given. */
export function nearExpression(terms: readonly Term[], columns: "title body" | "title", isWhole: boolean): string {
  return `{${columns}} : NEAR(${terms.map((term) => termExpression(term, isWhole)).join(" ")}, ${nearWords})`;
}
