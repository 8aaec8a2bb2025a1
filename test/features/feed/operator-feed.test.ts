// The operator's feed (rest-api.md 5): both routes, their query, around, and how far the operator has seen.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { operate } from "../../support/operator.ts";
import { append, ask, eventsOf, expectNoTrace, idsOf, refusalOf, reply } from "../conversation.ts";

type Lab = AsyncDisposable & { hub: TestHub; ann: Caller; bob: Caller };

async function openLab(): Promise<Lab> {
  const hub = await openTestHub();
  await hub.project("lab");
  await hub.project("other");
  const lab = { hub, ann: await hub.agent("ann"), bob: await hub.agent("bob") };
  return { ...lab, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

async function appendMany(by: Caller, projectId: string, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await append(by, projectId));
  return ids;
}

const feed = (hub: TestHub, query: object = {}): Promise<JsonObject> =>
  hub.rest("listProjectFeed", { params: { id: "lab" }, query });
const cursors = (page: JsonObject) => [page["next_since"], page["next_before"], page["last_seen"]];

describe("both routes", () => {
  test("page as feed_read does, the global one over every project, confidential ones and spaces too", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    await hub.project("secret", { confidential: true });
    const space = String((await ann.call("whoami"))["personal_project_id"]);
    const a = await append(ann, "lab");
    const b = await append(hub.operator, "secret");
    const c = await append(ann, "other");
    const d = await append(ann, space);
    const e = await append(ann, "lab");
    for (const [query, ids, next] of [
      [{}, [e, d, c, b, a], [e, a, null]],
      [{ limit: 2 }, [e, d], [e, d, null]],
      [{ since: "0", limit: 2 }, [a, b], [b, a, null]],
      [{ before: c }, [b, a], [null, a, null]],
      [{ since: a, before: d }, [c, b], [null, b, null]],
      [{ since: e }, [], [e, null, null]],
      [{ before: a }, [], [null, null, null]],
      [{ kinds: ["question"] }, [], [null, null, null]],
      [{ actor: "human" }, [b], [b, b, null]],
      [{ actor: "nobody" }, [], [null, null, null]],
      [{ session: "01KE0000000000000000000000" }, [], [null, null, null]],
      [{ session_id: "01KE0000000000000000000000", since: a }, [], [null, null, null]],
    ] as const) {
      const page = await hub.rest("listFeed", { query });
      expect([idsOf(page), cursors(page)]).toEqual([[...ids], [...next]]);
    }
    expect(idsOf(await feed(hub))).toEqual([e, a]);
    expect(cursors(await feed(hub))).toEqual([e, a, null]);
    expect(idsOf(await feed(hub, { actor: "ann", since: a }))).toEqual([e]);
    expect(await refusalOf(hub.rest("listProjectFeed", { params: { id: "nowhere" } }))).toMatchObject({
      code: "not_found",
    });
  });

  test("session and its alias show one session's events, over all projects or in its own", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const connection = await hub.connect(ann);
    const started = await ann.call("session_start", { project_id: "lab", session_name: "s" }, { connection });
    const session = String(started["session_id"]);
    await ann.call("signal_append", { project_id: "lab", kind: "idea", summary: "i" }, { connection });
    await append(ann, "lab");
    for (const query of [{ session }, { session_id: session }]) {
      for (const page of [await hub.rest("listFeed", { query }), await feed(hub, query)]) {
        expect(eventsOf(page).map(({ kind }) => kind)).toEqual(["idea", "session"]);
      }
      const elsewhere = await hub.rest("listProjectFeed", { params: { id: "other" }, query });
      expect([idsOf(elsewhere), cursors(elsewhere)]).toEqual([[], [null, null, null]]);
    }
  });

  test("show audit records only when kinds names them; an agent is never shown one", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    await hub.rest("createGrant", { params: { id: "ann" }, body: { project_id: "lab" } });
    const signal = await append(ann, "lab");
    expect(idsOf(await feed(hub))).toEqual([signal]);
    expect(idsOf(await hub.rest("listFeed"))).toEqual([signal]);
    const [audit, ...others] = eventsOf(await feed(hub, { kinds: ["system"] }));
    expect(others).toEqual([]);
    expect(audit).toMatchObject({
      kind: "system",
      actor: "human",
      needs_action: false,
      inbox_status: null,
      thread_id: null,
    });
    expect(audit?.payload).toEqual({ action: "grant_set", agent_id: "ann", project_id: "lab" });
    expect(idsOf(await feed(hub, { kinds: ["system", "signal"] }))).toEqual([signal, String(audit?.id)]);
    const everywhere = eventsOf(await hub.rest("listFeed", { query: { kinds: ["system"] } }));
    expect(everywhere.map(({ summary }) => summary)).toContain("agent created");
  });

  test("a read moves no cursor, the operator's or an agent's", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    await appendMany(ann, "lab", 3);
    const before = await hub.snapshot();
    for (const query of [{}, { since: "0" }, { since: "0", limit: 1 }, { before: "Z" }]) {
      await feed(hub, query);
      await hub.rest("listFeed", { query });
    }
    expect(await hub.snapshot()).toBe(before);
  });
});

describe("around", () => {
  test("an event with up to 25 on either side, newest first, both cursors set", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const ids = await appendMany(ann, "lab", 60);
    const newestFirst = ids.toReversed();
    const window = (index: number): string[] =>
      newestFirst.slice(Math.max(0, 59 - index - 25), Math.min(60, 59 - index + 26));
    for (const index of [0, 3, 25, 30, 40, 59]) {
      const page = await feed(hub, { around: ids[index] });
      expect(idsOf(page)).toEqual(window(index));
      expect(cursors(page)).toEqual([window(index).at(0), window(index).at(-1), null]);
    }
    // Both cursors go on from there without a gap.
    const page = await feed(hub, { around: ids[30] });
    expect(idsOf(await feed(hub, { since: page["next_since"], limit: 1 }))).toEqual([String(ids[56])]);
    expect(idsOf(await feed(hub, { before: page["next_before"], limit: 1 }))).toEqual([String(ids[4])]);
  });

  test("shows its neighbours by the filters, and an audit record only by its name", async () => {
    await using lab = await openLab();
    const { hub, ann, bob } = lab;
    const [first] = await appendMany(bob, "lab", 1);
    await hub.rest("createGrant", { params: { id: "ann" }, body: { project_id: "lab" } });
    const middle = await append(ann, "lab");
    const [last] = await appendMany(bob, "lab", 1);
    const [audit] = idsOf(await feed(hub, { kinds: ["system"] }));
    expect(idsOf(await feed(hub, { around: middle }))).toEqual([last, middle, first].map(String));
    expect(idsOf(await feed(hub, { around: middle, actor: "ann" }))).toEqual([middle]);
    expect(idsOf(await feed(hub, { around: middle, kinds: ["system"] }))).toEqual([middle, audit].map(String));
    expect(idsOf(await feed(hub, { around: audit, kinds: ["system"] }))).toEqual([String(audit)]);
    expect((await refusalOf(feed(hub, { around: audit }))).code).toBe("not_found");
    const nowhere = await feed(hub, { around: middle, session: "01KE0000000000000000000000" });
    expect([idsOf(nowhere), cursors(nowhere)]).toEqual([[], [null, null, null]]);
  });

  test("is refused beside a cursor, and unknown for an event that is not of this project", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const here = await append(ann, "lab");
    const elsewhere = await append(ann, "other");
    for (const beside of [{ since: "0" }, { before: "Z" }, { since: "0", before: "Z" }]) {
      const error = await refusalOf(feed(hub, { around: here, ...beside }));
      expect(error).toMatchObject({ code: "invalid_argument", details: { field: "around" } });
    }
    for (const around of [elsewhere, "01KE0000000000000000000000", "x"]) {
      expect(await refusalOf(feed(hub, { around }))).toMatchObject({ code: "not_found", details: {} });
    }
  });
});

describe("the query over HTTP", () => {
  test("is strict: an unknown parameter, an unknown kind, a bad limit are 400", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const url = await hub.listen();
    const [a, b] = await appendMany(ann, "lab", 2);
    await append(ann, "lab", { kind: "idea" });
    const get = async (path: string): Promise<{ status: number; body: JsonObject }> => {
      const response = await fetch(`${url}/api/v1/${path}`, {
        headers: { authorization: `Bearer ${hub.operator.token}` },
      });
      return { status: response.status, body: JSON.parse(await response.text()) };
    };
    for (const path of ["feed", "projects/lab/feed"]) {
      for (const [query, field] of [
        ["colour=red", "colour"],
        ["kinds=signals", "kinds.0"],
        ["kinds=signal&kinds=nothing", "kinds.1"],
        ["limit=0", "limit"],
        ["limit=-1", "limit"],
        ["limit=1.5", "limit"],
        ["limit=ten", "limit"],
        ["limit=0x10", "limit"],
      ] as const) {
        const { status, body } = await get(`${path}?${query}`);
        expect([status, body["code"], body["details"]]).toMatchObject([400, "invalid_argument", { field }]);
      }
      const page = await get(`${path}?kinds=signal&kinds=question&limit=501&since=0`);
      expect([page.status, idsOf(page.body)]).toEqual([200, [a, b].map(String)]);
      expect((await get(`${path}?since=&before=&limit=&session=&actor=`)).status).toBe(200);
    }
    // around belongs to the project's route alone.
    expect((await get(`feed?around=${a}`)).status).toBe(400);
    expect((await get(`projects/lab/feed?around=${a}&since=0`)).status).toBe(400);
    expect((await get(`projects/lab/feed?around=${a}`)).status).toBe(200);
    expect((await get("projects/nowhere/feed")).status).toBe(404);
    expect((await get("projects/lab/feed?around=nothing")).status).toBe(404);
  });
});

describe("how far the operator has seen", () => {
  const seen = (hub: TestHub, event_id: unknown, id = "lab"): Promise<JsonObject> =>
    hub.rest("markFeedSeen", { params: { id }, body: { event_id } });

  test("moves forward only; other ids answer with advanced: false and move nothing", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const ids = await appendMany(ann, "lab", 4);
    const elsewhere = await append(ann, "other");
    expect(await seen(hub, ids[2])).toEqual({ project_id: "lab", last_seen: String(ids[2]), advanced: true });
    expect(cursors(await feed(hub))[2]).toBe(ids[2]);
    const before = await hub.snapshot();
    for (const event of [ids[2], ids[0], elsewhere, "ZZZZZZZZZZZZZZZZZZZZZZZZZZ", ""]) {
      expect(await seen(hub, event)).toEqual({ project_id: "lab", last_seen: String(ids[2]), advanced: false });
    }
    expect(await hub.snapshot()).toBe(before);
    expect(await seen(hub, elsewhere, "other")).toMatchObject({ advanced: true });
    expect(await seen(hub, "x", "other")).toMatchObject({ last_seen: elsewhere, advanced: false });
    await expectNoTrace(hub, () => seen(hub, ids[3], "nowhere"), { code: "not_found", details: {} });
    const details = { field: "event_id", expected: expect.any(String) };
    for (const event of [undefined, 5]) {
      await expectNoTrace(hub, () => seen(hub, event), { code: "invalid_argument", details });
    }
    expect(cursors(await hub.rest("listFeed"))[2]).toBeNull();
  });

  test("ticks when it advanced, and only then", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const [first, second] = await appendMany(ann, "lab", 2);
    let ticks = 0;
    using _listener = hub.hub.kernel.services.bus.subscribe(["projects"], () => {
      ticks += 1;
    });
    for (const [event, expected] of [
      [second, 1],
      [first, 1],
      [second, 1],
      ["x", 1],
    ] as const) {
      await seen(hub, event);
      expect(ticks).toBe(expected);
    }
  });

  test("unseen_events is the number of events above it, whatever happens in which order", async () => {
    const step = fc.oneof(
      fc.record({ does: fc.constant("append" as const), project: fc.constantFrom("lab", "other") }),
      fc.record({ does: fc.constant("audit" as const), project: fc.constantFrom("lab", "other") }),
      fc.record({ does: fc.constant("answer" as const), project: fc.constantFrom("lab", "other") }),
      fc.record({ does: fc.constant("see" as const), project: fc.constantFrom("lab", "other"), at: fc.nat(100) }),
      fc.record({ does: fc.constant("restart" as const), project: fc.constant("lab") }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        await using lab = await openLab();
        const { hub, ann } = lab;
        for (const { does, project, ...more } of steps) {
          if (does === "append") await append(ann, project);
          if (does === "audit") await hub.rest("createGrant", { params: { id: "ann" }, body: { project_id: project } });
          if (does === "answer") await reply(hub, await ask(ann, project));
          if (does === "restart") await hub.reopen();
          if (does === "see") {
            const kinds = ["signal", "question", "answer", "system"];
            const ids = idsOf(
              await hub.rest("listProjectFeed", { params: { id: project }, query: { limit: 500, kinds } }),
            );
            await seen(hub, "at" in more && ids.length > 0 ? ids[more.at % ids.length] : "x", project);
          }
          for (const id of ["lab", "other"]) {
            const page = await hub.rest("listProjectFeed", { params: { id }, query: { limit: 500 } });
            const last = page["last_seen"];
            const naive = idsOf(page).filter((event) => last === null || event > String(last)).length;
            expect(await hub.rest("getProject", { params: { id } })).toMatchObject({ unseen_events: naive });
          }
        }
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  test("a hub over HTTP answers the same", async () => {
    await using lab = await openLab();
    const { hub, ann } = lab;
    const address = { url: await hub.listen(), adminToken: hub.operator.token };
    const id = await append(ann, "lab");
    const moved = await operate(address, "markFeedSeen", { params: { id: "lab" }, body: { event_id: id } });
    expect(moved).toEqual({ project_id: "lab", last_seen: id, advanced: true });
  });
});
