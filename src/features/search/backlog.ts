// Keeps what waits for the index small while much is written, so that a search has little to add before it looks.
import type { Services } from "../../kernel/ctx.ts";
import { settleIndex } from "./settle.ts";

const waitingMost = 512;

export type Backlog = {
  open(services: Services): void;
  /** Something was written that the index does not hold; a value that is written again waits once. */
  grew(isNew: boolean): void;
  /** Settles what was written since the last time; asks the store nothing when nothing was. */
  sweep(services: Services): Promise<void>;
};

export function createBacklog(): Backlog {
  let opened: Services | undefined;
  // True as long as nobody has looked what an earlier hub left.
  let isWritten = true;
  let waiting = 0;
  let isSettling = false;

  async function settle(services: Services): Promise<void> {
    if (isSettling) return;
    isSettling = true;
    isWritten = false;
    waiting = 0;
    try {
      await settleIndex(services);
    } catch (error) {
      isWritten = true;
      throw error;
    } finally {
      isSettling = false;
    }
  }

  async function settleMany(services: Services): Promise<void> {
    try {
      await settle(services);
    } catch (error) {
      // A hub that is closing settles when it is opened again.
      if (services.draining.aborted) return;
      services.log.warn("the search index could not be settled; the next sweep goes on", { cause: String(error) });
    }
  }

  return {
    open(services) {
      opened = services;
    },
    grew(isNew) {
      isWritten = true;
      if (!isNew) return;
      waiting += 1;
      // Once for so many, also while the store fails. It catches its own failures.
      if (waiting % waitingMost === 0 && opened !== undefined) void settleMany(opened);
    },
    async sweep(services) {
      if (isWritten) await settle(services);
    },
  };
}
