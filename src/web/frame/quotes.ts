// Finds quoted words in the rendered text, ignoring case and runs of whitespace (artifacts.md 8).

/** The words of a document as one text, and where each of its characters stands. */
export type TextIndex = { find(quote: string): Range | undefined; findAll(words: string, max: number): Range[] };

/** Beyond this the search would hold up the document. */
const indexedChars = 4_000_000;

export function indexText(root: Node): TextIndex {
  const places: { node: Text; at: number }[] = [];
  let text = "";
  let isAfterSpace = true;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && text.length < indexedChars; node = walker.nextNode()) {
    if (!(node instanceof Text) || isUnseen(node)) continue;
    const { data } = node;
    for (let at = 0; at < data.length; at += 1) {
      const character = data.charAt(at);
      const isSpace = /\s/.test(character);
      if (isSpace && isAfterSpace) continue;
      isAfterSpace = isSpace;
      // Folding must not change the length, or places would shift.
      const folded = isSpace ? " " : character.toLowerCase();
      text += folded.length === 1 ? folded : character;
      places.push({ node, at });
    }
  }

  function rangeOf(start: number, length: number): Range | undefined {
    const [first, last] = [places[start], places[start + length - 1]];
    if (first === undefined || last === undefined) return undefined;
    const range = document.createRange();
    range.setStart(first.node, first.at);
    range.setEnd(last.node, last.at + 1);
    return range;
  }

  function findAll(words: string, max: number): Range[] {
    const wanted = foldQuote(words);
    const found: Range[] = [];
    if (wanted === "") return found;
    for (
      let at = text.indexOf(wanted);
      at !== -1 && found.length < max;
      at = text.indexOf(wanted, at + wanted.length)
    ) {
      const range = rangeOf(at, wanted.length);
      if (range !== undefined) found.push(range);
    }
    return found;
  }

  return { findAll, find: (quote) => findAll(quote, 1)[0] };
}

function foldQuote(quote: string): string {
  return [...quote.trim().replace(/\s+/g, " ")]
    .map((character) => (character.toLowerCase().length === character.length ? character.toLowerCase() : character))
    .join("");
}

function isUnseen({ parentElement }: Text): boolean {
  return parentElement !== null && ["script", "style", "title", "template"].includes(parentElement.localName);
}
