// Entry point of the worker thread: one task to its end (architecture.md 10). It shares nothing with the hub but the
// files, and reads the store through a connection of its own.
import { HubError } from "../shared/errors.ts";
import { takeOnlineBackup } from "./backup/online.ts";
import { openDatabase } from "./database.ts";
import { isStoreFault, storeFault } from "./store-fault.ts";
import type { Answer, IntegritySample, Order, Results } from "./worker-thread.ts";

declare const self: Worker;

const stopping = new AbortController();

self.addEventListener("message", ({ data }: MessageEvent<Order | "stop">) => {
  if (data === "stop") stopping.abort(new Error("told to stop"));
  // Its answer is a message of its own, a failure too.
  else void answer(data).then((message) => self.postMessage(message));
});

async function answer(order: Order): Promise<Answer> {
  try {
    return { value: await perform(order) };
  } catch (error) {
    const known = isStoreFault(error) ? storeFault(error) : error;
    if (!(known instanceof HubError)) return { failure: description(error) };
    const { code, message, cause } = known;
    return { refusal: { code, message, cause: cause === undefined ? null : String(cause) } };
  }
}

function description(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

async function perform(order: Order): Promise<Results[Order["task"]]> {
  switch (order.task) {
    case "backup":
      return takeOnlineBackup(order, stopping.signal);
    case "integrity":
      return sampleIntegrity(order.database);
  }
}

function sampleIntegrity(path: string): IntegritySample {
  using database = openDatabase(path, { readonly: true });
  const [first] = database.all<{ quick_check: string }>("PRAGMA quick_check(1)");
  return { problem: first?.quick_check === "ok" ? null : (first?.quick_check ?? "no answer") };
}
