// Content-addressed bytes on a real directory and a real store.
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { HubError } from "../../src/shared/errors.ts";
import { type StoredBlob, sha256 } from "../../src/storage/blobs.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import { within } from "../support/processes.ts";
import { canMount, modeOf, smallDisk, temporaryFolder } from "./folders.ts";

const boundMs = 30_000;

async function openStore(dataDir?: string) {
  const folder = temporaryFolder();
  const path = dataDir ?? join(folder.path, "data");
  const errors: string[] = [];
  const storage = openStorage({
    dataDir: path,
    now: () => Date.now(),
    warn: (message) => errors.push(message),
    error: (message, detail) => errors.push(`${message} ${detail}`),
  });
  return {
    storage,
    errors,
    fileOf: (hash: string) => join(path, "blobs", "sha256", hash.slice(0, 2), hash.slice(2)),
    files: () => readdirSync(join(path, "blobs"), { recursive: true, withFileTypes: true }).filter((e) => e.isFile()),
    async [Symbol.asyncDispose]() {
      await storage.close(() => undefined);
      folder[Symbol.dispose]();
    },
  };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function record(storage: Storage, blob: StoredBlob): Promise<void> {
  return storage.write((db) => storage.blobs.record(db, blob, 1));
}

function rowOf(storage: Storage, hash: string) {
  return storage.db.get<{ size: number; bytes: Uint8Array | null }>(
    "SELECT size, bytes FROM blobs WHERE hash = ?",
    hash,
  );
}

async function refusalOf(action: () => unknown): Promise<HubError> {
  try {
    await action();
  } catch (error) {
    if (error instanceof HubError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("put", () => {
  test("stores a private file named by its digest, and reads it back through its row", async () => {
    await using store = await openStore();
    const bytes = bytesOf("hello");
    using blob = await store.storage.blobs.put(bytes);
    expect(blob).toMatchObject({ hash: sha256(bytes), size: 5, inline: null });
    const path = store.fileOf(blob.hash);
    expect(readFileSync(path, "utf8")).toBe("hello");
    expect([modeOf(path), modeOf(join(path, ".."))]).toEqual(["600", "700"]);
    await record(store.storage, blob);
    expect(store.storage.blobs.read(store.storage.db, blob.hash)).toEqual(bytes);
    expect(store.files().length).toBe(1);
  });

  test("equal bytes are one file, and its time is renewed so that collection spares it", async () => {
    await using store = await openStore();
    using first = await store.storage.blobs.put(bytesOf("same"));
    const path = store.fileOf(first.hash);
    const { ino } = statSync(path);
    utimesSync(path, new Date(1000), new Date(1000));
    using second = await store.storage.blobs.put(bytesOf("same"));
    expect(second.hash).toBe(first.hash);
    expect(statSync(path).ino).toBe(ino);
    expect(statSync(path).mtimeMs).toBeGreaterThan(1_000_000_000);
    await record(store.storage, first);
    await record(store.storage, second);
    expect(store.files().length).toBe(1);
    expect(store.storage.db.all("SELECT hash FROM blobs").length).toBe(1);
  });

  test("a file of the wrong size is replaced by the right bytes", async () => {
    await using store = await openStore();
    using first = await store.storage.blobs.put(bytesOf("whole"));
    writeFileSync(store.fileOf(first.hash), "who");
    using _again = await store.storage.blobs.put(bytesOf("whole"));
    expect(readFileSync(store.fileOf(first.hash), "utf8")).toBe("whole");
  });

  test("1,000 at once, half of them the same bytes", async () => {
    await using store = await openStore();
    const texts = Array.from({ length: 1000 }, (_, index) => (index % 2 === 0 ? "same" : `text ${index}`));
    const stored = await within(
      boundMs,
      "1,000 blobs",
      Promise.all(
        texts.map(async (text) => {
          using blob = await store.storage.blobs.put(bytesOf(text));
          await record(store.storage, blob);
          return blob.hash;
        }),
      ),
    );
    expect(new Set(stored).size).toBe(501);
    expect(store.files().length).toBe(501);
    for (const [index, hash] of stored.entries()) {
      expect(store.storage.blobs.read(store.storage.db, hash)).toEqual(bytesOf(texts[index] ?? ""));
      expect(store.storage.blobs.isInFlight(hash)).toBe(false);
    }
  }, 60_000);

  test("no bytes at all, and bytes hashed over several turns", async () => {
    await using store = await openStore();
    const large = new Uint8Array(3_500_000).map((_, index) => index % 251);
    for (const bytes of [new Uint8Array(0), large]) {
      using blob = await store.storage.blobs.put(bytes);
      expect(blob.hash).toBe(sha256(bytes));
      await record(store.storage, blob);
      expect(store.storage.blobs.read(store.storage.db, blob.hash)).toEqual(bytes);
    }
  });

  test("a folder of blobs that was removed is made again", async () => {
    await using store = await openStore();
    using first = await store.storage.blobs.put(bytesOf("hello"));
    rmSync(join(store.fileOf(first.hash), ".."), { recursive: true });
    await store.storage.blobs.put(bytesOf("hello")).catch(() => undefined);
    using _again = await store.storage.blobs.put(bytesOf("hello"));
    expect(existsSync(store.fileOf(first.hash))).toBe(true);
  });
});

describe("inline", () => {
  test("bytes live in their row alone", async () => {
    await using store = await openStore();
    for (const bytes of [bytesOf("small"), new Uint8Array(0)]) {
      using blob = store.storage.blobs.inline(bytes);
      await record(store.storage, blob);
      expect(store.storage.blobs.read(store.storage.db, blob.hash)).toEqual(bytes);
    }
    expect(store.files()).toEqual([]);
  });

  test("the same bytes stored as a file later leave the row, and the other way round the file stays", async () => {
    await using store = await openStore();
    const bytes = bytesOf("both");
    using inline = store.storage.blobs.inline(bytes);
    await record(store.storage, inline);
    expect(rowOf(store.storage, inline.hash)).toEqual({ size: 4, bytes });
    using file = await store.storage.blobs.put(bytes);
    await record(store.storage, file);
    expect(rowOf(store.storage, inline.hash)).toEqual({ size: 4, bytes: null });
    using again = store.storage.blobs.inline(bytes);
    await record(store.storage, again);
    expect(rowOf(store.storage, inline.hash)).toEqual({ size: 4, bytes: null });
    expect(store.storage.blobs.read(store.storage.db, inline.hash)).toEqual(bytes);
  });
});

describe("read", () => {
  test.each([
    ["missing", (path: string) => rmSync(path)],
    ["of another size", (path: string) => writeFileSync(path, "hell")],
    [
      "a folder",
      (path: string) => {
        rmSync(path);
        mkdirSync(path);
      },
    ],
  ])("a file that is %s is `unavailable`, logged with its digest", async (_name, damage) => {
    await using store = await openStore();
    using blob = await store.storage.blobs.put(bytesOf("hello"));
    await record(store.storage, blob);
    damage(store.fileOf(blob.hash));
    const refusal = await refusalOf(() => store.storage.blobs.read(store.storage.db, blob.hash));
    expect(refusal.code).toBe("unavailable");
    expect(refusal.message).not.toContain(blob.hash);
    expect(store.errors.join("\n")).toContain(blob.hash);
  });

  test("bytes without a row are no blob, file or not", async () => {
    await using store = await openStore();
    using blob = await store.storage.blobs.put(bytesOf("hello"));
    expect((await refusalOf(() => store.storage.blobs.read(store.storage.db, blob.hash))).code).toBe("unavailable");
  });
});

describe("in flight", () => {
  test("from before the first byte until every holder is disposed", async () => {
    await using store = await openStore();
    const { blobs } = store.storage;
    const hash = sha256(bytesOf("hello"));
    const putting = blobs.put(bytesOf("hello"));
    const first = await putting;
    const second = blobs.inline(bytesOf("hello"));
    expect(blobs.isInFlight(hash)).toBe(true);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    expect(blobs.isInFlight(hash)).toBe(true);
    second[Symbol.dispose]();
    expect(blobs.isInFlight(hash)).toBe(false);
  });

  test("a refused transaction leaves nothing but an unreferenced file", async () => {
    await using store = await openStore();
    const write = async (): Promise<void> => {
      using blob = await store.storage.blobs.put(bytesOf("hello"));
      await store.storage.write((db) => {
        store.storage.blobs.record(db, blob, 1);
        throw new HubError("conflict", "no");
      });
    };
    expect((await refusalOf(write)).code).toBe("conflict");
    const hash = sha256(bytesOf("hello"));
    expect(store.storage.blobs.isInFlight(hash)).toBe(false);
    expect(rowOf(store.storage, hash)).toBeUndefined();
    expect(store.files().length).toBe(1);
  });

  test("a write that fails is `unavailable`, releases its digest and leaves no file", async () => {
    await using store = await openStore();
    const folder = store.storage.dir.blobsTmp;
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "in the way");
    const refusals = await Promise.all(
      ["a", "b", "a"].map((text) => refusalOf(() => store.storage.blobs.put(bytesOf(text)))),
    );
    for (const refusal of refusals) {
      expect(refusal.toObject()).toMatchObject({ code: "unavailable", retryable: true, details: {} });
      expect(refusal.message).not.toContain(folder);
    }
    expect(store.storage.blobs.isInFlight(sha256(bytesOf("a")))).toBe(false);
    rmSync(folder);
    mkdirSync(folder);
    using blob = await store.storage.blobs.put(bytesOf("a"));
    expect(readFileSync(store.fileOf(blob.hash), "utf8")).toBe("a");
  });
});

describe("at start", () => {
  test("unfinished writes of an earlier process are removed, stored blobs stay", async () => {
    using folder = temporaryFolder();
    const dataDir = join(folder.path, "data");
    let hash = "";
    {
      await using store = await openStore(dataDir);
      using blob = await store.storage.blobs.put(bytesOf("hello"));
      await record(store.storage, blob);
      hash = blob.hash;
      writeFileSync(join(store.storage.dir.blobsTmp, "left"), "half");
    }
    await using store = await openStore(dataDir);
    expect(readdirSync(store.storage.dir.blobsTmp)).toEqual([]);
    expect(store.storage.blobs.read(store.storage.db, hash)).toEqual(bytesOf("hello"));
  });
});

if (canMount) {
  describe("a full volume", () => {
    test("blobs: `unavailable`, no temporary file, nothing in flight, and it works again with space", async () => {
      using disk = smallDisk(4_194_304);
      if (disk === undefined) throw new Error("no volume");
      await using store = await openStore(join(disk.path, "data"));
      const large = new Uint8Array(6_000_000).fill(7);
      const refusals = await Promise.all([1, 2].map(() => refusalOf(() => store.storage.blobs.put(large))));
      for (const refusal of refusals) {
        expect(refusal.toObject()).toMatchObject({ code: "unavailable", retryable: true });
        expect(refusal.message).toContain("disk is full");
      }
      expect(store.files()).toEqual([]);
      expect(store.storage.blobs.isInFlight(sha256(large))).toBe(false);
      using small = await store.storage.blobs.put(bytesOf("small"));
      await record(store.storage, small);
      expect(store.storage.blobs.read(store.storage.db, small.hash)).toEqual(bytesOf("small"));
    });

    test("rows: refused writes are not there, acknowledged ones are, and it works again with space", async () => {
      using disk = smallDisk(4_194_304);
      if (disk === undefined) throw new Error("no volume");
      const dataDir = join(disk.path, "data");
      const ballast = join(disk.path, "ballast");
      writeFileSync(ballast, new Uint8Array(2_000_000));
      const acknowledged: string[] = [];
      {
        await using store = await openStore(dataDir);
        const add = async (index: number): Promise<void> => {
          using blob = store.storage.blobs.inline(bytesOf(`${index} ${"x".repeat(8000)}`));
          await record(store.storage, blob);
          acknowledged.push(blob.hash);
        };
        const outcome = await Promise.allSettled(Array.from({ length: 600 }, (_, index) => add(index)));
        const refused = outcome.filter((each) => each.status === "rejected");
        expect(refused.length).toBeGreaterThan(0);
        expect(new Set(refused.map((each) => each.reason.code))).toEqual(new Set(["unavailable"]));
        const stored = store.storage.db.all<{ hash: string }>("SELECT hash FROM blobs").map(({ hash }) => hash);
        expect(stored.sort()).toEqual(acknowledged.toSorted());
        rmSync(ballast);
        await add(1000);
      }
      await using store = await openStore(dataDir);
      const stored = store.storage.db.all<{ hash: string }>("SELECT hash FROM blobs").map(({ hash }) => hash);
      expect(stored.sort()).toEqual(acknowledged.toSorted());
      expect(store.storage.db.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
    });
  });
}

test("modes that were opened up do not survive a restart", async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  const paths = [
    "",
    "hub.db",
    "hub.lock",
    "blobs",
    "blobs/sha256",
    "blobs/tmp",
    "backups",
    "backups/old.db",
    "blobs/sha256/ab",
  ];
  {
    await using _store = await openStore(dataDir);
    mkdirSync(join(dataDir, "blobs/sha256/ab"));
    writeFileSync(join(dataDir, "backups/old.db"), "");
  }
  for (const path of paths) chmodSync(join(dataDir, path), 0o777);
  await using _store = await openStore(dataDir);
  for (const path of [...paths, "hub.db-wal", "hub.db-shm"]) {
    const isFolder = statSync(join(dataDir, path)).isDirectory();
    expect(`${path} ${modeOf(join(dataDir, path))}`).toBe(`${path} ${isFolder ? "700" : "600"}`);
  }
});
