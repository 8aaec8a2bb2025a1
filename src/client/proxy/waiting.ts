// Waiting that ends early. Listeners are taken off again: a proxy lives for days and waits once a line.

/** The items of `source` until `signal` aborts. An item then still under way is dropped. */
export async function* until<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void> {
  const iterator = source[Symbol.asyncIterator]();
  for (;;) {
    const next = await unlessAborted(iterator.next(), signal);
    if (next === undefined || next.done === true) return;
    yield next.value;
  }
}

/** Waits for `work`, `ms` at most, and no longer than until `signal` aborts. */
export async function settledWithin(work: Promise<void>, ms: number, signal: AbortSignal): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  await unlessAborted(work, AbortSignal.any([late.signal, signal]));
  clearTimeout(timer);
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
