// Idempotency keys (mcp-tools.md 10): scopes, binding, replay before thread, cap and ceiling, no wake on a replay.
import { describe, expect, test } from "bun:test";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { answer, append, ask, decide, expectNoTrace, refusalOf, reply, request, wholeFeed } from "../conversation.ts";

const key = "k";

// Every operation that takes a key, as a fresh write with that key on a subject of its own or on a given one.
type Keyed = {
  operation: string;
  /** Makes what the write is bound to, if it is bound to an item. */
  subject: (by: Caller) => Promise<string>;
  write: (hub: TestHub, by: Caller, subject: string, args?: object) => Promise<string>;
};
const none = async (): Promise<string> => "";
const keyed: Keyed[] = [
  ...["signal", "finished", "approval", "idea"].map((kind) => ({
    operation: `event:${kind}`,
    subject: none,
    write: (_hub: TestHub, by: Caller, _subject: string, args: object = {}) =>
      append(by, "lab", { kind, idempotency_key: key, ...args }),
  })),
  {
    operation: "event:question",
    subject: none,
    write: (_hub, by, _subject, args) => ask(by, "lab", { idempotency_key: key, ...args }),
  },
  {
    operation: "answer",
    subject: (by) => ask(by, "lab"),
    write: (_hub, by, subject, args) => answer(by, subject, { idempotency_key: key, ...args }),
  },
  {
    operation: "answer over REST",
    subject: (by) => ask(by, "lab"),
    write: (hub, _by, subject, args) => reply(hub, subject, { idempotency_key: key, ...args }),
  },
  {
    operation: "decision",
    subject: (by) => request(by, "lab"),
    write: (hub, _by, subject, args) => decide(hub, subject, { idempotency_key: key, ...args }),
  },
];

async function openLab(config: object = {}): Promise<{ hub: TestHub; ann: Caller } & AsyncDisposable> {
  const hub = await openTestHub({ config });
  await hub.project("lab");
  await hub.project("other");
  return { hub, ann: await hub.agent("ann"), [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

describe("a key", () => {
  for (const { operation, subject, write } of keyed) {
    test(`of ${operation}: the same call returns the first result and writes nothing, also after a restart`, async () => {
      await using lab = await openLab();
      const { hub, ann } = lab;
      const on = await subject(ann);
      const first = await write(hub, ann, on);
      const count = (await wholeFeed(hub, "lab")).length;
      expect(await write(hub, ann, on)).toBe(first);
      // Nothing but key and target is compared, and the actor is not part of the key.
      expect(await write(hub, await hub.agent("bob"), on, { summary: "another", subject: "another", body: "b" })).toBe(
        first,
      );
      await hub.reopen();
      expect(await write(hub, ann, on)).toBe(first);
      expect((await wholeFeed(hub, "lab")).length).toBe(count);
    });

    test(`of ${operation}: 20 calls at once give one event`, async () => {
      await using lab = await openLab();
      const { hub, ann } = lab;
      const on = await subject(ann);
      const count = (await wholeFeed(hub, "lab")).length;
      const given = await Promise.all(Array.from({ length: 20 }, () => write(hub, ann, on)));
      expect(new Set(given).size).toBe(1);
      expect((await wholeFeed(hub, "lab")).length).toBe(count + 1);
    });

    test(`of ${operation}: a replay leaves no trace and wakes nobody`, async () => {
      await using lab = await openLab();
      const { hub, ann } = lab;
      const on = await subject(ann);
      const { bus } = hub.hub.kernel.services;
      const woken: string[] = [];
      const topics = ["project:lab", "feed:lab", "inbox", "actor:ann", `item:${on}`, "kind:signal", "kind:answer"];
      using _listener = new DisposableStack();
      for (const topic of topics) _listener.use(bus.subscribe([topic], () => woken.push(topic)));
      await write(hub, ann, on);
      expect(woken.length).toBeGreaterThan(0);
      woken.length = 0;
      const before = await hub.snapshot();
      await write(hub, ann, on);
      expect(woken).toEqual([]);
      expect(await hub.snapshot()).toBe(before);
    });
  }

  test("belongs to one operation: across all of them it never yields another's event", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const seen: string[] = [];
    for (const { operation, subject, write } of keyed) {
      if (operation === "answer over REST") continue; // the same operation as `answer`, bound to its own question
      seen.push(await write(hub, ann, await subject(ann)));
    }
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("belongs to one project: the same key in another writes there", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const here = await append(ann, "lab", { idempotency_key: key });
    const there = await append(ann, "other", { idempotency_key: key });
    expect(there).not.toBe(here);
    const [q, r] = [await ask(ann, "lab"), await ask(ann, "other")];
    expect(await answer(ann, q, { idempotency_key: key })).not.toBe(await answer(ann, r, { idempotency_key: key }));
    expect((await wholeFeed(hub, "other")).length).toBe(3);
  });

  test("is bound to its target: on another question or approval it is refused, and that one stays open", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const details = { field: "idempotency_key", expected: expect.any(String) };
    const refusal = { code: "invalid_argument" as const, details };
    const [first, second] = [await ask(ann, "lab"), await ask(ann, "lab")];
    await answer(ann, first, { idempotency_key: key });
    await expectNoTrace(hub, () => answer(ann, second, { idempotency_key: key }), refusal);
    await expectNoTrace(hub, () => reply(hub, second, { idempotency_key: key }), refusal);
    await reply(hub, second, { idempotency_key: "other" });
    const [third, fourth] = [await request(ann, "lab"), await request(ann, "lab")];
    await decide(hub, third, { idempotency_key: key });
    await expectNoTrace(hub, () => decide(hub, fourth, { idempotency_key: key }), refusal);
    await decide(hub, fourth);
  });

  test("is not recorded by a refused write: it writes once the refusal's reason is gone", async () => {
    await using lab = await openLab({ inboxActionPerAgent: 1 });
    const { hub, ann } = lab;
    const open = await ask(ann, "lab");
    await expectNoTrace(hub, () => ask(ann, "lab", { idempotency_key: key }), {
      code: "rate_limited",
      details: { open: 1, cap: 1, setting: "HUB_INBOX_ACTION_PER_AGENT" },
    });
    await reply(hub, open);
    const posted = await ask(ann, "lab", { idempotency_key: key });
    expect(await ask(ann, "lab", { idempotency_key: key })).toBe(posted);
  });
});

describe("a replay comes before the state of the store", () => {
  test("over the cap", async () => {
    await using lab = await openLab({ inboxActionPerAgent: 2 });
    const { ann } = lab;
    const question = await ask(ann, "lab", { idempotency_key: key });
    const approval = await request(ann, "lab", { idempotency_key: key });
    expect((await refusalOf(ask(ann, "lab"))).code).toBe("rate_limited");
    expect(await ask(ann, "lab", { idempotency_key: key })).toBe(question);
    expect(await request(ann, "lab", { idempotency_key: key })).toBe(approval);
  });

  test("at the event ceiling", async () => {
    await using lab = await openLab({ eventsPerProject: 4 });
    const { hub, ann } = lab;
    const signal = await append(ann, "lab", { idempotency_key: key });
    const question = await ask(ann, "lab", { idempotency_key: key });
    const given = await answer(ann, question, { idempotency_key: key });
    await append(ann, "lab");
    const full = { code: "conflict" as const, details: { cap: 4, setting: "HUB_EVENTS_PER_PROJECT" } };
    await expectNoTrace(hub, () => append(ann, "lab", { idempotency_key: "new" }), full);
    expect(await append(ann, "lab", { idempotency_key: key })).toBe(signal);
    expect(await ask(ann, "lab", { idempotency_key: key })).toBe(question);
    expect(await answer(ann, question, { idempotency_key: key })).toBe(given);
  });

  test("with a thread that does not resolve, and on an item that is resolved or past its deadline", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const root = await append(ann, "lab");
    const first = await append(ann, "lab", { thread_id: root, idempotency_key: key });
    expect(await append(ann, "lab", { thread_id: "gone", idempotency_key: key })).toBe(first);
    expect(await append(ann, "lab", { thread_id: first, idempotency_key: key })).toBe(first);
    const question = await ask(ann, "lab", { expires_in_seconds: 60 });
    const given = await answer(ann, question, { idempotency_key: key });
    hub.clock.now += 61_000;
    expect(await answer(ann, question, { idempotency_key: key })).toBe(given);
    const approval = await request(ann, "lab");
    const decided = await decide(hub, approval, { idempotency_key: key });
    expect(await decide(hub, approval, { decision: "decline", idempotency_key: key })).toBe(decided);
  });

  test("but after shape and access", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    await hub.project("secret", { confidential: true });
    await hub.rest("createGrant", { params: { id: "ann" }, body: { project_id: "secret" } });
    const signal = await append(ann, "secret", { idempotency_key: key });
    const question = await ask(ann, "secret", { idempotency_key: key });
    await answer(ann, question, { idempotency_key: key });
    await expectNoTrace(hub, () => append(ann, "secret", { summary: " ", idempotency_key: key }), {
      code: "invalid_argument",
      details: { field: "summary", expected: expect.any(String) },
    });
    expect(await append(ann, "secret", { idempotency_key: key })).toBe(signal);
    await hub.rest("deleteGrant", { params: { id: "ann", project_id: "secret" } });
    const denied = { code: "forbidden" as const, details: {} };
    await expectNoTrace(hub, () => append(ann, "secret", { idempotency_key: key }), denied);
    await expectNoTrace(hub, () => ask(ann, "secret", { idempotency_key: key }), denied);
    await expectNoTrace(hub, () => answer(ann, question, { idempotency_key: key }), denied);
  });
});
