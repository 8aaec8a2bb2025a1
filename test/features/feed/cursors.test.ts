// Feed cursors (mcp-tools.md 9.1, 9.2, 17.5): every row of both tables, filters, sessions, and who is shown what.
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { append, ask, eventsOf, idsOf, refusalOf, request } from "../conversation.ts";

type Lab = AsyncDisposable & { hub: TestHub; ann: Caller; bob: Caller; ids: string[] };

/** A project with six signals by bob, oldest first in `ids`. */
async function openLab(count = 6): Promise<Lab> {
  const hub = await openTestHub();
  await hub.project("lab");
  const ann = await hub.agent("ann");
  const bob = await hub.agent("bob");
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await append(bob, "lab", { summary: `${index}` }));
  return { hub, ann, bob, ids, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

const read = (by: Caller, args: object = {}): Promise<JsonObject> =>
  by.call("feed_read", { project_id: "lab", ...args });
const cursors = (page: JsonObject) => [page["next_since"], page["next_before"]];

/** Where the caller's stored cursor stands: what an empty default poll returns. */
async function storedCursor(by: Caller): Promise<unknown> {
  const page = await read(by);
  expect(idsOf(page)).toEqual([]);
  return page["next_since"];
}

describe("one page", () => {
  test("since walks forward, oldest first; both cursors name its ends", async () => {
    await using lab = await openLab();
    const { ann, ids } = lab;
    const page = await read(ann, { since: ids[1], limit: 3 });
    expect(idsOf(page)).toEqual(ids.slice(2, 5));
    expect(cursors(page)).toEqual([ids[4], ids[2]]);
  });

  test("before walks back, newest first; it returns no next_since", async () => {
    await using lab = await openLab();
    const { ann, ids } = lab;
    const page = await read(ann, { before: ids[4], limit: 3 });
    expect(idsOf(page)).toEqual([ids[3], ids[2], ids[1]].map(String));
    expect(cursors(page)).toEqual([null, ids[1]]);
  });

  test("since with before is a window, newest first, without next_since", async () => {
    await using lab = await openLab();
    const { ann, ids } = lab;
    const page = await read(ann, { since: ids[0], before: ids[5], limit: 3 });
    expect(idsOf(page)).toEqual([ids[4], ids[3], ids[2]].map(String));
    expect(cursors(page)).toEqual([null, ids[2]]);
    const empty = await read(ann, { since: ids[2], before: ids[3] });
    expect([idsOf(empty), ...cursors(empty)]).toEqual([[], null, null]);
  });

  test("neither, with nothing stored: the newest page, newest first", async () => {
    await using lab = await openLab();
    const { ann, ids } = lab;
    const page = await read(ann, { limit: 2 });
    expect(idsOf(page)).toEqual([ids[5], ids[4]].map(String));
    expect(cursors(page)).toEqual([ids[5], ids[4]]);
  });

  test("an empty forward poll returns the since it was given, stored or explicit, and no next_before", async () => {
    await using lab = await openLab();
    const { ann, ids } = lab;
    for (const since of [String(ids[5]), "ZZZ", "not an id"]) {
      const page = await read(ann, { since });
      expect([idsOf(page), ...cursors(page)]).toEqual([[], since, null]);
    }
    expect(cursors(await read(ann))).toEqual([ids[5], null]);
  });

  test("another empty page returns neither", async () => {
    await using lab = await openLab(0);
    const { ann } = lab;
    for (const args of [{}, { before: "Z" }, { before: "0" }, { kinds: ["idea"] }]) {
      const page = await read(ann, args);
      expect([idsOf(page), ...cursors(page)]).toEqual([[], null, null]);
    }
  });

  test("a cursor need not name an event: ids are only compared", async () => {
    await using lab = await openLab(1);
    const { hub, ann, bob, ids } = lab;
    hub.clock.now += 1;
    const next = await append(bob, "lab");
    const between = next.slice(0, 10); // the time of an id alone sorts below it, and above every earlier one
    expect(idsOf(await read(ann, { since: between }))).toEqual([next]);
    expect(idsOf(await read(ann, { before: between }))).toEqual(ids);
  });

  test("pages back to back give every event once, in both directions, whatever their size", async () => {
    await using lab = await openLab(23);
    const { ann, ids } = lab;
    for (const limit of [1, 2, 5, 22, 23, 24, 500]) {
      const forward: string[] = [];
      let since = "0";
      for (let page = 0; page < 30; page += 1) {
        const answer = await read(ann, { since, limit });
        forward.push(...idsOf(answer));
        since = String(answer["next_since"]);
        if (idsOf(answer).length === 0) break;
      }
      expect(forward).toEqual(ids);
      const back: string[] = [];
      let before: unknown = "Z";
      for (let page = 0; page < 30 && before !== null; page += 1) {
        const answer = await read(ann, { before, limit });
        back.unshift(...idsOf(answer).reverse());
        before = answer["next_before"];
      }
      expect(back).toEqual(ids);
    }
  });
});

describe("the stored cursor", () => {
  test("a default poll goes on from it, oldest first, and moves it; a restart forgets nothing", async () => {
    await using lab = await openLab();
    const { hub, ann, bob, ids } = lab;
    await read(ann, { limit: 1 });
    const more = [await append(bob, "lab"), await append(bob, "lab"), await append(bob, "lab")];
    expect(idsOf(await read(ann, { limit: 2 }))).toEqual(more.slice(0, 2));
    await hub.reopen();
    expect(idsOf(await read(ann, { limit: 2 }))).toEqual(more.slice(2));
    expect(await storedCursor(ann)).toBe(more.at(2));
    // It belongs to the actor and the project: bob has read nothing yet.
    expect(idsOf(await read(bob, { limit: 500 }))).toEqual([...ids, ...more].reverse());
  });

  test("an explicit since moves it to next_since, forward only", async () => {
    await using lab = await openLab();
    const { ann, ids } = lab;
    await read(ann, { since: ids[0], limit: 2 });
    expect(idsOf(await read(ann, { limit: 1 }))).toEqual([String(ids[3])]);
    await read(ann, { since: "0", limit: 2 });
    expect(idsOf(await read(ann, { limit: 1 }))).toEqual([String(ids[4])]);
  });

  test("an explicit since with nothing above it is recorded too, so that the next poll starts there", async () => {
    await using lab = await openLab();
    const { ann, bob, ids } = lab;
    const page = await read(ann, { since: ids[5] });
    expect(cursors(page)).toEqual([ids[5], null]);
    const next = await append(bob, "lab");
    expect(idsOf(await read(ann))).toEqual([next]);
  });

  test("a since that no event will ever pass does not silence the polls after it", async () => {
    await using lab = await openLab();
    const { ann, bob } = lab;
    for (const since of ["latest", "ZZZZZZZZZZZZZZZZZZZZZZZZZZ", "2026-01-02T03:04:05Z"]) {
      expect(cursors(await read(ann, { since }))).toEqual([since, null]);
      const next = await append(bob, "lab");
      expect(idsOf(await read(ann))).toEqual([next]);
    }
  });

  test("a cursor from another project counts as the newest event here, and tells nothing of the other", async () => {
    await using lab = await openLab();
    const { hub, ann, bob, ids } = lab;
    await hub.project("other");
    const elsewhere = await append(bob, "other");
    await read(ann, { since: elsewhere });
    expect(await storedCursor(ann)).toBe(String(ids.at(-1)));
  });

  test("a read in a project without events keeps the place below all that come", async () => {
    await using lab = await openLab(0);
    const { hub, ann, bob } = lab;
    await hub.project("other");
    const elsewhere = await append(bob, "other");
    await read(ann, { since: elsewhere });
    const said = [await append(bob, "lab"), await append(bob, "lab")];
    expect(idsOf(await read(ann))).toEqual(said);
  });

  test("a page read with before moves nothing, also with since, also when nothing is stored", async () => {
    await using lab = await openLab();
    const { hub, ann, ids } = lab;
    const before = await hub.snapshot();
    await read(ann, { before: ids[3] });
    await read(ann, { before: ids[3], since: ids[0] });
    await read(ann, { before: "0" });
    expect(await hub.snapshot()).toBe(before);
    expect(idsOf(await read(ann, { limit: 1 }))).toEqual([String(ids[5])]);
  });

  test("an empty page with nothing stored stores nothing", async () => {
    await using lab = await openLab(0);
    const { hub, ann, bob } = lab;
    const before = await hub.snapshot();
    await read(ann);
    await read(ann, { kinds: ["idea"] });
    expect(await hub.snapshot()).toBe(before);
    const [first, second] = [await append(bob, "lab"), await append(bob, "lab")];
    expect(idsOf(await read(ann))).toEqual([second, first]);
  });

  test("a filter does not change the rule: what it skipped below the page's newest id does not come again", async () => {
    await using lab = await openLab(1);
    const { ann, bob } = lab;
    await read(ann);
    const skipped = await append(bob, "lab");
    const idea = await append(bob, "lab", { kind: "idea" });
    const after = await append(bob, "lab");
    expect(idsOf(await read(ann, { kinds: ["idea"] }))).toEqual([idea]);
    expect(idsOf(await read(ann))).toEqual([after]);
    expect(skipped < idea).toBe(true);
    // A filter that matches nothing leaves the cursor where it is.
    const later = await append(bob, "lab");
    expect(cursors(await read(ann, { kinds: ["question"] }))).toEqual([after, null]);
    expect(idsOf(await read(ann))).toEqual([later]);
  });

  test("nothing but feed_read moves it", async () => {
    await using lab = await openLab();
    const { hub, ann, bob, ids } = lab;
    await read(ann, { since: ids[0], limit: 1 });
    await append(ann, "lab");
    await ask(ann, "lab");
    await ann.call("inbox_read");
    await ann.call("inbox_wait", { wait_seconds: 0 });
    await ann.call("session_start", { project_id: "lab", session_name: "n" });
    await hub.rest("listProjectFeed", { params: { id: "lab" }, query: { since: "0" } });
    await hub.rest("listFeed");
    await hub.rest("markFeedSeen", { params: { id: "lab" }, body: { event_id: String(ids[5]) } });
    await read(bob);
    expect(idsOf(await read(ann, { limit: 1 }))).toEqual([String(ids[2])]);
  });

  test("several polls of one actor at once share the events out, none twice", async () => {
    await using lab = await openLab(1);
    const { ann, bob } = lab;
    await read(ann);
    const more = await Promise.all(Array.from({ length: 40 }, () => append(bob, "lab")));
    const pages = await Promise.all(Array.from({ length: 12 }, () => read(ann, { limit: 5 })));
    const seen = pages.flatMap(idsOf);
    expect([...seen].sort()).toEqual([...more].sort());
  });
});

describe("filters", () => {
  test("kinds: the named ones, an empty list is none, an unknown one is refused with the whole set", async () => {
    await using lab = await openLab(1);
    const { ann, bob } = lab;
    const idea = await append(bob, "lab", { kind: "idea" });
    const question = await ask(bob, "lab");
    const approval = await request(bob, "lab");
    const of = async (kinds: string[]): Promise<string[]> => idsOf(await read(ann, { kinds, before: "Z" }));
    expect(await of(["question"])).toEqual([question]);
    expect(await of(["idea", "approval"])).toEqual([approval, idea]);
    expect(await of(["question", "question"])).toEqual([question]);
    expect((await of([])).length).toBe(4);
    for (const kinds of [["questions"], ["signal", ""], "signal", [1]]) {
      const error = await refusalOf(read(ann, { kinds }));
      expect(error.code).toBe("invalid_argument");
      expect(error.message).toContain("signal, finished, question, answer, approval, artifact, session, idea, system");
    }
  });

  test("system matches nothing for an agent; the operator gets audit records only by that name", async () => {
    await using lab = await openLab(2);
    const { hub, ann, ids } = lab;
    await hub.rest("createGrant", { params: { id: "ann" }, body: { project_id: "lab" } });
    for (const args of [{}, { since: "0" }, { before: "Z" }]) {
      expect(idsOf(await read(ann, { kinds: ["system"], ...args }))).toEqual([]);
      expect(
        eventsOf(await read(ann, { kinds: ["system", "signal"], ...args })).every(({ kind }) => kind === "signal"),
      ).toBe(true);
    }
    expect(idsOf(await read(hub.operator, { since: "0" }))).toEqual(ids);
    const audit = eventsOf(await read(hub.operator, { since: "0", kinds: ["system"] }));
    expect(audit.map(({ kind, actor }) => [kind, actor])).toEqual([["system", "human"]]);
  });

  test("session: only events written in it; one that is unknown, pruned or elsewhere shows and moves nothing", async () => {
    await using lab = await openLab(1);
    const { hub, ann, bob } = lab;
    await hub.project("secret", { confidential: true });
    await hub.rest("createGrant", { params: { id: "bob" }, body: { project_id: "secret" } });
    const on = { connection: await hub.connect(bob) };
    const start = async (project_id: string): Promise<string> =>
      String((await bob.call("session_start", { project_id, session_name: "n" }, on))["session_id"]);
    const hidden = await start("secret");
    const session = await start("lab");
    const { event_id } = await bob.call("signal_append", { project_id: "lab", kind: "signal", summary: "s" }, on);
    await append(bob, "lab");
    const page = await read(ann, { session, since: "0" });
    expect(eventsOf(page).map(({ kind }) => kind)).toEqual(["session", "signal"]);
    expect(cursors(page)[0]).toBe(event_id);
    const before = await hub.snapshot();
    const pages = [];
    for (const named of ["01KE0000000000000000000000", "", hidden]) {
      for (const args of [{}, { since: "0" }, { before: "Z" }])
        pages.push(await read(ann, { session: named, ...args }));
    }
    // A session of another project, confidential or not, is answered as an unknown one.
    expect(new Set(pages.map((each) => JSON.stringify(each)))).toEqual(
      new Set([JSON.stringify({ events: [], next_since: null, next_before: null })]),
    );
    expect(await hub.snapshot()).toBe(before);
  });
});

describe("what an agent is not told", () => {
  test("whether the operator read a finished item: it shows as unread in every read", async () => {
    await using lab = await openLab(0);
    const { hub, ann, bob } = lab;
    const id = await append(bob, "lab", { kind: "finished" });
    const reads = async (by: Caller): Promise<string> =>
      JSON.stringify([
        await read(by, { before: "Z" }),
        await by.call("inbox_read"),
        await by.call("inbox_read", { status: "unread" }),
        await by.call("inbox_read", { since: "0", status: "unread" }),
        await by.call("inbox_wait", { since: "0", status: "unread", wait_seconds: 0 }),
      ]);
    const before = [await reads(ann), await reads(bob), await reads(hub.operator)];
    hub.clock.now += 5000;
    await hub.rest("markRead", { params: { event_id: id } });
    expect([await reads(ann), await reads(bob), await reads(hub.operator)]).toEqual(before);
    await hub.rest("markUnread", { params: { event_id: id } });
    expect([await reads(ann), await reads(bob), await reads(hub.operator)]).toEqual(before);
    // The operator's own feed shows the difference.
    await hub.rest("markRead", { params: { event_id: id } });
    const [event] = eventsOf(await hub.rest("listProjectFeed", { params: { id: "lab" } }));
    expect(event?.inbox_status).toBe("read");
    expect((await refusalOf(ann.call("inbox_read", { status: "read" }))).code).toBe("invalid_argument");
    expect((await refusalOf(ann.call("inbox_wait", { status: "read" }))).code).toBe("invalid_argument");
  });
});
