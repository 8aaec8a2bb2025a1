// The one way a page is written (knowledge-base.md 9): guard, row, log, kept version, links, counts and search row in one
// transaction, whoever writes and through whatever door.
import type { Ctx, Tx } from "../../kernel/ctx.ts";
import { invalid, tooLarge } from "../../kernel/input.ts";
import { HubError } from "../../shared/errors.ts";
import { byteLength } from "../../shared/json.ts";
import type { PageOp } from "../../shared/knowledge.ts";
import { pageBytes, storeHardBytes, storeSoftBytes } from "../../shared/limits.ts";
import type { StoredBlob } from "../../storage/blobs.ts";
import type { Db } from "../../storage/database.ts";
import { putDocument } from "../corpus/index.ts";
import { addFile, isDirectory, resizeFile } from "./directory-store.ts";
import { setLinks } from "./link-store.ts";
import { findVerifyingWrite, insertWrite, keepVersion } from "./log-store.ts";
import { brokenLink, escapingLink, type Finding, lintFrontmatter, sorted } from "./page/lint.ts";
import { directoriesAbove, directoryOf, pageRoot } from "./page/page-path.ts";
import { type ParsedPage, parsePage } from "./page/parsed-page.ts";
import { bringsNewEntry, endsInFreshEntry, trustOf } from "./page/trust.ts";
import { decodePage, holdVersion, versionOf } from "./page-bytes.ts";
import { pageDocument } from "./page-document.ts";
import {
  countPage,
  countWrite,
  findPageAmong,
  findPath,
  getTotals,
  insertPath,
  isPage,
  type PageRecord,
  storePage,
} from "./store.ts";

/** A page that is about to be written: its bytes are stored, its text is read. */
export type PreparedPage = Disposable & {
  readonly content: string;
  readonly parsed: ParsedPage;
  readonly bytes: { readonly blob: string; readonly size: number };
  /** Null when the bytes are those of a version that is kept already. */
  readonly stored: StoredBlob | null;
};

export type WriteTarget = { projectId: string; path: string; guard: string | undefined };

/** Stores the bytes of a page, unless its write would be refused as things stand. */
export async function preparePage(ctx: Ctx, target: WriteTarget, content: string): Promise<PreparedPage> {
  const size = byteLength(content);
  if (size > pageBytes) throw tooLarge("content", size, pageBytes, "bytes");
  holdWrite(ctx.db, target, size);
  const stored = await ctx.blobs.put(new TextEncoder().encode(content));
  try {
    return preparedFrom(target.path, content, { blob: stored.hash, size }, stored);
  } catch (error) {
    stored[Symbol.dispose]();
    throw error;
  }
}

export function preparedFrom(
  path: string,
  content: string,
  bytes: PreparedPage["bytes"],
  stored: StoredBlob | null,
): PreparedPage {
  return {
    content,
    parsed: parsePage(path, content),
    bytes,
    stored,
    [Symbol.dispose]: () => stored?.[Symbol.dispose](),
  };
}

/**
 * What a write must hold, in the order the contract gives: path, size of the whole, guard.
 * @returns the path's row as it is, when it has one
 */
export function holdWrite(db: Db, { projectId, path, guard }: WriteTarget, size: number): PageRecord | undefined {
  holdTree(db, projectId, path);
  const before = findPath(db, projectId, path);
  const growth = size - (before?.size ?? 0);
  const total = getTotals(db, projectId).bytes + growth;
  if (total > storeHardBytes && growth > 0) {
    throw new HubError(
      "payload_too_large",
      `the knowledge base would hold ${total} bytes, at most ${storeHardBytes} are kept; delete pages first`,
      { limit: storeHardBytes, actual: total },
    );
  }
  holdVersion(guard, before?.blob ?? null);
  return before;
}

// A path is a page or a directory, never both.
function holdTree(db: Db, projectId: string, path: string): void {
  if (isDirectory(db, projectId, path)) throw invalid("path", path, "a path that is not a directory");
  const above = directoriesAbove(path).filter((directory) => directory !== pageRoot);
  const page = above.length === 0 ? undefined : findPageAmong(db, projectId, above);
  if (page !== undefined) throw invalid("path", path, `a path that is not below a page; ${page} is one`);
}

export type PageWrite = WriteTarget & {
  op: Exclude<PageOp, "kb.delete">;
  summary?: string;
  page: PreparedPage;
};

export type WrittenPage = { path: string; version: string; sizeBytes: number; lint: Finding[]; warnings: string[] };

/** Writes a page inside a job; every check that `preparePage` made is made again. */
export function writePage(tx: Tx, ctx: Ctx, write: PageWrite): WrittenPage {
  const { projectId, path, page, op } = write;
  const { db } = tx;
  const { bytes, parsed } = page;
  const before = holdWrite(db, write, bytes.size);
  if (page.stored !== null) tx.blobs.record(db, page.stored, tx.now);
  const { actor } = ctx.principal;
  const ordinal = countWrite(db, projectId, actor, tx.now);
  const pageId = before?.id ?? insertPath(db, projectId, path, directoryOf(path));
  const replaced = before?.blob ?? null;
  const reviewed = parsed.verified.length === 0 ? undefined : findVerifyingWrite(db, pageId);
  // Verified bytes that are put back bring in nothing new: they stay verified by whom they were.
  const isPutBack = reviewed?.blob === bytes.blob;
  const verifies = op === "kb.review" || (!isPutBack && bringsVerification(tx, path, parsed, replaced));
  const summary = write.summary ?? (replaced === null ? "created" : "edited");
  insertWrite(db, projectId, { ordinal, pageId, op, actor, bytes, summary, verifies, at: tx.now });
  keepVersion(db, projectId, pageId, bytes);
  const verifying = verifies ? { actor, blob: bytes.blob } : reviewed;
  const trusted = trustOf(parsed.verified, { blob: bytes.blob, writtenAt: tx.now }, verifying);
  storePage(db, pageId, bytes, { fields: parsed.fields, trusted }, { ordinal, at: tx.now, actor });
  countPage(db, projectId, countedOf(before), { size: bytes.size, trust: trusted.trust });
  if (replaced === null) addFile(db, projectId, path, bytes.size);
  else resizeFile(db, projectId, path, bytes.size - (before?.size ?? 0));
  setLinks(db, projectId, pageId, parsed.links);
  tx.attempt("indexing a page", () => putDocument(db, pageDocument(projectId, path, page, tx.now)));
  tx.wake(`kb:${projectId}`);
  return {
    path,
    version: versionOf(bytes.blob),
    sizeBytes: bytes.size,
    lint: lintWritten(db, projectId, path, parsed),
    warnings: sizeWarnings(db, projectId),
  };
}

export function countedOf(page: PageRecord | undefined): Parameters<typeof countPage>[2] {
  return page?.blob == null || page.trust === null ? undefined : { size: page.size, trust: page.trust };
}

export function sizeWarnings(db: Db, projectId: string): string[] {
  return getTotals(db, projectId).bytes > storeSoftBytes ? ["this store is over its soft limit of 256 MiB"] : [];
}

// The page that is replaced is read only when the time of the last entry fits, which is rare.
function bringsVerification(tx: Tx, path: string, parsed: ParsedPage, replaced: string | null): boolean {
  if (!endsInFreshEntry(parsed.verified, tx.now)) return false;
  return bringsNewEntry(parsed.verified, replaced === null ? [] : entriesOf(tx, path, replaced));
}

function entriesOf(tx: Tx, path: string, blob: string): ParsedPage["verified"] {
  try {
    return parsePage(path, decodePage(path, tx.blobs.read(tx.db, blob))).verified;
  } catch {
    // A page whose bytes are damaged, which the read has logged, can be overwritten; nothing is known of its entries.
    return [];
  }
}

/** Advice on a page as it was just written. */
export function lintWritten(db: Db, projectId: string, path: string, parsed: ParsedPage): Finding[] {
  const known = new Map<string, boolean>();
  const exists = (target: string): boolean => {
    const found = known.get(target) ?? isPage(db, projectId, target);
    known.set(target, found);
    return found;
  };
  const findings = lintFrontmatter(path, parsed.fields);
  for (const { target, decoded, line } of parsed.links) {
    if (target === null) findings.push(escapingLink(path, line));
    else if (!exists(target) && (decoded === null || !exists(decoded))) findings.push(brokenLink(path, line, target));
  }
  return sorted(findings);
}
