// Whether any tab of this hub is looked at, and until when one was. Each holds a lock while it is, so that one that
// crashed does not count; what tabs store reaches the others too late to tell.
import { hubNow } from "../data/clock.ts";
import { keyOf } from "../data/scope.ts";

export type Presence = {
  isShown(): Promise<boolean>;
  /** Hub time at which the last look at the app ended, as far as this tab was there. */
  seenMs(): number | undefined;
};

const name = keyOf("shown");

export function watchPresence(ended: AbortSignal, onUnseen: () => void): Presence {
  const channel = new BroadcastChannel(keyOf("presence"));
  let release: (() => void) | undefined;
  let isWaiting = false;
  let seenMs: number | undefined;

  function follow(): void {
    if (document.hidden || ended.aborted) {
      release?.();
      release = undefined;
    } else if (release === undefined) {
      const hidden = new Promise<void>((resolve) => {
        release = resolve;
      });
      // Held until then.
      void navigator.locks.request(name, { mode: "shared" }, () => {
        tell();
        return hidden;
      });
      wait();
    }
  }

  function tell(): void {
    if (!ended.aborted) channel.postMessage("shown");
  }

  // A lock of one's own is to be had once nobody looks.
  function wait(): void {
    if (isWaiting) return;
    isWaiting = true;
    navigator.locks
      .request(name, { signal: ended }, () => undefined)
      .then(
        () => {
          isWaiting = false;
          seenMs = hubNow();
          onUnseen();
        },
        () => undefined, // ended
      );
  }

  async function isShown(): Promise<boolean> {
    // Until it is known when that ended.
    if (isWaiting) return true;
    const { held = [], pending = [] } = await navigator.locks.query();
    return [...held, ...pending].some((lock) => lock.name === name && lock.mode === "shared");
  }

  channel.onmessage = wait;
  document.addEventListener("visibilitychange", follow, { signal: ended });
  ended.addEventListener("abort", () => {
    follow();
    channel.close();
  });
  follow();
  void isShown().then((isSeen) => isSeen && wait()); // nothing waits for it
  return { isShown, seenMs: () => seenMs };
}
