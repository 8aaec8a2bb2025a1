// Topics and who waits on them (architecture.md 6). A publish looks only at the listeners of its own topics.

export type Bus = {
  /** Calls `listener` at every publish of any of the topics, once a publish, until disposed. */
  subscribe(topics: readonly string[], listener: () => void): Disposable;
  /** @throws what the first listener that failed threw, once all have been called */
  publish(topics: Iterable<string>): void;
  /** Calls `listener` with the topics of every publish, until disposed. */
  tap(listener: (topics: readonly string[]) => void): Disposable;
  /** Listeners registered now; for tests and metrics. */
  size(): number;
};

export function createBus(): Bus {
  const listeners = new Map<string, Set<() => void>>();
  const taps = new Set<(topics: readonly string[]) => void>();
  return {
    subscribe(topics, listener) {
      // A wrapper of its own, so that one function subscribed twice is two subscriptions.
      let isOver = false;
      const entry = (): void => {
        if (!isOver) listener();
      };
      for (const topic of topics) {
        const of = listeners.get(topic);
        if (of === undefined) listeners.set(topic, new Set([entry]));
        else of.add(entry);
      }
      return {
        [Symbol.dispose]: () => {
          isOver = true;
          for (const topic of topics) {
            const of = listeners.get(topic);
            of?.delete(entry);
            if (of?.size === 0) listeners.delete(topic);
          }
        },
      };
    },
    publish(topics) {
      const names = [...topics];
      const due = new Set<() => void>();
      for (const topic of names) for (const listener of listeners.get(topic) ?? []) due.add(listener);
      for (const tap of taps) due.add(() => tap(names));
      // One that fails keeps none of the others from hearing.
      const failures: unknown[] = [];
      for (const call of due) {
        try {
          call();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
    tap(listener) {
      const entry = (topics: readonly string[]): void => listener(topics);
      taps.add(entry);
      return { [Symbol.dispose]: () => taps.delete(entry) };
    },
    size() {
      const all = new Set<() => void>();
      for (const of of listeners.values()) for (const listener of of) all.add(listener);
      return all.size;
    },
  };
}
