// What a hit shows (mcp-tools.md 17.33, rest-api.md 15): fields by family, the snippet, and how much of it all.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { agent, refusal, restAs, sql } from "../as-caller.ts";
import { append } from "../conversation.ts";
import { find, hitsOf, say, search, settle } from "./finding.ts";

let hub: TestHub;
let alice: Caller;
let session: { session_id: string };
beforeAll(async () => {
  hub = await openTestHub();
  alice = await hub.agent("alice");
  await hub.project("p");
  session = await start("work");
});
afterAll(() => hub[Symbol.asyncDispose]());

const start = async (session_name: string): Promise<{ session_id: string }> => ({
  session_id: String((await alice.call("session_start", { project_id: "p", session_name }))["session_id"]),
});
const put = (path: string, content: string) => alice.call("brain_put", { session, store: "session", path, content });

describe("a hit", () => {
  test("of a feed names the event, its kind and its actor", async () => {
    hub.clock.now += 1000;
    const id = await append(alice, "p", { kind: "idea", summary: "use alpacas", payload: { body: "They are calm." } });
    expect(await hitsOf(alice, "alpacas")).toEqual([
      {
        doc_id: `event:${id}`,
        project_id: "p",
        project_display_name: "Project p",
        kind: "feed",
        ref_id: id,
        session_id: null,
        title: "use alpacas",
        snippet: "They are calm.",
        updated_at: new Date(hub.clock.now).toISOString(),
        event_kind: "idea",
        actor: "alice",
      },
    ]);
  });

  test("of a brain names the session, and shows it as it is now", async () => {
    hub.clock.now += 1000;
    await put("/fs/notes/bison.md", "The bison plan.");
    const hit = {
      doc_id: `brain:${session.session_id}:/fs/notes/bison.md`,
      project_id: "p",
      project_display_name: "Project p",
      kind: "brain" as const,
      ref_id: "/fs/notes/bison.md",
      session_id: session.session_id,
      title: "/fs/notes/bison.md",
      snippet: "The bison plan.",
      updated_at: new Date(hub.clock.now).toISOString(),
      session_name: "work",
      session_status: "active",
    };
    expect(await hitsOf(alice, "bison")).toEqual([hit]);
    await alice.call("session_end", session);
    expect(await hitsOf(alice, "bison")).toEqual([{ ...hit, session_status: "ended" }]);
    await start("work");
  });

  test("of every kind of event is a feed hit; the hub's own are found by what they say", async () => {
    const approval = await append(alice, "p", { kind: "approval", summary: "cassowary release?" });
    await hub.rest("decideApproval", {
      params: { id: approval },
      body: { decision: "approve", note: "cassowary note" },
    });
    const { question_id } = await alice.call("question_post", { project_id: "p", subject: "cassowary?", body: "b" });
    await hub.rest("answerQuestion", { params: { id: String(question_id) }, body: { body: "cassowary answer" } });
    await append(alice, "p", { kind: "finished", summary: "cassowary done" });
    await start("cassowary");
    const found = (await hitsOf(alice, "cassowary")).map((hit) => [hit.event_kind, hit.actor, hit.snippet]);
    expect(found.sort()).toEqual([
      ["answer", "human", "Approved: cassowary note"],
      ["answer", "human", "cassowary answer"],
      ["approval", "alice", "cassowary release?"],
      ["finished", "alice", "cassowary done"],
      ["question", "alice", "b"],
      ["session", "alice", "session cassowary started"],
    ]);
  });

  test("shows nothing of a row that another project holds", async () => {
    await hub.project("elsewhere");
    await say(alice, "p", "dugong summary");
    await put("/kv/dugong", "dugong value");
    await settle(hub);
    // What no call can do: the rows a hit refers to lie in another project than the hit says.
    await sql(hub, "UPDATE search_docs SET project_id = 'elsewhere' WHERE ref_id = '/kv/dugong'");
    await sql(
      hub,
      "UPDATE search_docs SET project_id = 'elsewhere' WHERE ref_id IN (SELECT id FROM events WHERE summary = 'dugong summary')",
    );
    const [hit, ...others] = await hitsOf(alice, "dugong");
    expect(others).toEqual([]);
    expect(hit).toMatchObject({ project_id: "elsewhere", kind: "feed", title: null, snippet: "" });
    expect(Object.keys(hit ?? {})).not.toContain("actor");
  });
});

describe("the snippet", () => {
  const bodies: [string, JsonObject | null, string][] = [
    ["the body", { body: "the body text" }, "the body text"],
    ["the summary, when there is no body", { note: "unseen words" }, "emu SUMMARY"],
    ["the summary, when there is no payload", null, "emu SUMMARY"],
    ["the summary, when the body is blank", { body: " \n\t " }, "emu SUMMARY"],
    ["the summary, when the body is no text", { body: ["a"] }, "emu SUMMARY"],
    ["the body as it is", { body: "  two\nlines  " }, "  two\nlines  "],
    ["200 characters", { body: "𝒳".repeat(200) }, "𝒳".repeat(200)],
    ["200 characters and an ellipsis", { body: "𝒳".repeat(201) }, `${"𝒳".repeat(200)}…`],
  ];
  test.each(bodies)("of a feed hit is %s", async (_name, payload, snippet) => {
    const project_id = await hub.project(`snippet-${Bun.hash(JSON.stringify([_name]))}`);
    await append(alice, project_id, { summary: "emu SUMMARY", ...(payload === null ? {} : { payload }) });
    expect(await hitsOf(alice, "emu", { project_id })).toMatchObject([{ title: "emu SUMMARY", snippet }]);
  });

  test("of a feed hit is the summary cut like anything", async () => {
    await say(alice, "p", `fossa ${"y".repeat(1000)}`);
    expect(await hitsOf(alice, "fossa")).toMatchObject([{ snippet: `fossa ${"y".repeat(194)}…` }]);
  });

  test("of a brain is the opening of its text, whatever matched", async () => {
    await put("/kv/long", `${"𝒳".repeat(250)} gibbon`);
    await put("/kv/short", `gibbon ${"𝒳".repeat(193)}`);
    const found = (await hitsOf(alice, "gibbon")).map((hit) => hit.snippet).sort();
    expect(found).toEqual([`gibbon ${"𝒳".repeat(193)}`, `${"𝒳".repeat(200)}…`]);
  });

  test("of a large payload is as quick as any", async () => {
    for (let number = 0; number < 60; number += 1) {
      await append(alice, "p", { summary: "hoatzin", payload: { body: `${number} ${"z".repeat(200_000)}` } });
    }
    const found = await search(alice, "hoatzin", { limit: 100 });
    expect(found.count).toBe(60);
    expect(found.groups[0]?.hits.every((hit) => hit.snippet.length === 201)).toBe(true);
  });
});

describe("what is searched of a payload", () => {
  const payload = {
    body: 'quote " and backslash \\ and\nnewline\tindri',
    "a key": { deep: [{ er: "jerboa" }, 4711, true, null] },
    unicode: "kōkako\u0000kiwi",
  };
  beforeAll(() => append(alice, "p", { summary: "payload", payload }));

  test.each(["indri", "newline indri", "jerboa", "4711", "tru", "key", "deep", "kokako kiwi", "backslash"])(
    "%j is found, and never shown",
    async (query) => {
      const [hit] = await hitsOf(alice, query, { type: "feed" });
      expect(hit).toMatchObject({ title: "payload", snippet: payload.body });
      expect(JSON.stringify(hit)).not.toMatch(/jerboa|4711|kiwi/);
    },
  );

  test.each(["nnewline", "tindri", "u0000kiwi", "u014dkako"])("%j of an escape is not there", async (query) => {
    expect(await find(alice, query)).toEqual([]);
  });
});

describe("of a large value", () => {
  test("the first 1 MiB is found and no byte more", async () => {
    const megabyte = 1_048_576;
    await put("/kv/inside", `${"x ".repeat((megabyte - 7) / 2 - 0.5)} lemming past`);
    await put("/kv/outside", `${"x".repeat(megabyte)} lemming`);
    await put("/kv/wide", `${"é".repeat(megabyte / 2 - 2)} lemming`);
    expect(await find(alice, "lemming ", session)).toEqual(["/kv/inside"]);
    expect(await find(alice, "past", session)).toEqual([]);
    // Cut in the middle of it.
    expect(await find(alice, '"lemming"', session)).toEqual(["/kv/inside"]);
    expect((await find(alice, "lem", session)).sort()).toEqual(["/kv/inside", "/kv/wide"]);
  });
});

describe("limit", () => {
  beforeAll(() => say(alice, "p", ...Array.from({ length: 120 }, (_, number) => `margay ${number}`)));

  test("is 50 unless said, at most 100, and cut there", async () => {
    expect(await search(alice, "margay")).toMatchObject({ count: 50, truncated: true });
    expect(await search(alice, "margay", { limit: 7 })).toMatchObject({ count: 7, truncated: true });
    expect(await search(alice, "margay", { limit: 1000 })).toMatchObject({ count: 100, truncated: true });
    expect((await find(alice, "margay", { limit: 3 })).length).toBe(3);
  });

  test("says truncated only when it cut something", async () => {
    expect(await search(alice, "margay 1", { limit: 31 })).toMatchObject({ count: 31, truncated: false });
    expect(await search(alice, "margay 1", { limit: 30 })).toMatchObject({ count: 30, truncated: true });
    expect(await search(alice, "nothing of it")).toEqual({
      count: 0,
      truncated: false,
      took_ms: expect.any(Number),
      groups: [],
    });
  });

  test("counts every fork that shares a value", async () => {
    await put("/kv/shared", "numbat");
    for (const name of ["f1", "f2", "f3"]) {
      await alice.call("session_start", { project_id: "p", session_name: name, from: session });
    }
    expect(await search(alice, "numbat")).toMatchObject({ count: 4, truncated: false });
    expect(await search(alice, "numbat", { limit: 3 })).toMatchObject({ count: 3, truncated: true });
    expect((await hitsOf(alice, "numbat", { limit: 3 }))[0]?.session_id).toBe(session.session_id);
  });
});

describe("over REST", () => {
  beforeAll(async () => {
    await say(alice, "p", "okapi event");
    await put("/kv/okapi", "okapi value");
  });

  test("the answer is that of the tool", async () => {
    const untimed = (found: object) => ({ ...found, took_ms: 0 });
    for (const [query, args] of [
      [{ q: "okapi" }, {}],
      [{ q: "okapi", project: "p" }, { project_id: "p" }],
      [
        { q: "okapi", scope: "project", project: "p" },
        { project_id: "p", scope: "project" },
      ],
      [{ q: "okapi", scope: "global", project: "no such" }, { scope: "global" }],
      [{ q: "okapi", type: "brain" }, { type: "brain" }],
      [{ q: "okapi", session: session.session_id }, session],
      [{ q: "okapi", session_id: session.session_id }, session],
      [{ q: "okapi", limit: 1 }, { limit: 1 }],
      [{ q: '"' }, { query: '"' }],
    ] as const) {
      const answer = await hub.rest("search", { query });
      expect(untimed(answer)).toEqual(untimed(await search(hub.operator, "okapi", args)));
    }
  });

  test.each([
    [{}, "q"],
    [{ q: " " }, "q"],
    [{ q: "x", scope: "session", session: "01" }, "scope"],
    [{ q: "x", scope: "project" }, "project"],
    [{ q: "x", type: "pages" }, "type"],
    [{ q: "x", limit: 0 }, "limit"],
  ])("%j is refused", async (query, field) => {
    expect(await refusal(hub.rest("search", { query }))).toMatchObject({
      code: "invalid_argument",
      details: { field, expected: expect.any(String) },
    });
  });

  test("it is the operator's alone, and a project that is not there is named", async () => {
    expect(await refusal(hub.rest("search", { query: { q: "x", project: "no-such" } }))).toMatchObject({
      code: "not_found",
    });
    expect(await refusal(restAs(hub, agent("alice"), "search", { query: { q: "okapi" } }))).toMatchObject({
      code: "forbidden",
    });
  });
});
