// Mints ULIDs that strictly increase in commit order, also within one millisecond and when the clock steps back
// (mcp-tools.md 7, operations.md 1.4).
import { encodeRandom, encodeTime } from "../shared/ids.ts";
import type { Clock } from "./clock.ts";

const digits = 16;
const poolBytes = 4096;

export type Ids = {
  /** The next ULID. Call it inside the write job that stores it. */
  mint(): string;
  /** Highest millisecond minted so far; stored at shutdown. */
  highWater(): number;
};

/** @param seedMs every id minted is above each id of this millisecond; 0 for a new store */
export function createIds(clock: Clock, seedMs: number): Ids {
  const random = new Uint8Array(digits);
  const pool = new Uint8Array(poolBytes);
  let poolLeft = 0;
  // The seed's own millisecond may hold ids already: start in the one after it.
  let last = seedMs > 0 ? seedMs + 1 : 0;
  let time = encodeTime(last);

  function reroll(): void {
    if (poolLeft < digits) {
      crypto.getRandomValues(pool);
      poolLeft = poolBytes;
    }
    random.set(pool.subarray(poolLeft - digits, poolLeft));
    poolLeft -= digits;
    for (let index = 0; index < digits; index += 1) random[index] = (random[index] ?? 0) & 31;
    // The top bit stays clear, so that counting up within one millisecond never overflows.
    random[0] = (random[0] ?? 0) & 15;
  }

  function countUp(): void {
    for (let index = digits - 1; index >= 0; index -= 1) {
      const next = (random[index] ?? 0) + 1;
      random[index] = next & 31;
      if (next < 32) return;
    }
  }

  reroll();
  return {
    mint() {
      const now = clock();
      if (now > last) {
        last = now;
        time = encodeTime(now);
        reroll();
      } else {
        countUp();
      }
      return time + encodeRandom(random);
    },
    highWater: () => last,
  };
}
