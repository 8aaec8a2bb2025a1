// How far a long command is: one line on stderr that rewrites itself, for a person at a terminal and for nobody else
// (cli.md 2.2).
import type { Io } from "./command.ts";

export type Progress = {
  progress(done: number, total: number): void;
  /** Takes the line away. */
  end(): void;
};

const silent: Progress = { progress: () => undefined, end: () => undefined };
const clearLine = "\r\u001b[K";

export async function createProgress(io: Pick<Io, "isWatched" | "stderr">): Promise<Progress> {
  if (!(await io.isWatched())) return silent;
  const from = performance.now();
  return {
    progress(done, total) {
      if (total === 0) return;
      io.stderr(`${clearLine}${progressLine(done, total, performance.now() - from)}`);
    },
    end: () => io.stderr(clearLine),
  };
}

/** Per cent, bytes, and the time left at the pace so far. */
export function progressLine(done: number, total: number, elapsedMs: number): string {
  const share = Math.min(1, done / total);
  const left = share === 0 ? "" : `, ${Math.ceil((elapsedMs / share - elapsedMs) / 1000)} s left`;
  return `${Math.floor(share * 100)}%, ${done} of ${total} bytes${left}`;
}
