// Files that hold a token: mode 0600 from their first byte on, and whole or not there (cli.md 7.1, 7.2).
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

const fileMode = 0o600;
const folderMode = 0o700;

/** Makes the folders a file will lie in. */
export function makeFolderOf(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: folderMode });
}

/** Writes a file in place of what is there: all of it is on disk when this returns. A link is kept and written through. */
export function writePrivateFile(path: string, text: string): void {
  makeFolderOf(path);
  const target = targetOf(path);
  const temporary = `${target}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    const file = openSync(temporary, "wx", fileMode);
    try {
      fchmodSync(file, fileMode);
      const bytes = Buffer.from(text);
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(dirname(target));
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there yet, or a link to nothing: then the name itself is written.
    return path;
  }
}

/** Removes a file that may not be there. */
export function removeFile(path: string): void {
  rmSync(path, { force: true });
}

function syncFolder(path: string): void {
  try {
    const folder = openSync(path, "r");
    fsyncSync(folder);
    closeSync(folder);
  } catch {
    // Some filesystems sync no folders; the file itself is on disk.
  }
}
