// Collecting bytes that nothing names any more (operations.md 1.3), safe against a writer of the same bytes: a digest in
// flight is skipped, and the last look and the unlink happen in one turn. Nothing goes while a backup copies blobs.
import type { Services, Tx } from "../../kernel/ctx.ts";
import type { BlobRef } from "../../kernel/feature.ts";
import { blobGraceMs, blobScanMs, rollbackWindowMs } from "../../shared/limits.ts";
import { hasFreshMigrationCopy } from "../../storage/usage.ts";
import { deleteUnreferenced, hasBlobRow, listMarked, markReleased, markUnreferenced } from "./store.ts";

const rowsAtOnce = 500;
const blobsAtOnce = 100;

export type Collector = { sweep(services: Services): Promise<void> };

/**
 * Rows are looked at every 600 s, files without a row at the first sweep and every 24 h.
 * @param isHeld true while nothing may be removed
 */
export function createCollector(references: readonly BlobRef[], isHeld: () => boolean): Collector {
  let rowsAt = Number.NEGATIVE_INFINITY;
  let filesAt = Number.NEGATIVE_INFINITY;
  return {
    async sweep(services) {
      const now = services.now();
      // A clock that was set back counts as time passed, so that collection never stops for good.
      const isDue = (last: number, everyMs: number): boolean => now - last >= everyMs || now < last;
      if (isHeld() || hasFreshMigrationCopy(services.dataDir, now, rollbackWindowMs)) return;
      if (isDue(rowsAt, blobGraceMs)) {
        rowsAt = now;
        await markRows(services, references);
      }
      await collectMarked(services, references, now, isHeld);
      if (isDue(filesAt, blobScanMs)) {
        filesAt = now;
        await removeOrphans(services, now, isHeld);
      }
    },
  };
}

async function markRows(services: Services, references: readonly BlobRef[]): Promise<void> {
  let after: string | undefined = "";
  while (after !== undefined) {
    const from: string = after;
    after = await services.write((tx) => markUnreferenced(tx.db, references, from, rowsAtOnce, tx.now));
  }
}

async function collectMarked(
  services: Services,
  references: readonly BlobRef[],
  now: number,
  isHeld: () => boolean,
): Promise<void> {
  const markedBefore = now - blobGraceMs;
  let count = 0;
  for (;;) {
    const marked = listMarked(services.db, markedBefore, blobsAtOnce).filter(
      ({ hash }) => !services.blobs.isInFlight(hash),
    );
    if (marked.length === 0) break;
    const removed = await services.write((tx) => {
      if (isHeld()) return 0;
      const gone = marked.filter(
        ({ hash }) => !tx.blobs.isInFlight(hash) && deleteUnreferenced(tx.db, references, hash, markedBefore),
      );
      tx.afterCommit(() => {
        for (const { hash, isFile } of gone) if (isFile === 1) unlink(services, hash);
      });
      return gone.length;
    });
    count += removed;
    // What is named again lost its mark, so each round has less to look at.
    if (isHeld() || (removed === 0 && marked.length < blobsAtOnce)) break;
  }
  services.metrics.blobsCollected.count += count;
  if (count > 0) services.log.info("blobs collected", { count });
}

async function removeOrphans(services: Services, now: number, isHeld: () => boolean): Promise<void> {
  for await (const { hash, modifiedMs } of services.blobs.files()) {
    if (isHeld()) return;
    if (now - modifiedMs >= blobGraceMs) unlink(services, hash);
  }
}

/**
 * Collects those of some blobs that nothing names any more, without the grace period; the rest waits for a sweep, and
 * while removal is held all of them do.
 */
export function collectNow(tx: Tx, references: readonly BlobRef[], hashes: readonly string[], isHeld: boolean): void {
  if (isHeld) {
    markReleased(tx.db, hashes, tx.now - blobGraceMs);
    return;
  }
  const gone = hashes.filter((hash) => !tx.blobs.isInFlight(hash) && deleteUnreferenced(tx.db, references, hash));
  tx.afterCommit(() => {
    tx.metrics.blobsCollected.count += gone.length;
    // A file that cannot be removed now has no row, so the scan of files finds it.
    for (const hash of gone) if (!hasBlobRow(tx.db, hash)) tx.blobs.removeFile(hash);
  });
}

// A row that came meanwhile keeps its file.
function unlink(services: Services, hash: string): void {
  if (hasBlobRow(services.db, hash)) return;
  try {
    services.blobs.removeFile(hash);
  } catch (error) {
    services.log.warn("a blob file could not be removed and will be tried again", { hash, cause: String(error) });
  }
}
