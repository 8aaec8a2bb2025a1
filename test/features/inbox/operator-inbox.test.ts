// The operator's inbox (rest-api.md 6): groups, their order and paging, counts, filters, and the query.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { JsonObject } from "../../../src/shared/json.ts";
import type { InboxItemView } from "../../../src/shared/views.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { append, ask, decide, expectNoTrace, idsOf, itemsOf, reply, request } from "../conversation.ts";

const groups = ["waiting", "snoozed", "unread", "earlier"] as const;
type Group = (typeof groups)[number];
type Filter = { project?: string; actor?: string; kind?: string };

const list = (hub: TestHub, query: object = {}): Promise<JsonObject> => hub.rest("listInbox", { query });

/** Every item of a listing, page by page. */
async function pages(hub: TestHub, query: object, limit: number): Promise<InboxItemView[]> {
  const items: InboxItemView[] = [];
  let before: object = {};
  for (let page = 0; page < 200; page += 1) {
    const answer = await list(hub, { ...query, ...before, limit });
    expect(itemsOf(answer).length).toBeLessThanOrEqual(limit);
    items.push(...itemsOf(answer));
    const next = answer["next_before"];
    if (next === null) return items;
    expect(itemsOf(answer).length).toBe(limit);
    before = { before: String(next) };
  }
  throw new Error("the inbox does not end");
}

function groupOf(item: InboxItemView): Group {
  if (item.status === "unread") return "unread";
  if (item.status === "read" || item.status === "resolved") return "earlier";
  return item.snoozed_until === undefined ? "waiting" : "snoozed";
}

// Each group's order, as the specification says it: a key, then the event.
function ordered(group: Group | "all", items: InboxItemView[]): string[] {
  const byId = items.toSorted((a, b) => (a.event_id < b.event_id ? -1 : 1));
  const by = (key: (item: InboxItemView) => string): InboxItemView[] =>
    byId.toSorted((a, b) => key(a).localeCompare(key(b)));
  if (group === "waiting") return by((item) => item.expires_at ?? "9").map((item) => item.event_id);
  if (group === "snoozed") return by((item) => item.snoozed_until ?? "").map((item) => item.event_id);
  if (group === "earlier")
    return by((item) => item.updated_at)
      .map((item) => item.event_id)
      .toReversed();
  return byId.map((item) => item.event_id).toReversed();
}

function fits(item: InboxItemView, { project, actor, kind }: Filter): boolean {
  return (
    (project === undefined || item.project_id === project) &&
    (actor === undefined || item.actor === actor) &&
    (kind === undefined || item.kind === kind)
  );
}

type Step = { does: "ask" | "request" | "finish" | "snooze" | "read" | "unread" | "resolve" | "wait"; at: number };

async function take(hub: TestHub, agents: Caller[], { does, at }: Step, ids: string[]): Promise<void> {
  const by = agents[at % agents.length] ?? hub.operator;
  const project = at % 3 === 0 ? "other" : "lab";
  const id = ids[at % Math.max(1, ids.length)] ?? "none";
  const params = { event_id: id };
  const deadline = at % 2 === 0 ? {} : { expires_in_seconds: 60 + (at % 4) };
  // The clock moves seldom, so that most keys are shared by several items.
  if (does === "wait") hub.clock.now += 1000 + (at % 2) * 30_000;
  if (does === "ask") ids.push(await ask(by, project, deadline));
  if (does === "request") ids.push(await request(by, project, deadline));
  if (does === "finish") ids.push(await append(by, project, { kind: "finished" }));
  const calls: Promise<unknown>[] = [];
  if (does === "snooze") {
    const until = new Date(hub.clock.now + 1000 * (1 + (at % 3))).toISOString();
    calls.push(hub.rest("snoozeItem", { params, body: { until } }));
  }
  if (does === "read") calls.push(hub.rest("markRead", { params }));
  if (does === "unread") calls.push(hub.rest("markUnread", { params }));
  if (does === "resolve") calls.push(reply(hub, id), decide(hub, id));
  await Promise.allSettled(calls); // what does not fit the item is refused, and that is no matter here
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom(
    "ask",
    "request",
    "finish",
    "finish",
    "snooze",
    "snooze",
    "read",
    "read",
    "unread",
    "resolve",
    "wait",
  ),
  at: fc.nat(1000),
});

describe("groups", () => {
  test("hold every item once, in their order, page by page, with counts under any filter", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 60 }),
        fc.constantFrom(1, 2, 3, 7),
        async (steps, limit) => {
          await using hub = await openTestHub();
          await hub.project("lab");
          await hub.project("other");
          const agents = [await hub.agent("ann"), await hub.agent("bob")];
          const ids: string[] = [];
          for (const each of steps) await take(hub, agents, each, ids);

          const all = itemsOf(await list(hub, { limit: 500 }));
          expect(all.map((item) => item.event_id)).toEqual(ids.toSorted().toReversed());
          for (const filter of [
            {},
            { project: "lab" },
            { actor: "ann" },
            { kind: "finished" },
            { project: "other", actor: "bob", kind: "question" },
          ]) {
            const under = all.filter((item) => fits(item, filter));
            expect((await pages(hub, filter, limit)).map((item) => item.event_id)).toEqual(ordered("all", under));
            const counts: Record<Group, number> = { waiting: 0, snoozed: 0, unread: 0, earlier: 0 };
            for (const group of groups) {
              const expected = under.filter((item) => groupOf(item) === group);
              counts[group] = expected.length;
              const found = await pages(hub, { ...filter, group }, limit);
              expect(found.map((item) => item.event_id)).toEqual(ordered(group, expected));
              expect(found).toEqual(
                found.map((item) => all.find(({ event_id }) => event_id === item.event_id) ?? item),
              );
            }
            for (const query of [filter, { ...filter, group: "snoozed" }, { ...filter, status: "action", limit: 1 }]) {
              expect((await list(hub, query))["counts"]).toEqual(counts);
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  }, 120_000);

  test("keep their order when everything is tied", async () => {
    await using hub = await openTestHub();
    await hub.project("lab");
    const ann = await hub.agent("ann");
    const questions = await Promise.all(Array.from({ length: 9 }, () => ask(ann, "lab", { expires_in_seconds: 600 })));
    const snoozed = await Promise.all(Array.from({ length: 9 }, () => ask(ann, "lab")));
    const finished = await Promise.all(Array.from({ length: 9 }, () => append(ann, "lab", { kind: "finished" })));
    const until = new Date(hub.clock.now + 5000).toISOString();
    await Promise.all(snoozed.map((event_id) => hub.rest("snoozeItem", { params: { event_id }, body: { until } })));
    await hub.rest("markAllRead", { body: { up_to: finished.toSorted()[4] ?? "" } });
    const first = (group: Group, limit: number) =>
      pages(hub, { group }, limit).then((items) => items.map((item) => item.event_id));
    for (const limit of [1, 2, 4, 9, 50]) {
      expect(await first("waiting", limit)).toEqual(questions.toSorted());
      expect(await first("snoozed", limit)).toEqual(snoozed.toSorted());
      expect(await first("earlier", limit)).toEqual(finished.toSorted().slice(0, 5).toReversed());
      expect(await first("unread", limit)).toEqual(finished.toSorted().slice(5).toReversed());
    }
  });

  test("waiting: soonest deadline first, then those without one, oldest first", async () => {
    await using hub = await openTestHub();
    await hub.project("lab");
    const ann = await hub.agent("ann");
    const [a, b, c, d] = [
      await ask(ann, "lab"),
      await ask(ann, "lab", { expires_in_seconds: 120 }),
      await request(ann, "lab"),
      await request(ann, "lab", { expires_in_seconds: 60 }),
    ];
    expect(idsOf(await list(hub, { group: "waiting" }))).toEqual([d, b, a, c]);
    // An extended one takes its new place.
    await hub.rest("extendItem", { params: { event_id: d }, body: { seconds: 600 } });
    expect(idsOf(await list(hub, { group: "waiting" }))).toEqual([b, d, a, c]);
  });

  test("reading an item never reorders the list of all", async () => {
    await using hub = await openTestHub();
    await hub.project("lab");
    const ann = await hub.agent("ann");
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) ids.unshift(await append(ann, "lab", { kind: "finished" }));
    for (const event_id of ids) {
      hub.clock.now += 1000;
      await hub.rest("markRead", { params: { event_id } });
      expect(idsOf(await list(hub))).toEqual(ids);
    }
    expect(idsOf(await list(hub, { group: "earlier" }))).toEqual(ids.toReversed());
  });
});

describe("the query", () => {
  test("status, unread_only and an empty value", async () => {
    await using hub = await openTestHub();
    await hub.project("lab");
    const ann = await hub.agent("ann");
    const [a, b, c, d] = [
      await ask(ann, "lab"),
      await append(ann, "lab", { kind: "finished" }),
      await append(ann, "lab", { kind: "finished" }),
      await request(ann, "lab"),
    ];
    await hub.rest("markRead", { params: { event_id: b } });
    await decide(hub, d);
    const url = await hub.listen();
    const get = async (query: string): Promise<[number, string[]]> => {
      const response = await fetch(`${url}/api/v1/inbox?${query}`, {
        headers: { authorization: `Bearer ${hub.operator.token}` },
      });
      const body: JsonObject = JSON.parse(await response.text());
      return [response.status, response.status === 200 ? idsOf(body) : []];
    };
    for (const [query, ids] of [
      ["", [d, c, b, a]],
      ["status=&group=&project=&actor=&kind=&before=&limit=&unread_only=", [d, c, b, a]],
      ["status=unread", [c]],
      ["status=read", [b]],
      ["status=action", [a]],
      ["status=waiting", []],
      ["status=resolved", [d]],
      ["unread_only=1", [c]],
      ["unread_only=true", [c]],
      ["unread_only=0", [d, c, b, a]],
      ["unread_only=false&status=read", [b]],
      ["unread_only=1&status=unread", [c]],
      ["kind=finished", [c, b]],
      ["actor=ann&project=lab&kind=question", [a]],
      ["actor=nobody", []],
      ["project=nowhere", []],
      [`event_id=${b}`, [b]],
      [`event_id=${b}&status=unread`, []],
      ["event_id=01ARZ3NDEKTSV4RRFFQ69G5FAV", []],
      ["colour=red", [d, c, b, a]],
    ] as const) {
      expect([query, await get(query)]).toEqual([query, [200, [...ids]]]);
    }
    for (const query of [
      "status=open",
      "group=all",
      "group=waiting&status=action",
      "group=waiting&unread_only=1",
      "unread_only=1&status=action",
      "unread_only=yes",
      "kind=signal",
      "limit=0",
      "limit=x",
      "before=x",
      "before=1~2",
      `before=${a}`,
    ]) {
      expect([query, await get(query)]).toEqual([query, [400, []]]);
    }
  });

  test("a bad one names its field and changes nothing", async () => {
    await using hub = await openTestHub();
    for (const [query, field] of [
      [{ status: "open" }, "status"],
      [{ group: "all" }, "group"],
      [{ group: "unread", status: "unread" }, "group"],
      [{ unread_only: true, status: "read" }, "unread_only"],
      [{ kind: "idea" }, "kind"],
      [{ before: "x" }, "before"],
      [{ limit: 0 }, "limit"],
    ] as const) {
      const details = { field, expected: expect.any(String) };
      await expectNoTrace(hub, () => list(hub, query), { code: "invalid_argument", details });
    }
  });
});

describe("audit records", () => {
  test("are never in the inbox and never counted", async () => {
    await using hub = await openTestHub();
    await hub.project("lab");
    await hub.agent("ann");
    await hub.rest("createGrant", { params: { id: "ann" }, body: { project_id: "lab" } });
    expect(await list(hub)).toEqual({
      items: [],
      next_before: null,
      counts: { waiting: 0, snoozed: 0, unread: 0, earlier: 0 },
    });
    expect(await hub.rest("getProject", { params: { id: "lab" } })).toMatchObject({ unseen_events: 0 });
  });
});
