// Advice on pages (knowledge-base.md 8). No finding ever fails a write.
import { kindOf } from "./page-path.ts";
import type { ListedFields } from "./parsed-page.ts";

export type LintCode =
  | "missing_frontmatter"
  | "missing_type"
  | "unparsed_frontmatter"
  | "okf_version_misplaced"
  | "link_escapes_bundle"
  | "broken_link"
  | "missing_log"
  | "missing_index"
  | "orphan_page"
  | "missing_index_entry";

export type Finding = { code: LintCode; path: string; message: string; line?: number };

/** What the frontmatter of one page lacks. */
export function lintFrontmatter(
  path: string,
  fields: Pick<ListedFields, "layout" | "pageType" | "hasVersion">,
): Finding[] {
  const kind = kindOf(path);
  const { layout } = fields;
  if (layout === "none") return kind === "concept" || kind === "root-index" ? [missingFrontmatter(path, kind)] : [];
  if (layout !== "block") {
    const message = `the frontmatter cannot be read: ${layout.replaceAll("_", " ")}`;
    return [{ code: "unparsed_frontmatter", path, message }];
  }
  const findings: Finding[] = [];
  if (kind === "concept" && fields.pageType === null) {
    findings.push({
      code: "missing_type",
      path,
      message: "the frontmatter names no type; add one, such as type: Guide",
    });
  }
  if (kind !== "root-index" && fields.hasVersion) {
    const message = "okf_version belongs into /fs/index.md alone; remove it here";
    findings.push({ code: "okf_version_misplaced", path, message });
  }
  return findings;
}

function missingFrontmatter(path: string, kind: "concept" | "root-index"): Finding {
  const least = kind === "concept" ? "type: Guide" : 'okf_version: "0.2"';
  const message = `the page has no frontmatter; begin it with a block that holds at least ${least} between two lines of ---`;
  return { code: "missing_frontmatter", path, message };
}

export function escapingLink(path: string, line: number): Finding {
  return {
    code: "link_escapes_bundle",
    path,
    line,
    message: "the link climbs above /fs; stay inside, or use a full URL",
  };
}

export function brokenLink(path: string, line: number, target: string): Finding {
  return { code: "broken_link", path, line, message: `the link leads to ${target}, which is no page` };
}

export function missingLog(): Finding {
  return {
    code: "missing_log",
    path: "/fs/log.md",
    message: "there is no /fs/log.md; begin one with dated notes on what changed",
  };
}

export function missingIndex(directory: string): Finding {
  const path = `${directory}/index.md`;
  return { code: "missing_index", path, message: `${directory} has no index.md; write one that links to its pages` };
}

export function orphanPage(path: string): Finding {
  return {
    code: "orphan_page",
    path,
    message: "no other page links to this one; link it from where a reader would come",
  };
}

export function missingIndexEntry(path: string, index: string): Finding {
  return { code: "missing_index_entry", path, message: `${index} has no link to this page; add one` };
}

/** By path, then code, then line. */
export function sorted(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) => compare(a.path, b.path) || compare(a.code, b.code) || (a.line ?? 0) - (b.line ?? 0),
  );
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
