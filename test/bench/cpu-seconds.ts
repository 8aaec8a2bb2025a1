// Processor time of another process. It tells more than the clock on a machine that others use too.
import { readFileSync } from "node:fs";

/** Clock ticks a second that Linux counts in; fixed for programs. */
const ticksPerSecond = 100;

/** Seconds a process and its threads took so far; NaN where the system does not say. */
export function cpuSeconds(pid: number): number {
  try {
    const [, after = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const fields = after.split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  } catch {
    // Not Linux: the column stays empty.
    return Number.NaN;
  }
}
