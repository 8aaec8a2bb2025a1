// Paths of pages (knowledge-base.md 1): one canonical form, which every row, result and link is keyed by.
import { byteLength } from "../../../shared/json.ts";
import { pagePathBytes } from "../../../shared/limits.ts";

export const pagePathExpected = `/fs/<path>, at most ${pagePathBytes} bytes, without control characters or backslashes`;

/** The directory that holds everything; the one place above which no path climbs. */
export const pageRoot = "/fs";

const refused = /[\p{Cc}\\]/u;

/** The canonical form of a page's path; undefined when it names no page. */
export function canonicalPagePath(path: string): string | undefined {
  const canonical = canonicalDirectory(path);
  return canonical === pageRoot ? undefined : canonical;
}

/** The same, where the root itself will do: what a listing names. */
export function canonicalDirectory(path: string): string | undefined {
  if (path !== pageRoot && !path.startsWith(`${pageRoot}/`)) return undefined;
  if (refused.test(path) || !path.isWellFormed()) return undefined;
  const canonical = [pageRoot, ...reduce(path.slice(pageRoot.length + 1).split("/")).kept].join("/");
  return byteLength(canonical) > pagePathBytes ? undefined : canonical;
}

/** How an address or a query spells a path: no leading slash, and `fs/` may be left out. `kv` is another namespace. */
export function fromRestSpelling(given: string): string {
  if (given.startsWith("/")) return given;
  const [first] = given.split("/", 1);
  if (first === "fs") return `/${given}`;
  return first === "kv" ? `/${given}` : `${pageRoot}/${given}`;
}

/** Components without empty ones, `.` and `..`; `escapes` says whether a `..` found nothing to remove. */
export function reduce(components: readonly string[]): { kept: string[]; escapes: boolean } {
  const kept: string[] = [];
  let escapes = false;
  for (const component of components) {
    if (component === "..") escapes = kept.pop() === undefined || escapes;
    else if (component !== "" && component !== ".") kept.push(component);
  }
  return { kept, escapes };
}

/** The directory a canonical path lies in. */
export function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** Directories above a canonical path, nearest first, the root last. */
export function directoriesAbove(path: string): string[] {
  const above: string[] = [];
  for (let at = directoryOf(path); at.length >= pageRoot.length; at = directoryOf(at)) above.push(at);
  return above;
}

export type PageKind = "root-index" | "root-log" | "section-index" | "concept";

export function kindOf(path: string): PageKind {
  if (path === `${pageRoot}/index.md`) return "root-index";
  if (path === `${pageRoot}/log.md`) return "root-log";
  return path.endsWith("/index.md") ? "section-index" : "concept";
}
