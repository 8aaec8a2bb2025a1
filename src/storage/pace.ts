// Long work over many files, in steps: it says how far it is, lets others run in between, and stops when told to.
import { setImmediate as nextTurn } from "node:timers/promises";

const stepMs = 50;

export type Watch = {
  /** Bytes done and bytes in all, now and then. */
  progress?(done: number, total: number): void;
  signal?: AbortSignal;
};

export type Pace = {
  /** Adds to what there is to do. */
  expect(bytes: number): void;
  /** @throws the reason of the signal once it is aborted */
  advance(bytes: number): Promise<void>;
};

export function createPace({ progress, signal }: Watch): Pace {
  let done = 0;
  let total = 0;
  let last = performance.now();
  return {
    expect(bytes) {
      total += bytes;
    },
    async advance(bytes) {
      done += bytes;
      signal?.throwIfAborted();
      const now = performance.now();
      if (now - last < stepMs) return;
      last = now;
      progress?.(done, total);
      await nextTurn();
    },
  };
}
