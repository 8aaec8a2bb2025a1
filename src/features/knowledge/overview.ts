// A knowledge base at a glance, for the operator: levels, the whole tree, counts, the log, backlinks and lint (rest-api.md
// 13.3). All of it is read from rows written with the pages; no page is opened.

import { timestamp } from "../../kernel/clock.ts";
import { readOperation } from "../../kernel/operation.ts";
import { historyDefault, pageLevelMax } from "../../shared/limits.ts";
import type { Db } from "../../storage/database.ts";
import { readsBase } from "./base.ts";
import { type DirectoryRow, type LevelEntry, listDirectoriesBelow, listLevel } from "./directory-store.ts";
import { pageOf } from "./history.ts";
import { listBacklinks, listFaultyLinks, listOrphans, listUnindexed } from "./link-store.ts";
import { countLog, listLog } from "./log-store.ts";
import {
  brokenLink,
  escapingLink,
  type Finding,
  lintFrontmatter,
  missingIndex,
  missingIndexEntry,
  missingLog,
  orphanPage,
  sorted,
} from "./page/lint.ts";
import { kindOf, pageRoot } from "./page/page-path.ts";
import { BaseRef, LintBase, ListLevel, ListLog, PathRef } from "./rest-schema.ts";
import { countStale, getTotals, isPage, type ListedPage, listPagesBelow } from "./store.ts";

/** The date of a time, UTC, as pages name it. */
function today(now: number): string {
  return timestamp(now).slice(0, "YYYY-MM-DD".length);
}

/** A page as listings show it; `isStale` from the day after its date. */
export type DatedPage = ListedPage & { isStale: boolean };

function dated(page: ListedPage, now: number): DatedPage {
  return { ...page, isStale: page.stale_on !== null && page.stale_on < today(now) };
}

export type Listing = {
  /** One level, or null for the whole tree. */
  level: LevelEntry[] | null;
  directories: DirectoryRow[];
  pages: DatedPage[];
  isTruncated: boolean;
};

export const listBaseLevel = readOperation({
  name: "listBaseLevel",
  input: ListLevel,
  access: readsBase,
  run(ctx, { project_id: projectId, prefix = pageRoot, limit = pageLevelMax, meta }): Listing {
    if (meta === true) {
      const pages = listPagesBelow(ctx.db, projectId, prefix, Number.MAX_SAFE_INTEGER);
      const directories = listDirectoriesBelow(ctx.db, projectId, prefix);
      return { level: null, directories, pages: pages.map((page) => dated(page, ctx.now())), isTruncated: false };
    }
    const found = listLevel(ctx.db, projectId, prefix, limit + 1);
    return { level: found.slice(0, limit), directories: [], pages: [], isTruncated: found.length > limit };
  },
});

export const readStats = readOperation({
  name: "readStats",
  input: BaseRef,
  access: readsBase,
  run: (ctx, input) => ({
    totals: getTotals(ctx.db, input.project_id),
    stale: countStale(ctx.db, input.project_id, today(ctx.now())),
  }),
});

export const listBaseLog = readOperation({
  name: "listBaseLog",
  input: ListLog,
  access: readsBase,
  run(ctx, { project_id: projectId, before, limit = historyDefault, ...filter }) {
    const found = listLog(ctx.db, projectId, filter, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
    const isWhole = Object.values(filter).every((value) => value === undefined);
    const total = isWhole ? getTotals(ctx.db, projectId).writes : countLog(ctx.db, projectId, filter);
    return { ...pageOf(found, limit), total };
  },
});

export const readBacklinks = readOperation({
  name: "readBacklinks",
  input: PathRef,
  access: readsBase,
  run: (ctx, input) => listBacklinks(ctx.db, input.project_id, input.path),
});

export const lintBase = readOperation({
  name: "lintBase",
  input: LintBase,
  access: readsBase,
  run(ctx, { project_id: projectId }) {
    const pages = listPagesBelow(ctx.db, projectId, pageRoot, Number.MAX_SAFE_INTEGER);
    const byPath = new Map(pages.map((page) => [page.path, dated(page, ctx.now())]));
    const findings = lintTree(ctx.db, projectId, pages).map((finding) => ({
      ...finding,
      page: byPath.get(finding.path),
    }));
    return { checkedAt: ctx.now(), findings };
  },
});

function lintTree(db: Db, projectId: string, pages: readonly ListedPage[]): Finding[] {
  if (pages.length === 0) return [];
  const findings = pages.flatMap((page) =>
    lintFrontmatter(page.path, {
      layout: page.layout,
      pageType: page.page_type,
      hasVersion: page.has_version === 1,
    }),
  );
  for (const { path, line, target } of listFaultyLinks(db, projectId)) {
    findings.push(target === null ? escapingLink(path, line) : brokenLink(path, line, target));
  }
  if (!isPage(db, projectId, "/fs/log.md")) findings.push(missingLog());
  for (const { path, files } of listDirectoriesBelow(db, projectId, pageRoot)) {
    if (files > 0 && !isPage(db, projectId, `${path}/index.md`)) findings.push(missingIndex(path));
  }
  for (const path of listOrphans(db, projectId)) if (kindOf(path) === "concept") findings.push(orphanPage(path));
  for (const { path, indexPath } of listUnindexed(db, projectId)) findings.push(missingIndexEntry(path, indexPath));
  return sorted(findings);
}
