// What a figure of the benchmark is: a number of the hub beside a floor that was measured in the same run, on the same
// machine, in turns with it. Only the ratio of the two says anything on a machine that others use too.
import type { Subject } from "./subject.ts";

/** Repetitions of every measurement; the contenders take turns within each. */
export const repetitions = 5;

/** One value for each repetition, in the order they were taken. */
export type Series = readonly number[];
export type Pair = { hub: Series; floor: Series };

/** Ratio of hub to floor that must be held, and the one worth an issue when missed. */
export type Target = { kind: "at least" | "at most"; must: number; ambitious: number | null };

export type Row = Pair & {
  name: string;
  unit: string;
  /** What the floor is, in a few words. */
  against: string;
  /** Null where the floor is there for comparison only. */
  target: Target | null;
  /** Processor time of the server for one call, microseconds, and the slowest hundredth of the answers, milliseconds. */
  ofServers: { cpuUs: Pair; p99Ms: Pair } | null;
};

/** One file and one line in bench.ts. */
export type Figure = { name: string; measure(subject: Subject): Promise<Row[]> };

export function median(values: Series): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low = Number.NaN, high = low] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return (low + high) / 2;
}

/** The ratio of each repetition, so that what disturbed both of its halves cancels out. */
export function ratios({ hub, floor }: Pair): Series {
  return hub.map((value, index) => value / (floor[index] ?? Number.NaN));
}

/** Runs each contender once a round, in another order every time. By contender, then by round. */
export async function inTurns<T>(contenders: readonly (() => Promise<T>)[], rounds: number): Promise<T[][]> {
  const taken: T[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const step of contenders.keys()) {
      const index = (round + step) % contenders.length;
      const value = await contenders[index]?.();
      if (value !== undefined) taken[index]?.push(value);
    }
  }
  return taken;
}
