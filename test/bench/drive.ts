// Measures servers under load: one run of the load generator against all of them, in turns.
import { join } from "node:path";
import { runCommand } from "../support/processes.ts";
import { type Row, repetitions, type Series, type Target } from "./figure.ts";
import type { LoadPlan, LoadReport } from "./load.ts";
import type { Server } from "./programs.ts";

const slices = 6;
const warmUpMs = 60;
const countedMs = 300;
const runTimeoutMs = 300_000;
/** A generator this busy may have been what was measured. */
const busyLimit = 0.9;

/** A server and the requests it gets, one for each client. */
export type Contender = { server: Server; requests: readonly string[] };
export type Measured = { perSecond: Series; cpuUs: Series; p99Ms: Series };
export type Floor = { measured: Measured; against: string; target: Target };

/** What each contender did, in their order. */
export async function drive(contenders: readonly Contender[]): Promise<Measured[]> {
  const targets = contenders.map(({ server: { port, pid }, requests }) => ({ port, pid, requests }));
  const plan: LoadPlan = { targets, repetitions, slices, warmUpMs, countedMs };
  const { code, stdout, stderr } = await runCommand([process.execPath, join(import.meta.dir, "load.ts")], {
    stdin: JSON.stringify(plan),
    timeoutMs: runTimeoutMs,
  });
  if (code !== 0) throw new Error(`the load generator failed:\n${stderr}`);
  // Written by load.ts.
  const { results, busy } = JSON.parse(stdout) as LoadReport;
  if (busy > busyLimit) {
    process.stderr.write(`bench: the load generator took ${(busy * 100).toFixed(0)} % of a core\n`);
  }
  return results.map((taken) => ({
    perSecond: taken.map(({ perSecond }) => perSecond),
    cpuUs: taken.map(({ cpuUs }) => cpuUs),
    p99Ms: taken.map(({ p99Ms }) => p99Ms),
  }));
}

/** The row that holds one contender against a floor. */
export function callRow(name: string, hub: Measured, { measured: floor, against, target }: Floor): Row {
  const pair = (pick: (measured: Measured) => Series) => ({ hub: pick(hub), floor: pick(floor) });
  return {
    name,
    unit: "calls/s",
    ...pair(({ perSecond }) => perSecond),
    against,
    target,
    ofServers: { cpuUs: pair(({ cpuUs }) => cpuUs), p99Ms: pair(({ p99Ms }) => p99Ms) },
  };
}
