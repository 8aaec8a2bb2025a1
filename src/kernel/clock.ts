// The wall clock, handed in so that tests of single functions can fake it. The binary has no hidden clock setting.
export type Clock = () => number;

export const systemClock: Clock = () => Date.now();

/** RFC 3339, UTC, milliseconds, `Z` (mcp-tools.md 7). */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString();
}
