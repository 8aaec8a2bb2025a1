// Slow work over the whole store, off the event loop (architecture.md 10): a thread for one task, gone when it is done,
// so that a hub at rest keeps none.
import { type ErrorCode, HubError } from "../shared/errors.ts";
import type { OnlineBackup, OnlineBackupTaken } from "./backup/online.ts";

// The build says where the entry point lies in the binary.
declare const __AGENT_HUB_WORKER__: string | undefined;

/** A task that was told to stop gets this long to clean up; a service manager's patience ends soon after. */
const abandonMs = 5000;

/** What SQLite found wrong first; null when it found nothing. */
export type IntegritySample = { problem: string | null };

export type Results = { backup: OnlineBackupTaken; integrity: IntegritySample };
export type Order = ({ task: "backup" } & OnlineBackup) | { task: "integrity"; database: string };

export type Answer =
  | { value: Results[Order["task"]] }
  | { refusal: { code: ErrorCode; message: string; cause: string | null } }
  | { failure: string };

/** A task under way. */
export type Running<T extends Order["task"]> = {
  /** @throws HubError what the task refuses with; Error when it failed otherwise or was ended */
  readonly result: Promise<Results[T]>;
  /** Settles when the thread is gone. SQLite finishes what it was asked, so that may be a while after the end. */
  readonly gone: Promise<void>;
  /** Asks the task to stop and clean up; false when it did not in time and was ended. */
  abandon(): Promise<boolean>;
  /** Nothing more comes of it. */
  end(): void;
};

export function startTask<T extends Order["task"]>(order: Extract<Order, { task: T }>): Running<T> {
  const entry =
    typeof __AGENT_HUB_WORKER__ === "string" ? __AGENT_HUB_WORKER__ : new URL("./worker.ts", import.meta.url).href;
  const worker = new Worker(entry, { smol: true });
  const result = Promise.withResolvers<Results[T]>();
  const gone = Promise.withResolvers<void>();
  // Whoever ended the task waits for no result.
  void result.promise.catch(() => undefined);
  worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
    // The worker answers an order with the result of its task.
    if ("value" in data) result.resolve(data.value as Results[T]);
    else result.reject("refusal" in data ? refusalOf(data.refusal) : new Error(data.failure));
    worker.terminate();
  });
  worker.addEventListener("error", ({ message }) => end(`the worker thread failed: ${message}`));
  worker.addEventListener("close", () => {
    result.reject(new Error("the worker thread ended without an answer"));
    gone.resolve();
  });
  worker.postMessage(order);

  function end(why: string): void {
    result.reject(new Error(why));
    worker.terminate();
  }

  return {
    result: result.promise,
    gone: gone.promise,
    async abandon() {
      worker.postMessage("stop");
      const time = Promise.withResolvers<false>();
      const timer = setTimeout(() => time.resolve(false), abandonMs);
      const isGone = await Promise.race([gone.promise.then(() => true), time.promise]);
      clearTimeout(timer);
      if (!isGone) end("the task did not stop in time");
      return isGone;
    },
    end: () => end("the task was ended"),
  };
}

function refusalOf({ code, message, cause }: { code: ErrorCode; message: string; cause: string | null }): HubError {
  return new HubError(code, message, {}, cause === null ? undefined : { cause });
}
