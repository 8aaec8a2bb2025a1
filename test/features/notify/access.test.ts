// What a missing grant hides waits above the cursors and is told once the grant comes (mcp-tools.md 5, 22: 18).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { drain, toldBy } from "../../support/trailer.ts";

let hub: TestHub;
let alice: Caller;
let bob: Caller;

beforeEach(async () => {
  hub = await openTestHub();
  await hub.project("open");
  await hub.project("vault", { confidential: true });
  await hub.project("cellar", { confidential: true });
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
  for (const project of ["vault", "cellar"]) await grant(bob, project);
});
afterEach(() => hub[Symbol.asyncDispose]());

const grant = (to: Caller, project_id: string): Promise<JsonObject> =>
  hub.rest("createGrant", { params: { id: to.actor }, body: { agent_id: to.actor, project_id } });
const revoke = (from: Caller, project_id: string): Promise<JsonObject> =>
  hub.rest("deleteGrant", { params: { id: from.actor, project_id } });
const setConfidential = (id: string, confidential: boolean): Promise<JsonObject> =>
  hub.rest("updateProject", { params: { id }, body: { confidential } });

async function signal(project_id: string, summary = "a signal"): Promise<string> {
  const { event_id } = await bob.call("signal_append", { project_id, kind: "signal", summary });
  return String(event_id);
}

async function askAndAnswer(project_id: string): Promise<string> {
  const { question_id } = await alice.call("question_post", { project_id, subject: "hidden later" });
  const id = String(question_id);
  return id;
}

const answer = (id: string): Promise<JsonObject> =>
  hub.rest("answerQuestion", { params: { id }, body: { body: "yes" } });
const idsOf = (pending: JsonObject[]): string[] => pending.map((entry) => String(entry["id"]));
const subscribe = (filter: object = {}): Promise<JsonObject> =>
  alice.call("notify_subscribe", { kinds: ["signal"], ...filter });

describe("an event behind a missing grant", () => {
  test("is held back and told when the grant comes", async () => {
    await subscribe();
    const id = await signal("vault");
    expect(await toldBy(hub, alice)).toEqual([]);
    await grant(alice, "vault");
    expect(idsOf(await toldBy(hub, alice))).toEqual([id]);
    expect(await toldBy(hub, alice)).toEqual([]);
  });

  test("also when newer readable events were told in between", async () => {
    await subscribe();
    const hidden = [await signal("vault"), await signal("cellar")];
    const open = [];
    for (let round = 0; round < 3; round += 1) {
      const id = await signal("open");
      expect(idsOf(await toldBy(hub, alice))).toEqual([id]);
      open.push(id);
    }
    hidden.push(await signal("vault"));
    await grant(alice, "vault");
    expect(idsOf(await toldBy(hub, alice))).toEqual([hidden[0] ?? "", hidden[2] ?? ""]);
    open.push(await signal("open"));
    await grant(alice, "cellar");
    expect(idsOf(await toldBy(hub, alice))).toEqual([hidden[1] ?? "", open[3] ?? ""]);
    expect(await toldBy(hub, alice)).toEqual([]);
  });

  test("also after a restart", async () => {
    await subscribe();
    const hidden = await signal("vault");
    const open = await signal("open");
    expect(idsOf(await toldBy(hub, alice))).toEqual([open]);
    await hub.reopen();
    expect(await toldBy(hub, alice)).toEqual([]);
    await grant(alice, "vault");
    await hub.reopen();
    expect(idsOf(await toldBy(hub, alice))).toEqual([hidden]);
  });

  test("is told when the project opens to everybody", async () => {
    await subscribe();
    const id = await signal("vault");
    expect(await toldBy(hub, alice)).toEqual([]);
    await setConfidential("vault", false);
    expect(idsOf(await toldBy(hub, alice))).toEqual([id]);
  });

  test("is never told when it is older than the subscription", async () => {
    const older = await signal("vault");
    const { cursor } = await subscribe();
    expect(cursor).toBe("");
    await grant(alice, "vault");
    expect(await toldBy(hub, alice)).toEqual([]);
    await hub.reopen();
    expect(await toldBy(hub, alice)).toEqual([]);
    const newer = await signal("vault");
    expect(idsOf(await drain(hub, alice))).toEqual([newer]);
    expect(older < newer).toBe(true);
  });
});

describe("losing a grant", () => {
  test("hides what was not told yet, until it comes back", async () => {
    await grant(alice, "vault");
    await subscribe();
    const told = await signal("vault");
    expect(idsOf(await toldBy(hub, alice))).toEqual([told]);
    const due = await signal("vault");
    await revoke(alice, "vault");
    expect(await toldBy(hub, alice)).toEqual([]);
    const open = await signal("open");
    expect(idsOf(await toldBy(hub, alice))).toEqual([open]);
    await grant(alice, "vault");
    expect(idsOf(await toldBy(hub, alice))).toEqual([due]);
  });

  test("by closing the project hides too", async () => {
    await subscribe();
    const due = await signal("open");
    await grant(bob, "open");
    await setConfidential("open", true);
    expect(await toldBy(hub, alice)).toEqual([]);
    await setConfidential("open", false);
    expect(idsOf(await toldBy(hub, alice))).toEqual([due]);
  });
});

describe("a scoped subscription", () => {
  test("is authorised again at each call: denied it tells nothing and moves nothing", async () => {
    await grant(alice, "vault");
    const { subscription_id, cursor } = await subscribe({ project_id: "vault" });
    await revoke(alice, "vault");
    const hidden = [await signal("vault"), await signal("vault")];
    expect(await toldBy(hub, alice)).toEqual([]);
    expect((await alice.call("notify_list"))["subscriptions"]).toMatchObject([
      { subscription_id, project_id: "vault", cursor },
    ]);
    await grant(alice, "vault");
    expect(idsOf(await toldBy(hub, alice))).toEqual(hidden);
    expect((await alice.call("notify_list"))["subscriptions"]).toMatchObject([{ subscription_id, cursor: hidden[1] }]);
  });

  test("goes with its project, and what it had not told with it", async () => {
    await grant(alice, "vault");
    await subscribe({ project_id: "vault" });
    const everywhere = await subscribe();
    await signal("vault");
    const kept = await signal("open");
    await hub.rest("deleteProject", { params: { id: "vault" } });
    expect((await alice.call("notify_list"))["subscriptions"]).toMatchObject([
      { subscription_id: String(everywhere["subscription_id"]), project_id: null },
    ]);
    expect(idsOf(await toldBy(hub, alice))).toEqual([kept]);
    // A project of the same name later is another one.
    await hub.project("vault");
    const again = await signal("vault");
    expect(idsOf(await toldBy(hub, alice))).toEqual([again]);
  });
});

describe("an answer", () => {
  test("in a project the asker lost waits for the grant, and others are told meanwhile", async () => {
    await grant(alice, "vault");
    const hidden = await askAndAnswer("vault");
    await revoke(alice, "vault");
    await answer(hidden);
    expect(await toldBy(hub, alice)).toEqual([]);
    const open = await askAndAnswer("open");
    await answer(open);
    expect(idsOf(await toldBy(hub, alice))).toEqual([open]);
    await hub.reopen();
    expect(await toldBy(hub, alice)).toEqual([]);
    await grant(alice, "vault");
    expect(idsOf(await toldBy(hub, alice))).toEqual([hidden]);
    expect(await toldBy(hub, alice)).toEqual([]);
  });

  test("in a project that was deleted is told to nobody", async () => {
    const gone = await askAndAnswer("open");
    await answer(gone);
    await hub.rest("deleteProject", { params: { id: "open" } });
    expect(await toldBy(hub, alice)).toEqual([]);
  });
});

test("another agent's personal space is readable while it is ordinary", async () => {
  await subscribe();
  const { personal_project_id } = await bob.call("whoami");
  const space = String(personal_project_id);
  const id = await signal(space);
  expect(idsOf(await toldBy(hub, alice))).toEqual([id]);
  await setConfidential(space, true);
  const hidden = await signal(space);
  expect(await toldBy(hub, alice)).toEqual([]);
  await grant(alice, space);
  expect(idsOf(await toldBy(hub, alice))).toEqual([hidden]);
});
