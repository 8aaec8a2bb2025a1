// What an event is: kinds, who may write them, payloads byte for byte, sessions, threads (mcp-tools.md 8).
import { describe, expect, test } from "bun:test";
import type { EventView } from "../../../src/shared/views.ts";
import { openTestHub, type TestHub } from "../../support/hub.ts";
import {
  answer,
  append,
  ask,
  decide,
  eventOf,
  eventsOf,
  expectNoTrace,
  itemOf,
  itemsOf,
  refusalOf,
  reply,
  request,
  wholeFeed,
} from "../conversation.ts";

async function openLab(): Promise<TestHub> {
  const hub = await openTestHub();
  await hub.project("lab");
  return hub;
}

async function answerOn(hub: TestHub, root: string): Promise<EventView> {
  const [found, ...others] = (await wholeFeed(hub, "lab")).filter(
    (event) => event.thread_id === root && event.id !== root,
  );
  if (found === undefined || others.length > 0) throw new Error(`expected one event on thread ${root}`);
  return found;
}

describe("kinds", () => {
  test("signal_append writes four kinds; each shows as the contract says", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    for (const [kind, needsAction, status] of [
      ["signal", false, null],
      ["idea", false, null],
      ["finished", false, "unread"],
      ["approval", true, "action"],
    ] as const) {
      const id = await append(ann, "lab", { kind, summary: "  trimmed  ", payload: { body: "é", n: [1, null, true] } });
      const expected = {
        id,
        project_id: "lab",
        kind,
        actor: "ann",
        summary: "trimmed",
        payload: { body: "é", n: [1, null, true] },
        thread_id: null,
        session_id: null,
        needs_action: needsAction,
        created_at: "2026-01-02T03:04:05.000Z",
        inbox_status: status,
      };
      const page = await ann.call("feed_read", { project_id: "lab", before: "Z", limit: 1 });
      expect(JSON.stringify(eventsOf(page))).toBe(JSON.stringify([expected]));
      const rest = await hub.rest("listProjectFeed", { params: { id: "lab" }, query: { limit: 1 } });
      expect(JSON.stringify(eventsOf(rest))).toBe(JSON.stringify([expected]));
    }
    // Only two of them are there to be dealt with.
    expect(itemsOf(await ann.call("inbox_read")).map(({ kind }) => kind)).toEqual(["approval", "finished"]);
  });

  test("a payload is any JSON, null when there is none, and comes back as it was sent", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    for (const payload of [null, 0, false, "", "text", [], {}, [[{ a: "\u2028\u0000\ud83d\ude00" }]], 1.5e-9]) {
      const id = await append(ann, "lab", { payload });
      expect(JSON.stringify((await eventOf(hub, "lab", id)).payload)).toBe(JSON.stringify(payload));
    }
    expect((await eventOf(hub, "lab", await append(ann, "lab"))).payload).toBeNull();
  });

  test("no other kind is written, by anybody, and the refusal lists those that are", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    for (const by of [ann, hub.operator]) {
      for (const kind of ["question", "answer", "artifact", "session", "system", "Signal", "", 1, undefined]) {
        const details = { field: "kind", expected: "one of signal, finished, approval, idea" };
        const error = await expectNoTrace(hub, () => append(by, "lab", { kind }), {
          code: "invalid_argument",
          details,
        });
        expect(error.message).toContain("signal, finished, approval, idea");
      }
    }
  });

  test("neither the actor, nor needs_action, nor a session can be sent", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    const forged = {
      actor: "bob",
      needs_action: true,
      session_id: "S",
      created_at: "x",
      inbox_status: "action",
      id: "1",
    };
    const id = await append(ann, "lab", forged);
    expect(await eventOf(hub, "lab", id)).toMatchObject({ actor: "ann", needs_action: false, session_id: null });
    const question = await ask(ann, "lab", forged);
    const given = await answer(ann, question, forged);
    expect(await eventOf(hub, "lab", given)).toMatchObject({ actor: "ann", session_id: null });
    expect(itemsOf(await ann.call("inbox_read")).map(({ actor }) => actor)).toEqual(["ann"]);
  });

  test("a summary is cut to 1024 characters only where the hub derives it", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    const subject = `${"𝒳".repeat(1023)}z`;
    const id = await ask(ann, "lab", { subject });
    expect((await eventOf(hub, "lab", id)).summary).toBe(subject);
    const given = await reply(hub, id);
    expect((await eventOf(hub, "lab", given)).summary).toBe(`re: ${"𝒳".repeat(1020)}`);
  });
});

describe("payloads the hub writes, byte for byte", () => {
  test("of a question: body, context and options, null when all are absent", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    for (const [args, payload] of [
      [{}, null],
      [{ body: "b" }, { body: "b" }],
      [{ context: "c" }, { context: "c" }],
      [{ options: [" yes ", "no\n"] }, { options: ["yes", "no"] }],
      [
        { options: ["a", "b"], context: "c", body: " b " },
        { body: " b ", context: "c", options: ["a", "b"] },
      ],
    ] as const) {
      const id = await ask(ann, "lab", { subject: " Why? ", ...args });
      const event = await eventOf(hub, "lab", id);
      expect(event).toMatchObject({ summary: "Why?", kind: "question", thread_id: id, needs_action: true });
      expect(JSON.stringify(event.payload)).toBe(JSON.stringify(payload));
    }
  });

  test("of an answer by an agent and by the operator", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    const bob = await hub.agent("bob");
    for (const [by, give] of [
      ["bob", (id: string) => answer(bob, id, { body: "  as\nit is  " })],
      ["human", (id: string) => reply(hub, id, { body: "  as\nit is  " })],
      ["human", (id: string) => answer(hub.operator, id, { body: "as\nit is" })],
    ] as const) {
      const id = await ask(ann, "lab", { subject: "Why?" });
      const given = await give(id);
      const event = await answerOn(hub, id);
      expect(event).toMatchObject({ id: given, kind: "answer", actor: by, summary: "re: Why?", needs_action: false });
      expect(event).toMatchObject({ thread_id: id, inbox_status: null, session_id: null });
      expect(JSON.stringify(event.payload)).toBe('{"body":"as\\nit is"}');
    }
  });

  test("of a decision, with and without a note", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    for (const [body, payload] of [
      [{ decision: "approve" }, '{"body":"Approved","decision":"approved"}'],
      [{ decision: "decline" }, '{"body":"Declined","decision":"declined"}'],
      [{ decision: "approve", note: " go " }, '{"body":"Approved: go","decision":"approved","note":"go"}'],
      [{ decision: "decline", note: "no" }, '{"body":"Declined: no","decision":"declined","note":"no"}'],
      [{ decision: "decline", note: " \n " }, '{"body":"Declined","decision":"declined"}'],
    ] as const) {
      const id = await request(ann, "lab", { summary: "Ship it" });
      const given = await decide(hub, id, body);
      const event = await answerOn(hub, id);
      expect(event).toMatchObject({ id: given, kind: "answer", actor: "human", summary: "re: Ship it", thread_id: id });
      expect(JSON.stringify(event.payload)).toBe(payload);
    }
  });

  test("of an expired question and of expired approvals, by the hub", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    const roots = [
      [await ask(ann, "lab", { subject: "S", expires_in_seconds: 60 }), '{"expired":true}'],
      [
        await request(ann, "lab", { summary: "S", expires_in_seconds: 60, on_expiry: "approve" }),
        '{"expired":true,"decision":"approved","body":"Expired: approved"}',
      ],
      [
        await request(ann, "lab", { summary: "S", expires_in_seconds: 60, on_expiry: "decline" }),
        '{"expired":true,"decision":"declined","body":"Expired: declined"}',
      ],
      [
        await request(ann, "lab", { summary: "S", expires_in_seconds: 60 }),
        '{"expired":true,"decision":"declined","body":"Expired: declined"}',
      ],
    ] as const;
    hub.clock.now += 60_000;
    for (const [root, payload] of roots) {
      const event = await answerOn(hub, root);
      expect(event).toMatchObject({
        kind: "answer",
        actor: "hub",
        summary: "re: S",
        thread_id: root,
        session_id: null,
      });
      expect(event.created_at).toBe("2026-01-02T03:05:05.000Z");
      expect(JSON.stringify(event.payload)).toBe(payload);
    }
  });

  test("of a session that starts and ends", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    const { session_id } = await ann.call("session_start", { project_id: "lab", session_name: "night" });
    await ann.call("session_end", { session_id, handoff: "rest is easy" });
    const [started, ended] = await wholeFeed(hub, "lab", ["session"]);
    expect(started).toMatchObject({ summary: "session night started", actor: "ann", session_id, thread_id: null });
    expect(started?.payload).toEqual({ action: "started", session_id: String(session_id), session_name: "night" });
    expect(ended).toMatchObject({ summary: "session night ended", actor: "ann", session_id, thread_id: null });
    expect(ended?.payload).toEqual({
      action: "ended",
      session_id: String(session_id),
      session_name: "night",
      handoff: "rest is easy",
    });
  });
});

describe("the session of an event", () => {
  test("is the connection's active one when it is in the same project, else none", async () => {
    await using hub = await openLab();
    await hub.project("other");
    const ann = await hub.agent("ann");
    const connection = await hub.connect(ann);
    const on = { connection };
    const started = await ann.call("session_start", { project_id: "lab", session_name: "night" }, on);
    const session_id = String(started["session_id"]);
    const signal = { kind: "signal", summary: "s" };
    await ann.call("signal_append", { project_id: "lab", ...signal }, on);
    await ann.call("signal_append", { project_id: "other", ...signal }, on);
    const { question_id } = await ann.call("question_post", { project_id: "lab", subject: "q" }, on);
    await ann.call("answer_post", { question_id: String(question_id), body: "a" }, on);
    await ann.call("signal_append", { project_id: "lab", ...signal, kind: "approval" }, on);
    // Without the connection there is no active session.
    await append(ann, "lab");
    const sessions = (await wholeFeed(hub, "lab")).map((event) => [event.kind, event.session_id]);
    expect(sessions).toEqual([
      ["session", session_id],
      ["signal", session_id],
      ["question", session_id],
      ["answer", session_id],
      ["approval", session_id],
      ["signal", null],
    ]);
    expect((await wholeFeed(hub, "other")).map((event) => event.session_id)).toEqual([null]);
    // The operator's answers and the hub's belong to no session.
    await ann.call("session_end", { session_id: String(session_id) });
    await ann.call("signal_append", { project_id: "lab", ...signal }, on);
    expect((await wholeFeed(hub, "lab")).at(-1)?.session_id).toBeNull();
  });
});

describe("threads", () => {
  test("a reply hangs on a root of the same project", async () => {
    await using hub = await openLab();
    await hub.project("other");
    const ann = await hub.agent("ann");
    const roots = [
      await append(ann, "lab"),
      await append(ann, "lab", { kind: "finished" }),
      await ask(ann, "lab"),
      await request(ann, "lab"),
    ];
    for (const root of roots) {
      const replied = await append(ann, "lab", { thread_id: root });
      expect((await eventOf(hub, "lab", replied)).thread_id).toBe(root);
      // A reply is no root; the refusal names the thread to use.
      const details = { field: "thread_id", expected: expect.stringContaining(root) };
      const again = () => append(ann, "lab", { thread_id: replied });
      const error = await expectNoTrace(hub, again, { code: "invalid_argument", details });
      expect(error.message).toContain(root);
    }
    const elsewhere = await append(ann, "other");
    for (const thread_id of [elsewhere, "01KE0000000000000000000000", "nothing", ""]) {
      await expectNoTrace(hub, () => append(ann, "lab", { thread_id }), { code: "not_found", details: {} });
    }
  });

  test("an audit record is no root, and says so as an unknown id does", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    await hub.rest("createGrant", { params: { id: "ann" }, body: { project_id: "lab" } });
    const [audit] = await wholeFeed(hub, "lab", ["system"]);
    const denied = await refusalOf(append(ann, "lab", { thread_id: audit?.id }));
    const unknown = await refusalOf(append(ann, "lab", { thread_id: "01KE0000000000000000000000" }));
    expect({ ...denied, message: denied.message.replace(String(audit?.id), "X") }).toEqual({
      ...unknown,
      message: unknown.message.replace("01KE0000000000000000000000", "X"),
    });
  });

  test("an approval answers under its own id, also one that is itself a reply", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    const alone = await request(ann, "lab");
    expect((await eventOf(hub, "lab", alone)).thread_id).toBeNull();
    const root = await append(ann, "lab");
    const under = await request(ann, "lab", { thread_id: root });
    expect((await eventOf(hub, "lab", under)).thread_id).toBe(root);
    for (const id of [alone, under]) {
      const decided = await decide(hub, id);
      expect((await eventOf(hub, "lab", decided)).thread_id).toBe(id);
      expect((await itemOf(ann, id)).decision?.event_id).toBe(decided);
    }
  });

  test("question_post returns one value three times", async () => {
    await using hub = await openLab();
    const ann = await hub.agent("ann");
    const posted = await ann.call("question_post", { project_id: "lab", subject: "q" });
    const id = String(posted["question_id"]);
    expect(JSON.stringify(posted)).toBe(JSON.stringify({ event_id: id, question_id: id, thread_id: id }));
  });
});
