// What a document is made of once it was read: every rule on links, images and raw HTML is already applied, so whoever
// draws these nodes (escaped HTML, vnodes) has no decision left to take.

export const calloutKinds = ["note", "tip", "warning", "caution"] as const;
export type CalloutKind = (typeof calloutKinds)[number];

export type CellAlign = "left" | "center" | "right" | null;

export type MarkdownBlock =
  | { type: "paragraph"; children: MarkdownInline[] }
  /** The words of a list item without a paragraph of their own. */
  | { type: "line"; children: MarkdownInline[] }
  | { type: "heading"; depth: 1 | 2 | 3 | 4 | 5 | 6; id: string; children: MarkdownInline[] }
  | { type: "code"; language: string | null; text: string }
  | { type: "diagram"; text: string }
  | { type: "quote"; children: MarkdownBlock[] }
  | { type: "callout"; kind: CalloutKind; children: MarkdownBlock[] }
  | { type: "list"; ordered: boolean; start: number; items: MarkdownItem[] }
  | { type: "table"; align: CellAlign[]; header: MarkdownInline[][]; rows: MarkdownInline[][][] }
  | { type: "rule" };

/** `isDone` is null for an item that is no task. */
export type MarkdownItem = { isDone: boolean | null; children: MarkdownBlock[] };

export type MarkdownInline =
  | { type: "text"; text: string }
  | { type: "code"; text: string }
  | { type: "strong" | "emphasis" | "strike"; children: MarkdownInline[] }
  /** `host` names where a web link leads; null for every other target. */
  | { type: "link"; href: string; host: string | null; title: string | null; children: MarkdownInline[] }
  | { type: "image"; src: string; alt: string; title: string | null }
  | { type: "break" };

/** The words of nodes, without their form. */
export function plainText(nodes: readonly MarkdownInline[]): string {
  return nodes.map(textOf).join("");
}

function textOf(node: MarkdownInline): string {
  switch (node.type) {
    case "text":
    case "code":
      return node.text;
    case "image":
      return node.alt;
    case "break":
      return " ";
    default:
      return plainText(node.children);
  }
}
