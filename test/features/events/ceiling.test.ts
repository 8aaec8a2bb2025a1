// The event ceiling of a project: what it holds back, what is exempt, what it counts (mcp-tools.md 12.3).
import { describe, expect, test } from "bun:test";
import { openTestHub } from "../../support/hub.ts";
import { answer, append, ask, decide, expectNoTrace, reply, request, wholeFeed } from "../conversation.ts";

const full = (cap: number) => ({ code: "conflict" as const, details: { cap, setting: "HUB_EVENTS_PER_PROJECT" } });

describe("the event ceiling", () => {
  test("takes the last event and refuses the next of every kind without a trace, in that project alone", async () => {
    await using hub = await openTestHub({ config: { eventsPerProject: 3 } });
    await hub.project("lab");
    await hub.project("other");
    const ann = await hub.agent("ann");
    const question = await ask(ann, "lab");
    await append(ann, "lab");
    await append(ann, "lab");
    const refused = [
      ...["signal", "finished", "approval", "idea"].map((kind) => () => append(ann, "lab", { kind })),
      () => ask(ann, "lab"),
      () => ask(ann, "lab", { expires_in_seconds: 60, options: ["a", "b"] }),
      () => answer(ann, question),
    ];
    for (const write of refused) {
      const error = await expectNoTrace(hub, write, full(3));
      expect(error.message).toContain("HUB_EVENTS_PER_PROJECT");
    }
    await append(ann, "other");
    await hub.reopen();
    await expectNoTrace(hub, () => append(ann, "lab"), full(3));
  });

  test("lets pass what the operator decides and answers, expiries, and session lifecycle", async () => {
    await using hub = await openTestHub({ config: { eventsPerProject: 5 } });
    await hub.project("lab");
    const ann = await hub.agent("ann");
    const [first, second] = [await ask(ann, "lab"), await ask(ann, "lab")];
    const approval = await request(ann, "lab");
    const due = [
      await ask(ann, "lab", { expires_in_seconds: 60 }),
      await request(ann, "lab", { expires_in_seconds: 60, on_expiry: "approve" }),
    ];
    await expectNoTrace(hub, () => append(ann, "lab"), full(5));
    await reply(hub, first);
    await answer(hub.operator, second);
    await decide(hub, approval);
    const { session_id } = await ann.call("session_start", { project_id: "lab", session_name: "night" });
    await ann.call("session_end", { session_id });
    hub.clock.now += 60_000;
    await ann.call("inbox_read");
    const events = await wholeFeed(hub, "lab");
    expect(events.length).toBe(5 + 3 + 2 + due.length);
    expect(events.filter(({ actor }) => actor === "hub").map((event) => event.thread_id)).toEqual(due);
    // All of them count, so the project stays closed however far over.
    await expectNoTrace(hub, () => append(ann, "lab"), full(5));
  });

  test("counts no audit record", async () => {
    await using hub = await openTestHub({ config: { eventsPerProject: 2 } });
    await hub.project("lab");
    const ann = await hub.agent("ann");
    for (let round = 0; round < 5; round += 1) {
      await hub.rest("createGrant", { params: { id: "ann" }, body: { project_id: "lab" } });
      await hub.rest("deleteGrant", { params: { id: "ann", project_id: "lab" } });
    }
    await append(ann, "lab");
    await append(ann, "lab");
    await expectNoTrace(hub, () => append(ann, "lab"), full(2));
  });

  test("is exact when many write at once, and 0 means none", async () => {
    await using hub = await openTestHub({ config: { eventsPerProject: 50 } });
    await hub.project("lab");
    const ann = await hub.agent("ann");
    const writes = await Promise.allSettled(Array.from({ length: 80 }, () => append(ann, "lab")));
    expect(writes.filter(({ status }) => status === "fulfilled").length).toBe(50);
    expect((await wholeFeed(hub, "lab")).length).toBe(50);
    await using open = await openTestHub({ config: { eventsPerProject: 0 } });
    await open.project("lab");
    await append(await open.agent("ann"), "lab");
  });
});
