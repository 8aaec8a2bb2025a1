// Sweeps: each by itself, never twice at once.
import { expect, spyOn, test } from "bun:test";
import type { Services } from "../../src/kernel/ctx.ts";
import { type Sweep, startSweeper } from "../../src/kernel/sweeper.ts";
import { type OpenKernel, openKernel, until } from "./open-kernel.ts";

// A fast pace, so that the tests need not be slow.
function paced(open: OpenKernel): Services {
  return { ...open.kernel.services, config: { ...open.kernel.services.config, sweepIntervalSecs: 0.002 } };
}

const sweep = (run: Sweep["run"], pace: Sweep["pace"] = "sweeper"): Sweep => ({ name: "dust", pace, run });

test("a failing sweep is logged, runs again, and holds up no other", async () => {
  await using open = await openKernel();
  const runs = { thrown: 0, rejected: 0, fine: 0 };
  await using _sweeper = startSweeper(
    [
      sweep(() => {
        runs.thrown += 1;
        throw new Error("no broom");
      }),
      sweep(async () => {
        runs.rejected += 1;
        throw new Error("no pan");
      }, "quick"),
      sweep(() => {
        runs.fine += 1;
      }),
    ],
    paced(open),
  );
  await until("runs of each", () => Math.min(runs.thrown, runs.rejected, runs.fine) >= 3);
  expect(open.log.join("")).toContain('warn a sweep failed and will run again sweep=dust cause="Error: no broom"');
  expect(open.log.join("")).toContain("no pan");
});

test("a sweep never overlaps itself, and disposal waits for the one that runs", async () => {
  await using open = await openKernel();
  let running = 0;
  let most = 0;
  let ended = 0;
  let others = 0;
  const gate = Promise.withResolvers<void>();
  const sweeper = startSweeper(
    [
      sweep(async () => {
        running += 1;
        most = Math.max(most, running);
        await gate.promise;
        running -= 1;
        ended += 1;
      }),
      sweep(() => {
        others += 1;
      }),
    ],
    paced(open),
  );
  await until("a run that lasts", () => running === 1 && others >= 5);
  let isDisposed = false;
  const disposed = sweeper[Symbol.asyncDispose]().then(() => {
    isDisposed = true;
  });
  await open.kernel.services.write(() => undefined);
  expect([isDisposed, most, ended]).toEqual([false, 1, 0]);
  gate.resolve();
  await disposed;
  expect([most, ended]).toEqual([1, 1]);
  const before = others;
  await open.kernel.services.write(() => undefined);
  expect(others).toBe(before);
});

test("the paces are those of the settings: quick is 2 s, or the interval when it is shorter", async () => {
  await using open = await openKernel();
  const timers = spyOn(globalThis, "setInterval");
  try {
    for (const sweepIntervalSecs of [30, 1]) {
      const config = { ...open.kernel.services.config, sweepIntervalSecs };
      const sweeps = [sweep(() => undefined), sweep(() => undefined, "quick")];
      await using _sweeper = startSweeper(sweeps, { ...open.kernel.services, config });
    }
    expect(timers.mock.calls.map(([, everyMs]) => everyMs)).toEqual([30_000, 2000, 1000, 1000]);
  } finally {
    timers.mockRestore();
  }
});
