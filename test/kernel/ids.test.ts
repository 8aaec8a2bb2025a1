// Ids increase whatever the clock does, within a process and across restarts.
import { describe, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { createIds } from "../../src/kernel/ids.ts";
import { timeOf, ulidPattern } from "../../src/shared/ids.ts";
import { openTestHub, type TestHub } from "../support/hub.ts";

const yearMs = 365 * 24 * 3600 * 1000;
const startMs = Date.UTC(2026, 0, 2, 3, 4, 5);

function isIncreasing(ids: readonly string[]): boolean {
  return ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? ""));
}

describe("minting", () => {
  test("100,000 within one millisecond increase, are ULIDs, and all carry that millisecond", () => {
    const ids = createIds(() => startMs, 0);
    const minted = Array.from({ length: 100_000 }, () => ids.mint());
    expect(isIncreasing(minted)).toBe(true);
    expect(minted.every((id) => ulidPattern.test(id) && timeOf(id) === startMs)).toBe(true);
    expect(ids.highWater()).toBe(startMs);
  });

  test("whatever the clock says, and above every id of the seed's millisecond", () => {
    fc.assert(
      fc.property(fc.nat(2 ** 47), fc.array(fc.nat(2 ** 47), { minLength: 1, maxLength: 50 }), (seedMs, times) => {
        let now = 0;
        const ids = createIds(() => now, seedMs);
        const minted = times.map((time) => {
          now = time;
          return ids.mint();
        });
        expect(isIncreasing(minted)).toBe(true);
        expect(minted.every((id) => ulidPattern.test(id))).toBe(true);
        if (seedMs > 0) expect(timeOf(minted[0] ?? "")).toBeGreaterThan(seedMs);
        expect(timeOf(minted.at(-1) ?? "")).toBe(ids.highWater());
      }),
    );
  });

  test("a clock that goes on gives its own time, with random digits of its own", () => {
    let now = startMs;
    const ids = createIds(() => now, startMs - 5);
    const first = ids.mint();
    now += 1;
    const second = ids.mint();
    expect([timeOf(first), timeOf(second)]).toEqual([startMs, startMs + 1]);
    expect(first.slice(10)).not.toBe(second.slice(10));
  });
});

/** Every ULID the store holds, in the order it was written. */
async function writeEvents(test: TestHub, count: number): Promise<string[]> {
  const caller = await test.agent(`ann-${crypto.randomUUID().slice(0, 8)}`);
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { event_id } = await caller.call("signal_append", { project_id: "p", kind: "signal", summary: "s" });
    ids.push(String(event_id));
  }
  return ids;
}

describe("across restarts", () => {
  test("with the clock set back a year, ids go on from where they were, and the log says so", async () => {
    await using test = await openTestHub();
    await test.project("p");
    const before = await writeEvents(test, 5);
    test.clock.now -= yearMs;
    await test.reopen();
    expect(test.log.join("")).toContain("the clock is behind the newest id");
    const after = await writeEvents(test, 5);
    test.clock.now += 2 * yearMs;
    await test.reopen();
    const later = await writeEvents(test, 1);
    expect(isIncreasing([...before, ...after, ...later])).toBe(true);
    expect(timeOf(later[0] ?? "")).toBe(test.clock.now);
  });

  test("without a mark, as after a crash, the greatest ULID of any table is enough", async () => {
    await using test = await openTestHub();
    await test.project("p");
    const before = await writeEvents(test, 3);
    test.clock.now -= yearMs;
    await test.hub.kernel.services.write((tx) => tx.db.run("DELETE FROM marks"));
    const dataDir = join(test.dataDir, "..", "crashed");
    await test.hub.kernel.services.write((tx) => tx.db.get("SELECT 1"));
    for (const name of ["hub.db", "hub.db-wal"])
      await Bun.write(join(dataDir, name), Bun.file(join(test.dataDir, name)));
    await using crashed = await openTestHub({ dataDir, startAt: test.clock.now });
    expect(isIncreasing([...before, ...(await writeEvents(crashed, 3))])).toBe(true);
    await rm(dataDir, { recursive: true });
  });
});
