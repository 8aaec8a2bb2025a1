// What the trailer says and in which order (mcp-tools.md 5).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { drain, tell, toldBy } from "../../support/trailer.ts";

let hub: TestHub;
let alice: Caller;
let bob: Caller;

beforeEach(async () => {
  hub = await openTestHub();
  await hub.project("p");
  await hub.project("q");
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
});
afterEach(() => hub[Symbol.asyncDispose]());

const nowText = (): string => new Date(hub.clock.now).toISOString();

async function ask(of: Caller, subject: string, more: object = {}): Promise<string> {
  const { question_id } = await of.call("question_post", { project_id: "p", subject, ...more });
  return String(question_id);
}

async function requestApproval(of: Caller, summary: string, more: object = {}): Promise<string> {
  const { event_id } = await of.call("signal_append", { project_id: "p", kind: "approval", summary, ...more });
  return String(event_id);
}

async function signal(of: Caller, summary: string, project_id = "p", kind = "signal"): Promise<string> {
  const { event_id } = await of.call("signal_append", { project_id, kind, summary });
  return String(event_id);
}

const answer = (id: string): Promise<JsonObject> =>
  hub.rest("answerQuestion", { params: { id }, body: { body: "the answer" } });
const decide = (id: string, decision: "approve" | "decline"): Promise<JsonObject> =>
  hub.rest("decideApproval", { params: { id }, body: { decision, note: "a note" } });

// A read that settles what is due, by somebody else.
const settle = (): Promise<JsonObject> => bob.call("inbox_read");

describe("an item of the caller's own that was resolved", () => {
  test.each([
    ["question_answered", "answered: ", (id: string) => answer(id)],
    ["question_answered", "answered: ", (id: string) => bob.call("answer_post", { question_id: id, body: "mine" })],
    ["approval_decided", "approved: ", (id: string) => decide(id, "approve")],
    ["approval_decided", "declined: ", (id: string) => decide(id, "decline")],
  ] as const)("%s, %s", async (kind, word, resolve) => {
    const id =
      kind === "question_answered" ? await ask(alice, "the subject") : await requestApproval(alice, "the subject");
    expect(await toldBy(hub, alice)).toEqual([]);
    hub.clock.now += 5000;
    await resolve(id);
    const at = nowText();
    hub.clock.now += 5000;
    // The item's own id, when it was resolved, and nothing of the answer itself.
    expect(await toldBy(hub, alice)).toEqual([
      { source: "attention", kind, id, project_id: "p", title: `${word}the subject`, at },
    ]);
    expect(await toldBy(hub, alice)).toEqual([]);
    expect(await toldBy(hub, bob)).toEqual([]);
  });

  test.each([
    ["question_answered", "expired, closed with no answer: ", undefined],
    ["approval_decided", "expired, approved: ", "approve"],
    ["approval_decided", "expired, declined: ", "decline"],
    ["approval_decided", "expired, declined: ", undefined],
  ] as const)("%s at its deadline, %s (%p)", async (kind, word, on_expiry) => {
    const more = { expires_in_seconds: 60, ...(on_expiry === undefined ? {} : { on_expiry }) };
    const id =
      kind === "question_answered" ? await ask(alice, "late", more) : await requestApproval(alice, "late", more);
    hub.clock.now += 60_000;
    await settle();
    expect(await toldBy(hub, alice)).toEqual([
      { source: "attention", kind, id, project_id: "p", title: `${word}late`, at: nowText(), expired: true },
    ]);
    expect(await toldBy(hub, alice)).toEqual([]);
  });

  test("is no news while it is open, snoozed, extended, or only read", async () => {
    await ask(alice, "open", { expires_in_seconds: 600 });
    const open = await ask(alice, "snoozed", { expires_in_seconds: 600 });
    const finished = await signal(alice, "done", "p", "finished");
    const until = new Date(hub.clock.now + 60_000).toISOString();
    await hub.rest("snoozeItem", { params: { event_id: open }, body: { until } });
    await hub.rest("extendItem", { params: { event_id: open }, body: { seconds: 1200 } });
    await hub.rest("markRead", { params: { event_id: finished } });
    expect(await toldBy(hub, alice)).toEqual([]);
  });

  test("is one line, whatever the summary holds", async () => {
    const id = await requestApproval(alice, "first\r\nsecond\u2028third\tfourth");
    await decide(id, "approve");
    expect(await toldBy(hub, alice)).toMatchObject([{ title: "approved: first second third fourth" }]);
  });

  test("of an actor that was never told anything is told, however old", async () => {
    const ids = [];
    for (let index = 0; index < 3; index += 1) {
      const id = await ask(alice, `question ${index}`);
      await answer(id);
      ids.push(id);
      hub.clock.now += 30 * 24 * 3_600_000;
    }
    expect((await drain(hub, alice)).map((entry) => entry["id"])).toEqual(ids);
  });

  test("is told by when it was resolved, not by when it was asked", async () => {
    const early = await ask(alice, "early");
    const late = await ask(alice, "late");
    await answer(late);
    expect(await toldBy(hub, alice)).toMatchObject([{ id: late }]);
    // Older than what was told before, and still news.
    await answer(early);
    expect(await toldBy(hub, alice)).toMatchObject([{ id: early }]);
  });
});

describe("a subscribed event", () => {
  test("says its kind, id, project, summary and time", async () => {
    await alice.call("notify_subscribe", { kinds: ["idea", "finished"] });
    await signal(bob, "not subscribed");
    hub.clock.now += 1000;
    const id = await signal(bob, "an idea\nof mine", "q", "idea");
    expect(await toldBy(hub, alice)).toEqual([
      { source: "subscription", kind: "idea", id, project_id: "q", title: "an idea of mine", at: nowText() },
    ]);
  });

  test("comes once for each subscription it matches", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    await alice.call("notify_subscribe", { kinds: ["signal"], project_id: "p" });
    const id = await signal(bob, "twice wanted");
    expect(await toldBy(hub, alice)).toMatchObject([{ id }, { id }]);
    expect(await toldBy(hub, alice)).toEqual([]);
  });

  test.each([
    [{ kinds: ["signal"] }, ["bob p", "alice p", "bob q"]],
    [{ kinds: ["signal"], project_id: "p" }, ["bob p", "alice p"]],
    [{ kinds: ["signal"], actor: "bob" }, ["bob p", "bob q"]],
    [{ kinds: ["signal"], actor: "bob", project_id: "q" }, ["bob q"]],
    [{ kinds: ["signal"], exclude_own: true }, ["bob p", "bob q"]],
    [{ kinds: ["signal"], actor: "alice" }, ["alice p"]],
    [{ kinds: ["signal"], actor: "nobody" }, []],
  ])("of %j", async (filter, expected) => {
    await alice.call("notify_subscribe", filter);
    await signal(bob, "bob p");
    await alice.call("signal_append", { project_id: "p", kind: "signal", summary: "alice p" });
    await signal(bob, "bob q", "q");
    await signal(bob, "an idea", "q", "idea");
    expect((await drain(hub, alice)).map((entry) => String(entry["title"]))).toEqual(expected);
  });

  test("of every kind that can be subscribed to comes, and no session or audit event ever", async () => {
    await alice.call("notify_subscribe", {
      kinds: ["signal", "finished", "approval", "question", "answer", "artifact", "idea"],
    });
    const connection = await hub.connect(bob);
    await bob.call("session_start", { project_id: "p", session_name: "s" }, { connection });
    for (const kind of ["signal", "finished", "approval", "idea"]) await signal(bob, kind, "p", kind);
    const question = await ask(bob, "question");
    await answer(question);
    await hub
      .rest("createGrant", { params: { id: "bob" }, body: { agent_id: "bob", project_id: "p" } })
      .catch(() => ({}));
    expect((await drain(hub, alice)).map((entry) => entry["kind"])).toEqual([
      "signal",
      "finished",
      "approval",
      "idea",
      "question",
      "answer",
    ]);
  });
});

describe("order", () => {
  test("attention first, oldest resolution first; then subscriptions as they were made, each oldest first", async () => {
    await alice.call("notify_subscribe", { kinds: ["idea"] });
    await alice.call("notify_subscribe", { kinds: ["signal"], project_id: "q" });
    await alice.call("notify_subscribe", { kinds: ["signal", "finished"] });
    const first = await ask(alice, "asked first");
    const second = await ask(alice, "asked second");
    await signal(bob, "one", "q");
    await signal(bob, "two", "p", "idea");
    await answer(second);
    await signal(bob, "three", "p", "finished");
    await signal(bob, "four", "q", "idea");
    await answer(first);
    await signal(bob, "five", "q");
    expect((await toldBy(hub, alice)).map((entry) => entry["title"])).toEqual([
      "answered: asked second",
      "answered: asked first",
      "two",
      "four",
      "one",
      "five",
      "one",
      "three",
      "five",
    ]);
  });
});

describe("caps", () => {
  test("50 events a subscription, the rest on later calls, each once", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    await alice.call("notify_subscribe", { kinds: ["idea"] });
    const signals = [];
    for (let index = 0; index < 120; index += 1)
      signals.push(await signal(bob, `s${index}`, index % 3 === 0 ? "q" : "p"));
    const idea = await signal(bob, "idea", "p", "idea");
    const pages = [];
    for (let call = 0; call < 4; call += 1) pages.push((await toldBy(hub, alice)).map((entry) => String(entry["id"])));
    expect(pages).toEqual([[...signals.slice(0, 50), idea], signals.slice(50, 100), signals.slice(100), []]);
  });

  test("what arrives while the rest is due comes after it", async () => {
    await alice.call("notify_subscribe", { kinds: ["signal"] });
    const ids = [];
    for (let index = 0; index < 60; index += 1) ids.push(await signal(bob, `s${index}`));
    expect(await toldBy(hub, alice)).toHaveLength(50);
    ids.push(await signal(bob, "newest", "q"));
    expect((await toldBy(hub, alice)).map((entry) => String(entry["id"]))).toEqual(ids.slice(50));
    expect(await toldBy(hub, alice)).toEqual([]);
  });

  test("500 attention items, the rest on the next call", async () => {
    await using open = await openTestHub({ config: { inboxActionPerAgent: 0, inboxActionPerProject: 0 } });
    await open.project("p");
    const carol = await open.agent("carol");
    const questions = await Promise.all(
      Array.from({ length: 501 }, (_, index) => carol.call("question_post", { project_id: "p", subject: `q${index}` })),
    );
    const ids = questions.map((question) => String(question["question_id"]));
    for (const id of ids) await open.rest("answerQuestion", { params: { id }, body: { body: "yes" } });
    const first = await toldBy(open, carol);
    expect(first.map((entry) => String(entry["id"]))).toEqual(ids.slice(0, 500));
    expect((await toldBy(open, carol)).map((entry) => String(entry["id"]))).toEqual(ids.slice(500));
    expect(await toldBy(open, carol)).toEqual([]);
  });
});

test("an inbox_wait does not consume the trailer: its answer is nudged on the same result", async () => {
  const id = await ask(alice, "awaited");
  await answer(id);
  const { content, pending } = await tell(hub, alice, "inbox_wait", { wait_seconds: 0, since: id });
  expect(content["items"]).toMatchObject([{ event_id: id, status: "resolved" }]);
  expect(pending).toMatchObject([{ source: "attention", id }]);
  expect(await toldBy(hub, alice)).toEqual([]);
});

test("a call that itself makes something pending for its caller carries it", async () => {
  await alice.call("notify_subscribe", { kinds: ["signal"] });
  const { content, pending } = await tell(hub, alice, "signal_append", {
    project_id: "p",
    kind: "signal",
    summary: "own",
  });
  expect(pending).toMatchObject([{ id: String(content["event_id"]), title: "own" }]);
});

test("the operator is told like any actor", async () => {
  await hub.operator.call("notify_subscribe", { kinds: ["idea"] });
  const asked = await hub.operator.call("question_post", { project_id: "p", subject: "for anybody" });
  await bob.call("answer_post", { question_id: String(asked["question_id"]), body: "me" });
  const idea = await signal(bob, "an idea", "p", "idea");
  expect(await toldBy(hub, hub.operator)).toMatchObject([
    { source: "attention", title: "answered: for anybody" },
    { source: "subscription", id: idea },
  ]);
});
