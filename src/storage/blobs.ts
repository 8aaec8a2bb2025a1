// Content-addressed bytes (operations.md 1.1, architecture.md 5). A row never names a blob that is not on disk, and no
// sync runs on the event loop.
import { createHash, randomUUID } from "node:crypto";
import { readFileSync, rmSync, type Stats, statSync } from "node:fs";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile as readWhole,
  rename,
  rm,
  stat,
  utimes,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { HubError } from "../shared/errors.ts";
import { blobPath, type DataDir } from "./data-dir.ts";
import type { Db } from "./database.ts";
import { storeFault } from "./store-fault.ts";

const maxConcurrentWrites = 16;
// Hashed or written in one go: about a millisecond.
const pieceBytes = 1_048_576;

/** Bytes that are stored, or travel with the row that will name them; in flight until disposed. */
export type StoredBlob = Disposable & {
  /** 64 lower-case hex digits. */
  readonly hash: string;
  readonly size: number;
  /** Set when the bytes live in the row of the `blobs` table instead of a file. */
  readonly inline: Uint8Array | null;
};

export type Blobs = {
  /** Stores bytes as a file, durable when the promise resolves. */
  put(bytes: Uint8Array): Promise<StoredBlob>;
  /** Bytes that will live in their row: nothing is written before the transaction that names them. */
  inline(bytes: Uint8Array): StoredBlob;
  /** Writes the blob's row if it is not there; part of the transaction that refers to it. */
  record(db: Db, blob: StoredBlob, now: number): void;
  /** @throws HubError `unavailable` when the bytes are missing or have another size; logged with the digest */
  read(db: Db, hash: string): Uint8Array;
  /** The same for bytes that would take long: the file is read beside the event loop. */
  load(db: Db, hash: string): Promise<Uint8Array>;
  /** True while a write that will refer to the digest has not finished; the collector skips it. */
  isInFlight(hash: string): boolean;
  /** Removes the file of a digest that no row names, unless it is in flight. Call it in the turn that found no row. */
  removeFile(hash: string): void;
  /** Every blob file there is, a folder at a time. */
  files(): AsyncGenerator<BlobFile>;
};

export type BlobFile = { hash: string; modifiedMs: number };

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

// The same, a piece a turn, so that large bytes do not hold up the event loop.
async function sha256InTurns(bytes: Uint8Array): Promise<string> {
  const hash = createHash("sha256");
  for (let start = 0; start < bytes.byteLength; start += pieceBytes) {
    if (start > 0) await nextTurn();
    hash.update(bytes.subarray(start, start + pieceBytes));
  }
  return hash.digest("hex");
}

export function createBlobs(dir: DataDir, onDamage: (message: string, hash: string) => void): Blobs {
  const inFlight = new Map<string, number>();
  const syncDirectory = createDirectorySync();
  const slots = createSlots(maxConcurrentWrites);
  // The 256 folders of blobs that are known to be there, durably.
  const folders = new Map<string, Promise<void>>();

  function track(hash: string, size: number, inline: Uint8Array | null): StoredBlob {
    inFlight.set(hash, (inFlight.get(hash) ?? 0) + 1);
    let tracked = true;
    return {
      hash,
      size,
      inline,
      [Symbol.dispose]: () => {
        if (!tracked) return;
        tracked = false;
        const left = (inFlight.get(hash) ?? 1) - 1;
        if (left === 0) inFlight.delete(hash);
        else inFlight.set(hash, left);
      },
    };
  }

  const pathOf = (hash: string): string => blobPath(dir, hash);

  // Every writer into a new folder waits until the folder itself is durable, not only the one that made it.
  function ensureFolder(path: string): Promise<void> {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const made = (async () => {
      await mkdir(path, { recursive: true, mode: 0o700 });
      await syncDirectory(dir.blobs);
    })();
    folders.set(path, made);
    return made;
  }

  async function writeFile(hash: string, bytes: Uint8Array): Promise<void> {
    const path = pathOf(hash);
    const folder = dirname(path);
    if (await isStored(path, bytes.byteLength)) {
      // Collection spares what was touched within the grace period (operations.md 1.1 step 2).
      const now = new Date();
      await utimes(path, now, now);
      // Whoever wrote the file may not have come to this yet, or may have died before.
      await ensureFolder(folder);
      await syncDirectory(folder);
      return;
    }
    const temporary = join(dir.blobsTmp, randomUUID());
    try {
      const file = await open(temporary, "wx", 0o600);
      try {
        await writeInPieces(file, bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await ensureFolder(folder);
      await rename(temporary, path);
      await syncDirectory(folder);
    } catch (error) {
      folders.delete(folder);
      // What failed first is what counts; a file that stays is removed at the next start.
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  function checked(hash: string, size: number | undefined, bytes: Uint8Array | undefined): Uint8Array {
    if (bytes !== undefined && bytes.byteLength === size) return bytes;
    onDamage("stored bytes are missing or damaged", hash);
    throw new HubError("unavailable", "stored bytes are missing or damaged; the operator can run agent-hub check");
  }

  const findRow = (db: Db, hash: string): BlobRow | undefined =>
    db.get<BlobRow>("SELECT size, bytes FROM blobs WHERE hash = ?", hash);

  return {
    async put(bytes) {
      const blob = track(await sha256InTurns(bytes), bytes.byteLength, null);
      try {
        await slots(() => writeFile(blob.hash, bytes));
        return blob;
      } catch (error) {
        blob[Symbol.dispose]();
        throw storeFault(error);
      }
    },
    inline: (bytes) => track(sha256(bytes), bytes.byteLength, bytes),
    record(db, blob, now) {
      const { hash, size, inline } = blob;
      const isNew =
        db.run(
          "INSERT INTO blobs (hash, size, bytes, created_at) VALUES (?, ?, ?, ?) ON CONFLICT (hash) DO NOTHING",
          hash,
          size,
          inline,
          now,
        ) > 0;
      if (isNew) return;
      if (inline === null) db.run("UPDATE blobs SET bytes = NULL WHERE hash = ? AND bytes IS NOT NULL", hash);
      // Should it lose this name, too, its time begins anew.
      const marked = db.get<{ blob: number }>(
        "SELECT r.blob FROM released_blobs r JOIN blobs b ON b.id = r.blob WHERE b.hash = ?",
        hash,
      );
      if (marked !== undefined) db.run("DELETE FROM released_blobs WHERE blob = ?", marked.blob);
    },
    read(db, hash) {
      const row = findRow(db, hash);
      return checked(hash, row?.size, row === undefined ? undefined : (row.bytes ?? readFile(pathOf(hash))));
    },
    async load(db, hash) {
      const row = findRow(db, hash);
      return checked(hash, row?.size, row === undefined ? undefined : (row.bytes ?? (await loadFile(pathOf(hash)))));
    },
    isInFlight: (hash) => inFlight.has(hash),
    removeFile(hash) {
      if (!inFlight.has(hash)) rmSync(pathOf(hash), { force: true });
    },
    async *files() {
      for (const folder of await readdir(dir.blobs)) {
        for (const name of await readdir(join(dir.blobs, folder))) {
          const found = await findFile(join(dir.blobs, folder, name));
          if (found !== undefined) yield { hash: folder + name, modifiedMs: found.mtimeMs };
        }
      }
    },
  };
}

type BlobRow = { size: number; bytes: Uint8Array | null };

function readFile(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    // Whatever the reason, the caller reports it as a missing blob with its digest.
    return undefined;
  }
}

async function loadFile(path: string): Promise<Uint8Array | undefined> {
  try {
    return await readWhole(path);
  } catch {
    // As above.
    return undefined;
  }
}

async function findFile(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch {
    // Collected between the listing and the look.
    return undefined;
  }
}

// A piece at a time is handed over, since that takes a moment for each of its bytes.
async function writeInPieces(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let start = 0; start < bytes.byteLength; ) {
    const { bytesWritten } = await file.write(bytes, start, Math.min(pieceBytes, bytes.byteLength - start));
    start += bytesWritten;
  }
}

async function isStored(path: string, size: number): Promise<boolean> {
  try {
    return (await stat(path)).size === size;
  } catch {
    // Absent is the usual case; any other reason shows again when the file is written.
    return false;
  }
}

// Syncs of one directory that are asked for while one is under way share the next one.
function createDirectorySync(): (path: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const queued = new Map<string, Promise<void>>();
  async function syncNow(path: string): Promise<void> {
    const directory = await open(path, "r");
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }
  function start(path: string): Promise<void> {
    const sync = syncNow(path).finally(() => {
      if (running.get(path) === sync) running.delete(path);
    });
    running.set(path, sync);
    return sync;
  }
  return (path) => {
    const current = running.get(path);
    if (current === undefined) return start(path);
    const waiting = queued.get(path);
    if (waiting !== undefined) return waiting;
    const next = current
      .catch(() => undefined)
      .then(() => {
        queued.delete(path);
        return start(path);
      });
    queued.set(path, next);
    return next;
  };
}

// At most `count` tasks at once; the rest wait in order.
function createSlots(count: number): <T>(task: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (task) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** Whether the folder that holds blobs is there; a leg of readiness (operations.md 9). */
export function hasBlobFolder(dir: DataDir): boolean {
  try {
    return statSync(dir.blobs).isDirectory();
  } catch {
    // Gone or unreadable: both are "not ready".
    return false;
  }
}
