// What the largest artifact costs everybody else: the slowest of other calls while one of 50 MiB is published or read,
// beside the slowest at rest, and how much memory the hub takes for it. The client is a process of its own.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { artifactBytes } from "../../src/shared/limits.ts";
import { track, within } from "../support/processes.ts";
import type { ClientStep } from "./artifact-client.ts";
import { type Figure, type Row, repetitions } from "./figure.ts";
import { openProbe } from "./probe.ts";

const restMs = 1000;
const stepTimeoutMs = 120_000;
/** By so much a call may be slower, milliseconds. */
const allowedMs = 20;
const mebibyte = 2 ** 20;

export const artifactsFigure: Figure = {
  name: "artifacts",
  async measure({ hub, agents: [agent] }) {
    if (agent === undefined) return [];
    await using client = startClient(hub.url, agent.token, agent.projectId);
    using probe = await openProbe(hub.port, agent.token);
    const rest: number[] = [];
    const publish: number[] = [];
    const get: number[] = [];
    const memory: number[] = [];
    // The first of everything is slower, everywhere.
    for (const step of ["publish", "get"] as const) await client.step(step);
    for (let round = 0; round < repetitions; round += 1) {
      rest.push(await probe.slowest(() => Bun.sleep(restMs)));
      const peak = await watchPeak(hub.pid);
      publish.push(await probe.slowest(() => client.step("publish")));
      get.push(await probe.slowest(() => client.step("get")));
      memory.push((await peak()) / mebibyte);
    }
    const slowest = (name: string, taken: number[]): Row => ({
      name: `slowest other call while 50 MiB are ${name}`,
      unit: "ms",
      hub: taken,
      floor: rest.map((ms) => ms + allowedMs),
      against: `the slowest at rest and ${allowedMs} ms`,
      target: { kind: "at most", must: 1, ambitious: 0.5 },
      ofServers: null,
    });
    return [
      slowest("published", publish),
      slowest("read", get),
      {
        name: "memory that both take at their peak",
        unit: "MiB",
        hub: memory,
        floor: memory.map(() => artifactBytes / mebibyte),
        against: "the size of the artifact",
        target: { kind: "at most", must: 3, ambitious: 2 },
        ofServers: null,
      },
    ];
  },
};

type Client = AsyncDisposable & { step(name: ClientStep): Promise<void> };

function startClient(...args: string[]): Client {
  const child = track(
    Bun.spawn([process.execPath, join(import.meta.dir, "artifact-client.ts"), ...args], {
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    }),
  );
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();

  async function heard(name: string): Promise<void> {
    let text = "";
    while (!text.endsWith(`${name}\n`)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`the client ended at ${name}`);
      text += decoder.decode(value);
    }
  }

  return {
    async step(name) {
      child.stdin.write(`${name}\n`);
      await child.stdin.flush();
      await within(stepTimeoutMs, name, heard(name), () => child.kill("SIGKILL"));
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await child.exited;
    },
  };
}

/** Starts to watch the memory of a process; what is returned tells by how many bytes it has grown at most. */
async function watchPeak(pid: number): Promise<() => Promise<number>> {
  const read = async (field: string): Promise<number> => {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1024;
  };
  // Resets the peak the system keeps.
  await writeFile(`/proc/${pid}/clear_refs`, "5");
  const before = await read("VmRSS");
  return async () => (await read("VmHWM")) - before;
}
