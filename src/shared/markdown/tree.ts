// Tokens of the lexer as nodes: raw HTML becomes text, targets pass the link policy, headings get their slugs.
import type { MarkedToken, Token, Tokens } from "marked";
import { withoutReferences } from "./entities.ts";
import { imageSource, linkTarget } from "./link-target.ts";
import { calloutKinds, type MarkdownBlock, type MarkdownInline, type MarkdownItem, plainText } from "./nodes.ts";

/** Gives every heading of one document an id of its own. */
export type Slugs = (words: string) => string;

export function createSlugs(): Slugs {
  const used = new Map<string, number>();
  return (words) => {
    const slug = slugOf(words);
    let id = slug;
    for (let count = used.get(slug) ?? 0; used.has(id); count += 1) {
      id = `${slug}-${count + 1}`;
      used.set(slug, count + 1);
    }
    used.set(id, used.get(id) ?? 0);
    return id;
  };
}

function slugOf(words: string): string {
  const slug = words
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s+/g, "-")
    .slice(0, 100);
  return slug === "" ? "section" : slug.toWellFormed();
}

export function blocksOf(tokens: readonly Token[] | undefined, slugs: Slugs, isTight = false): MarkdownBlock[] {
  return (tokens ?? []).flatMap((token) => blockOf(known(token), slugs, isTight));
}

// No extension is registered, so the lexer makes no other tokens than its own.
function known(token: Token): MarkedToken {
  return token as MarkedToken; // See above.
}

function blockOf(token: MarkedToken, slugs: Slugs, isTight: boolean): MarkdownBlock[] {
  switch (token.type) {
    case "paragraph":
      return [{ type: "paragraph", children: inlinesOf(token.tokens) }];
    case "text": {
      const children = token.tokens === undefined ? textNodes(token.text) : inlinesOf(token.tokens);
      return [{ type: isTight ? "line" : "paragraph", children }];
    }
    case "html":
      return token.text.trim() === ""
        ? []
        : [{ type: "paragraph", children: [{ type: "text", text: token.text.trimEnd() }] }];
    case "heading": {
      const children = inlinesOf(token.tokens);
      return [{ type: "heading", depth: depthOf(token.depth), id: slugs(plainText(children)), children }];
    }
    case "code":
      return [codeOf(token)];
    case "blockquote":
      return [quoteOf(token, slugs)];
    case "list":
      return [listOf(token, slugs)];
    case "table":
      return [
        {
          type: "table",
          align: token.align,
          header: token.header.map((cell) => inlinesOf(cell.tokens)),
          rows: token.rows.map((row) => row.map((cell) => inlinesOf(cell.tokens))),
        },
      ];
    case "hr":
      return [{ type: "rule" }];
    default:
      return [];
  }
}

function depthOf(depth: number): 1 | 2 | 3 | 4 | 5 | 6 {
  for (const known of [1, 2, 3, 4, 5] as const) if (depth === known) return known;
  return 6;
}

function codeOf(token: Tokens.Code): MarkdownBlock {
  const language = (token.lang ?? "").trim().split(/\s/)[0] ?? "";
  const text = token.text.replace(/\n$/, "");
  if (language.toLowerCase() === "mermaid") return { type: "diagram", text };
  return { type: "code", language: /^[\w+#.-]{1,40}$/.test(language) ? language : null, text };
}

// The marker is a line of its own at the head of the quote.
const calloutMarker = /^ {0,3}> ?\[!([A-Za-z]+)\][ \t]*(?:\n|$)/;

function quoteOf(token: Tokens.Blockquote, slugs: Slugs): MarkdownBlock {
  const children = blocksOf(token.tokens, slugs);
  const word = calloutMarker.exec(token.raw)?.[1];
  const kind = calloutKinds.find((known) => known.toUpperCase() === word);
  const [first, ...rest] = children;
  if (kind === undefined || first?.type !== "paragraph") return { type: "quote", children };
  const said = withoutMarker(first.children, `[!${word}]`);
  const head: MarkdownBlock[] = said.length === 0 ? [] : [{ type: "paragraph", children: said }];
  return { type: "callout", kind, children: [...head, ...rest] };
}

function withoutMarker(nodes: readonly MarkdownInline[], marker: string): MarkdownInline[] {
  const [first, ...rest] = merged(nodes);
  if (first?.type !== "text" || !first.text.startsWith(marker)) return [...nodes];
  const text = first.text.slice(marker.length).trimStart();
  const said = text === "" ? rest : [{ type: "text" as const, text }, ...rest];
  return said[0]?.type === "break" ? said.slice(1) : said;
}

// The lexer may cut one text into several tokens.
function merged(nodes: readonly MarkdownInline[]): MarkdownInline[] {
  const result: MarkdownInline[] = [];
  for (const node of nodes) {
    const last = result.at(-1);
    if (node.type === "text" && last?.type === "text") {
      result[result.length - 1] = { type: "text", text: last.text + node.text };
    } else result.push(node);
  }
  return result;
}

function listOf(token: Tokens.List, slugs: Slugs): MarkdownBlock {
  const items: MarkdownItem[] = token.items.map((item) => ({
    isDone: item.task ? item.checked === true : null,
    children: blocksOf(item.tokens, slugs, !token.loose),
  }));
  return { type: "list", ordered: token.ordered, start: token.start === "" ? 1 : token.start, items };
}

function inlinesOf(tokens: readonly Token[] | undefined): MarkdownInline[] {
  return merged((tokens ?? []).flatMap((token) => inlineOf(known(token))));
}

function textNodes(text: string): MarkdownInline[] {
  return text === "" ? [] : [{ type: "text", text: withoutReferences(text) }];
}

function inlineOf(token: MarkedToken): MarkdownInline[] {
  switch (token.type) {
    case "text":
      return token.tokens === undefined ? textNodes(token.text) : inlinesOf(token.tokens);
    case "escape":
    case "html":
      return [{ type: "text", text: token.text }];
    case "strong":
      return [{ type: "strong", children: inlinesOf(token.tokens) }];
    case "em":
      return [{ type: "emphasis", children: inlinesOf(token.tokens) }];
    case "del":
      return [{ type: "strike", children: inlinesOf(token.tokens) }];
    case "codespan":
      return [{ type: "code", text: token.text }];
    case "br":
      return [{ type: "break" }];
    case "link":
      return linkOf(token);
    case "image":
      return imageOf(token);
    default:
      return [];
  }
}

function linkOf(token: Tokens.Link): MarkdownInline[] {
  const children = inlinesOf(token.tokens);
  const target = linkTarget(token.autolink === true ? token.href : withoutReferences(token.href));
  if (target === undefined) return children;
  return [{ type: "link", ...target, title: titleOf(token.title), children }];
}

function imageOf(token: Tokens.Image): MarkdownInline[] {
  const alt = withoutReferences(token.text);
  const href = withoutReferences(token.href);
  const src = imageSource(href);
  if (src !== undefined) return [{ type: "image", src, alt, title: titleOf(token.title) }];
  const target = linkTarget(href);
  if (target === undefined) return [{ type: "text", text: alt }];
  const name = target.host === null ? "Image" : `Image at ${target.host}`;
  const children: MarkdownInline[] = [{ type: "text", text: alt === "" ? name : `${name}: ${alt}` }];
  return [{ type: "link", ...target, title: titleOf(token.title), children }];
}

function titleOf(title: string | null | undefined): string | null {
  return title === null || title === undefined || title === "" ? null : withoutReferences(title);
}
