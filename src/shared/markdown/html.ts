// Nodes as HTML. Every element and attribute name is written here; everything authored is escaped text.
import type { MarkdownBlock, MarkdownInline, MarkdownItem } from "./nodes.ts";

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? "");
}

export function htmlOf(blocks: readonly MarkdownBlock[]): string {
  return blocks.map(blockHtml).join("\n");
}

function blockHtml(block: MarkdownBlock): string {
  switch (block.type) {
    case "paragraph":
      return `<p>${inlineHtml(block.children)}</p>`;
    case "line":
      return inlineHtml(block.children);
    case "heading":
      return `<h${block.depth} id="${escapeHtml(block.id)}">${inlineHtml(block.children)}</h${block.depth}>`;
    case "code": {
      const language = block.language === null ? "" : ` class="language-${escapeHtml(block.language)}"`;
      return `<pre tabindex="0"><code${language}>${escapeHtml(block.text)}\n</code></pre>`;
    }
    case "diagram":
      return `<pre class="mermaid">${escapeHtml(block.text)}</pre>`;
    case "quote":
      return `<blockquote>\n${htmlOf(block.children)}\n</blockquote>`;
    case "callout":
      return `<aside class="hub-callout ${block.kind}">\n<p class="hub-callout-kind">${calloutWords[block.kind]}</p>\n${htmlOf(block.children)}\n</aside>`;
    case "list": {
      const start = block.ordered && block.start !== 1 ? ` start="${block.start}"` : "";
      const tag = block.ordered ? "ol" : "ul";
      return `<${tag}${start}>\n${block.items.map(itemHtml).join("\n")}\n</${tag}>`;
    }
    case "table":
      return tableHtml(block);
    case "rule":
      return "<hr>";
  }
}

const calloutWords = { note: "Note", tip: "Tip", warning: "Warning", caution: "Caution" } as const;

function itemHtml({ isDone, children }: MarkdownItem): string {
  if (isDone === null) return `<li>${htmlOf(children)}</li>`;
  const mark = `<span class="hub-task-mark" role="img" aria-label="${isDone ? "Done" : "To do"}">${isDone ? "☑" : "☐"}</span>`;
  return `<li class="hub-task">${mark} ${htmlOf(children)}</li>`;
}

function tableHtml({ align, header, rows }: Extract<MarkdownBlock, { type: "table" }>): string {
  const cells = (tag: "td" | "th", row: readonly MarkdownInline[][]): string =>
    row
      .map((cell, column) => {
        const side = align[column] ?? null;
        return `<${tag}${side === null ? "" : ` class="hub-${side}"`}>${inlineHtml(cell)}</${tag}>`;
      })
      .join("");
  const body = rows.map((row) => `<tr>${cells("td", row)}</tr>`).join("\n");
  const table = `<table>\n<thead><tr>${cells("th", header)}</tr></thead>\n<tbody>\n${body}\n</tbody>\n</table>`;
  return `<div class="hub-table" role="region" aria-label="Table" tabindex="0">${table}</div>`;
}

function inlineHtml(nodes: readonly MarkdownInline[]): string {
  return nodes.map(nodeHtml).join("");
}

const tags = { strong: "strong", emphasis: "em", strike: "del" } as const;

function nodeHtml(node: MarkdownInline): string {
  switch (node.type) {
    case "text":
      return escapeHtml(node.text);
    case "code":
      return `<code>${escapeHtml(node.text)}</code>`;
    case "link":
      return `<a href="${escapeHtml(node.href)}"${titleHtml(node.title)} rel="noopener noreferrer">${inlineHtml(node.children)}</a>`;
    case "image":
      return `<img src="${escapeHtml(node.src)}" alt="${escapeHtml(node.alt)}"${titleHtml(node.title)}>`;
    case "break":
      return "<br>\n";
    default:
      return `<${tags[node.type]}>${inlineHtml(node.children)}</${tags[node.type]}>`;
  }
}

function titleHtml(title: string | null): string {
  return title === null ? "" : ` title="${escapeHtml(title)}"`;
}
