// Files read, hashed and copied piece by piece. Symlinks are never followed. Many copies are made durable together: the
// file system syncs several at once for little more than one.
import { createHash } from "node:crypto";
import { closeSync, constants, fsync, fsyncSync, lstatSync, openSync, readSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import type { Pace } from "./pace.ts";

const chunkBytes = 1_048_576;
const syncsAtOnce = 16;
const syncFile = promisify(fsync);

/** Copies on their way to the disk. */
export type Syncs = {
  /** Takes an open file over. @throws what an earlier one failed with */
  add(fd: number): Promise<void>;
  /** All that were added are durable. @throws what one of them failed with */
  done(): Promise<void>;
};

export function createSyncs(): Syncs {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  async function sync(fd: number): Promise<void> {
    try {
      await syncFile(fd);
    } catch (error) {
      failure ??= { error };
    } finally {
      closeSync(fd);
    }
  }

  function throwFailure(): void {
    if (failure !== undefined) throw failure.error;
  }

  return {
    async add(fd) {
      const synced = sync(fd).finally(() => running.delete(synced));
      running.add(synced);
      if (running.size >= syncsAtOnce) await Promise.race(running);
      throwFailure();
    },
    async done() {
      await Promise.all(running);
      throwFailure();
    },
  };
}

/** Where a copy goes, and who makes it durable. */
export type CopyTo = { path: string; syncs: Syncs };

export type Digest = { size: number; sha256: string };

/** Size and digest of a file, which is copied on the way when `to` is given. @throws of the file system */
export async function digestFile(from: string, pace: Pace, to?: CopyTo): Promise<Digest> {
  // Asked before it is opened: a pipe would wait for somebody to write.
  if (!lstatSync(from).isFile()) throw new Error(`${from} is not a file`);
  using source = openFile(from, constants.O_RDONLY | constants.O_NOFOLLOW);
  using stack = new DisposableStack();
  const target = to === undefined ? undefined : stack.use(openNew(to.path));
  const hash = createHash("sha256");
  const chunk = new Uint8Array(chunkBytes);
  let size = 0;
  for (;;) {
    const count = readSync(source.fd, chunk);
    if (count === 0) break;
    const bytes = chunk.subarray(0, count);
    hash.update(bytes);
    if (target !== undefined) writeAll(target.fd, bytes);
    size += count;
    await pace.advance(count);
  }
  if (to !== undefined && target !== undefined) {
    // It is closed when it is synced.
    stack.move();
    await to.syncs.add(target.fd);
  }
  return { size, sha256: hash.digest("hex") };
}

/** False for a symlink too. */
export function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** Writes a file that is not there yet. */
export function writeDurably(path: string, text: string): void {
  using file = openNew(path);
  writeAll(file.fd, new TextEncoder().encode(text));
  fsyncSync(file.fd);
}

/** Makes a file or a folder durable that something else has written. */
export function syncPath(path: string): void {
  using file = openFile(path, constants.O_RDONLY);
  fsyncSync(file.fd);
}

function openNew(path: string): OpenFile {
  return openFile(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
}

type OpenFile = Disposable & { fd: number };

function openFile(path: string, flags: number): OpenFile {
  const fd = openSync(path, flags, 0o600);
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let start = 0; start < bytes.byteLength; ) start += writeSync(fd, bytes.subarray(start));
}
