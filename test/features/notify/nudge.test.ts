// The outbound nudge against real targets on this machine (operations.md 14, rest-api.md 23).
import { describe, expect, test } from "bun:test";
import { createServer, type Socket } from "node:net";
import { HubError } from "../../../src/shared/errors.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { within } from "../../support/processes.ts";

const sentence = "Something is waiting for you in Agent Hub.";
const token = "bearer-secret-7f3a";
const path = "/topic-secret-91c2?title=title-secret-55d0";
const boundMs = 20_000;
// Real time is the subject: the shortest interval there is, and what a timer may be early by.
const intervalMs = 1000;
const earlyMs = 50;

type Arrival = { at: number; head: string; body: string };
type Target = AsyncDisposable & {
  origin: string;
  arrivals: Arrival[];
  /** Resolves when so many requests have arrived in all. */
  count(wanted: number): Promise<void>;
};

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/** Takes requests byte by byte. Answers each with `answer`, never when that is null. */
async function startTarget(answer: string | null = ok): Promise<Target> {
  const arrivals: Arrival[] = [];
  const sockets = new Set<Socket>();
  let changed = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    let text = "";
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      const [head = "", body] = text.split("\r\n\r\n");
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      arrivals.push({ at: performance.now(), head, body });
      changed.resolve();
      changed = Promise.withResolvers();
      if (answer !== null) socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  async function reached(wanted: number): Promise<void> {
    while (arrivals.length < wanted) await changed.promise;
  }
  return {
    origin: `http://127.0.0.1:${typeof address === "object" ? (address?.port ?? 0) : 0}`,
    arrivals,
    count: (wanted) => within(boundMs, `request number ${wanted}`, reached(wanted)),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type World = AsyncDisposable & { hub: TestHub; alice: Caller };

async function openWorld(
  notifyUrl: string | null,
  more: { notifyToken?: string | null; notifyIntervalSecs?: number } = {},
): Promise<World> {
  const hub = await openTestHub({ config: { notifyUrl, notifyToken: token, notifyIntervalSecs: 1, ...more } });
  await hub.project("p");
  return { hub, alice: await hub.agent("alice"), [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const ask = async (alice: Caller, more: object = {}): Promise<string> =>
  String((await alice.call("question_post", { project_id: "p", subject: "subject-secret", ...more }))["question_id"]);

/** Two nudges that go at once, one after the other: what was started before them has arrived by then. */
async function settled({ hub }: World, target: Target): Promise<number> {
  for (let probe = 0; probe < 2; probe += 1)
    expect(await hub.rest("testNudge")).toEqual({ delivered: true, error: null });
  return target.arrivals.length - 2;
}

function expectNoSecrets(hub: TestHub): void {
  const lines = hub.log.join("\n");
  for (const secret of [token, "topic-secret", "title-secret", "subject-secret"]) expect(lines).not.toContain(secret);
}

describe("the request", () => {
  test("is exactly this, and names nothing", async () => {
    await using target = await startTarget();
    await using world = await openWorld(target.origin + path);
    await ask(world.alice, { body: "body-secret" });
    await target.count(1);
    const [{ head, body } = { head: "", body: "" }] = target.arrivals;
    const [requestLine, ...headerLines] = head.split("\r\n");
    expect(requestLine).toBe(`POST ${path} HTTP/1.1`);
    expect(body).toBe(sentence);
    const headers = new Map(
      headerLines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
    );
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(headers.get("content-length")).toBe(String(sentence.length));
    expect(headers.get("authorization")).toBe(`Bearer ${token}`);
    expect(headers.get("host")).toBe(new URL(target.origin).host);
    const plain = [
      "accept",
      "accept-encoding",
      "authorization",
      "connection",
      "content-length",
      "content-type",
      "host",
      "user-agent",
    ];
    expect([...headers.keys()].sort().filter((name) => !plain.includes(name))).toEqual([]);
    for (const told of ["alice", "secret ", "body-secret", "question", "hub", world.hub.hub.config.nodeName]) {
      for (const [name, value] of headers) {
        if (name !== "authorization" && name !== "host") expect(value.toLowerCase()).not.toContain(told.toLowerCase());
      }
    }
    expectNoSecrets(world.hub);
  });

  test("carries no Authorization without a token", async () => {
    await using target = await startTarget();
    await using world = await openWorld(target.origin + path, { notifyToken: null });
    await ask(world.alice);
    await target.count(1);
    expect(target.arrivals[0]?.head.toLowerCase()).not.toContain("authorization");
  });
});

describe("what sends one", () => {
  test.each([
    ["a question", 1, (alice: Caller) => ask(alice)],
    [
      "an approval",
      1,
      (alice: Caller) => alice.call("signal_append", { project_id: "p", kind: "approval", summary: "s" }),
    ],
    [
      "finished work",
      0,
      (alice: Caller) => alice.call("signal_append", { project_id: "p", kind: "finished", summary: "s" }),
    ],
    ["a signal", 0, (alice: Caller) => alice.call("signal_append", { project_id: "p", kind: "signal", summary: "s" })],
    ["an idea", 0, (alice: Caller) => alice.call("signal_append", { project_id: "p", kind: "idea", summary: "s" })],
    ["a refused question", 0, (alice: Caller) => ask(alice, { options: ["one"] }).catch(() => "")],
  ])("%s: %p", async (_what, sent, act) => {
    await using target = await startTarget();
    await using world = await openWorld(target.origin);
    await act(world.alice);
    expect(await settled(world, target)).toBe(sent);
  });

  test("no replay of an idempotency key", async () => {
    await using target = await startTarget();
    await using world = await openWorld(target.origin);
    const id = await ask(world.alice, { idempotency_key: "once" });
    await target.count(1);
    // A hub that was just opened is in no quiet period, so it would send at once.
    await world.hub.reopen();
    expect(await ask(world.alice, { idempotency_key: "once" })).toBe(id);
    expect(await settled(world, target)).toBe(1);
  });

  test("no answer, expiry or end of a snooze", async () => {
    await using target = await startTarget();
    await using world = await openWorld(target.origin);
    const ids = [await ask(world.alice), await ask(world.alice, { expires_in_seconds: 60 }), await ask(world.alice)];
    // The one at once and the one at the end of the quiet period.
    await target.count(2);
    await world.hub.reopen();
    const until = new Date(world.hub.clock.now + 1000).toISOString();
    await world.hub.rest("snoozeItem", { params: { event_id: ids[2] ?? "" }, body: { until } });
    await world.hub.rest("answerQuestion", { params: { id: ids[0] ?? "" }, body: { body: "b" } });
    world.hub.clock.now += 60_000;
    expect((await world.hub.rest("getHome"))["waiting"]).toBe(1);
    expect(await settled(world, target)).toBe(2);
  });
});

describe("coalescing", () => {
  test("after the first, all others of the quiet period go as one at its end", async () => {
    await using target = await startTarget();
    await using world = await openWorld(target.origin);
    for (let index = 0; index < 10; index += 1) await ask(world.alice);
    await target.count(2);
    // Inside the quiet period that the second one began.
    await Promise.all(Array.from({ length: 10 }, () => ask(world.alice)));
    await target.count(3);
    const [first = 0, second = 0, third = 0] = target.arrivals.map(({ at }) => at);
    expect(second - first).toBeGreaterThan(intervalMs - earlyMs);
    expect(third - second).toBeGreaterThan(intervalMs - earlyMs);
    expect(target.arrivals).toHaveLength(3);
  });

  // In a quiet period of a day nothing arrives but what goes at once.
  test("the first goes at once; so does a test, which neither starts nor ends a quiet period", async () => {
    await using target = await startTarget();
    await using world = await openWorld(target.origin, { notifyIntervalSecs: 86_400 });
    expect(await world.hub.rest("testNudge")).toEqual({ delivered: true, error: null });
    expect(target.arrivals).toHaveLength(1);
    await ask(world.alice);
    await target.count(2);
    await ask(world.alice);
    expect(await settled(world, target)).toBe(2);
  });
});

describe("a target that fails", () => {
  test.each([
    [
      "an error",
      "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
      "answered 500",
    ],
    ["a refusal", "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "answered 401"],
    ["nonsense", "this is no HTTP\r\n\r\n", "could not be reached"],
    ["nothing", "", "could not be reached"],
  ])("with %s is logged by its origin alone and changes no write", async (_what, answer, cause) => {
    await using target = await startTarget(answer);
    await using world = await openWorld(target.origin + path);
    await ask(world.alice);
    await target.count(1);
    const { delivered, error } = await world.hub.rest("testNudge");
    expect(delivered).toBe(false);
    expect(String(error)).toStartWith(`${target.origin} ${cause}`);
    const lines = world.hub.log.filter((line) => line.includes("nudge not delivered"));
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toContain(target.origin);
      expect(line).toMatch(/warn/i);
    }
    expectNoSecrets(world.hub);
  });

  test("because nobody listens", async () => {
    const target = await startTarget();
    await target[Symbol.asyncDispose]();
    await using world = await openWorld(target.origin + path);
    await ask(world.alice);
    const { delivered, error } = await world.hub.rest("testNudge");
    expect([delivered, String(error).split(" (")[0]]).toEqual([false, `${target.origin} could not be reached`]);
    expectNoSecrets(world.hub);
  });

  test.each([301, 302, 303, 307, 308])(
    "with a redirect %p is not followed, so the token stays here",
    async (status) => {
      await using elsewhere = await startTarget();
      await using target = await startTarget(
        `HTTP/1.1 ${status} Moved\r\nLocation: ${elsewhere.origin}/stolen\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
      await using world = await openWorld(target.origin + path);
      expect(await world.hub.rest("testNudge")).toEqual({
        delivered: false,
        error: `${target.origin} answered ${status}`,
      });
      expect([target.arrivals.length, elsewhere.arrivals.length]).toEqual([1, 0]);
      expectNoSecrets(world.hub);
    },
  );

  test("by never answering is given up after 10 s and delays no write meanwhile", async () => {
    await using silent = await startTarget(null);
    await using world = await openWorld(silent.origin + path);
    const started = performance.now();
    const tested = world.hub.rest("testNudge");
    for (let index = 0; index < 20; index += 1) await ask(world.alice);
    expect(performance.now() - started).toBeLessThan(9000);
    expect(await tested).toEqual({ delivered: false, error: `${silent.origin} did not answer in 10 s` });
    const seconds = (performance.now() - started) / 1000;
    expect(seconds).toBeGreaterThan(9.9);
    expect(seconds).toBeLessThan(15);
    expectNoSecrets(world.hub);
  }, 30_000);
});

describe("shutdown", () => {
  test("drops what is due at the end of the quiet period", async () => {
    await using target = await startTarget();
    const world = await openWorld(target.origin);
    await ask(world.alice);
    await target.count(1);
    await ask(world.alice);
    await world[Symbol.asyncDispose]();
    // The quiet period it was due after.
    await Bun.sleep(intervalMs + 200);
    expect(target.arrivals).toHaveLength(1);
  });

  test("does not wait for one under way, and says nothing of it", async () => {
    await using silent = await startTarget(null);
    const world = await openWorld(silent.origin);
    await ask(world.alice);
    await silent.count(1);
    await within(5000, "end of the hub", Promise.resolve(world[Symbol.asyncDispose]()));
    expect(world.hub.log.filter((line) => line.includes("nudge"))).toEqual([]);
  });
});

test("without a target the test route is not found, and nothing is sent", async () => {
  await using world = await openWorld(null);
  await ask(world.alice);
  const refused: unknown = await world.hub.rest("testNudge").catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(HubError);
  expect(refused).toMatchObject({ code: "not_found", message: expect.stringContaining("HUB_NOTIFY_URL") });
});
