// Draws the nodes of authored markdown: every rule on links, images and raw HTML was applied when they were made. A chunk
// of its own beside the one that reads the text, both loaded with the first text that needs them.
import type { ComponentChildren } from "preact";
import type { MarkdownBlock, MarkdownInline, MarkdownItem } from "../../shared/markdown.ts";
import { Glyph } from "../glyphs/glyph.tsx";
import { proseText } from "../text/en-prose.ts";
import { CodeBlock } from "./copy-field.tsx";
import { appAddress } from "./hub-links.ts";

export function drawMarkdown(blocks: readonly MarkdownBlock[]): ComponentChildren {
  return blocks.map(drawBlock);
}

function drawBlock(block: MarkdownBlock, index: number): ComponentChildren {
  switch (block.type) {
    case "paragraph":
      return (
        <p key={index} dir="auto">
          {block.children.map(drawInline)}
        </p>
      );
    case "line":
      return <>{block.children.map(drawInline)}</>;
    case "heading":
      return <Heading key={index} depth={block.depth} words={block.children} />;
    case "code":
      return <CodeBlock key={index} text={block.text} language={block.language ?? undefined} />;
    case "diagram":
      return <CodeBlock key={index} text={block.text} language={proseText.diagram} />;
    case "quote":
      return <blockquote key={index}>{block.children.map(drawBlock)}</blockquote>;
    case "callout":
      return (
        <div key={index} class="callout" role="note">
          <p class="callout-kind">{proseText.callouts[block.kind]}</p>
          {block.children.map(drawBlock)}
        </div>
      );
    case "list":
      return <List key={index} block={block} />;
    case "table":
      return <Table key={index} block={block} />;
    case "rule":
      return <hr key={index} />;
  }
}

// The screen's own headings are the first two levels; a text's begin below them.
function Heading({ depth, words }: { depth: 1 | 2 | 3 | 4 | 5 | 6; words: MarkdownInline[] }) {
  const inner = words.map(drawInline);
  if (depth === 1) return <h3 dir="auto">{inner}</h3>;
  if (depth === 2) return <h4 dir="auto">{inner}</h4>;
  return depth === 3 ? <h5 dir="auto">{inner}</h5> : <h6 dir="auto">{inner}</h6>;
}

function List({ block }: { block: MarkdownBlock & { type: "list" } }) {
  const inner = block.items.map(drawItem);
  // Its marks stand on the side its words begin at.
  return block.ordered ? (
    <ol dir="auto" start={block.start}>
      {inner}
    </ol>
  ) : (
    <ul dir="auto">{inner}</ul>
  );
}

function drawItem(item: MarkdownItem, index: number): ComponentChildren {
  return (
    <li key={index} class={item.isDone === null ? undefined : "task"}>
      {item.isDone === null ? null : (
        <span class="task-mark">
          {item.isDone ? <Glyph name="check" size={16} /> : null}
          <span class="unseen-by-eye">{item.isDone ? proseText.done : proseText.notDone}</span>
        </span>
      )}
      <div>{item.children.map(drawBlock)}</div>
    </li>
  );
}

function Table({ block }: { block: MarkdownBlock & { type: "table" } }) {
  const align = (column: number) => {
    const side = block.align[column];
    return side === "center" || side === "right" ? side : undefined;
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reachable by keyboard
    <section class="table-region" tabIndex={0} aria-label={proseText.table}>
      <table>
        <thead>
          <tr>
            {block.header.map((cell, column) => (
              <th key={column} scope="col" dir="auto" data-align={align(column)}>
                {cell.map(drawInline)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, place) => (
            <tr key={place}>
              {row.map((cell, column) => (
                <td key={column} dir="auto" data-align={align(column)}>
                  {cell.map(drawInline)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function drawInline(node: MarkdownInline, index: number): ComponentChildren {
  switch (node.type) {
    case "text":
      return node.text;
    case "code":
      return (
        <code key={index} dir="ltr">
          {node.text}
        </code>
      );
    case "strong":
      return <strong key={index}>{node.children.map(drawInline)}</strong>;
    case "emphasis":
      return <em key={index}>{node.children.map(drawInline)}</em>;
    case "strike":
      return <s key={index}>{node.children.map(drawInline)}</s>;
    case "link":
      return <Link key={index} node={node} />;
    case "image":
      return <img key={index} src={node.src} alt={node.alt} title={node.title ?? undefined} />;
    case "break":
      return <br key={index} />;
  }
}

function Link({ node }: { node: MarkdownInline & { type: "link" } }) {
  const words = node.children.map(drawInline);
  const place = appAddress(node.href);
  if (place !== undefined) return <a href={place}>{words}</a>;
  // What is neither on the web nor in this hub leads nowhere from here.
  if (node.host === null && !node.href.startsWith("mailto:")) return <span title={node.href}>{words}</span>;
  return (
    <a href={node.href} target="_blank" rel="noopener noreferrer" title={node.title ?? undefined}>
      {words}
      {node.host === null ? null : <small class="faint">{` ${node.host}`}</small>}
    </a>
  );
}
