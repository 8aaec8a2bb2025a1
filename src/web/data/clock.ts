// Hub time: deadlines and ages count by the hub's clock, whatever this device believes (web-app.md 2.8).
import { type ReadonlySignal, signal } from "@preact/signals";

// A header tells whole seconds only, so it counts for nothing once the hub itself told its time.
type Source = "none" | "header" | "hub";

const skewMs = signal(0);
let source: Source = "none";

/** Milliseconds of the hub's clock. */
export function hubNow(): number {
  return Date.now() + skewMs.value;
}

export function noteHubTime(now: string): void {
  const at = Date.parse(now);
  if (Number.isNaN(at)) return;
  source = "hub";
  skewMs.value = at - Date.now();
}

/** @param date the `Date` header of an answer */
export function noteDateHeader(date: string | null): void {
  if (date === null || source === "hub") return;
  const at = Date.parse(date);
  if (Number.isNaN(at)) return;
  const skew = at - Date.now();
  // Latency and the missing milliseconds are no skew.
  if (source === "none" && Math.abs(skew) < 2000) return;
  source = "header";
  skewMs.value = skew;
}

/** Hub time, renewed every half minute and whenever the page is looked at again: for ages on rows. */
export const minuteClock: ReadonlySignal<number> = ticking(30_000);
/** Hub time, renewed every second: for the last minutes of a deadline. */
export const secondClock: ReadonlySignal<number> = ticking(1000);

// Ticks only while somebody reads it.
function ticking(everyMs: number): ReadonlySignal<number> {
  let timer: ReturnType<typeof setInterval> | undefined;
  const clock = signal(hubNow(), {
    watched() {
      clock.value = hubNow();
      timer = setInterval(tick, everyMs);
      document.addEventListener("visibilitychange", tick);
    },
    unwatched() {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", tick);
    },
  });
  function tick(): void {
    clock.value = hubNow();
  }
  return clock;
}
