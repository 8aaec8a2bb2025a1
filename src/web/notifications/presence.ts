// Whether any tab of this hub is looked at. Each holds a lock while it is, so that one that crashed does not count.
import { keyOf } from "../data/scope.ts";

export type Presence = {
  /** When some tab is looked at, it is told once that ends. */
  isShown(): Promise<boolean>;
};

const name = keyOf("shown");

export function watchPresence(ended: AbortSignal, onUnseen: () => void): Presence {
  let release: (() => void) | undefined;
  let isWaiting = false;

  function follow(): void {
    if (document.hidden || ended.aborted) {
      release?.();
      release = undefined;
    } else if (release === undefined) {
      const hidden = new Promise<void>((resolve) => {
        release = resolve;
      });
      void navigator.locks.request(name, { mode: "shared" }, () => hidden); // held until then
    }
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
          onUnseen();
        },
        () => undefined, // ended
      );
  }

  document.addEventListener("visibilitychange", follow, { signal: ended });
  ended.addEventListener("abort", follow, { once: true });
  follow();
  return {
    async isShown() {
      const { held = [], pending = [] } = await navigator.locks.query();
      const isShown = [...held, ...pending].some((lock) => lock.name === name && lock.mode === "shared");
      if (isShown) wait();
      return isShown;
    },
  };
}
