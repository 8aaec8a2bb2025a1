// One long wait (architecture.md 6): subscribe first, look, then sleep until a topic, the time, the caller's leaving or
// the hub's draining ends it.
import type { Ctx } from "./ctx.ts";

const progressMs = 20_000;

export type WaitOptions = {
  topics: readonly string[];
  /** How long to wait at most; 0 looks once. */
  ms: number;
};

/**
 * Calls `look` at once and after every wake until it finds something. `look` consumes what it finds only while
 * `ctx.signal` says that the caller is there, and returns it in the same turn.
 * @returns what `look` found, or undefined when the time was up, the hub drains, or the caller is gone
 */
export async function waitFor<T>(
  ctx: Ctx,
  options: WaitOptions,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  let wake: () => void = () => undefined;
  let woken = false;
  const signal = (): void => {
    woken = true;
    wake();
  };
  using _subscription = ctx.bus.subscribe(options.topics, signal);
  let over = options.ms <= 0;
  const end = (): void => {
    over = true;
    wake();
  };
  const timer = setTimeout(end, options.ms);
  const progress = ctx.progress === null ? undefined : setInterval(ctx.progress, progressMs);
  ctx.signal.addEventListener("abort", end, { once: true });
  ctx.draining.addEventListener("abort", end, { once: true });
  try {
    while (!ctx.signal.aborted) {
      woken = false;
      const found = await look();
      // A caller that left while this looked has been told nothing, so what was found stays for the next one.
      if (ctx.signal.aborted) return undefined;
      if (found !== undefined) return found;
      if (over || ctx.draining.aborted) return undefined;
      if (!woken) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    return undefined;
  } finally {
    clearTimeout(timer);
    clearInterval(progress);
    ctx.signal.removeEventListener("abort", end);
    ctx.draining.removeEventListener("abort", end);
  }
}
