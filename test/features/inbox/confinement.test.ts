// What an agent may not reach it is not shown, by any global or per-project read, before a grant and after it is gone.
import { describe, expect, test } from "bun:test";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { append, ask, decide, expectNoTrace, idsOf, refusalOf, reply, request, until } from "../conversation.ts";

type Lab = AsyncDisposable & { hub: TestHub; ann: Caller; bob: Caller };

/** Bob works in a confidential project; Ann holds no grant on it. */
async function openLab(): Promise<Lab> {
  const hub = await openTestHub();
  await hub.project("lab");
  await hub.project("secret", { confidential: true });
  const lab = { hub, ann: await hub.agent("ann"), bob: await hub.agent("bob") };
  await grant(hub, "bob");
  return { ...lab, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const grant = (hub: TestHub, id: string) => hub.rest("createGrant", { params: { id }, body: { project_id: "secret" } });
const revoke = (hub: TestHub, id: string) => hub.rest("deleteGrant", { params: { id, project_id: "secret" } });

/** Everything the agent can read of the inbox, as bytes. */
async function inboxOf(by: Caller): Promise<string> {
  const answers: unknown[] = [];
  for (const filter of [
    {},
    { project_id: "secret" },
    { actor: "bob" },
    { actor: by.actor },
    { status: "action" },
    { status: "resolved" },
  ]) {
    for (const since of [{}, { since: "0" }]) {
      answers.push(await by.call("inbox_read", { ...filter, ...since }));
      answers.push(await by.call("inbox_wait", { ...filter, ...since, wait_seconds: 0 }));
    }
  }
  return JSON.stringify(answers);
}

describe("a confidential project", () => {
  test("leaves no trace in the inbox of an agent without a grant", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    await append(bob, "lab", { kind: "finished" });
    const before = await inboxOf(ann);
    const question = await ask(bob, "secret");
    const approval = await request(bob, "secret", { expires_in_seconds: 60 });
    await append(bob, "secret", { kind: "finished" });
    expect(await inboxOf(ann)).toBe(before);
    await reply(hub, question);
    hub.clock.now += 60_000;
    expect(await inboxOf(ann)).toBe(before);
    expect(idsOf(await bob.call("inbox_read", { project_id: "secret" })).length).toBe(3);
    expect(idsOf(await bob.call("inbox_wait", { wait_seconds: 0 }))).toEqual([approval, question]);
  });

  test("is refused in every call that names it as a missing one is", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const thread = await append(bob, "secret");
    const errors = new Set<string>();
    for (const project of ["secret", "nowhere", "", "space-01KE0000000000000000000000"]) {
      for (const call of [
        () => ann.call("feed_read", { project_id: project }),
        () => ann.call("feed_read", { project_id: project, since: thread, kinds: ["system"], limit: 1 }),
        () => append(ann, project),
        () => append(ann, project, { thread_id: thread, idempotency_key: "k" }),
        () => request(ann, project, { expires_in_seconds: 60 }),
        () => ask(ann, project, { options: ["a", "b"] }),
      ]) {
        errors.add(JSON.stringify(await expectNoTrace(hub, call, { code: "forbidden", details: {} })));
      }
    }
    expect(errors.size).toBe(1);
    // In the inbox a project outside the visible set is empty, not an error.
    expect(await ann.call("inbox_read", { project_id: "secret" })).toEqual(
      await ann.call("inbox_read", { project_id: "nowhere" }),
    );
  });

  test("is gone with the grant: own items, waits and feed, and back with it", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const empty = await inboxOf(ann);
    await grant(hub, "ann");
    const question = await ask(ann, "secret");
    const approval = await request(ann, "secret");
    await decide(hub, approval);
    await ann.call("feed_read", { project_id: "secret", since: "0", limit: 1 });
    const before = await inboxOf(ann);

    const { bus } = hub.hub.kernel.services;
    const leave = new AbortController();
    const waiting = ann.call("inbox_wait", { since: question, status: "action" }, { signal: leave.signal });
    await until("the wait", () => bus.size() > 0);
    await revoke(hub, "ann");
    let isOver = false;
    const ended = waiting.finally(() => {
      isOver = true;
    });
    // Its own item is resolved, and nothing tells.
    await reply(hub, question);
    expect(await inboxOf(ann)).toBe(empty);
    expect(isOver).toBe(false);
    leave.abort();
    await ended;
    for (const call of [
      () => ann.call("feed_read", { project_id: "secret" }),
      () => ann.call("feed_read", { project_id: "secret", since: "0", session: question }),
      () => append(ann, "secret"),
      () => ann.call("answer_post", { question_id: question, body: "a" }),
    ]) {
      expect((await refusalOf(call())).message).toBe("not found or not permitted");
    }
    // Given back, it is all there, and the feed goes on from where it stopped.
    await grant(hub, "ann");
    expect(await inboxOf(ann)).not.toBe(before);
    expect(idsOf(await ann.call("inbox_read", { project_id: "secret" }))).toEqual([approval, question]);
    expect(idsOf(await ann.call("feed_read", { project_id: "secret", limit: 1 }))).toEqual([approval]);
  });

  test("that an ordinary one becomes is hidden from then on", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    await hub.project("plans");
    const id = await ask(bob, "plans");
    expect(idsOf(await ann.call("inbox_read"))).toEqual([id]);
    await hub.rest("updateProject", { params: { id: "plans" }, body: { confidential: true } });
    expect(await ann.call("inbox_read")).toEqual({ items: [], next_since: null });
    expect(await bob.call("inbox_wait", { since: "0", wait_seconds: 0 })).toEqual({ items: [], next_since: "0" });
    expect((await refusalOf(bob.call("feed_read", { project_id: "plans" }))).code).toBe("forbidden");
  });

  test("that is a personal space is its owner's", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const space = String((await bob.call("whoami"))["personal_project_id"]);
    const id = await ask(bob, space);
    expect(idsOf(await ann.call("inbox_read"))).toEqual([id]);
    await hub.rest("updateProject", { params: { id: space }, body: { confidential: true } });
    expect(idsOf(await ann.call("inbox_read"))).toEqual([]);
    expect(idsOf(await bob.call("inbox_read"))).toEqual([id]);
  });
});
