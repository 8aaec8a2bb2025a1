// The lexer of marked, held to bounds: nesting has a floor below which everything is text, and a run of words is looked
// at in stretches. What a hostile text gains by that is to be shown as it was written.
import { Lexer, type Token, Tokenizer, type Tokens } from "marked";
import { piecesOf } from "./pieces.ts";

/** Deeper than anybody reads, and shallow enough for any stack. */
const blockLevelsMax = 16;
const inlineLevelsMax = 16;
/** Longer than a paragraph people write; emphasis is looked for within this much. */
const stretchChars = 4096;

/** A heading that is underlined is at most this long. */
const headingChars = 1024;
const underline = /\n {0,3}(?:=+|-+)[ \t]*(?:\n|$)/;

/** A picture that comes with its bytes is longer than any other word and is kept whole. */
const embeddedImage = /!\[[^[\]\n]{0,500}\]\(data:image\/[^\s()<>]+(?:[ \t]+"[^"\n]{0,500}")?\)/g;

class BoundedTokenizer extends Tokenizer {
  #level = 0;

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#within(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#within(() => super.list(src));
  }

  // Looked for only where it can be found: the pattern itself looks through every line that follows.
  override lheading(src: string): Tokens.Heading | undefined {
    return hasUnderline(src) ? super.lheading(src) : undefined;
  }

  #within<T>(read: () => T | undefined): T | undefined {
    if (this.#level >= blockLevelsMax) return undefined;
    this.#level += 1;
    try {
      return read();
    } finally {
      this.#level -= 1;
    }
  }
}

function hasUnderline(src: string): boolean {
  const reach = src.slice(0, headingChars);
  const at = reach.search(underline);
  return at > 0 && !/\n[ \t]*\n/.test(reach.slice(0, at));
}

class BoundedLexer extends Lexer {
  #level = 0;

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    if (this.#level >= inlineLevelsMax) {
      tokens.push(asText(src));
      return tokens;
    }
    this.#level += 1;
    try {
      if (src.length <= stretchChars) return super.inlineTokens(src, tokens);
      for (const stretch of stretchesOf(src)) {
        if (stretch.isReadable) super.inlineTokens(stretch.text, tokens);
        else tokens.push(asText(stretch.text));
      }
      return tokens;
    } finally {
      this.#level -= 1;
    }
  }

  /** Reads the words of every block that was found since the last time. */
  readInline(): void {
    for (const { src, tokens } of this.inlineQueue) this.inlineTokens(src, tokens);
    this.inlineQueue = [];
  }
}

/**
 * The tokens of a document, piece by piece; an empty step is only a chance to pause. Definitions anywhere count
 * everywhere, so all blocks are found before the first words are read.
 */
export function* tokensOf(source: string): Generator<Token[]> {
  const lexer = new BoundedLexer({ gfm: true, tokenizer: new BoundedTokenizer() });
  const found: { tokens: Token[]; queue: typeof lexer.inlineQueue }[] = [];
  for (const piece of piecesOf(source)) {
    const tokens: Token[] = piece.type === "line" ? [longLine(lexer, piece.text)] : [];
    if (piece.type === "blocks") lexer.blockTokens(piece.text, tokens);
    found.push({ tokens, queue: lexer.inlineQueue });
    lexer.inlineQueue = [];
    yield [];
  }
  for (const { tokens, queue } of found) {
    lexer.inlineQueue = queue;
    lexer.readInline();
    yield tokens;
  }
}

function longLine(lexer: Lexer, line: string): Tokens.Paragraph {
  const text = line.trim();
  const tokens: Token[] = [];
  lexer.inline(text, tokens);
  return { type: "paragraph", raw: line, text, tokens };
}

function asText(text: string): Tokens.Text {
  return { type: "text", raw: text, text, escaped: false };
}

function* stretchesOf(src: string): Generator<{ text: string; isReadable: boolean }> {
  let at = 0;
  for (const { index, 0: image } of src.matchAll(embeddedImage)) {
    yield* wordStretches(src.slice(at, index));
    yield { text: image, isReadable: true };
    at = index + image.length;
  }
  yield* wordStretches(src.slice(at));
}

// Cut at spaces; a word longer than a stretch is nothing but text.
function* wordStretches(src: string): Generator<{ text: string; isReadable: boolean }> {
  for (let at = 0; at < src.length; ) {
    if (src.length - at <= stretchChars) {
      yield { text: src.slice(at), isReadable: true };
      return;
    }
    const space = lastSpace(src, at, at + stretchChars);
    const end = space === -1 ? nextSpace(src, at + stretchChars) : space + 1;
    yield { text: src.slice(at, end), isReadable: space !== -1 };
    at = end;
  }
}

function lastSpace(src: string, from: number, to: number): number {
  for (let at = to - 1; at > from; at -= 1) if (/\s/.test(src.charAt(at))) return at;
  return -1;
}

function nextSpace(src: string, from: number): number {
  for (let at = from; at < src.length; at += 1) if (/\s/.test(src.charAt(at))) return at;
  return src.length;
}
