// The links of a page to other pages (knowledge-base.md 6): markdown links in its prose, resolved against its directory.
import { byteLength } from "../../../shared/json.ts";
import { pageLinksMax, pagePathBytes } from "../../../shared/limits.ts";
import { directoryOf, pageRoot, reduce } from "./page-path.ts";
import { type ProseLine, proseOf } from "./prose.ts";

/** A link inside the knowledge base. */
export type PageLink = {
  line: number;
  /** Where it leads as it is written; null when it climbs above the root. */
  target: string | null;
  /** Where it leads percent-decoded, when that is another path; tried when nothing is at `target`. */
  decoded: string | null;
};

/** At most `pageLinksMax` links, in page order. */
export function linksOf(path: string, page: string): PageLink[] {
  if (!page.includes("](") && !page.includes("][")) return [];
  const prose = [...proseOf(page)].filter(({ text }) => text.includes("["));
  const definitions = definitionsOf(prose);
  const links: PageLink[] = [];
  for (const line of prose) {
    for (const written of targetsIn(line.text, definitions)) {
      const link = resolve(path, written, line.number);
      if (link !== undefined) links.push(link);
      if (links.length >= pageLinksMax) return links;
    }
  }
  return links;
}

const labelOf = (text: string): string => text.trim().toLowerCase();

function definitionsOf(prose: readonly ProseLine[]): Map<string, string> {
  const definitions = new Map<string, string>();
  for (const { text } of prose) {
    const [, label = "", rest = ""] = /^[ \t]*\[([^\]]+)\]:(.*)$/.exec(text) ?? [];
    const target = cutTarget(rest.trim());
    if (label !== "" && target !== "" && !definitions.has(labelOf(label))) definitions.set(labelOf(label), target);
  }
  return definitions;
}

function cutTarget(text: string): string {
  if (!text.startsWith("<")) return /^\S*/.exec(text)?.[0] ?? "";
  const end = text.indexOf(">");
  return end === -1 ? "" : text.slice(1, end);
}

// Each `[` is paired with the next `]`; every cursor only moves forward, so a line costs its length.
function* targetsIn(line: string, definitions: ReadonlyMap<string, string>): Generator<string> {
  const nextClose = cursor(line, "]");
  const nextParen = cursor(line, ")");
  const nextAngle = cursor(line, ">");
  let ends: Map<number, number> | undefined;
  let at = line.indexOf("[");
  while (at !== -1) {
    const close = nextClose(at);
    if (close === undefined) return;
    let next = close + 1;
    if (line[close + 1] === "(") {
      ends ??= parenthesesOf(line);
      const open = skipSpaces(line, close + 2);
      const isAngled = line[open] === "<";
      const angle = isAngled ? nextAngle(open) : undefined;
      const angledEnd = angle === undefined ? undefined : nextParen(angle);
      const end = isAngled ? angledEnd : ends.get(close + 1);
      if (end !== undefined) {
        yield isAngled ? line.slice(open + 1, angle) : (/^\S*/.exec(line.slice(open, end))?.[0] ?? "");
        next = end;
      }
    } else if (line[close + 1] === "[") {
      const labelEnd = nextClose(close + 1);
      const target = labelEnd === undefined ? undefined : definitions.get(labelOf(line.slice(close + 2, labelEnd)));
      if (target !== undefined && labelEnd !== undefined) {
        yield target;
        next = labelEnd;
      }
    }
    at = line.indexOf("[", next);
  }
}

function cursor(line: string, character: string): (from: number) => number | undefined {
  let found = -1;
  return (from) => {
    if (found !== Number.POSITIVE_INFINITY && found < from) {
      const index = line.indexOf(character, from);
      found = index === -1 ? Number.POSITIVE_INFINITY : index;
    }
    return found === Number.POSITIVE_INFINITY ? undefined : found;
  };
}

function skipSpaces(line: string, from: number): number {
  let at = from;
  while (line[at] === " " || line[at] === "\t") at += 1;
  return at;
}

// For each `(` the `)` that closes it.
function parenthesesOf(line: string): Map<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const { index, 0: sign } of line.matchAll(/[()]/g)) {
    if (sign === "(") open.push(index);
    else {
      const start = open.pop();
      if (start !== undefined) pairs.set(start, index);
    }
  }
  return pairs;
}

/** Undefined for a link that leads nowhere inside the knowledge base. */
function resolve(path: string, written: string, line: number): PageLink | undefined {
  const [target = ""] = (written.split("#", 1)[0] ?? "").split("?", 1);
  if (target === "" || target.startsWith("//") || /^[A-Za-z0-9+.-]+:/.test(target)) return undefined;
  const asWritten = pathOf(path, target);
  const decodedTarget = decode(target);
  const decoded = decodedTarget === undefined || decodedTarget === target ? null : pathOf(path, decodedTarget);
  return { line, target: asWritten, decoded: asWritten === null || decoded === asWritten ? null : decoded };
}

function pathOf(page: string, target: string): string | null {
  const isFromRoot = target.startsWith("/");
  const inside = target === pageRoot || target.startsWith(`${pageRoot}/`) ? target.slice(pageRoot.length) : target;
  const base = isFromRoot ? [] : directoryOf(page).slice(pageRoot.length).split("/");
  const { kept, escapes } = reduce([...base, ...inside.split("/")]);
  if (escapes) return null;
  const path = [pageRoot, ...kept].join("/").toWellFormed();
  // No page has so long a path; what is kept names the link in a finding.
  return byteLength(path) > pagePathBytes ? `${path.slice(0, pagePathBytes)}…` : path;
}

function decode(target: string): string | undefined {
  if (!target.includes("%")) return undefined;
  try {
    return decodeURIComponent(target);
  } catch {
    // No percent-encoding, so there is nothing to decode.
    return undefined;
  }
}
