// What the hub reads of a plain text besides keeping it: its first heading, and its opening words for lists. Only the
// start of it is ever looked at, since a text reaches 50 MiB.
import { LargeText } from "../../kernel/large-text.ts";
import type { ArtifactKind } from "../../shared/artifacts.ts";
import { codePoints } from "../../shared/json.ts";
import { artifactTitleChars, excerptChars, indexedArtifactChars } from "../../shared/limits.ts";

/** Content as it comes in and goes out. */
export type Content = string | LargeText;

const headingWithin = 1_048_576;
const excerptWithin = 65_536;
const markupWithin = 262_144;

/** The first characters of a text, about as many. */
function startOf(content: Content, length: number): string {
  return content instanceof LargeText ? content.start(length) : content.slice(0, length);
}

/** The text of the first heading of a markdown text, cut to what a title may hold; undefined without one. */
export function firstHeading(content: Content): string | undefined {
  const body = withoutFrontmatter(startOf(content, headingWithin));
  for (const [, rest = ""] of body.matchAll(/^ {0,3}#{1,6}[ \t]+(.*)$/gm)) {
    const heading = cut(rest.trim(), artifactTitleChars);
    // A row of # at the end closes the heading and is no part of it.
    const text = heading.replace(/(?:^|[ \t])#+$/, "").trimEnd();
    if (text !== "") return text;
  }
  return undefined;
}

/** The opening words of a text as plain text; empty when it has none. */
export function openingWords(kind: ArtifactKind, content: Content): string {
  const start = startOf(content, excerptWithin);
  const plain = kind === "html" ? withoutMarkup(start) : withoutMarks(withoutFrontmatter(start));
  return cut(plain.replaceAll(/\s+/g, " ").trim(), excerptChars);
}

/**
 * What of a text is searched (mcp-tools.md 16): of HTML the words a reader sees, since its markup may go on for megabytes
 * before the first of them; of either so much that indexing it holds up no other call.
 */
export function searchedText(kind: ArtifactKind, content: Content): string {
  if (kind === "markdown") return startOf(content, indexedArtifactChars);
  return withoutMarkup(startOf(content, markupWithin)).slice(0, indexedArtifactChars);
}

function withoutFrontmatter(text: string): string {
  return text.replace(/^\uFEFF?---[ \t]*\r?\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/, "");
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " " };

// What a browser would not show is left out; what is cut off in the middle counts as closed at the end.
function withoutMarkup(html: string): string {
  return html
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/g, " ")
    .replaceAll(/<(script|style|template|head|svg)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, " ")
    .replaceAll(/<\/?[a-z!][^<>]*(?:>|$)/gi, " ")
    .replaceAll(/&(amp|lt|gt|quot|nbsp);/g, (whole, name: string) => entities[name] ?? whole);
}

// Marks that begin a line, and those around words; links and images leave their text.
function withoutMarks(markdown: string): string {
  return markdown
    .replaceAll(/^[ \t]*(?:`{3,}|~{3,}).*$/gm, " ")
    .replaceAll(/^[ \t]*(?:[-*_][ \t]*){3,}$/gm, " ")
    .replaceAll(/^[ \t]*(?:>[ \t]?)+/gm, " ")
    .replaceAll(/^[ \t]*(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]+/gm, " ")
    .replaceAll(/!?\[([^\][]*)\]\([^()]*\)/g, "$1")
    .replaceAll(/\*\*|__|~~|`+/g, "")
    .replaceAll(/(^|[\s(])([*_])(?=\S)([^*_\n]*)\2(?!\w)/gm, "$1$3");
}

function cut(text: string, maxChars: number): string {
  // A character takes two units at most.
  const start = text.slice(0, 2 * maxChars + 2);
  return codePoints(start) <= maxChars ? text : [...start].slice(0, maxChars).join("");
}
