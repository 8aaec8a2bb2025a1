// A page read once: what listings, lint, links and the index need of it.
import { listedTagsMax, searchSnippetChars, summaryChars } from "../../../shared/limits.ts";
import { staleDate } from "./calendar.ts";
import { type LayoutCode, layOut } from "./frontmatter-layout.ts";
import { readFields, type VerifiedEntry } from "./frontmatter-values.ts";
import { linksOf, type PageLink } from "./links.ts";

/** How the frontmatter was found: none, a block that could be read, or why it was refused. */
export type LayoutState = "none" | "block" | LayoutCode;

/** What is written with a page so that no listing ever opens it. */
export type ListedFields = {
  layout: LayoutState;
  hasVersion: boolean;
  pageType: string | null;
  title: string | null;
  description: string | null;
  status: string | null;
  tags: string[] | null;
  staleAfter: string | null;
  /** The date of `staleAfter`; null when it is none. */
  staleOn: string | null;
};

export type ParsedPage = {
  fields: ListedFields;
  verified: readonly VerifiedEntry[];
  links: readonly PageLink[];
  /** The beginning of the body, one character more than a hit shows. */
  snippet: string;
};

export function parsePage(path: string, page: string): ParsedPage {
  const layout = layOut(page);
  const { type, title, description, status, tags, staleAfter, hasVersion, verified } = readFields(layout);
  const body = layout.kind === "block" ? page.slice(layout.block.body) : page;
  return {
    fields: {
      layout: layout.kind === "refused" ? layout.code : layout.kind,
      hasVersion,
      pageType: cut(type),
      title: cut(title),
      description: cut(description),
      status: cut(status),
      tags: tags === null ? null : tags.slice(0, listedTagsMax).map((tag) => start(tag, summaryChars)),
      staleAfter: cut(staleAfter),
      staleOn: staleDate(staleAfter),
    },
    verified,
    links: linksOf(path, page),
    snippet: start(body.trimStart(), searchSnippetChars + 1),
  };
}

// A field may be as long as the page; lists show one line of it.
function cut(text: string | null): string | null {
  return text === null ? null : start(text, summaryChars);
}

function start(text: string, characters: number): string {
  return [...text.slice(0, 2 * characters)].slice(0, characters).join("").toWellFormed();
}
