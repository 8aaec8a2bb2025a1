// Whether any tab of this hub is looked at: each holds a lock while it is, so that one that crashed does not count.
import { hubNow } from "../data/clock.ts";
import { readItem, writeItem } from "../data/device-storage.ts";
import { keyOf } from "../data/scope.ts";

const name = keyOf("shown");
const seen = "seen";

/** Holds this tab's lock while it is looked at, and stamps when that ends. */
export function holdWhileShown(ended: AbortSignal): void {
  let release: (() => void) | undefined;
  function follow(): void {
    if (document.hidden || ended.aborted) {
      if (release !== undefined) writeItem("local", seen, String(hubNow()));
      release?.();
      release = undefined;
    } else if (release === undefined) {
      const hidden = new Promise<void>((resolve) => {
        release = resolve;
      });
      void navigator.locks.request(name, { mode: "shared" }, () => hidden); // held until then
    }
  }
  document.addEventListener("visibilitychange", follow, { signal: ended });
  ended.addEventListener("abort", follow, { once: true });
  follow();
}

/** Hub time at which the app was last looked at, as far as a tab told. */
export function lastSeenMs(): number | undefined {
  const stamp = Number(readItem("local", seen) ?? Number.NaN);
  return Number.isNaN(stamp) ? undefined : stamp;
}

export async function isAppShown(): Promise<boolean> {
  const { held = [], pending = [] } = await navigator.locks.query();
  return [...held, ...pending].some((lock) => lock.name === name && lock.mode === "shared");
}

/** Ends once nobody looks at the app. */
export async function untilUnseen(ended: AbortSignal): Promise<void> {
  await navigator.locks.request(name, { signal: ended }, () => undefined).catch(() => undefined); // nobody waits any more
}
