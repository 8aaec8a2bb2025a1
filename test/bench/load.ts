// The load generator, a program of its own: a fixed number of sockets to 127.0.0.1 for each server, each with one request
// under way, HTTP/1.1 written and read by hand, so that it costs less than any server it loads. The servers take turns in
// short slices, so that what else the machine does falls on all of them. Plan on stdin, report on stdout.
import type { Socket } from "bun";
import { cpuSeconds } from "./cpu-seconds.ts";
import { inTurns } from "./figure.ts";

export type LoadPlan = {
  targets: readonly LoadTarget[];
  repetitions: number;
  /** Slices of each target in one repetition. */
  slices: number;
  /** A slice starts with a time that is not counted. */
  warmUpMs: number;
  countedMs: number;
};

export type LoadTarget = {
  port: number;
  /** Process of the server, whose processor time is taken. */
  pid: number;
  /** One whole HTTP request for each socket, sent again and again. */
  requests: readonly string[];
};

/** One repetition of one target. */
export type LoadResult = { perSecond: number; cpuUs: number; p99Ms: number };

export type LoadReport = {
  /** By target, then by repetition. */
  results: LoadResult[][];
  /** Share of one core the generator itself took: near 1 it measured itself. */
  busy: number;
};

type Line = { request: Uint8Array; sentAt: number; received: Buffer | undefined };
type Slice = { seconds: number; latencies: number[]; cpuSeconds: number; answered: number };
type TakeSlice = () => Promise<Slice>;

const headEnd = Buffer.from("\r\n\r\n");
const okStatus = Buffer.from("HTTP/1.1 200 ");
const failedCall = Buffer.from('"isError":true');
const lengthFields = [Buffer.from("\r\nContent-Length: "), Buffer.from("\r\ncontent-length: ")];
const quietTimeoutMs = 10_000;

/** Opens the sockets to one server. A slice sends on all of them for its time, then waits for the last answers. */
async function openLines(target: LoadTarget, plan: LoadPlan, fail: (error: Error) => void): Promise<TakeSlice> {
  let state: "quiet" | "warming up" | "counting" | "ending" = "quiet";
  let underWay = 0;
  let answered = 0;
  let latencies: number[] = [];
  let quiet = Promise.withResolvers<void>();

  function send(socket: Socket<Line>): void {
    socket.data.sentAt = performance.now();
    underWay += 1;
    const { request } = socket.data;
    if (socket.write(request) !== request.byteLength) fail(new Error("a request was written in part"));
  }

  function read(socket: Socket<Line>, chunk: Buffer): void {
    const { received } = socket.data;
    const answer = received === undefined ? chunk : Buffer.concat([received, chunk]);
    if (!isWhole(answer)) {
      // The runtime reuses the chunk's memory.
      socket.data.received = Buffer.from(answer);
      return;
    }
    socket.data.received = undefined;
    if (answer.indexOf(okStatus) !== 0 || answer.includes(failedCall)) {
      fail(new Error(`a request failed: ${answer.toString("utf8").slice(0, 600)}`));
      return;
    }
    underWay -= 1;
    answered += 1;
    if (state === "counting") latencies.push(performance.now() - socket.data.sentAt);
    if (state !== "ending") send(socket);
    else if (underWay === 0) quiet.resolve();
  }

  const sockets = await Promise.all(
    target.requests.map((request) =>
      Bun.connect<Line>({
        hostname: "127.0.0.1",
        port: target.port,
        data: { request: Buffer.from(request), sentAt: 0, received: undefined },
        socket: {
          data: read,
          close: () => fail(new Error("the server closed a connection")),
          error: (_socket, error) => fail(error),
        },
      }),
    ),
  );

  return async () => {
    const before = cpuSeconds(target.pid);
    latencies = [];
    answered = 0;
    quiet = Promise.withResolvers();
    state = "warming up";
    for (const socket of sockets) send(socket);
    await Bun.sleep(plan.warmUpMs);
    state = "counting";
    const from = performance.now();
    await Bun.sleep(plan.countedMs);
    state = "ending";
    const seconds = (performance.now() - from) / 1000;
    const timer = setTimeout(() => fail(new Error("a request was not answered")), quietTimeoutMs);
    await quiet.promise;
    clearTimeout(timer);
    return { seconds, latencies, cpuSeconds: cpuSeconds(target.pid) - before, answered };
  };
}

function isWhole(answer: Buffer): boolean {
  const end = answer.indexOf(headEnd);
  if (end === -1) return false;
  for (const field of lengthFields) {
    const at = answer.indexOf(field);
    if (at === -1 || at > end) continue;
    const digits = answer.toString("latin1", at + field.byteLength, answer.indexOf("\r\n", at + 2));
    return answer.byteLength >= end + headEnd.byteLength + Number(digits);
  }
  throw new Error(`an answer without a length: ${answer.toString("utf8", 0, end)}`);
}

function summed(slices: readonly Slice[]): LoadResult {
  const sum = (pick: (slice: Slice) => number): number => slices.reduce((all, slice) => all + pick(slice), 0);
  const latencies = slices.flatMap((slice) => slice.latencies).sort((a, b) => a - b);
  return {
    perSecond: latencies.length / sum(({ seconds }) => seconds),
    cpuUs: (sum((slice) => slice.cpuSeconds) * 1e6) / sum((slice) => slice.answered),
    p99Ms: latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN,
  };
}

async function run(plan: LoadPlan, fail: (error: Error) => void): Promise<LoadReport> {
  const targets = await Promise.all(plan.targets.map((target) => openLines(target, plan, fail)));
  // Compilers of the runtimes warm up in a round that is thrown away.
  await inTurns(targets, plan.slices);
  const results: LoadResult[][] = targets.map(() => []);
  const startedAt = performance.now();
  const before = process.cpuUsage();
  for (let repetition = 0; repetition < plan.repetitions; repetition += 1) {
    const taken = await inTurns(targets, plan.slices);
    for (const [index, slices] of taken.entries()) results[index]?.push(summed(slices));
  }
  const own = process.cpuUsage(before);
  return { results, busy: (own.user + own.system) / 1000 / (performance.now() - startedAt) };
}

if (import.meta.main) {
  const { promise: failed, reject } = Promise.withResolvers<never>();
  // The benchmark writes the plan.
  const plan = (await Bun.stdin.json()) as LoadPlan;
  const report = await Promise.race([run(plan, reject), failed]);
  await Bun.write(Bun.stdout, JSON.stringify(report));
  process.exit(0);
}
