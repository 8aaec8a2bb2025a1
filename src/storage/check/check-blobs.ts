// Whether every blob the store refers to is there with its size and its digest (operations.md 7).
import { createHash } from "node:crypto";
import { lstatSync } from "node:fs";
import { blobPath, type DataDir } from "../data-dir.ts";
import type { Db } from "../database.ts";
import { digestFile } from "../durable-file.ts";
import { createPace, type Watch } from "../pace.ts";
import {
  blobReferences,
  danglingReferences,
  describeReferences,
  type ReferencedBlob,
  referencedBlobs,
  rowsNaming,
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
  let count = 0;
  for (const blob of referencedBlobs(db, references)) {
    count += 1;
    const size = blob.bytes?.byteLength ?? fileSize(blobPath(dir, blob.hash));
    const problem = await problemOf(blob, size);
    if (problem !== undefined) check.problem(problem);
    if (blob.bytes !== null || !check.digests) await pace.advance(0);
  }
  for (const dangling of danglingReferences(db, references)) {
    const [row = dangling.table] = rowsNaming(db, dangling);
    check.problem(`missing blob ${dangling.value} (${row})`);
  }
  return count;

  async function problemOf(blob: ReferencedBlob, size: number | undefined): Promise<string | undefined> {
    const { hash } = blob;
    if (size === undefined) return `missing blob ${hash} (${describeReferences(db, references, hash)})`;
    if (size !== blob.size) return `blob ${hash} has ${size} bytes, its row says ${blob.size}`;
    return check.digests && (await digestOf(blob)) !== hash ? `blob ${hash} has another digest` : undefined;
  }

  async function digestOf({ hash, bytes }: ReferencedBlob): Promise<string> {
    if (bytes !== null) return createHash("sha256").update(bytes).digest("hex");
    return (await digestFile(blobPath(dir, hash), pace)).sha256;
  }
}

function fileSize(path: string): number | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : undefined;
}
