// Collecting bytes that nothing names (operations.md 1.3): not before their time, not from under a writer, not while an
// older hub may be put back; and all of them in the end.
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { createUpkeep } from "../../../src/features/upkeep/index.ts";
import { sha256 } from "../../../src/storage/blobs.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { rows, sql } from "../as-caller.ts";
import { sweep as sweepSessions, windowMs } from "../sessions/ended-lab.ts";
import { end, type Named, prune, put, read, remove, startNamed } from "../sessions/working.ts";

const graceMs = 600_000;
const dayMs = 24 * 3600 * 1000;
const references = [{ table: "brain_entries", column: "blob", by: "id" as const }];

type Lab = { hub: TestHub; alice: Caller; session: Named; sweep(): Promise<void> } & AsyncDisposable;
async function lab(): Promise<Lab> {
  const hub = await openTestHub();
  const alice = await hub.agent("alice");
  await hub.project("p");
  const session = await startNamed(alice, "p", "work");
  const [sweeper] = createUpkeep(references).sweeps ?? [];
  return {
    hub,
    alice,
    session,
    sweep: async () => sweeper?.run(hub.hub.kernel.services),
    [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose](),
  };
}

const hashOf = (text: string): string => sha256(new TextEncoder().encode(text));
const fileOf = (hub: TestHub, text: string): string => {
  const hash = hashOf(text);
  return join(hub.dataDir, "blobs", "sha256", hash.slice(0, 2), hash.slice(2));
};
/** Whether there is a row, and a file. */
const kept = (hub: TestHub, text: string): [row: boolean, file: boolean] => [
  rows(hub, "SELECT 1 FROM blobs WHERE hash = ?", hashOf(text)).length === 1,
  existsSync(fileOf(hub, text)),
];

describe("bytes that are named no more", () => {
  const losses: [string, (all: Lab) => Promise<unknown>][] = [
    ["deleted", ({ alice, session }) => remove(alice, session, "/fs/f")],
    ["overwritten", ({ alice, session }) => put(alice, session, "/fs/f", "others")],
    [
      "pruned for good",
      async ({ hub, alice, session }) => {
        await end(alice, session);
        await prune(hub, session);
        hub.clock.now += windowMs;
        await sweepSessions(hub);
      },
    ],
  ];
  test.each(losses)("when %s stay for 600 s and go with the first sweep after", async (_how, lose) => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    await put(alice, session, "/fs/f", "bytes");
    hub.clock.now += 5 * graceMs;
    await sweep();
    await lose(all);
    await sweep();
    hub.clock.now += graceMs - 1;
    await sweep();
    expect(kept(hub, "bytes")).toEqual([true, true]);
    hub.clock.now += 1;
    await sweep();
    expect(kept(hub, "bytes")).toEqual([false, false]);
    if (_how === "overwritten") expect(await read(alice, session, "/fs/f")).toBe("others");
  });

  test("in a row go like those in a file", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    await put(alice, session, "/kv/k", "small");
    expect(kept(hub, "small")).toEqual([true, false]);
    await remove(alice, session, "/kv/k");
    hub.clock.now += graceMs - 1;
    await sweep();
    expect(kept(hub, "small")).toEqual([true, false]);
    hub.clock.now += 1;
    await sweep();
    expect(kept(hub, "small")).toEqual([false, false]);
  });

  test("with the whole project go as well, when a pass over the rows has found them", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    await put(alice, session, "/fs/f", "bytes");
    await hub.rest("deleteProject", { params: { id: "p" } });
    for (let passed = 0; passed <= 2 * graceMs; passed += graceMs / 4) {
      await sweep();
      hub.clock.now += graceMs / 4;
    }
    expect(kept(hub, "bytes")).toEqual([false, false]);
  });

  test("that were named again go with the project 600 s after it, and not by their first mark", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    await put(alice, session, "/fs/f", "bytes");
    await put(alice, session, "/fs/f", "others");
    hub.clock.now += graceMs - 1;
    await put(alice, session, "/fs/f", "bytes");
    await hub.rest("deleteProject", { params: { id: "p" } });
    hub.clock.now += 2;
    await sweep();
    expect(kept(hub, "bytes")).toEqual([true, true]);
    hub.clock.now += graceMs;
    await sweep();
    expect(kept(hub, "bytes")).toEqual([false, false]);
  });

  test("are counted and logged once", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    // More than are taken at once.
    for (let index = 0; index < 250; index += 1) await put(alice, session, `/kv/${index}`, `value ${index}`);
    for (let index = 0; index < 250; index += 1) await remove(alice, session, `/kv/${index}`);
    hub.clock.now += graceMs;
    await sweep();
    await sweep();
    expect(rows(hub, "SELECT count(*) AS n FROM blobs")).toEqual([{ n: 0 }]);
    expect(hub.log.filter((line) => line.includes("blobs collected"))).toEqual([expect.stringContaining("250")]);
  });
});

describe("bytes stay", () => {
  test("that another entry names, a fork's too, until that is gone", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    await put(alice, session, "/fs/f", "bytes");
    await put(alice, session, "/fs/g", "bytes");
    const fork = await startNamed(alice, "p", "fork", { from: session });
    for (const lose of [
      () => remove(alice, session, "/fs/f"),
      () => remove(alice, session, "/fs/g"),
      () => remove(alice, fork, "/fs/f"),
    ]) {
      await lose();
      hub.clock.now += 2 * graceMs;
      await sweep();
      await sweep();
      expect(kept(hub, "bytes")).toEqual([true, true]);
    }
    expect(await read(alice, fork, "/fs/g")).toBe("bytes");
    await remove(alice, fork, "/fs/g");
    hub.clock.now += graceMs;
    await sweep();
    expect(kept(hub, "bytes")).toEqual([false, false]);
  });

  test("that are named again within the 600 s, and their time begins anew when they are let go", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    await put(alice, session, "/fs/f", "bytes");
    await remove(alice, session, "/fs/f");
    hub.clock.now += graceMs - 1;
    await put(alice, session, "/fs/g", "bytes");
    hub.clock.now += 1;
    await sweep();
    expect(await read(alice, session, "/fs/g")).toBe("bytes");
    await remove(alice, session, "/fs/g");
    hub.clock.now += graceMs - 1;
    await sweep();
    expect(kept(hub, "bytes")).toEqual([true, true]);
  });

  test("that are written again as they are", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    for (const path of ["/fs/f", "/kv/k"]) {
      await put(alice, session, path, "bytes");
      await put(alice, session, path, "bytes");
      hub.clock.now += 2 * graceMs;
      await sweep();
      await sweep();
      expect(await read(alice, session, path)).toBe("bytes");
    }
  });

  test("that a write under way is about to name", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    await put(alice, session, "/fs/f", "bytes");
    await remove(alice, session, "/fs/f");
    hub.clock.now += graceMs;
    {
      using _stored = await hub.hub.kernel.services.blobs.put(new TextEncoder().encode("bytes"));
      await sweep();
      expect(kept(hub, "bytes")).toEqual([true, true]);
    }
    await sweep();
    expect(kept(hub, "bytes")).toEqual([false, false]);
  });

  test("for 24 h after a migration, whose copy may be put back", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    await put(alice, session, "/fs/f", "bytes");
    await remove(alice, session, "/fs/f");
    hub.clock.now += 2 * graceMs;
    const copy = join(hub.dataDir, "backups", "pre-migration-v2-20260102T030405.678Z.db");
    mkdirSync(join(hub.dataDir, "backups"), { recursive: true });
    writeFileSync(copy, "");
    const madeAt = (age: number) => utimesSync(copy, new Date(), new Date(hub.clock.now - age));
    madeAt(dayMs - 1);
    await sweep();
    expect(kept(hub, "bytes")).toEqual([true, true]);
    madeAt(dayMs);
    await sweep();
    expect(kept(hub, "bytes")).toEqual([false, false]);
  });
});

describe("files without a row", () => {
  const stray = (hub: TestHub, text: string, age: number): void => {
    const path = fileOf(hub, text);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
    utimesSync(path, new Date(), new Date(hub.clock.now - age));
  };

  test("go with the first sweep and every 24 h, when they are 600 s old", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    await put(alice, session, "/fs/f", "bytes");
    utimesSync(fileOf(hub, "bytes"), new Date(0), new Date(0));
    stray(hub, "old", graceMs);
    stray(hub, "young", graceMs - 1);
    await sweep();
    expect([kept(hub, "bytes"), kept(hub, "old"), kept(hub, "young")]).toEqual([
      [true, true],
      [false, false],
      [false, true],
    ]);
    hub.clock.now += dayMs - 1;
    await sweep();
    expect(kept(hub, "young")).toEqual([false, true]);
    hub.clock.now += 1;
    await sweep();
    expect(kept(hub, "young")).toEqual([false, false]);
    expect(await read(alice, session, "/fs/f")).toBe("bytes");
  });

  test("are left by a refused write and taken in time", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    await put(alice, session, "/fs/f", "bytes");
    // Refused only inside the transaction, when its bytes are stored already.
    await Promise.allSettled(
      ["one", "two"].map((text) => put(alice, session, "/fs/f", text, { if_version: `sha256:${hashOf("bytes")}` })),
    );
    const files = () =>
      readdirSync(join(hub.dataDir, "blobs", "sha256"), { recursive: true }).filter((name) => String(name).length > 2)
        .length;
    expect(files()).toBe(3);
    hub.clock.now = Date.now() + 2 * graceMs;
    await sweep();
    await sweep();
    // What the winner wrote.
    expect(files()).toBe(1);
  });

  test("that cannot be removed are a warning, and are tried again", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    await put(alice, session, "/fs/f", "bytes");
    await remove(alice, session, "/fs/f");
    // A directory in the file's place: it cannot be unlinked, whoever runs the test.
    const path = fileOf(hub, "bytes");
    const aside = join(hub.dataDir, "aside");
    renameSync(path, aside);
    mkdirSync(path);
    hub.clock.now = Date.now() + 2 * graceMs;
    await sweep();
    expect(rows(hub, "SELECT 1 FROM blobs")).toEqual([]);
    expect(
      hub.log.filter((line) => line.includes("could not be removed and will be tried again")).length,
    ).toBeGreaterThan(0);
    rmdirSync(path);
    renameSync(aside, path);
    hub.clock.now += dayMs;
    await sweep();
    expect(existsSync(path)).toBe(false);
  });
});

test("a sweep that fails is tried again, and starts where it must", async () => {
  await using all = await lab();
  const { hub, alice, session, sweep } = all;
  await put(alice, session, "/kv/k", "small");
  await remove(alice, session, "/kv/k");
  hub.clock.now += graceMs;
  await sql(
    hub,
    "CREATE TEMP TRIGGER refuse BEFORE DELETE ON blobs BEGIN SELECT RAISE(ABORT, 'refused by the test'); END",
  );
  expect(
    await sweep().then(
      () => "done",
      () => "failed",
    ),
  ).toBe("failed");
  await sql(hub, "DROP TRIGGER refuse");
  await sweep();
  expect(kept(hub, "small")).toEqual([false, false]);
});

describe("against writers of the same bytes", () => {
  type Act = { what: "put" | "delete" | "fork" | "collect" | "pass"; path: string; text: string };
  const act: fc.Arbitrary<Act> = fc.record({
    what: fc.constantFrom("put", "put", "delete", "collect", "collect", "fork", "pass"),
    path: fc.constantFrom("/fs/a", "/fs/b", "/kv/a", "/kv/b"),
    // Few texts, so that many writers store the same; one of them too large for a row.
    text: fc.constantFrom("x", "y", "z".repeat(9000)),
  });

  test("everything that can be read reads back, whatever runs at once", async () => {
    await using all = await lab();
    const { hub, alice, sweep } = all;
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 12 }), { maxLength: 8 }), async (rounds) => {
        number += 1;
        const session = await startNamed(alice, "p", `race-${number}`);
        const forks: Named[] = [];
        for (const acts of rounds) {
          const running = acts.map(async ({ what, path, text }) => {
            if (what === "put") await put(alice, session, path, text);
            else if (what === "delete") await remove(alice, session, path);
            else if (what === "fork") forks.push(await startNamed(alice, "p", crypto.randomUUID(), { from: session }));
            else if (what === "collect") await sweep();
            // Time passes while others are at work, so that marks come of age in between.
            else hub.clock.now += graceMs;
          });
          await Promise.all(running);
          for (const each of [session, ...forks]) {
            const { entries } = await alice.call("brain_list", { session: each });
            for (const entry of Array.isArray(entries) ? entries : []) {
              const path = String(Object(entry)["path"]);
              expect(["x", "y", "z".repeat(9000)]).toContain(await read(alice, each, path));
            }
          }
        }
      }),
      { numRuns: 60 },
    );
    expect(hub.log.filter((line) => line.includes("missing or damaged"))).toEqual([]);
    // And what is named by nothing is gone in the end.
    hub.clock.now += 2 * graceMs;
    await sweep();
    hub.clock.now += 2 * graceMs;
    await sweep();
    const unnamed = "SELECT count(*) AS n FROM blobs WHERE id NOT IN (SELECT blob FROM brain_entries)";
    expect(rows(hub, unnamed)).toEqual([{ n: 0 }]);
  }, 120_000);

  test("many rounds of the same two writers and a collector", async () => {
    await using all = await lab();
    const { hub, alice, session, sweep } = all;
    for (let round = 0; round < 150; round += 1) {
      const text = round % 3 === 0 ? "large ".repeat(2000) : "small";
      await put(alice, session, "/fs/a", text);
      await remove(alice, session, "/fs/a");
      hub.clock.now += graceMs;
      await Promise.all([sweep(), put(alice, session, "/fs/a", text), sweep(), put(alice, session, "/kv/b", text)]);
      expect(await read(alice, session, "/fs/a")).toBe(text);
      expect(await read(alice, session, "/kv/b")).toBe(text);
    }
  }, 60_000);
});
