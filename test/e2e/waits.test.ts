// A thousand agents waiting on the compiled binary over connections of their own, while others write (mcp-tools.md 17.10).
import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { createAgent } from "../support/agents.ts";
import { type RunningHub, startHub } from "../support/binary.ts";
import { callOnWire, type WireLine, wireCall } from "../support/mcp-wire.ts";
import { operate } from "../support/operator.ts";
import { within } from "../support/processes.ts";

const count = 1000;
const atOnce = 50;
const boundMs = 120_000;
// With its connection, its parsed request and what the runtime keeps for both; generous, since it is resident memory.
const bytesPerWaiterMax = 60 * 1024;

type Waiter = { agent: string; token: string; questionId: string };
type OpenWait = { socket: Socket; text(): string };

let hub: RunningHub;
let waiters: Waiter[];
let writer: string;

/** The work of `all`, some at once. */
async function spread<T, R>(all: readonly T[], work: (each: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += atOnce) {
    results.push(
      ...(await Promise.all(all.slice(start, start + atOnce).map((each, index) => work(each, start + index)))),
    );
  }
  return results;
}

const lineOf = (index: number): WireLine => (index % 2 === 0 ? "2025" : "2026");

async function ask(token: string, index: number): Promise<string> {
  const { content } = await callOnWire(hub.url, token, lineOf(index), "question_post", {
    project_id: "p",
    subject: `q${index}`,
  });
  return String(content["question_id"]);
}

beforeAll(async () => {
  hub = await startHub({ env: { HUB_INBOX_ACTION_PER_PROJECT: "0" } });
  await operate(hub, "createProject", { body: { id: "p", display_name: "P" } });
  writer = await createAgent(hub, "writer");
  waiters = await spread(
    Array.from({ length: count }, (_, index) => `agent-${index}`),
    async (agent, index) => {
      const token = await createAgent(hub, agent);
      return { agent, token, questionId: await ask(token, index) };
    },
  );
}, boundMs);
afterAll(() => hub[Symbol.asyncDispose]());

function openWait({ token, questionId }: Waiter, index: number): OpenWait {
  const line = lineOf(index);
  const { headers, body } = wireCall(line, token, "inbox_wait", { wait_seconds: 60, since: questionId });
  const head = Object.entries({
    host: `127.0.0.1:${hub.port}`,
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
  });
  const socket = connect(hub.port, "127.0.0.1");
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  socket.on("error", () => undefined);
  socket.write(`POST /mcp HTTP/1.1\r\n${head.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n${body}`);
  return { socket, text: () => text };
}

async function residentBytes(): Promise<number> {
  const status = await Bun.file(`/proc/${hub.pid}/status`).text();
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

/** Looks again and again until it holds, up to a bound. */
async function eventually(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + boundMs / 4; performance.now() < deadline; ) {
    if (await holds()) return;
    await Bun.sleep(5);
  }
  throw new Error(`waited in vain for ${what}: ${await openFiles()}`);
}

const openFiles = async (): Promise<number> => (await readdir(`/proc/${hub.pid}/fd`)).length;
const isAnswered = ({ text }: OpenWait): boolean => text().includes("\r\n\r\n") && text().trimEnd().endsWith("}");
const answer = ({ questionId }: Waiter): Promise<unknown> =>
  operate(hub, "answerQuestion", { params: { id: questionId }, body: { body: `for ${questionId}` } });
const itemsOf = (content: { [member: string]: unknown }): { event_id: string }[] =>
  content["items"] as { event_id: string }[]; // items by contract

test(
  "1,000 inbox_waits while writes go on: each ends with its own answer, aborted ones consume nothing",
  async () => {
    // What the first calls of a tool need once is there before anything is measured.
    await spread(waiters.slice(0, atOnce), ({ token, questionId }, index) =>
      callOnWire(hub.url, token, lineOf(index), "inbox_wait", { wait_seconds: 0, since: questionId }),
    );
    const before = await residentBytes();
    const waits = waiters.map(openWait);
    await eventually("the connections", async () => (await openFiles()) >= count);
    // Their requests were sent before this one.
    await callOnWire(hub.url, writer, "2025", "whoami");
    const bytes = Math.round(((await residentBytes()) - before) / count);
    process.stderr.write(`resident memory per inbox_wait and its connection: ${bytes} bytes\n`);
    expect(bytes).toBeLessThan(bytesPerWaiterMax);

    // Writes that are nobody's answer, without a pause until the end.
    let isOver = false;
    let written = 0;
    async function write(): Promise<void> {
      while (!isOver) {
        const { isError } = await callOnWire(hub.url, writer, "2026", "signal_append", {
          project_id: "p",
          kind: "signal",
          summary: "s",
        });
        expect(isError).toBe(false);
        written += 1;
      }
    }
    const writing = Promise.all([write(), write(), write(), write()]);

    const answered = Array.from({ length: count }, (_, index) => index).filter((index) => index % 10 < 3);
    const aborted = Array.from({ length: count }, (_, index) => index).filter((index) => index % 10 === 3);
    await spread(answered, (index) => answer(waiters[index] ?? raise()));
    await eventually("the answers", () => answered.every((index) => isAnswered(waits[index] ?? raise())));
    for (const [index, wait] of waits.entries()) {
      const waiter = waiters[index] ?? raise();
      if (index % 10 >= 3) {
        expect([index, wait.text()]).toEqual([index, ""]);
        continue;
      }
      const body = JSON.parse(wait.text().slice(wait.text().indexOf("\r\n\r\n") + 4));
      expect(itemsOf(body.result.structuredContent)).toMatchObject([
        { event_id: waiter.questionId, actor: waiter.agent, answer: { body: `for ${waiter.questionId}` } },
      ]);
    }

    for (const index of aborted) waits[index]?.socket.resetAndDestroy();
    await eventually("the end of the aborted", async () => (await openFiles()) <= count);
    await spread(aborted, (index) => answer(waiters[index] ?? raise()));
    await spread(aborted, async (index) => {
      const { token, questionId } = waiters[index] ?? raise();
      // Neither the item nor its nudge went to the wait that was left.
      const { content } = await callOnWire(hub.url, token, lineOf(index), "inbox_wait", {
        wait_seconds: 55,
        since: questionId,
      });
      expect(itemsOf(content)).toMatchObject([{ event_id: questionId }]);
      expect(content["notifications"]).toMatchObject({ pending: [{ id: questionId }] });
    });
    isOver = true;
    await writing;
    expect(written).toBeGreaterThan(20);

    // The others still sleep; a hub that stops answers them as if their time were up.
    const asleep = waits.filter((_, index) => index % 10 > 3);
    for (const wait of asleep) expect(wait.text()).toBe("");
    const exit = hub.stop();
    await eventually("the last answers", () => asleep.every(isAnswered));
    for (const wait of asleep) expect(wait.text()).toContain('"items":[]');
    expect(await within(boundMs, "exit", exit)).toBe(0);
    for (const { socket } of waits) socket.destroy();
  },
  boundMs,
);

function raise(): never {
  throw new Error("no such waiter");
}
