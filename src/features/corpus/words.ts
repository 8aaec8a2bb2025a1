// Text as it is indexed and searched (architecture.md 9): folded (NFKC, case, marks) and cut into words here, the same
// way for documents and queries. Scripts written without spaces become overlapping pairs, so that any substring of two
// characters is found. Changing this file means another `indexVersion`.

/** Version of the folding and cutting below; an index of another version is rebuilt. */
export const indexVersion = 2;

const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const ascii = /^\p{ASCII}*$/u;
// Runs of characters whose languages put no spaces between words. Hangul is among them: words there carry endings.
const unspaced =
  /[[\p{L}\p{N}\p{M}]&&[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Java}\p{scx=Bali}\p{scx=Talu}\p{scx=Lana}\p{scx=Tavt}\p{scx=Yiii}]]+/gv;
// Diacritics, but not vowel signs, which are letters in all but name, nor the two marks that make another kana of a kana.
const diacritics = /[[\p{M}&&[\p{Diacritic}\p{Script=Inherited}]]--[\u3099\u309A]]/gv;
// What neither case nor a decomposition makes alike: two forms of one letter, and letters with a stroke.
const alike: Readonly<Record<string, string>> = { ß: "ss", ς: "σ", đ: "d", ħ: "h", ł: "l", ø: "o", ŧ: "t" };
const alikeLetters = /[ßςđħłøŧ]/g;
// The index itself cuts at every other ASCII character, and at no character beyond.
const beyondAscii = /[^\p{L}\p{N}\p{M}\p{Co}\p{ASCII}]+/gu;

/** Case, width, diacritics and compatibility forms made alike. */
export function fold(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replace(diacritics, "")
    .normalize("NFC")
    .toUpperCase() // First: letters that share one upper case, such as ß and ss, or ı and i, have one lower case then.
    .toLowerCase()
    .replace(diacritics, "")
    .replace(alikeLetters, (letter) => alike[letter] ?? letter);
}

/** Runs of word characters in order, folded. A run is one word, or several where scripts without spaces are in it. */
export function runsOf(text: string): string[] {
  return fold(text).match(word) ?? [];
}

/** The words of a run; a part without spaces as pairs, with its last character alone at the end. */
export function wordsOfRun(run: string): string[] {
  if (ascii.test(run)) return [run];
  return run.replace(unspaced, pairsOf).match(word) ?? [];
}

/** The words of a text in order. */
export function wordsOf(text: string): string[] {
  return runsOf(text).flatMap(wordsOfRun);
}

/** A text for the index, which takes it apart into exactly `wordsOf` it. One pass each: values are large. */
export function textToIndex(text: string): string {
  if (ascii.test(text)) return text;
  return fold(text).replace(beyondAscii, " ").replace(unspaced, pairsOf);
}

function pairsOf(run: string): string {
  let pairs = " ";
  let before = "";
  for (const character of run) {
    if (before !== "") pairs += `${before}${character} `;
    before = character;
  }
  return `${pairs}${before} `;
}

/** True when the word is the lone last character of a run without spaces. */
export function isLoneCharacter(folded: string): boolean {
  const [first = ""] = folded;
  return first === folded && folded.search(unspaced) === 0;
}
