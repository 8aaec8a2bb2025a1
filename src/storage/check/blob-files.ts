// Every file under blobs/sha256, and what lies there although it should not: nothing in it may be a symlink, and a name
// that is no digest is nobody's.
import { type Dirent, existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

export type BlobFile = { hash: string; size: number };

export function* blobFiles(folder: string, problem: (text: string) => void): Generator<BlobFile> {
  if (!existsSync(folder)) return;
  for (const entry of listed(folder)) {
    if (!entry.isDirectory() || !/^[0-9a-f]{2}$/.test(entry.name)) {
      problem(stranger(entry, entry.name));
      continue;
    }
    for (const file of listed(join(folder, entry.name))) {
      const path = `${entry.name}/${file.name}`;
      if (!file.isFile() || !/^[0-9a-f]{62}$/.test(file.name)) problem(stranger(file, path));
      else yield { hash: entry.name + file.name, size: lstatSync(join(folder, path)).size };
    }
  }
}

function listed(folder: string): Dirent[] {
  return readdirSync(folder, { withFileTypes: true });
}

function stranger(entry: Dirent, path: string): string {
  return `${entry.isSymbolicLink() ? "symlink" : "foreign file"} blobs/sha256/${path}`;
}
