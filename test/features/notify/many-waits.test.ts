// A thousand waits at once while writes go on: each looks when there is something of its own, and no other (architecture.md 6).
import { heapStats } from "bun:jsc";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { within } from "../../support/processes.ts";
import { recordStatements, type Statement } from "../../support/statements.ts";
import { tell, toldBy } from "../../support/trailer.ts";

const count = 1000;
const boundMs = 60_000;
// A timer, a promise, two listeners, three closures and what the call carries; without its connection.
const bytesPerWaiterMax = 10 * 1024;

function heapBytes(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return heapSize + extraMemorySize;
}

let hub: TestHub;
let agents: Caller[];
let writer: Caller;

beforeAll(async () => {
  hub = await openTestHub({ config: { inboxActionPerProject: 0 } });
  await hub.project("p");
  writer = await hub.agent("writer");
  agents = await Promise.all(Array.from({ length: count }, (_, index) => hub.agent(`agent-${index}`)));
}, boundMs);
afterAll(() => hub[Symbol.asyncDispose]());

const askAll = (): Promise<string[]> =>
  Promise.all(
    agents.map(async (agent) =>
      String((await agent.call("question_post", { project_id: "p", subject: agent.actor }))["question_id"]),
    ),
  );
const answer = (id: string): Promise<unknown> => hub.rest("answerQuestion", { params: { id }, body: { body: "yes" } });
const signal = (summary: string): Promise<unknown> =>
  writer.call("signal_append", { project_id: "p", kind: "signal", summary });

/** How often each actor was looked for in the tables a wait of it reads. */
function looks(statements: Statement[], table: RegExp): Map<string, number> {
  const found = new Map<string, number>();
  for (const { values } of statements.filter(
    (statement) => /^\s*SELECT/.test(statement.sql) && table.test(statement.sql),
  )) {
    for (const value of new Set(values)) {
      if (typeof value === "string" && value.startsWith("agent-")) found.set(value, (found.get(value) ?? 0) + 1);
    }
  }
  return found;
}

async function asleep(waits: number): Promise<void> {
  for (let turn = 0; turn < 10_000 && hub.hub.kernel.bus.size() < waits; turn += 1) {
    await hub.hub.kernel.services.write(() => undefined);
  }
  for (let turn = 0; turn < 3; turn += 1) await hub.hub.kernel.services.write(() => undefined);
  expect(hub.hub.kernel.bus.size()).toBe(waits);
}

test(
  "1,000 inbox_waits: each wakes on its own alone; aborted ones consume nothing and leave nothing behind",
  async () => {
    const ids = await askAll();
    const leaving = agents.map(() => new AbortController());
    const before = heapBytes();
    const waits = agents.map((agent, index) =>
      tell(
        hub,
        agent,
        "inbox_wait",
        { wait_seconds: 60, since: ids[index] },
        { signal: leaving[index]?.signal ?? AbortSignal.abort() },
      ),
    );
    await asleep(count);
    const bytes = Math.round((heapBytes() - before) / count);
    process.stderr.write(`heap per inbox_wait, without its connection: ${bytes} bytes\n`);
    expect(bytes).toBeLessThan(bytesPerWaiterMax);

    // Answers to a hundred of them, in between writes that are nobody's.
    using recording = await recordStatements(hub);
    const answered = ids.slice(0, 100);
    for (const [index, id] of answered.entries()) {
      await Promise.all([signal(`before ${index}`), answer(id), signal(`after ${index}`)]);
    }
    const ended = await within(boundMs, "end of the answered waits", Promise.all(waits.slice(0, 100)));
    for (const [index, { content, pending }] of ended.entries()) {
      expect(content["items"]).toMatchObject([{ event_id: ids[index], actor: `agent-${index}`, status: "resolved" }]);
      expect(pending).toMatchObject([{ id: ids[index] }]);
    }
    const looked = looks(recording.statements, /picked|effective_id >/);
    expect([...looked.keys()].sort()).toEqual(
      agents
        .slice(0, 100)
        .map(({ actor }) => actor)
        .sort(),
    );
    // One look of the wait; the trailer on its result looks too, before and inside its write.
    for (const times of looked.values()) expect(times).toBeLessThanOrEqual(3);
    expect(hub.hub.kernel.bus.size()).toBe(count - 100);

    // The rest leaves, some in the very turn of their answer.
    recording.statements.splice(0);
    const late = ids.slice(100, 200).map(answer);
    for (const controller of leaving) controller.abort();
    await Promise.all(late);
    for (const { content, pending } of await within(
      boundMs,
      "end of the waits that were left",
      Promise.all(waits.slice(100)),
    )) {
      expect([content["items"], pending]).toEqual([[], []]);
    }
    expect(hub.hub.kernel.bus.size()).toBe(0);
    // What was answered is still there to be told, and to be waited for.
    for (const index of [100, 150, 199]) {
      const agent = agents[index];
      if (agent === undefined) throw new Error("no such agent");
      const { content, pending } = await tell(hub, agent, "inbox_wait", { wait_seconds: 0, since: ids[index] });
      expect(content["items"]).toMatchObject([{ event_id: ids[index] }]);
      expect(pending).toMatchObject([{ id: ids[index] }]);
    }
  },
  boundMs,
);

test(
  "1,000 notify_waits: each wakes on its own alone",
  async () => {
    await Promise.all(
      agents.map(async (agent) => {
        await agent.call("notify_subscribe", { kinds: ["idea"], actor: `author-of-${agent.actor}` });
        await toldBy(hub, agent);
      }),
    );
    const leaving = new AbortController();
    const waits = agents.map((agent) =>
      tell(hub, agent, "notify_wait", { wait_seconds: 60 }, { signal: leaving.signal }),
    );
    await asleep(count);
    using recording = await recordStatements(hub);
    const chosen = [7, 500, 999];
    for (const index of chosen) {
      const author = await hub.agent(`author-of-agent-${index}`);
      await author.call("signal_append", { project_id: "p", kind: "idea", summary: `for ${index}` });
      await signal(`beside ${index}`);
    }
    const ended = await within(boundMs, "end of the chosen waits", Promise.all(chosen.map((index) => waits[index])));
    expect(ended.map((told) => told?.pending.map(({ title }) => title))).toEqual(
      chosen.map((index) => [`for ${index}`]),
    );
    expect([...looks(recording.statements, /FROM (events|projects p|subscriptions)/).keys()].sort()).toEqual(
      chosen.map((index) => `agent-${index}`).sort(),
    );
    expect(hub.hub.kernel.bus.size()).toBe(count - chosen.length);
    leaving.abort();
    await within(boundMs, "end of the others", Promise.all(waits));
    expect(hub.hub.kernel.bus.size()).toBe(0);
  },
  boundMs,
);
