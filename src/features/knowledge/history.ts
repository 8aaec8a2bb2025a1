// A page's versions, and bringing one back (knowledge-base.md 9.5, 9.6).
import type { z } from "zod";
import { timestamp } from "../../kernel/clock.ts";
import type { Ctx } from "../../kernel/ctx.ts";
import { type Operation, preparedWriteOperation, readOperation } from "../../kernel/operation.ts";
import { historyDefault } from "../../shared/limits.ts";
import type { Db } from "../../storage/database.ts";
import { projectOf, readsBase, resolveBase, writesBase } from "./base.ts";
import { findKept, findOriginalTime, findWriteOf, listVersions, type VersionRow } from "./log-store.ts";
import { noSuchVersion } from "./operations.ts";
import { decodePage, hashOf, versionOf } from "./page-bytes.ts";
import { ListVersions, RevertPage } from "./schema.ts";
import { signalWrite } from "./signals.ts";
import { findPath, type PageRecord } from "./store.ts";
import { holdWrite, lintWritten, preparedFrom, sizeWarnings, type WrittenPage, writePage } from "./write-page.ts";

export type VersionPage = {
  path: string;
  currentVersion: string | null;
  versions: (VersionRow & { isCurrent: boolean })[];
  total: number;
  nextBefore: number | null;
  isTruncated: boolean;
};

/** What one page of a history says of the rest: there is more when a row more than asked for was found. */
export function pageOf<R extends { ordinal: number }>(
  found: readonly R[],
  limit: number,
): { rows: R[]; nextBefore: number | null; isTruncated: boolean } {
  const rows = found.slice(0, limit);
  const isTruncated = found.length > limit;
  return { rows, nextBefore: isTruncated ? (rows.at(-1)?.ordinal ?? null) : null, isTruncated };
}

export function listVersionsOperation<I extends ListVersions>(
  name: string,
  input: z.ZodType<I>,
): Operation<I, VersionPage> {
  return readOperation({
    name,
    input,
    access: readsBase,
    run(ctx, { path, before, limit = historyDefault, ...ref }) {
      const page = findPath(ctx.db, resolveBase(ctx, ref), path);
      const nothing = { path, currentVersion: null, versions: [], total: 0, nextBefore: null, isTruncated: false };
      if (page === undefined) return nothing;
      const found = listVersions(ctx.db, page.id, before ?? Number.MAX_SAFE_INTEGER, limit + 1);
      const { rows, ...rest } = pageOf(found, limit);
      return {
        path,
        currentVersion: page.blob === null ? null : versionOf(page.blob),
        versions: rows.map((row) => ({ ...row, isCurrent: page.blob !== null && row.ordinal === page.lastOrdinal })),
        total: page.writes,
        ...rest,
      };
    },
  });
}

export type RevertedPage = WrittenPage & { isChanged: boolean };

export function revertPageOperation<I extends RevertPage>(
  name: string,
  input: z.ZodType<I>,
): Operation<I, RevertedPage> {
  return preparedWriteOperation({
    name,
    input,
    access: writesBase,
    async prepare(ctx, { path, version, ...ref }) {
      const { size } = requireKept(ctx.db, resolveBase(ctx, ref), path, version);
      const blob = hashOf(version);
      const text = decodePage(path, ctx.blobs.read(ctx.db, blob));
      return preparedFrom(path, text, { blob, size }, null);
    },
    run(tx, ctx, { path, version, if_version, ...ref }, page) {
      const projectId = projectOf({ ...ctx, db: tx.db }, ref);
      const { page: known } = requireKept(tx.db, projectId, path, version);
      const target = { projectId, path, guard: if_version };
      holdWrite(tx.db, target, page.bytes.size);
      if (known.blob === page.bytes.blob) return unchanged(ctx, projectId, path, page);
      const original = findOriginalTime(tx.db, known.id, page.bytes.blob);
      const summary =
        original === undefined ? "restored an earlier version" : `restored the version of ${timestamp(original)}`;
      const written = writePage(tx, ctx, { ...target, op: "kb.revert", summary, page });
      const payload = { action: "kb_reverted", path, version: written.version };
      const dropped = signalWrite(tx, ctx, projectId, `Knowledge base page ${path} reverted`, payload);
      return { ...written, warnings: [...written.warnings, ...dropped], isChanged: true };
    },
  });
}

function unchanged(
  ctx: Pick<Ctx, "db">,
  projectId: string,
  path: string,
  page: ReturnType<typeof preparedFrom>,
): RevertedPage {
  return {
    path,
    version: versionOf(page.bytes.blob),
    sizeBytes: page.bytes.size,
    lint: lintWritten(ctx.db, projectId, path, page.parsed),
    warnings: sizeWarnings(ctx.db, projectId),
    isChanged: false,
  };
}

// A page is never set to bytes that its own history does not name.
function requireKept(db: Db, projectId: string, path: string, version: string): { page: PageRecord; size: number } {
  const page = findPath(db, projectId, path);
  const hash = hashOf(version);
  const size = page === undefined ? undefined : findKept(db, page.id, hash);
  if (page === undefined || size === undefined || findWriteOf(db, page.id, hash) === undefined) {
    throw noSuchVersion(path, version);
  }
  return { page, size };
}

export const listPageVersions = listVersionsOperation("listPageVersions", ListVersions);
export const revertPage = revertPageOperation("revertPage", RevertPage);
