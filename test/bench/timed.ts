// Calls made one at a time, each timed.
export type Taken = { p50: number; p95: number };

export async function timed<T>(queries: readonly T[], ask: (query: T) => Promise<unknown>): Promise<Taken> {
  const taken: number[] = [];
  for (const query of queries) {
    const startedAt = performance.now();
    await ask(query);
    taken.push(performance.now() - startedAt);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number): number => taken[Math.floor((taken.length - 1) * share)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}
