// The write queue on a real database file; a second, read-only connection tells what is committed.
import { describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { HubError } from "../../src/shared/errors.ts";
import { type Db, openDatabase } from "../../src/storage/database.ts";
import { keepRows } from "../../src/storage/kept-rows.ts";
import { createWriteQueue } from "../../src/storage/write-queue.ts";
import { within } from "../support/processes.ts";
import { temporaryFolder } from "./folders.ts";

const boundMs = 20_000;

function openQueue() {
  const folder = temporaryFolder();
  const path = join(folder.path, "queue.db");
  const database = openDatabase(path);
  database.raw.run(
    `CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
     CREATE TABLE doors (id INTEGER PRIMARY KEY) STRICT;
     CREATE TRIGGER slam BEFORE INSERT ON doors BEGIN SELECT RAISE(ROLLBACK, 'slammed'); END;
     CREATE TABLE tails (id INTEGER PRIMARY KEY REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED) STRICT;`,
  );
  const reader = openDatabase(path, { readonly: true });
  const failures: unknown[] = [];
  const queue = createWriteQueue(database, keepRows(database, database), (error) => failures.push(error));
  return {
    path,
    database,
    queue,
    failures,
    committed: () => reader.all<{ text: string }>("SELECT text FROM notes ORDER BY id").map(({ text }) => text),
    committedCount: () => reader.get<{ n: number }>("SELECT count(*) AS n FROM notes")?.n ?? -1,
    [Symbol.dispose]() {
      reader.close();
      database.close();
      folder[Symbol.dispose]();
    },
  };
}

const add =
  (text: string) =>
  (db: Db): string => {
    db.run("INSERT INTO notes (text) VALUES (?)", text);
    return text;
  };

async function refusalOf(promise: Promise<unknown>): Promise<HubError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HubError)) throw new Error(`expected a HubError, got ${String(error)}`);
  return error;
}

describe("one transaction a turn", () => {
  test("the writes of a turn commit together, and each is committed when its promise resolves", async () => {
    using store = openQueue();
    const seenInside: number[] = [];
    const seenAfter: string[][] = [];
    await Promise.all(
      ["a", "b", "c"].map((text) =>
        store.queue
          .write((db) => {
            seenInside.push(store.committedCount());
            return add(text)(db);
          })
          .then(() => seenAfter.push(store.committed())),
      ),
    );
    expect(seenInside).toEqual([0, 0, 0]);
    expect(seenAfter).toEqual(Array(3).fill(["a", "b", "c"]));
  });

  test("nothing runs before the turn ends, and reads in between see nothing half-done", async () => {
    using store = openQueue();
    const written = store.queue.write(add("a"));
    await Promise.resolve();
    expect(store.database.all("SELECT * FROM notes")).toEqual([]);
    expect(await written).toBe("a");
    expect(store.database.all<{ text: string }>("SELECT text FROM notes")).toEqual([{ text: "a" }]);
  });

  test("promises settle in the order of the jobs, failures included", async () => {
    using store = openQueue();
    const order: string[] = [];
    const note = (name: string) => () => order.push(name);
    await Promise.all([
      store.queue.write(add("a")).then(note("a")),
      store.queue
        .write(() => {
          throw new Error("no");
        })
        .catch(note("failed")),
      store.queue.write(add("b")).then(note("b")),
    ]);
    expect(order).toEqual(["a", "failed", "b"]);
  });

  test("a job queued from inside a job goes to the next transaction", async () => {
    using store = openQueue();
    let inner: Promise<string[]> | undefined;
    await Promise.all([
      store.queue.write((db) => {
        inner = store.queue.write((next) => {
          const before = store.committed();
          add("inner")(next);
          return before;
        });
        add("outer")(db);
      }),
      store.queue.write(add("neighbour")),
    ]);
    expect(store.committed()).toEqual(["outer", "neighbour"]);
    expect(await inner).toEqual(["outer", "neighbour"]);
    expect(store.committed()).toEqual(["outer", "neighbour", "inner"]);
  });

  test("at most 64 jobs share a transaction", async () => {
    using store = openQueue();
    const behind: number[] = [];
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        store.queue.write((db) => {
          behind.push(index - store.committedCount());
          add(`note ${index}`)(db);
        }),
      ),
    );
    expect(store.committedCount()).toBe(200);
    expect(Math.max(...behind)).toBeLessThan(64);
    expect(Math.max(...behind)).toBeGreaterThan(0);
  });

  test("a transaction takes no further job after 8 ms, and always takes one", async () => {
    using store = openQueue();
    const behind: number[] = [];
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        store.queue.write((db) => {
          behind.push(index - store.committedCount());
          add(`note ${index}`)(db);
          const started = performance.now();
          while (performance.now() - started < 5); // busy, as slow SQL would be
        }),
      ),
    );
    expect(store.committedCount()).toBe(6);
    expect(Math.max(...behind)).toBeLessThanOrEqual(1);
  });
});

describe("a job that fails", () => {
  test("rolls back alone and rejects with what it threw", async () => {
    using store = openQueue();
    const thrown = new Error("no");
    const outcome = await Promise.allSettled([
      store.queue.write(add("a")),
      store.queue.write((db) => {
        add("half")(db);
        throw thrown;
      }),
      store.queue.write(add("b")),
    ]);
    expect(outcome.map((each) => each.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcome[1]).toEqual({ status: "rejected", reason: thrown });
    expect(store.committed()).toEqual(["a", "b"]);
    expect(store.failures).toEqual([]);
  });

  test("keeps its own error for a constraint and for wrong SQL: both are bugs of the hub, not a failing store", async () => {
    using store = openQueue();
    await store.queue.write(add("a"));
    await expect(store.queue.write(add("a"))).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_UNIQUE" });
    await expect(store.queue.write((db) => db.run("SELCT"))).rejects.toMatchObject({ code: "SQLITE_ERROR" });
    await store.queue.write(add("b"));
    expect(store.failures).toEqual([]);
  });

  test.each([
    ["an async function", async (db: Db) => add("a")(db)],
    [
      "an async function that fails later",
      (db: Db) => Promise.resolve(add("a")(db)).then(() => Promise.reject("late")),
    ],
    // biome-ignore lint/suspicious/noThenProperty: a promise of another kind is what this is about
    ["another thenable", (db: Db) => ({ text: add("a")(db), then: (done: () => void) => done() })],
  ])("%s is refused and nothing of it is kept", async (_name, job) => {
    using store = openQueue();
    const [refused] = await Promise.allSettled([store.queue.write<unknown>(job), store.queue.write(add("b"))]);
    expect(refused).toMatchObject({ status: "rejected", reason: { message: "a write job must be synchronous" } });
    expect(store.committed()).toEqual(["b"]);
  });

  test("what an async job goes on to write is refused too", async () => {
    using store = openQueue();
    const late = Promise.withResolvers<unknown>();
    const refused = store.queue.write(async (db) => {
      await Promise.resolve();
      try {
        late.resolve(add("late")(db));
      } catch (error) {
        late.resolve(error);
      }
    });
    await expect(refused).rejects.toThrow("synchronous");
    expect(await late.promise).toMatchObject({ message: "rows are changed inside a write job only" });
    expect(store.committed()).toEqual([]);
  });

  test("any mix of jobs commits exactly those that did not throw, in their order", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("ok", "throw", "duplicate", "nest"), { maxLength: 90 }),
        async (kinds) => {
          using store = openQueue();
          await store.queue.write(add("first"));
          const nested: Promise<unknown>[] = [];
          const jobs = kinds.map((kind, index) =>
            store.queue.write((db) => {
              add(`${kind} ${index}`)(db);
              if (kind === "throw") throw new Error("no");
              if (kind === "duplicate") add("first")(db);
              if (kind === "nest") nested.push(store.queue.write(add(`nested ${index}`)));
            }),
          );
          const outcome = await Promise.allSettled(jobs);
          await Promise.all(nested);
          const kept = kinds.flatMap((kind, index) => (kind === "ok" || kind === "nest" ? [`${kind} ${index}`] : []));
          expect(outcome.filter(({ status }) => status === "fulfilled").length).toBe(kept.length);
          expect(store.committed().filter((text) => !/^(nested|first)/.test(text))).toEqual(kept);
          expect(store.committed().filter((text) => text.startsWith("nested")).length).toBe(nested.length);
        },
      ),
      { numRuns: 25 },
    );
  }, 60_000);
});

describe("a failing store", () => {
  test.each([
    ["RAISE(ROLLBACK)", (db: Db) => db.run("INSERT INTO doors VALUES (1)")],
    ["a deferred foreign key, at the commit", (db: Db) => db.run("INSERT INTO tails VALUES (999)")],
    [
      "a transaction ended by a job that hides it",
      (db: Db) => {
        try {
          db.run("INSERT INTO doors VALUES (1)");
        } catch {
          // Hidden on purpose: the queue must notice by itself.
        }
      },
    ],
  ])("%s rejects the whole batch, keeps nothing of it, and later writes work", async (_name, job) => {
    using store = openQueue();
    const jobs = [add("a"), job, add("b"), (db: Db) => db.run("INSERT INTO tails VALUES (999)")];
    const outcome = await within(
      boundMs,
      "answer to every job",
      Promise.allSettled(jobs.map((each) => store.queue.write<unknown>(each))),
    );
    const codes = outcome.map((each) => (each.status === "rejected" ? each.reason.code : each.status));
    // The job behind one that ended the transaction at once was not taken yet: it gets a transaction of its own, which
    // the last job spoils at its commit.
    expect(codes).toEqual(Array(4).fill("unavailable"));
    expect(store.committed()).toEqual([]);
    expect(store.failures.length).toBeGreaterThan(0);
    expect(store.database.raw.inTransaction).toBe(false);
    await store.queue.write(add("c"));
    expect(store.committed()).toEqual(["c"]);
  });

  test("a full disk is `unavailable`, keeps nothing, and is over when there is space again", async () => {
    using store = openQueue();
    await store.queue.write(add("a"));
    const { raw } = store.database;
    const pages = raw.query<{ page_count: number }, []>("PRAGMA page_count").get()?.page_count ?? 0;
    raw.run(`PRAGMA max_page_count = ${pages}`);
    const large = "x".repeat(100_000);
    const refusal = await refusalOf(store.queue.write(add(large)));
    expect(refusal.toObject()).toMatchObject({ code: "unavailable", retryable: true });
    expect(refusal.message).toContain("disk is full");
    expect(store.committed()).toEqual(["a"]);
    expect(store.failures).toMatchObject([{ code: "SQLITE_FULL" }]);
    raw.run(`PRAGMA max_page_count = ${pages + 1000}`);
    await store.queue.write(add(large));
    expect(store.committed()).toEqual(["a", large]);
    expect(store.database.get("PRAGMA integrity_check")).toEqual({ integrity_check: "ok" });
  });

  test("a transaction that cannot begin refuses all who wait, once, and the next one works", async () => {
    using store = openQueue();
    store.database.raw.run("PRAGMA busy_timeout = 0");
    const other = openDatabase(store.path);
    other.raw.run("BEGIN IMMEDIATE");
    const refusals = await Promise.all(
      Array.from({ length: 150 }, (_, index) => refusalOf(store.queue.write(add(`note ${index}`)))),
    );
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(["unavailable"]));
    expect(store.failures.length).toBe(1);
    other.raw.run("ROLLBACK");
    other.close();
    await store.queue.write(add("a"));
    expect(store.committed()).toEqual(["a"]);
  });
});

describe("starvation", () => {
  test("timers, files and reads go on while writers never pause", async () => {
    using store = openQueue();
    let isOver = false;
    let written = 0;
    const writers = Array.from({ length: 200 }, async (_, writer) => {
      for (let index = 0; !isOver; index += 1) {
        await store.queue.write(add(`${writer} ${index}`));
        written += 1;
      }
    });
    const timers = (async () => {
      for (let tick = 0; tick < 50; tick += 1) await new Promise((resolve) => setTimeout(resolve, 0));
    })();
    const files = (async () => {
      for (let count = 0; count < 50; count += 1) await readFile(import.meta.path);
    })();
    const reads = (async () => {
      for (let count = 0; count < 50; count += 1) {
        await new Promise((resolve) => setImmediate(resolve));
        store.database.get("SELECT count(*) AS n FROM notes");
      }
    })();
    await within(boundMs, "timers, files and reads", Promise.all([timers, files, reads]));
    isOver = true;
    await within(boundMs, "writers", Promise.all(writers));
    expect(store.committedCount()).toBe(written);
    expect(written).toBeGreaterThan(200);
  });
});

describe("closing", () => {
  test("finishes what was queued, runs the last job last, and refuses what comes later", async () => {
    using store = openQueue();
    const queued = Array.from({ length: 150 }, (_, index) => store.queue.write(add(`note ${index}`)));
    const late: Promise<HubError>[] = [];
    queued[0]?.then(() => late.push(refusalOf(store.queue.write(add("too late")))));
    const closed = store.queue.close((db) => {
      add("last")(db);
      late.push(refusalOf(store.queue.write(add("from inside"))));
    });
    late.push(refusalOf(store.queue.write(add("after close"))));
    await within(boundMs, "close", closed);
    expect((await Promise.allSettled(queued)).every(({ status }) => status === "fulfilled")).toBe(true);
    expect((await Promise.all(late)).map(({ code }) => code)).toEqual(Array(3).fill("unavailable"));
    expect(store.committed().length).toBe(151);
    expect(store.committed().at(-1)).toBe("last");
  });

  test("a last job that fails is told, and the queue is closed all the same", async () => {
    using store = openQueue();
    const thrown = new Error("no");
    await expect(
      store.queue.close(() => {
        throw thrown;
      }),
    ).rejects.toBe(thrown);
    expect(await refusalOf(store.queue.write(add("a")))).toMatchObject({ code: "unavailable" });
  });
});
