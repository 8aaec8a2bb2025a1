// Whether every blob the store refers to is there with its size and its digest (operations.md 7).
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { blobPath, type DataDir } from "../data-dir.ts";
import type { Db } from "../database.ts";
import { digestFile } from "../durable-file.ts";
import { createPace, type Watch } from "../pace.ts";
import {
  blobReferences,
  danglingDigests,
  describeReferences,
  type ReferencedBlob,
  referencedBlobs,
  weighFiles,
} from "../references.ts";

export type BlobCheck = Watch & {
  digests: boolean;
  problem(text: string): void;
};

/** Returns how many referenced blobs there are. */
export async function checkBlobs(db: Db, dir: DataDir, check: BlobCheck): Promise<number> {
  const references = blobReferences(db);
  const pace = createPace(check);
  pace.expect(check.digests ? weighFiles(db, references).bytes : 0);
  const missing = (hash: string): void =>
    check.problem(`missing blob ${hash} (${describeReferences(db, references, hash)})`);
  let count = 0;
  for (const blob of referencedBlobs(db, references)) {
    count += 1;
    const size = blob.bytes?.byteLength ?? fileSize(blobPath(dir, blob.hash));
    if (size === undefined) missing(blob.hash);
    else if (size !== blob.size) check.problem(`blob ${blob.hash} has ${size} bytes, its row says ${blob.size}`);
    else if (check.digests && (await digestOf(blob)) !== blob.hash)
      check.problem(`blob ${blob.hash} has another digest`);
    if (blob.bytes !== null || !check.digests) await pace.advance(0);
  }
  for (const hash of new Set(danglingDigests(db, references))) missing(hash);
  return count;

  async function digestOf({ hash, bytes }: ReferencedBlob): Promise<string> {
    if (bytes !== null) return createHash("sha256").update(bytes).digest("hex");
    return (await digestFile(blobPath(dir, hash), pace)).sha256;
  }
}

function fileSize(path: string): number | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : undefined;
}
