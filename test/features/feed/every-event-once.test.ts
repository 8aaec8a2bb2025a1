// Many readers with different pages, filters and restarts each see every event once while ten writers append.
import { describe, expect, test } from "bun:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import type { JsonObject } from "../../../src/shared/json.ts";
import type { EventView } from "../../../src/shared/views.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { answer, ask, eventsOf, request, wholeFeed } from "../conversation.ts";

const writers = 10;
const maxPolls = 20_000;
const kinds = ["signal", "finished", "idea", "question", "approval", "answer"] as const;

type ReaderPlan = {
  limit: number;
  kinds: string[] | undefined;
  ofSession: boolean;
  /** Polls of one actor under way at once; only the stored cursor keeps these apart. */
  atOnce: number;
  /** Which cursor carries it: the hub's, its own over MCP, or its own over the operator's REST. */
  by: "stored" | "own" | "rest";
};
type Round = { kinds: (typeof kinds)[number][]; isRestarted: boolean };

const readerPlan: fc.Arbitrary<ReaderPlan> = fc
  .record({
    limit: fc.constantFrom(1, 2, 3, 7, 50, 500),
    kinds: fc.option(fc.uniqueArray(fc.constantFrom(...kinds), { minLength: 1 }), { nil: undefined }),
    ofSession: fc.boolean(),
    atOnce: fc.integer({ min: 1, max: 4 }),
    by: fc.constantFrom<ReaderPlan["by"]>("stored", "own", "rest"),
  })
  .map((plan) => (plan.by === "stored" ? plan : { ...plan, atOnce: 1 }));

const rounds = fc.array(
  fc.record({ kinds: fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 4 }), isRestarted: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
);

type Reader = { plan: ReaderPlan; seen: EventView[]; poll(): Promise<number>; matches(event: EventView): boolean };

async function makeReader(hub: TestHub, name: string, plan: ReaderPlan, session: string): Promise<Reader> {
  const agent = await hub.agent(name);
  const seen: EventView[] = [];
  const filter = {
    limit: plan.limit,
    ...(plan.kinds === undefined ? {} : { kinds: plan.kinds }),
    ...(plan.ofSession ? { session } : {}),
  };
  let own = "0";
  const read = (since?: string): Promise<JsonObject> =>
    plan.by === "rest"
      ? hub.rest("listProjectFeed", { params: { id: "lab" }, query: { ...filter, since } })
      : agent.call("feed_read", { project_id: "lab", ...filter, ...(since === undefined ? {} : { since }) });
  // A reader that means to see everything starts at the beginning; from then on the hub keeps its place.
  if (plan.by === "stored")
    await agent.call("feed_read", { project_id: "lab", since: "0", limit: 1, kinds: ["artifact"] });

  async function pollOnce(): Promise<number> {
    const page = await read(plan.by === "stored" ? undefined : own);
    const events = eventsOf(page);
    expect(events.length).toBeLessThanOrEqual(plan.limit);
    seen.push(...events);
    if (plan.by !== "stored") own = String(page["next_since"]);
    return events.length;
  }
  return {
    plan,
    seen,
    async poll() {
      const counts = await Promise.all(Array.from({ length: plan.atOnce }, pollOnce));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    matches: (event) =>
      (plan.kinds === undefined || plan.kinds.includes(event.kind)) &&
      (!plan.ofSession || event.session_id === session),
  };
}

async function write(by: Caller, connection: string, kind: (typeof kinds)[number]): Promise<void> {
  if (kind === "question") await ask(by, "lab");
  else if (kind === "approval") await request(by, "lab");
  else if (kind === "answer") await answer(by, await ask(by, "lab"));
  else await by.call("signal_append", { project_id: "lab", kind, summary: kind }, { connection });
}

async function readAll(readers: Reader[], until: () => boolean): Promise<void> {
  await Promise.all(
    readers.map(async (reader) => {
      for (let polls = 0; polls < maxPolls; polls += 1) {
        const found = await reader.poll();
        if (found === 0 && until()) return;
        await nextTurn(); // a read takes no turn of its own, and writes need one
      }
      throw new Error("the feed does not end");
    }),
  );
}

async function play(plans: ReaderPlan[], course: Round[]): Promise<void> {
  await using hub = await openTestHub({ config: { inboxActionPerAgent: 0, inboxActionPerProject: 0 } });
  await hub.project("lab");
  const authors = await Promise.all(Array.from({ length: writers }, (_, index) => hub.agent(`writer-${index}`)));
  const connections = await Promise.all(authors.map((author) => hub.connect(author)));
  const [first, connection] = [authors.at(0), connections.at(0)];
  if (first === undefined || connection === undefined) throw new Error("there are ten writers");
  const started = await first.call("session_start", { project_id: "lab", session_name: "s" }, { connection });
  const session = String(started["session_id"]);
  const readers = await Promise.all(plans.map((plan, index) => makeReader(hub, `reader-${index}`, plan, session)));

  for (const round of course) {
    hub.clock.now += 1;
    let isWritten = false;
    const writing = Promise.all(
      authors.map(async (author, index) => {
        for (const kind of round.kinds) await write(author, connections[index] ?? "", kind);
      }),
    ).then(() => {
      isWritten = true;
    });
    await Promise.all([writing, readAll(readers, () => isWritten)]);
    if (round.isRestarted) await hub.reopen();
  }
  await readAll(readers, () => true);

  const all = await wholeFeed(hub, "lab");
  expect(all.length).toBeGreaterThanOrEqual(1 + writers * course.reduce((sum, round) => sum + round.kinds.length, 0));
  for (const { plan, seen, matches } of readers) {
    const expected = all.filter(matches).map(({ id }) => id);
    const ids = seen.map(({ id }) => id);
    // Polls of one actor at once may answer out of order; whatever else, the order is the feed's.
    expect(plan.atOnce > 1 ? ids.sort() : ids).toEqual(expected);
  }
}

describe("every event once", () => {
  test("for readers of every kind while ten writers append and the hub restarts", async () => {
    await fc.assert(fc.asyncProperty(fc.array(readerPlan, { minLength: 3, maxLength: 12 }), rounds, play), {
      numRuns: 15,
    });
  }, 120_000);

  test("for twelve readers at their extremes over a longer course", async () => {
    const plan = { kinds: undefined, ofSession: false, atOnce: 1 } as const;
    const plans: ReaderPlan[] = [1, 2, 3, 500].flatMap((limit) =>
      (["stored", "own", "rest"] as const).map((by) => ({ ...plan, limit, by })),
    );
    plans.push({ ...plan, limit: 2, by: "stored", atOnce: 8 }, { ...plan, limit: 1, by: "stored", kinds: ["answer"] });
    const course = Array.from(
      { length: 6 },
      (_, index): Round => ({ kinds: [...kinds], isRestarted: index % 2 === 1 }),
    );
    await play(plans, course);
  }, 120_000);
});
