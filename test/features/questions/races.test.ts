// Answers, decisions and the expiry race for one item: exactly one wins, and the others leave no trace.
import { describe, expect, test } from "bun:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { type ErrorObject, HubError } from "../../../src/shared/errors.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { answer, ask, decide, itemOf, reply, request, wholeFeed } from "../conversation.ts";

const minute = 60_000;

type Racer = {
  does: "answer" | "reply" | "decide" | "decline" | "read" | "expire" | "extend" | "snooze";
  after: number;
  hasKey: boolean;
};

const racers = fc.array(
  fc.record<Racer>({
    does: fc.constantFrom("answer", "reply", "decide", "decline", "read", "expire", "extend", "snooze"),
    after: fc.nat(3),
    hasKey: fc.boolean(),
  }),
  { minLength: 2, maxLength: 14 },
);

type Run = { won: string[]; lost: ErrorObject[] };

async function race(hub: TestHub, agents: Caller[], id: string, isQuestion: boolean, course: Racer[]): Promise<Run> {
  const won: string[] = [];
  const lost: ErrorObject[] = [];
  async function resolving(call: Promise<string>): Promise<void> {
    try {
      won.push(await call);
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      lost.push(error.toObject());
    }
  }
  await Promise.all(
    course.map(async ({ does, after, hasKey }, index) => {
      for (let turn = 0; turn < after; turn += 1) await nextTurn();
      const agent = agents[index % agents.length] ?? hub.operator;
      const key = hasKey ? { idempotency_key: `${id}-${index}` } : {};
      const params = { event_id: id };
      const until = new Date(hub.clock.now + 1000).toISOString();
      if (does === "expire") hub.clock.now += minute;
      else if (does === "read") await agent.call("inbox_read");
      else if (does === "extend") await ignoring(hub.rest("extendItem", { params, body: { seconds: 90 } }));
      else if (does === "snooze") await ignoring(hub.rest("snoozeItem", { params, body: { until } }));
      else if (!isQuestion)
        await resolving(decide(hub, id, { decision: does === "decline" ? "decline" : "approve", ...key }));
      else await resolving(does === "reply" ? reply(hub, id, key) : answer(agent, id, key));
    }),
  );
  return { won, lost };
}

async function ignoring(call: Promise<unknown>): Promise<void> {
  await call.catch(() => undefined); // whether triage came in time is not the question here
}

/** One winner, one answer on the thread, and of the losers neither event, key nor change. */
async function expectOneWinner(hub: TestHub, by: Caller, id: string, { won, lost }: Run): Promise<void> {
  const item = await itemOf(by, id);
  const answers = (await wholeFeed(hub, "lab")).filter((event) => event.thread_id === id && event.id !== id);
  for (const error of lost) expect([error.code, error.details]).toEqual(["conflict", {}]);
  if (item.status === "action") {
    expect([answers, won]).toEqual([[], []]);
    return;
  }
  expect(answers.length).toBe(1);
  const [given] = answers;
  const resolution = item.decision ?? item.answer;
  expect(resolution).toMatchObject({ event_id: given?.id, actor: given?.actor });
  expect(given?.actor === "hub").toBe(resolution?.expired === true);
  expect(won).toEqual(given?.actor === "hub" ? [] : [String(given?.id)]);
}

describe("one item", () => {
  for (const isQuestion of [true, false]) {
    test(`${isQuestion ? "a question" : "an approval"} is resolved once, whoever comes when`, async () => {
      await using hub = await openTestHub({ config: { inboxActionPerAgent: 0, inboxActionPerProject: 0 } });
      await hub.project("lab");
      const agents = [await hub.agent("ann"), await hub.agent("bob"), await hub.agent("eve")];
      const [ann = hub.operator] = agents;
      await fc.assert(
        fc.asyncProperty(racers, async (course) => {
          const deadline = { expires_in_seconds: 60 };
          const id = isQuestion ? await ask(ann, "lab", deadline) : await request(ann, "lab", deadline);
          const keysBefore = countKeys(hub);
          const run = await race(hub, agents, id, isQuestion, course);
          await expectOneWinner(hub, ann, id, run);
          expect(countKeys(hub) - keysBefore).toBeLessThanOrEqual(run.won.length);
        }),
        { numRuns: 200 },
      );
    }, 120_000);
  }

  test("with 40 answers and 40 readers at the very deadline", async () => {
    await using hub = await openTestHub();
    await hub.project("lab");
    const agents = [await hub.agent("ann"), await hub.agent("bob")];
    const [ann = hub.operator] = agents;
    for (let round = 0; round < 10; round += 1) {
      const id = await ask(ann, "lab", { expires_in_seconds: 60 });
      const course = Array.from(
        { length: 80 },
        (_, index): Racer => ({
          does: index % 2 === 0 ? "answer" : "read",
          after: round % 3,
          hasKey: true,
        }),
      );
      course.splice((round * 8) % 80, 0, { does: "expire", after: round % 4, hasKey: false });
      await expectOneWinner(hub, ann, id, await race(hub, agents, id, true, course));
      expect((await itemOf(ann, id)).status).toBe("resolved");
    }
  }, 60_000);
});

function countKeys(hub: TestHub): number {
  const { db } = hub.hub.kernel.services;
  return db.get<{ n: number }>("SELECT count(*) AS n FROM idempotency_keys")?.n ?? 0;
}
