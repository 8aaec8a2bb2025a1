// One long wait and each of its endings.
import { describe, expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { join } from "node:path";
import { waitFor } from "../../src/kernel/wait.ts";
import { runCommand, within } from "../support/processes.ts";
import { type OpenKernel, openKernel, until } from "./open-kernel.ts";

const boundMs = 10_000;
const longMs = 60_000;
const topics = ["actor:ann"];

/** A wait that is to end before its time. */
function started<T>(open: OpenKernel, look: () => Promise<T | undefined>, ms = longMs) {
  const caller = new AbortController();
  const ctx = open.ctx({ signal: caller.signal });
  const listeners = (): number =>
    getEventListeners(ctx.signal, "abort").length + getEventListeners(ctx.draining, "abort").length;
  const ended = within(boundMs, "end of the wait", waitFor(ctx, { topics, ms }, look));
  return { ended, leave: () => caller.abort(), listeners };
}

function expectNothingLeft(open: OpenKernel, wait: { listeners(): number }): void {
  expect(open.kernel.bus.size()).toBe(0);
  expect(wait.listeners()).toBe(0);
}

describe("a wait ends", () => {
  test("at once when the first look finds something", async () => {
    await using open = await openKernel();
    const wait = started(open, async () => "found");
    expect(await wait.ended).toBe("found");
    expectNothingLeft(open, wait);
  });

  test("when a topic of its own was published and the next look finds something", async () => {
    await using open = await openKernel();
    let looks = 0;
    let found: string | undefined;
    const wait = started(open, async () => {
      looks += 1;
      return found;
    });
    await until("the first look", () => looks === 1);
    open.kernel.bus.publish(["actor:bob"]);
    await open.kernel.services.write((tx) => tx.wake("actor:ann"));
    await until("the second look", () => looks === 2);
    found = "found";
    await open.kernel.services.write((tx) => tx.wake("actor:ann"));
    expect(await wait.ended).toBe("found");
    expect(looks).toBe(3);
    expectNothingLeft(open, wait);
  });

  test("when its topic was published during a look: it is subscribed before the first one", async () => {
    await using open = await openKernel();
    let looks = 0;
    const wait = started(open, async () => {
      looks += 1;
      if (looks > 1) return "found";
      open.kernel.bus.publish(topics);
      await Promise.resolve();
      return undefined;
    });
    expect(await wait.ended).toBe("found");
    expect(looks).toBe(2);
    expectNothingLeft(open, wait);
  });

  test("with nothing when its time is up, after a last look", async () => {
    await using open = await openKernel();
    let looks = 0;
    const wait = started(
      open,
      async () => {
        looks += 1;
        return undefined;
      },
      5,
    );
    expect(await wait.ended).toBeUndefined();
    expect(looks).toBe(2);
    expectNothingLeft(open, wait);
  });

  test("after one look when it has no time at all", async () => {
    await using open = await openKernel();
    let looks = 0;
    const wait = started(
      open,
      async () => {
        looks += 1;
        return undefined;
      },
      0,
    );
    expect(await wait.ended).toBeUndefined();
    expect(looks).toBe(1);
    expectNothingLeft(open, wait);
    expect(await started(open, async () => "found", 0).ended).toBe("found");
  });

  test("with nothing, and without another look, when the caller leaves", async () => {
    await using open = await openKernel();
    let looks = 0;
    const wait = started(open, async () => {
      looks += 1;
      return undefined;
    });
    await until("the first look", () => looks === 1);
    wait.leave();
    expect(await wait.ended).toBeUndefined();
    expect(looks).toBe(1);
    expectNothingLeft(open, wait);
  });

  test("without a look when the caller left before", async () => {
    await using open = await openKernel();
    const look = async (): Promise<string> => "found";
    const ctx = open.ctx({ signal: AbortSignal.abort() });
    expect(await waitFor(ctx, { topics, ms: longMs }, look)).toBeUndefined();
    expect(open.kernel.bus.size()).toBe(0);
  });

  test("with nothing when the caller leaves during a look that finds something: it is not told, so not consumed", async () => {
    await using open = await openKernel();
    const wait = started(open, async () => {
      await Promise.resolve();
      wait.leave();
      return "found";
    });
    expect(await wait.ended).toBeUndefined();
    expectNothingLeft(open, wait);
  });

  test("with what there is when the hub drains, and at once from then on", async () => {
    await using open = await openKernel();
    let looks = 0;
    let found: string | undefined;
    const look = async (): Promise<string | undefined> => {
      looks += 1;
      return found;
    };
    const first = started(open, look);
    await until("the first look", () => looks === 1);
    found = "at the last moment";
    open.kernel.drain();
    expect(await first.ended).toBe("at the last moment");
    found = undefined;
    const second = started(open, look);
    expect(await second.ended).toBeUndefined();
    expect(looks).toBe(3);
    expectNothingLeft(open, first);
    expectNothingLeft(open, second);
  });

  test("with the error of a look that fails", async () => {
    await using open = await openKernel();
    const thrown = new Error("no");
    const wait = started(open, () => Promise.reject(thrown));
    await expect(wait.ended).rejects.toBe(thrown);
    expectNothingLeft(open, wait);
  });
});

test("1,000 waits: a write wakes those of its topic only", async () => {
  await using open = await openKernel();
  const looks = Array<number>(1000).fill(0);
  let isFound = false;
  const ended = looks.map((_, index) =>
    waitFor(open.ctx(), { topics: [`item:${index}`], ms: longMs }, async () => {
      looks[index] = (looks[index] ?? 0) + 1;
      return isFound ? index : undefined;
    }),
  );
  await until("a look of each", () => looks.every((count) => count === 1));
  isFound = true;
  await open.kernel.services.write((tx) => tx.wake("item:7", "item:8"));
  expect(await within(boundMs, "the two waits", Promise.all(ended.slice(7, 9)))).toEqual([7, 8]);
  expect(looks.filter((count) => count > 1).length).toBe(2);
  expect(open.kernel.bus.size()).toBe(998);
  open.kernel.drain();
  await within(boundMs, "all waits", Promise.all(ended));
  expect(open.kernel.bus.size()).toBe(0);
});

test("no ending leaves a timer: the process ends by itself", async () => {
  const script = `
    import { createBus } from "${join(import.meta.dir, "../../src/kernel/bus.ts")}";
    import { waitFor } from "${join(import.meta.dir, "../../src/kernel/wait.ts")}";
    const bus = createBus();
    const endings = {
      found: async () => 1,
      left: async (end) => { end.left.abort(); },
      drained: async (end) => { end.drained.abort(); },
      failed: async () => { throw new Error("no"); },
    };
    for (const look of Object.values(endings)) {
      const end = { left: new AbortController(), drained: new AbortController() };
      const ctx = { bus, signal: end.left.signal, draining: end.drained.signal, progress: () => undefined };
      await waitFor(ctx, { topics: ["a"], ms: 3_600_000 }, () => look(end)).catch(() => undefined);
    }
    process.stdout.write(String(bus.size()));
  `;
  const ended = await runCommand([process.execPath, "-e", script], { timeoutMs: boundMs });
  expect(ended).toMatchObject({ code: 0, stdout: "0" });
});
