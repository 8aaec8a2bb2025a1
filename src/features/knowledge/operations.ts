// Reading, writing, listing and deleting pages (knowledge-base.md 9.2, mcp-tools.md 17.26 to 17.29). The tools and the
// operator's addresses differ in how they spell the input, and in nothing else.
import type { z } from "zod";
import { invalid } from "../../kernel/input.ts";
import { type Operation, preparedWriteOperation, readOperation, writeOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { dropDocument } from "../corpus/index.ts";
import { projectOf, readsBase, resolveBase, writesBase } from "./base.ts";
import { isDirectory, type LevelEntry, listLevel, removeFile } from "./directory-store.ts";
import { setLinks } from "./link-store.ts";
import { findKept, findWriteOf, insertWrite } from "./log-store.ts";
import { pageRoot } from "./page/page-path.ts";
import { decodePage, hashOf, holdVersion, versionOf } from "./page-bytes.ts";
import { pageRef } from "./page-document.ts";
import { DeletePage, GetPage, ListPages, PutPage } from "./schema.ts";
import { signalWrite } from "./signals.ts";
import { countPage, countWrite, emptyPage, findPage, findPath } from "./store.ts";
import { countedOf, preparePage, type WrittenPage, writePage } from "./write-page.ts";

export type ReadPage = {
  path: string;
  content: string;
  version: string;
  sizeBytes: number;
  /** Of the page's newest write. */
  lastWrite: { actor: string; at: number };
  /** Only when a version was asked for: whether the page holds it now, and the newest write of it. */
  ofVersion: { isCurrent: boolean; actor: string; at: number } | null;
};

export function noPageAt(path: string): HubError {
  return new HubError("not_found", `there is no page at '${path}'`);
}

export function getPageOperation<I extends GetPage>(name: string, input: z.ZodType<I>): Operation<I, ReadPage> {
  return readOperation({
    name,
    input,
    access: readsBase,
    run(ctx, { path, version, ...ref }) {
      const page = findPath(ctx.db, resolveBase(ctx, ref), path);
      const hash = version === undefined ? page?.blob : hashOf(version);
      if (page === undefined || hash == null) throw noPageAt(path);
      const write = version === undefined ? undefined : findWriteOf(ctx.db, page.id, hash);
      if (version !== undefined && (write === undefined || findKept(ctx.db, page.id, hash) === undefined)) {
        throw noSuchVersion(path, version);
      }
      const bytes = ctx.blobs.read(ctx.db, hash);
      return {
        path,
        content: decodePage(path, bytes),
        version: versionOf(hash),
        sizeBytes: bytes.byteLength,
        lastWrite: { actor: page.lastWriteBy, at: page.lastWriteAt },
        ofVersion: write === undefined ? null : { ...write, isCurrent: page.blob === hash },
      };
    },
  });
}

export function noSuchVersion(path: string, version: string): HubError {
  return new HubError(
    "not_found",
    `the page '${path}' keeps no version ${version}; brain_history lists those it keeps`,
  );
}

export function putPageOperation<I extends PutPage>(name: string, input: z.ZodType<I>): Operation<I, WrittenPage> {
  return preparedWriteOperation({
    name,
    input,
    access: writesBase,
    prepare: (ctx, given) => preparePage(ctx, targetOf(resolveBase(ctx, given), given), given.content),
    run: (tx, ctx, given, page) =>
      writePage(tx, ctx, { ...targetOf(projectOf({ ...ctx, db: tx.db }, given), given), op: "kb.put", page }),
  });
}

function targetOf(projectId: string, { path, if_version }: PutPage) {
  return { projectId, path, guard: if_version };
}

export function deletePageOperation<I extends DeletePage>(
  name: string,
  input: z.ZodType<I>,
): Operation<I, { path: string }> {
  return writeOperation({
    name,
    input,
    access: writesBase,
    run(tx, ctx, { path, if_version, ...ref }) {
      const { db } = tx;
      const projectId = resolveBase({ ...ctx, db }, ref);
      if (isDirectory(db, projectId, path)) {
        throw invalid("path", path, "a path that is not a directory; delete the pages below it one by one");
      }
      const page = findPage(db, projectId, path);
      if (page === undefined) throw noPageAt(path);
      holdVersion(if_version, page.blob);
      const { actor } = ctx.principal;
      const ordinal = countWrite(db, projectId, actor, tx.now);
      insertWrite(db, projectId, {
        ordinal,
        pageId: page.id,
        op: "kb.delete",
        actor,
        bytes: null,
        summary: "deleted",
        verifies: false,
        at: tx.now,
      });
      emptyPage(db, page.id, { ordinal, at: tx.now, actor });
      countPage(db, projectId, countedOf(page), undefined);
      removeFile(db, projectId, path, page.size);
      setLinks(db, projectId, page.id, []);
      tx.attempt("dropping a search row", () => dropDocument(db, pageRef(projectId, path)));
      signalWrite(tx, ctx, projectId, `Knowledge base page ${path} deleted`, { action: "kb_deleted", path });
      tx.wake(`kb:${projectId}`);
      return { path };
    },
  });
}

export const getPage = getPageOperation("getPage", GetPage);
export const putPage = putPageOperation("putPage", PutPage);
export const deletePage = deletePageOperation("deletePage", DeletePage);

/** One whole level. */
export const listPages = readOperation({
  name: "listPages",
  input: ListPages,
  access: readsBase,
  run: (ctx, input): LevelEntry[] =>
    listLevel(ctx.db, resolveBase(ctx, input), input.path ?? pageRoot, Number.MAX_SAFE_INTEGER),
});
