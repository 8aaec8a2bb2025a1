// The wait for a decision through lost connections and restarts (cli.md 7.1), in the time of a clock of its own.
import { describe, expect, test } from "bun:test";
import { type Clock, waitForDecision } from "../../src/client/enrol/decision.ts";
import { HubFailure } from "../../src/client/hub-failure.ts";
import { closedUrl, openScriptedHub, problem } from "../support/cli-hub.ts";

type TestClock = Clock & { slept: number[] };

function openClock(): TestClock {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      slept.push(ms);
      now += ms;
    },
  };
}

const never = new AbortController().signal;
const at = (url: string) => ({ url, token: "f".repeat(64), timeoutMs: 1000 });
const approved = () => Response.json({ status: "approved", agent_id: "ada", share: true });
const pauses = [1000, 2000, 4000, 8000, 16_000, 30_000];

async function failureOf(work: Promise<unknown>): Promise<HubFailure> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof HubFailure)) throw new Error(`expected a failure of the hub, not ${String(error)}`);
  return error;
}

test("a hub that is gone is asked again, less and less often, for 300 s", async () => {
  const clock = openClock();
  const failure = await failureOf(waitForDecision(at(closedUrl()), never, clock));
  expect(failure.reason).toBe("unreachable");
  expect(clock.slept.slice(0, 8)).toEqual([...pauses, 30_000, 30_000]);
  expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBe(300_000);
});

describe("what passes is waited out", () => {
  test.each([500, 502, 503, 504, 429])("%i", async (status) => {
    const answers = [status, status, status];
    using hub = openScriptedHub(() => {
      const next = answers.shift();
      return next === undefined ? approved() : problem(next, { code: "x", detail: "x" });
    });
    const clock = openClock();
    expect(await waitForDecision(at(hub.url), never, clock)).toEqual({ agentId: "ada", shares: true });
    expect(clock.slept).toEqual(pauses.slice(0, 3));
    expect(hub.requests.map(({ path }) => path)).toEqual(Array(4).fill("/api/v1/enrol/status"));
  });

  test("an answer starts the time anew", async () => {
    let count = 0;
    using hub = openScriptedHub(() => {
      count += 1;
      if (count === 60) return approved();
      return count % 12 === 0
        ? Response.json({ status: "pending" })
        : problem(503, { code: "unavailable", detail: "x" });
    });
    const clock = openClock();
    expect(await waitForDecision(at(hub.url), never, clock)).toEqual({ agentId: "ada", shares: true });
    expect(clock.now()).toBeGreaterThan(600_000);
  });

  test("for 300 s: a hub that only fails was not reached", async () => {
    using hub = openScriptedHub(() => problem(503, { code: "unavailable", detail: "x" }));
    expect((await failureOf(waitForDecision(at(hub.url), never, openClock()))).reason).toBe("unreachable");
  });
});

test("a hub that answers at once without a decision is not asked without a pause", async () => {
  let count = 0;
  using hub = openScriptedHub(() => {
    count += 1;
    return count > 5 ? approved() : Response.json({ status: "pending" });
  });
  const clock = openClock();
  await waitForDecision(at(hub.url), never, clock);
  expect(clock.slept).toEqual([1000, 1000, 1000, 1000, 1000]);
});

test.each([
  [401, "unauthenticated"],
  [403, "refused"],
  [404, "refused"],
  [400, "refused"],
  [302, "refused"],
])("%i ends it", async (status, reason) => {
  using hub = openScriptedHub(() => problem(status, { code: status === 401 ? "unauthenticated" : "x", detail: "x" }));
  const failure = await failureOf(waitForDecision(at(hub.url), never, openClock()));
  expect(failure.reason).toBe(reason as HubFailure["reason"]); // from the table above
  expect(hub.requests.length).toBe(1);
});

test.each([{}, { status: "approved" }, { status: "maybe" }, "approved", null])(
  "an answer of %j ends it",
  async (body) => {
    using hub = openScriptedHub(() => Response.json(body));
    expect((await failureOf(waitForDecision(at(hub.url), never, openClock()))).reason).toBe("refused");
  },
);

test("share is kept only where the hub says so", async () => {
  using hub = openScriptedHub(() => Response.json({ status: "approved", agent_id: "ada" }));
  expect(await waitForDecision(at(hub.url), never, openClock())).toEqual({ agentId: "ada", shares: false });
});

test("an interruption ends a poll under way", async () => {
  const asked = Promise.withResolvers<void>();
  using hub = openScriptedHub(() => {
    asked.resolve();
    return new Promise(() => undefined);
  });
  const stop = new AbortController();
  const waiting = waitForDecision({ ...at(hub.url), timeoutMs: 60_000 }, stop.signal, openClock());
  await asked.promise;
  stop.abort(new Error("stopped"));
  expect(waiting).rejects.toThrow("stopped");
  await waiting.catch(() => undefined);
});
