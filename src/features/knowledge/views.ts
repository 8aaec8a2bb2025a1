// How pages, findings, versions and comments are shown, to agents and to the operator alike.
import { timestamp } from "../../kernel/clock.ts";
import type {
  DirectoryView,
  FileView,
  FindingView,
  PageCommentView,
  PageView,
  VersionsView,
  WrittenPageView,
} from "../../shared/knowledge.ts";
import type { PageComment } from "./comment-store.ts";
import type { DirectoryRow, LevelEntry } from "./directory-store.ts";
import type { VersionPage } from "./history.ts";
import type { DatedPage, Listing } from "./overview.ts";
import { versionOf } from "./page-bytes.ts";
import type { WrittenPage } from "./write-page.ts";

export function viewWritten(written: WrittenPage): WrittenPageView {
  return {
    ok: true,
    path: written.path,
    version: written.version,
    size_bytes: written.sizeBytes,
    lint: written.lint,
    warnings: written.warnings,
  };
}

function viewPage(page: DatedPage): PageView {
  return {
    path: page.path,
    type: "file",
    size_bytes: page.size,
    children: null,
    title: page.title,
    description: page.description,
    page_type: page.page_type,
    status: page.status,
    // Written with the page, from a list of texts.
    tags: page.tags === null ? null : (JSON.parse(page.tags) as string[]),
    trust: page.trust,
    verified_by: page.verified_by,
    verified_at: page.verified_at,
    stale: page.isStale,
    stale_after: page.stale_after,
    last_write_by: page.last_write_by,
    last_write_at: timestamp(page.last_write_at),
  };
}

function viewDirectory({ path, bytes, files, directories }: DirectoryRow): DirectoryView {
  return { path, type: "dir", size_bytes: bytes, children: files + directories };
}

function viewEntry({ path, size, children }: LevelEntry): DirectoryView | FileView {
  return children === null
    ? { path, type: "file", size_bytes: size, children }
    : { path, type: "dir", size_bytes: size, children };
}

export function viewListing(listing: Listing): {
  entries: (DirectoryView | FileView | PageView)[];
  truncated: boolean;
} {
  if (listing.level !== null) return { entries: listing.level.map(viewEntry), truncated: listing.isTruncated };
  const entries = [...listing.directories.map(viewDirectory), ...listing.pages.map(viewPage)];
  return { entries: entries.sort((a, b) => (a.path < b.path ? -1 : 1)), truncated: false };
}

export function viewVersions(page: VersionPage): VersionsView {
  return {
    path: page.path,
    current_version: page.currentVersion,
    versions: page.versions.map((row) => ({
      id: row.ordinal,
      op: row.op,
      actor: row.actor,
      at: timestamp(row.at),
      version: row.blob === null ? null : versionOf(row.blob),
      size_bytes: row.size,
      summary: row.summary,
      kept: row.kept === 1,
      current: row.isCurrent,
    })),
    total: page.total,
    next_before: page.nextBefore,
    truncated: page.isTruncated,
  };
}

export function viewFinding({ page, ...finding }: FindingView & { page: DatedPage | undefined }): FindingView {
  return page === undefined ? finding : { ...finding, meta: viewPage(page) };
}

export function viewComment(comment: PageComment): PageCommentView {
  return {
    id: comment.id,
    project_id: comment.projectId,
    path: comment.path,
    author: comment.author,
    body: comment.body,
    anchor: comment.anchor,
    done: comment.isDone,
    created_at: timestamp(comment.createdAt),
  };
}
