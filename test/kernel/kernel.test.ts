// The one way to write: the job, then the commit, then its effects.
import { describe, expect, test } from "bun:test";
import { openKernel } from "./open-kernel.ts";

const insert = "INSERT INTO marks (name, value) VALUES (?, 1)";

describe("a write", () => {
  test("wakes and effects come after the commit, in order, before the caller goes on", async () => {
    await using open = await openKernel();
    const seen: string[] = [];
    const note = (what: string) => seen.push(`${what} ${Object.keys(open.marks()).join("")}`);
    using _subscription = open.kernel.bus.subscribe(["t"], () => note("woken"));
    const value = await open.kernel.services.write((tx) => {
      tx.db.run(insert, "a");
      tx.afterCommit(() => note("first"));
      tx.wake("t", "u");
      tx.wake("t");
      tx.afterCommit(() => note("second"));
      note("job");
      return 7;
    });
    note("caller");
    expect(value).toBe(7);
    expect(seen).toEqual(["job ", "woken a", "first a", "second a", "caller a"]);
  });

  test("effects of one turn run in the order of the jobs", async () => {
    await using open = await openKernel();
    const seen: number[] = [];
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        open.kernel.services.write((tx) => {
          tx.db.run(insert, `mark ${index}`);
          tx.afterCommit(() => seen.push(index));
        }),
      ),
    );
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index));
  });

  test("a job that throws wakes nobody and has no effects", async () => {
    await using open = await openKernel();
    const seen: string[] = [];
    using _subscription = open.kernel.bus.subscribe(["t"], () => seen.push("woken"));
    const failed = open.kernel.services.write((tx) => {
      tx.wake("t");
      tx.afterCommit(() => seen.push("effect"));
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(seen).toEqual([]);
  });

  test("an effect or a listener that fails is logged; the write stays a success and the other effects run", async () => {
    await using open = await openKernel();
    const seen: string[] = [];
    using _subscription = open.kernel.bus.subscribe(["t"], () => {
      throw new Error("deaf");
    });
    const value = await open.kernel.services.write((tx) => {
      tx.db.run(insert, "a");
      tx.wake("t");
      tx.afterCommit(() => {
        throw new Error("lame");
      });
      tx.afterCommit(() => seen.push("ran"));
      return "done";
    });
    expect(value).toBe("done");
    expect(seen).toEqual(["ran"]);
    expect(open.marks()).toEqual({ a: 1 });
    expect(open.log.join("")).toMatch(/error an effect after a commit failed .*deaf/);
    expect(open.log.join("")).toMatch(/error an effect after a commit failed .*lame/);
  });

  test("has one time, however long the job takes, and ids in commit order", async () => {
    let now = 1000;
    await using open = await openKernel({
      clock: () => {
        now += 1;
        return now;
      },
    });
    const ids: string[] = [];
    await Promise.all(
      Array.from({ length: 20 }, () =>
        open.kernel.services.write((tx) => {
          expect(tx.now).toBe(tx.now);
          ids.push(tx.id(), tx.id());
        }),
      ),
    );
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(40);
  });

  test("a store that is closed refuses", async () => {
    await using open = await openKernel();
    await open.storage.close(() => undefined);
    await expect(open.kernel.services.write(() => 1)).rejects.toMatchObject({ code: "unavailable" });
  });
});
