// Where a brief begins, and that it changes nothing (mcp-tools.md 17.4).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { lowestUlidAt } from "../../../src/shared/ids.ts";
import { drain } from "../../support/trailer.ts";
import { refusal } from "../as-caller.ts";
import { append, ask, eventsOf, reply, request } from "../conversation.ts";
import { ids, type Lab, openLab, project } from "./lab.ts";

let lab: Lab;
beforeEach(async () => {
  lab = await openLab();
});
afterEach(() => lab[Symbol.asyncDispose]());

const minute = 60_000;

describe("the window", () => {
  test("of an agent without history is everything, and says so", async () => {
    const said = await append(lab.bob, project);
    expect(await lab.brief()).toEqual({
      project_id: project,
      agent: "alice",
      since: { event_id: null, basis: "none" },
      answers: { items: [], more: 0 },
      previous_session: null,
      events: {
        items: [
          { id: said, kind: "signal", actor: "bob", at: new Date(lab.hub.clock.now).toISOString(), summary: "s" },
        ],
        more: 0,
      },
      stale_pages: { items: [], more: 0 },
    });
  });

  test("begins at the feed cursor when there is one", async () => {
    const seen = await append(lab.bob, project);
    await lab.catchUp();
    const fresh = await append(lab.bob, project);
    const { since, events } = await lab.brief();
    expect(since).toEqual({ event_id: seen, basis: "feed_cursor" });
    expect(ids(events)).toEqual([fresh]);
    // Each reader has a cursor of its own.
    expect((await lab.brief(lab.bob)).since.basis).toBe("none");
  });

  test("begins at the last activity of the previous session when the feed was never read", async () => {
    await append(lab.bob, project);
    lab.later(minute);
    await lab.alice.call("session_start", { project_id: project, session_name: "dig" });
    const start = lab.hub.clock.now;
    lab.later(minute);
    const fresh = await append(lab.bob, project);
    const { since, events } = await lab.brief();
    expect(since).toEqual({ event_id: lowestUlidAt(start), basis: "previous_session" });
    // What came in the same millisecond as the activity is still new.
    expect(events.items.map(({ kind }) => kind)).toEqual(["signal", "session"]);
    expect(ids(events)[0]).toBe(fresh);
  });

  test("of a later brief is the same, and feed_read then gives its events in full", async () => {
    await lab.catchUp(lab.bob);
    await append(lab.bob, project);
    await lab.catchUp();
    const question = await ask(lab.alice, project);
    const answered = await reply(lab.hub, question);
    const said = await append(lab.bob, project, { payload: { body: "at length" } });
    const first = await lab.brief();
    expect(await lab.brief()).toEqual(first);
    const page = eventsOf(await lab.alice.call("feed_read", { project_id: project }));
    expect(page.map(({ id }) => id)).toEqual([question, answered, said]);
    expect(page.at(-1)?.payload).toEqual({ body: "at length" });
    expect(ids(first.events)).toEqual([said, question]);
    expect(ids(first.answers)).toEqual([question]);
  });
});

test("a brief with nothing to tell changes nothing in the store", async () => {
  await append(lab.bob, project);
  await lab.alice.call("session_start", { project_id: project, session_name: "dig" });
  await drain(lab.hub, lab.alice);
  const before = await lab.hub.snapshot();
  await lab.brief();
  expect(await lab.hub.snapshot()).toBe(before);
});

describe("the previous session", () => {
  const connected = async () => lab.hub.connect(lab.alice);
  const start = (name: string, connection?: string) =>
    lab.alice.call(
      "session_start",
      { project_id: project, session_name: name },
      connection === undefined ? {} : { connection },
    );

  test("carries its handoff note in full, and where to recover it", async () => {
    const handoff = "é".repeat(4096);
    const session_id = String((await start("dig"))["session_id"]);
    await lab.alice.call("session_end", { session_id, handoff });
    expect((await lab.brief()).previous_session).toEqual({
      session_id,
      session_name: "dig",
      status: "ended",
      last_activity: new Date(lab.hub.clock.now).toISOString(),
      handoff,
      recovery_path: "/fs/RECOVERY.md",
    });
  });

  test("is the caller's latest here, never the one its connection works", async () => {
    const connection = await connected();
    await start("older");
    lab.later(minute);
    await start("newer");
    expect((await lab.brief(lab.alice, connection)).previous_session).toMatchObject({ session_name: "newer" });
    lab.later(minute);
    await start("newer", connection);
    expect((await lab.brief(lab.alice, connection)).previous_session).toMatchObject({ session_name: "older" });
    // Another connection of the same agent works nothing.
    expect((await lab.brief(lab.alice, await connected())).previous_session).toMatchObject({ session_name: "newer" });
    expect((await lab.brief(lab.bob)).previous_session).toBeNull();
  });

  test("is no pruned one, and no one of another project", async () => {
    await lab.hub.project("q");
    await lab.alice.call("session_start", { project_id: "q", session_name: "elsewhere" });
    const { session_id } = await start("dig");
    await lab.alice.call("session_end", { session_id });
    expect((await lab.brief()).previous_session).toMatchObject({ session_name: "dig" });
    await lab.hub.rest("pruneSession", { params: { id: String(session_id) } });
    expect((await lab.brief()).previous_session).toBeNull();
  });
});

describe("access", () => {
  test("is read access: a confidential project needs a grant, and is as missing without", async () => {
    await lab.hub.project("secret", { confidential: true });
    const denied = await refusal(lab.alice.call("session_brief", { project_id: "secret" }));
    expect(denied).toEqual(await refusal(lab.alice.call("session_brief", { project_id: "nowhere" })));
    expect(denied).toMatchObject({ code: "forbidden", details: {} });
    await lab.hub.rest("createGrant", { params: { id: "alice" }, body: { project_id: "secret" } });
    expect(await lab.alice.call("session_brief", { project_id: "secret" })).toMatchObject({ project_id: "secret" });
  });

  test("reaches a personal space as reading it does", async () => {
    const { personal_project_id } = await lab.alice.call("whoami");
    const said = await append(lab.alice, String(personal_project_id));
    const brief = await lab.bob.call("session_brief", { project_id: personal_project_id });
    expect(brief["events"]).toMatchObject({ items: [{ id: said }] });
  });

  test("shows nothing of what another project holds", async () => {
    await lab.hub.project("q");
    const question = await ask(lab.alice, "q");
    await reply(lab.hub, question);
    await request(lab.bob, "q");
    expect(await lab.brief()).toMatchObject({ answers: { items: [] }, events: { items: [], more: 0 } });
  });

  test("wants a project", async () => {
    expect(await refusal(lab.alice.call("session_brief"))).toMatchObject({
      code: "invalid_argument",
      details: { field: "project_id" },
    });
  });
});
