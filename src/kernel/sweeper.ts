// Runs the sweeps that features hand in as data (architecture.md 2). One failing step is logged and stops nothing.
import type { Services } from "./ctx.ts";

const quickMs = 2000;

export type Sweep = {
  name: string;
  /** `sweeper`: the interval of HUB_SWEEP_INTERVAL_SECS; `quick`: 2 s, or that interval when it is shorter (operations.md 12). */
  pace: "sweeper" | "quick";
  run(services: Services): Promise<void> | void;
};

/** Starts the sweeps; each waits for its own last run to end. Disposing lets a running one finish. */
export function startSweeper(sweeps: readonly Sweep[], services: Services): AsyncDisposable {
  const stops = sweeps.map((sweep) => start(sweep, services));
  return {
    [Symbol.asyncDispose]: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

function start(sweep: Sweep, services: Services): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  let busy = false;
  async function once(): Promise<void> {
    try {
      await sweep.run(services);
    } catch (error) {
      services.log.warn("a sweep failed and will run again", { sweep: sweep.name, cause: String(error) });
    } finally {
      busy = false;
    }
  }
  const sweeperMs = services.config.sweepIntervalSecs * 1000;
  const everyMs = sweep.pace === "quick" ? Math.min(quickMs, sweeperMs) : sweeperMs;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = once();
  }, everyMs);
  return () => {
    clearInterval(timer);
    return running;
  };
}
