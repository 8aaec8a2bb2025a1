// What is under way. A cancel ends the request it names here, and on the hub by being forwarded.
import { idKey } from "./call.ts";
import type { Forward } from "./forward.ts";
import type { Message } from "./message.ts";

export type Traffic = {
  start(message: Message): void;
  track(work: Promise<void>): void;
  /** Settles when nothing that was started is under way any more. */
  settled(): Promise<void>;
  abort(): void;
};

export function createTraffic(forward: Forward): Traffic {
  const running = new Set<Promise<void>>();
  const aborts = new Set<AbortController>();
  const abortOfCall = new Map<string, AbortController>();

  function track(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => running.delete(work));
  }

  return {
    track,
    start(message) {
      const abort = new AbortController();
      aborts.add(abort);
      // One call of a batch cannot be aborted alone; the forwarded cancel ends it.
      const [call] = message.calls.length === 1 ? message.calls : [];
      const key = call === undefined ? undefined : idKey(call.id);
      if (key !== undefined) abortOfCall.set(key, abort);
      const finish = (): void => {
        aborts.delete(abort);
        if (key !== undefined && abortOfCall.get(key) === abort) abortOfCall.delete(key);
      };
      track(forward(message, abort.signal).finally(finish));
      if (message.cancels !== undefined) abortOfCall.get(idKey(message.cancels))?.abort();
    },
    async settled() {
      await Promise.all(running);
    },
    abort() {
      for (const abort of aborts) abort.abort();
    },
  };
}
