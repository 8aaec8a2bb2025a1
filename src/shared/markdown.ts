// The one renderer of authored markdown (artifacts.md 5.1): the hub serves its HTML, the frame writes it, the app draws
// its nodes. Nothing authored becomes an element, and no text takes longer than its length allows.
import { markdownLaidOutChars } from "./limits.ts";
import { escapeHtml, htmlOf } from "./markdown/html.ts";
import { tokensOf } from "./markdown/lexer.ts";
import type { MarkdownBlock } from "./markdown/nodes.ts";
import { blocksOf, createSlugs } from "./markdown/tree.ts";

export { escapeHtml } from "./markdown/html.ts";
export {
  type MarkdownBlock,
  type MarkdownInline,
  type MarkdownItem,
  plainText,
} from "./markdown/nodes.ts";

/** The nodes of a text, frontmatter left out. */
export function parseMarkdown(text: string): MarkdownBlock[] {
  const { body, rest } = laidOut(text);
  const blocks = [...stepsOf(body)].flat();
  return rest === "" ? blocks : [...blocks, remark, { type: "code", language: null, text: rest }];
}

export function renderMarkdown(text: string): string {
  return [...markdownHtml(text)].join("");
}

/** The HTML in pieces, for a writer that lets others have a turn between two; some are empty. */
export function* markdownHtml(text: string): Generator<string> {
  const { body, rest } = laidOut(text);
  for (const blocks of stepsOf(body)) yield blocks.length === 0 ? "" : `${htmlOf(blocks)}\n`;
  if (rest === "") return;
  yield `${htmlOf([remark])}\n<pre tabindex="0">`;
  for (let at = 0; at < rest.length; at += writtenChars) yield escapeHtml(rest.slice(at, at + writtenChars));
  yield "</pre>\n";
}

const writtenChars = 262_144;
const remark: MarkdownBlock = {
  type: "paragraph",
  children: [
    { type: "emphasis", children: [{ type: "text", text: "The rest is too long to lay out and follows as written." }] },
  ],
};

function* stepsOf(body: string): Generator<MarkdownBlock[]> {
  const slugs = createSlugs();
  for (const tokens of tokensOf(body)) yield blocksOf(tokens, slugs);
}

function laidOut(text: string): { body: string; rest: string } {
  const body = splitFrontmatter(text).body.replace(/\r\n?/g, "\n").replaceAll("\0", "\uFFFD");
  if (body.length <= markdownLaidOutChars) return { body, rest: "" };
  const feed = body.lastIndexOf("\n", markdownLaidOutChars);
  const end = feed === -1 ? markdownLaidOutChars : feed + 1;
  return { body: body.slice(0, end), rest: body.slice(end) };
}

/** A leading block between two lines `---` that holds keys; a rule at the head of a text is none. */
export function splitFrontmatter(text: string): { frontmatter: string | null; body: string } {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const opening = /^---[ \t]*\r?\n/.exec(source)?.[0];
  if (opening === undefined) return { frontmatter: null, body: source };
  let firstKey: string | undefined;
  for (let at = opening.length; at < source.length; ) {
    const feed = source.indexOf("\n", at);
    const next = feed === -1 ? source.length : feed + 1;
    const line = source.slice(at, next).trimEnd();
    if (line === "---") return { frontmatter: source.slice(opening.length, at), body: source.slice(next) };
    if (line !== "" && !line.startsWith("#")) firstKey ??= line;
    if (firstKey !== undefined && !/^[^\s:][^:]*:(?:\s|$)/.test(firstKey)) break;
    at = next;
  }
  return { frontmatter: null, body: source };
}
