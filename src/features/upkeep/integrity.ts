// The integrity sample (operations.md 12): SQLite looks over the store now and then, in a thread of its own. A sample that
// fails turns readiness red until a later one passes; one that is cut off by its time has proved nothing.
import type { Services } from "../../kernel/ctx.ts";
import { integritySampleMsMax } from "../../shared/limits.ts";
import { type Running, startTask } from "../../storage/worker-thread.ts";

export type IntegritySampler = {
  /** Takes a sample when one is due and none is running; never throws. */
  sweep(services: Services): Promise<void>;
  stop(): void;
};

/** @param isBusy true while other work reads the whole store: the sample waits for a later sweep */
export function createIntegritySampler(isBusy: () => boolean): IntegritySampler {
  let running: Running<"integrity"> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  async function sample(task: Running<"integrity">, { log, metrics }: Services): Promise<void> {
    let isCutOff = false;
    const timer = setTimeout(() => {
      isCutOff = true;
      task.end();
    }, integritySampleMsMax);
    const problem = await task.result.then(
      (found) => found.problem,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    clearTimeout(timer);
    if (isStopped) return;
    if (isCutOff) log.warn("an integrity sample took too long and proved nothing", { limit_ms: integritySampleMsMax });
    else if (problem === null) metrics.integrity.isOk = true;
    else {
      metrics.integrity.isOk = false;
      metrics.integrity.failures += 1;
      log.warn("an integrity sample failed; run agent-hub check", { problem });
    }
    // SQLite may still be at it.
    await task.gone;
    running = undefined;
  }

  return {
    async sweep(services) {
      const now = services.now();
      const everyMs = services.config.integritySampleSecs * 1000;
      // A clock that was set back counts as time passed.
      const isDue = everyMs > 0 && (now - last >= everyMs || now < last);
      if (!isDue || running !== undefined || isBusy()) return;
      last = now;
      running = startTask({ task: "integrity", database: services.dataDir.database });
      await sample(running, services);
    },
    stop() {
      isStopped = true;
      running?.end();
    },
  };
}
