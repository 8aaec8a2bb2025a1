// A session's brain: one writer, conditional writes, bytes that outlive nothing but their session (mcp-tools.md 14).

import type { Tx } from "../../kernel/ctx.ts";
import { invalid } from "../../kernel/input.ts";
import { preparedWriteOperation, readOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { inlineBlobBytes, storeHardBytes, storeSoftBytes } from "../../shared/limits.ts";
import { type BrainEntry, findEntry, hasEntriesBelow, upsertEntry } from "./brain-store.ts";
import { ancestorsOf, brainPathExpected, canonicalPath } from "./paths.ts";
import { GetBrain, PutBrain } from "./schema.ts";
import { addBrainBytes, type SessionRecord } from "./store.ts";
import { dropLostSession, findTarget, requireOwnRunning, touchSession } from "./target.ts";

/** How a version of bytes is written on the wire. */
export function versionOf(hash: string): string {
  return `sha256:${hash}`;
}

function requirePath(path: string): string {
  const canonical = canonicalPath(path);
  if (canonical === undefined) throw invalid("path", path, brainPathExpected);
  return canonical;
}

export const getBrain = readOperation({
  name: "getBrain",
  input: GetBrain,
  access: (who, input) => {
    findTarget(who, input.session, "read");
  },
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

function decode(path: string, bytes: Uint8Array): string {
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
  access: (who, input) => {
    findTarget(who, input.session, "write");
  },
  async prepare(ctx, input) {
    const session = findTarget(ctx, input.session, "write");
    if (input.session === undefined && session.agent !== ctx.principal.actor) await dropLostSession(ctx);
    // Refused writes store nothing; the transaction checks again.
    requireOwnRunning(ctx, session, input.session !== undefined);
    touchSession(ctx, session);
    const path = requirePath(input.path);
    const bytes = new TextEncoder().encode(input.content);
    const isInline = path.startsWith("/kv/") && bytes.byteLength <= inlineBlobBytes;
    return isInline ? ctx.blobs.inline(bytes) : await ctx.blobs.put(bytes);
  },
  run(tx, ctx, input, blob) {
    const session = findTarget({ ...ctx, db: tx.db }, input.session, "write");
    requireOwnRunning(ctx, session, input.session !== undefined);
    const path = requirePath(input.path);
    const stored = findEntry(tx.db, session.id, path);
    holdTree(tx, session, path);
    const total = session.brainBytes + blob.size - (stored?.size ?? 0);
    holdSize(total, session.brainBytes);
    holdVersion(input.if_version, stored);
    tx.blobs.record(tx.db, blob, tx.now);
    upsertEntry(tx.db, session.id, { path, blob: blob.hash, size: blob.size }, tx.now);
    addBrainBytes(tx.db, session.id, blob.size - (stored?.size ?? 0));
    tx.wake(`sessions:${session.projectId}`);
    const warnings = total > storeSoftBytes ? ["this store is over its soft limit of 256 MiB"] : [];
    return { path, version: versionOf(blob.hash), sizeBytes: blob.size, warnings };
  },
});

// Directories are implied by the entries below them, so a path is a file or a directory, never both.
function holdTree(tx: Tx, session: SessionRecord, path: string): void {
  if (path.startsWith("/fs/") && hasEntriesBelow(tx.db, session.id, path)) {
    throw invalid("path", path, "a path that is not a directory");
  }
  const file = ancestorsOf(path).find((ancestor) => findEntry(tx.db, session.id, ancestor) !== undefined);
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
