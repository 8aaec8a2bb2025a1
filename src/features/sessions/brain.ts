// A session's brain: one writer, conditional writes, bytes that outlive nothing but their session (mcp-tools.md 14).

import type { Ctx } from "../../kernel/ctx.ts";
import { defineFact } from "../../kernel/facts.ts";
import { invalid } from "../../kernel/input.ts";
import { preparedWriteOperation, readOperation, type Who, writeOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { inlineBlobBytes, storeHardBytes, storeSoftBytes } from "../../shared/limits.ts";
import type { Db } from "../../storage/database.ts";
import { deferValue, dropDeferred, dropDocument } from "../corpus/index.ts";
import { brainRef } from "./brain-documents.ts";
import { listLevel } from "./brain-level.ts";
import { type BrainEntry, deleteEntry, findEntry, hasEntriesBelow, upsertEntry } from "./brain-store.ts";
import { ancestorsOf, brainPathExpected, canonicalPath } from "./paths.ts";
import { DeleteBrain, GetBrain, ListBrain, PutBrain, type SessionRef } from "./schema.ts";
import { addBrainBytes, type SessionRecord } from "./store.ts";
import { dropLostSession, findTarget, requireOwnRunning, requireTarget, touchSession } from "./target.ts";

/** Entries that named these blobs are gone; said in the job that removes them. Others may name them still. */
export const valuesReleased = defineFact<{ blobs: readonly string[] }>("values_released");

/** A value was written; the index learns of it later, and before it is asked. `isNew` unless it was to learn of its path already. */
export const valueWritten = defineFact<{ isNew: boolean }>("value_written");

/** How a version of bytes is written on the wire. */
export function versionOf(hash: string): string {
  return `sha256:${hash}`;
}

// A session the call names is checked by its look-up.
async function dropLost(ctx: Ctx, ref: SessionRef | undefined, permission: "read" | "write"): Promise<void> {
  if (ref === undefined) await dropLostSession(ctx, permission);
}

function requirePath(path: string): string {
  const canonical = canonicalPath(path);
  if (canonical === undefined) throw invalid("path", path, brainPathExpected);
  return canonical;
}

export const getBrain = readOperation({
  name: "getBrain",
  input: GetBrain,
  access: (who, input) => requireTarget(who, input.session, "read"),
  before: (ctx, input) => dropLost(ctx, input.session, "read"),
  run(ctx, input) {
    const session = findTarget(ctx, input.session, "read");
    touchSession(ctx, session);
    const path = requirePath(input.path);
    const entry = findEntry(ctx.db, session.id, path);
    if (entry === undefined) throw new HubError("not_found", `no brain value at '${path}'`);
    return {
      path,
      version: versionOf(entry.blob),
      sizeBytes: entry.size,
      content: decode(path, ctx.blobs.read(ctx.db, entry.blob)),
    };
  },
});

/** @throws HubError `invalid_argument` when the bytes are no UTF-8 text */
export function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new HubError(
      "invalid_argument",
      `the value at '${path}' is not UTF-8 text`,
      { field: "path", expected: "a path that holds text" },
      { cause: error },
    );
  }
}

export const putBrain = preparedWriteOperation({
  name: "putBrain",
  input: PutBrain,
  access: (who, input) => requireTarget(who, input.session, "write"),
  before: (ctx, input) => dropLost(ctx, input.session, "write"),
  async prepare(ctx, input) {
    const session = findTarget(ctx, input.session, "write");
    const bytes = new TextEncoder().encode(input.content);
    // Refused writes store no bytes; the transaction checks again.
    const { path } = holdWrite(ctx, session, input, bytes.byteLength);
    touchSession(ctx, session);
    const isInline = path.startsWith("/kv/") && bytes.byteLength <= inlineBlobBytes;
    return isInline ? ctx.blobs.inline(bytes) : await ctx.blobs.put(bytes);
  },
  run(tx, ctx, input, blob) {
    const who = { ...ctx, db: tx.db };
    const session = findTarget(who, input.session, "write");
    const { path, growth, replaced } = holdWrite(who, session, input, blob.size);
    tx.blobs.record(tx.db, blob, tx.now);
    upsertEntry(tx.db, session.id, { path, blob: blob.hash, size: blob.size }, tx.now);
    if (replaced !== undefined && replaced !== blob.hash) tx.emit(valuesReleased, { blobs: [replaced] });
    addBrainBytes(tx.db, session.id, growth);
    tx.emit(valueWritten, { isNew: deferValue(tx.db, { sessionId: session.id, path, id: tx.id() }) });
    tx.wake(`sessions:${session.projectId}`);
    const isOverSoft = session.brainBytes + growth > storeSoftBytes;
    const warnings = isOverSoft ? ["this store is over its soft limit of 256 MiB"] : [];
    return { path, version: versionOf(blob.hash), sizeBytes: blob.size, warnings };
  },
});

export const deleteBrain = writeOperation({
  name: "deleteBrain",
  input: DeleteBrain,
  access: (who, input) => requireTarget(who, input.session, "write"),
  before: (ctx, input) => dropLost(ctx, input.session, "write"),
  run(tx, ctx, input) {
    const who = { ...ctx, db: tx.db };
    const session = findTarget(who, input.session, "write");
    requireOwnRunning(who, session, input.session !== undefined);
    touchSession(ctx, session);
    const path = requirePath(input.path);
    if (path.startsWith("/fs/") && hasEntriesBelow(tx.db, session.id, path)) {
      throw invalid("path", path, "a path that is not a directory; delete the entries below it one by one");
    }
    const stored = findEntry(tx.db, session.id, path);
    holdVersion(input.if_version, stored);
    if (stored === undefined) return { path };
    deleteEntry(tx.db, session.id, path);
    tx.emit(valuesReleased, { blobs: [stored.blob] });
    addBrainBytes(tx.db, session.id, -stored.size);
    dropDeferred(tx.db, { sessionId: session.id, path });
    tx.attempt("dropping a search row", () => dropDocument(tx.db, brainRef(session, path)));
    tx.wake(`sessions:${session.projectId}`);
    return { path };
  },
});

export const listBrain = readOperation({
  name: "listBrain",
  input: ListBrain,
  access: (who, input) => requireTarget(who, input.session, "read"),
  before: (ctx, input) => dropLost(ctx, input.session, "read"),
  run(ctx, input) {
    const session = findTarget(ctx, input.session, "read");
    touchSession(ctx, session);
    return listLevel(ctx.db, session.id, input.path, Number.MAX_SAFE_INTEGER);
  },
});

/**
 * What a write must hold, in the order the contract gives: owner, path, size, guard. Returns by how much the brain grows
 * and the blob that is replaced.
 */
function holdWrite(
  who: Who,
  session: SessionRecord,
  input: PutBrain,
  size: number,
): { path: string; growth: number; replaced: string | undefined } {
  requireOwnRunning(who, session, input.session !== undefined);
  const path = requirePath(input.path);
  holdTree(who.db, session, path);
  const stored = findEntry(who.db, session.id, path);
  const growth = size - (stored?.size ?? 0);
  holdSize(session.brainBytes + growth, session.brainBytes);
  holdVersion(input.if_version, stored);
  return { path, growth, replaced: stored?.blob };
}

// Directories are implied by the entries below them, so a path is a file or a directory, never both.
function holdTree(db: Db, session: SessionRecord, path: string): void {
  if (path.startsWith("/fs/") && hasEntriesBelow(db, session.id, path)) {
    throw invalid("path", path, "a path that is not a directory");
  }
  const file = ancestorsOf(path).find((ancestor) => findEntry(db, session.id, ancestor) !== undefined);
  if (file !== undefined) throw invalid("path", path, `a path that is not below a file; ${file} is one`);
}

function holdSize(total: number, before: number): void {
  if (total <= storeHardBytes || total <= before) return;
  throw new HubError(
    "payload_too_large",
    `the brain would hold ${total} bytes, at most ${storeHardBytes} are kept; delete entries first`,
    {
      limit: storeHardBytes,
      actual: total,
    },
  );
}

/** @throws HubError `conflict` with the version stored now when the guard does not hold */
function holdVersion(guard: string | undefined, stored: BrainEntry | undefined): void {
  if (guard === undefined) return;
  const current = stored === undefined ? "absent" : versionOf(stored.blob);
  if (guard.toLowerCase() === current) return;
  throw new HubError("conflict", `if_version does not hold; read again and retry; current_version=${current}`, {
    current_version: current,
  });
}
