// Who finds what (mcp-tools.md 6.2, 17.33): what the caller may read now, in the scope it asked for, and nothing that
// is gone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { refusal } from "../as-caller.ts";
import { append } from "../conversation.ts";
import { find, hitsOf, say, search } from "./finding.ts";

let hub: TestHub;
let alice: Caller;
let bob: Caller;
beforeAll(async () => {
  hub = await openTestHub();
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
});
afterAll(() => hub[Symbol.asyncDispose]());

const denial = { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} };
const grant = (agent: string, project_id: string) =>
  hub.rest("createGrant", { params: { id: agent }, body: { project_id } });
const setConfidential = (id: string, confidential: boolean) =>
  hub.rest("updateProject", { params: { id }, body: { confidential } });
const spaceOf = async (by: Caller): Promise<string> => String((await by.call("whoami"))["personal_project_id"]);

type Session = { session_id: string };
const start = async (by: Caller, project_id: string, args: JsonObject = {}): Promise<Session> => ({
  session_id: String((await by.call("session_start", { project_id, session_name: "s", ...args }))["session_id"]),
});
const put = (by: Caller, session: Session, path: string, content: string) =>
  by.call("brain_put", { session, store: "session", path, content });

describe("projects", () => {
  test("that are confidential are searched by who holds a grant, and by the operator", async () => {
    await hub.project("secret", { confidential: true });
    await say(hub.operator, "secret", "the aardvark plan");
    expect(await find(alice, "aardvark")).toEqual([]);
    expect(await refusal(search(alice, "aardvark", { project_id: "secret" }))).toEqual(denial);
    expect(await refusal(search(alice, "aardvark", { project_id: "no-such" }))).toEqual(denial);
    await grant("alice", "secret");
    expect(await find(alice, "aardvark")).toEqual(["the aardvark plan"]);
    expect(await find(alice, "aardvark", { project_id: "secret" })).toEqual(["the aardvark plan"]);
    expect(await find(bob, "aardvark")).toEqual([]);
    expect(await find(hub.operator, "aardvark")).toEqual(["the aardvark plan"]);
    await hub.rest("deleteGrant", { params: { id: "alice", project_id: "secret" } });
    expect(await find(alice, "aardvark")).toEqual([]);
  });

  test("that become confidential, or ordinary again, do so at once for events and brains", async () => {
    await hub.project("turning");
    await say(alice, "turning", "a bilby event");
    await put(alice, await start(alice, "turning"), "/kv/note", "a bilby value");
    for (const confidential of [true, false, true]) {
      await setConfidential("turning", confidential);
      expect(await find(bob, "bilby")).toEqual(confidential ? [] : ["a bilby event", "/kv/note"]);
    }
    expect(await find(hub.operator, "bilby")).toEqual(["a bilby event", "/kv/note"]);
  });

  test("that are personal spaces are read by all while ordinary, by their owner when confidential", async () => {
    const space = await spaceOf(alice);
    await say(alice, space, "caracal thoughts");
    expect(await find(bob, "caracal")).toEqual(["caracal thoughts"]);
    await setConfidential(space, true);
    expect(await find(bob, "caracal")).toEqual([]);
    expect(await find(alice, "caracal")).toEqual(["caracal thoughts"]);
    await setConfidential(space, false);
  });

  test("that are deleted are found no more, and one of the same id starts with nothing", async () => {
    for (const round of [1, 2]) {
      await hub.project("passing");
      expect(await find(alice, "dingo")).toEqual([]);
      await say(alice, "passing", `dingo ${round}`);
      const session = await start(alice, "passing");
      await put(alice, session, "/kv/d", "dingo value");
      await start(bob, "passing", { from: session });
      expect((await find(alice, "dingo")).length).toBe(3);
      await hub.rest("deleteProject", { params: { id: "passing" } });
      expect(await find(hub.operator, "dingo")).toEqual([]);
    }
    const { db } = hub.hub.kernel.services;
    expect(db.get("SELECT count(*) AS n FROM search_docs WHERE project_id = 'passing'")).toEqual({ n: 0 });
    const texts = "SELECT count(*) AS n FROM search_texts WHERE search_texts MATCH 'dingo'";
    expect(db.get(texts)).toEqual({ n: 0 });
  });

  test("many that are hidden hide all of theirs and nothing else", async () => {
    await hub.hub.kernel.services.write((tx) => {
      for (let number = 0; number < 1500; number += 1) {
        tx.db.run(
          "INSERT INTO projects (id, display_name, confidential, created_at) VALUES (?, 'x', 1, 0)",
          `hidden-${number}`,
        );
      }
    });
    await say(hub.operator, "hidden-3", "ermine one");
    await hub.project("open");
    await say(alice, "open", "ermine two");
    expect(await find(alice, "ermine")).toEqual(["ermine two"]);
    expect(await find(hub.operator, "ermine")).toEqual(["ermine two", "ermine one"]);
    await hub.hub.kernel.services.write((tx) => tx.db.run("DELETE FROM projects WHERE id LIKE 'hidden-%'"));
  });
});

test("system events are never found, by anybody", async () => {
  await hub.rest("createGrant", { params: { id: "bob" }, body: { project_id: await hub.project("audited") } });
  for (const query of ["grant", "token issued", "agent_created"]) {
    const hits = await hitsOf(hub.operator, query);
    expect(hits.filter((hit) => hit.event_kind === "system")).toEqual([]);
    expect(hits.filter((hit) => hit.project_id === "audited")).toEqual([]);
  }
});

describe("a scope", () => {
  test("is the project's when one is named, the whole when it says global", async () => {
    await hub.project("east");
    await hub.project("west");
    await say(alice, "east", "ferret east");
    await say(alice, "west", "ferret west");
    const both = ["ferret west", "ferret east"];
    expect(await find(alice, "ferret")).toEqual(both);
    expect(await find(alice, "ferret", { scope: "global" })).toEqual(both);
    expect(await find(alice, "ferret", { project_id: "east" })).toEqual(["ferret east"]);
    expect(await find(alice, "ferret", { project_id: "east", scope: "project" })).toEqual(["ferret east"]);
    expect(await find(alice, "ferret", { project_id: "east", scope: "global" })).toEqual(both);
    expect(await find(alice, "ferret", { project_id: "no such", scope: "global" })).toEqual(both);
  });

  test("of a type is that family alone", async () => {
    await hub.project("typed");
    await say(alice, "typed", "gecko event");
    await put(alice, await start(alice, "typed"), "/kv/gecko", "x");
    const args = { project_id: "typed" };
    expect(await find(alice, "gecko", { ...args, type: "feed" })).toEqual(["gecko event"]);
    expect(await find(alice, "gecko", { ...args, type: "brain" })).toEqual(["/kv/gecko"]);
    expect(await find(alice, "gecko", { ...args, type: "artifact" })).toEqual([]);
    expect(await find(alice, "gecko", { ...args, type: "kb" })).toEqual([]);
  });

  test("of a session is its brain alone, and that of one the caller may not read is empty", async () => {
    await hub.project("sessions");
    await hub.project("closed", { confidential: true });
    const mine = await start(alice, "sessions");
    const other = await start(alice, "sessions", { session_name: "other-hyena" });
    const theirs = await start(hub.operator, "closed");
    await put(alice, mine, "/kv/a", "hyena mine");
    await put(alice, other, "/kv/b", "hyena other");
    await put(hub.operator, theirs, "/kv/c", "hyena theirs");
    await append(alice, "sessions", { summary: "hyena event" });
    for (const args of [
      mine,
      { ...mine, scope: "session" },
      { ...mine, type: "brain" },
      { ...mine, project_id: "sessions" },
    ]) {
      expect(await find(bob, "hyena", args)).toEqual(["/kv/a"]);
    }
    for (const args of [
      theirs,
      { session_id: "no such" },
      { ...mine, type: "feed" },
      { ...mine, project_id: "east" },
    ]) {
      expect(await find(bob, "hyena", args)).toEqual([]);
    }
    expect(await find(hub.operator, "hyena", theirs)).toEqual(["/kv/c"]);
    await grant("bob", "closed");
    expect(await find(bob, "hyena", theirs)).toEqual(["/kv/c"]);
  });

  test.each([
    [{ scope: "project" }, "project_id"],
    [{ scope: "session" }, "session_id"],
    [{ scope: "elsewhere" }, "scope"],
    [{ type: "page" }, "type"],
    [{ limit: 0 }, "limit"],
    [{ limit: 1.5 }, "limit"],
    [{ query: "" }, "query"],
    [{ query: " \t\n" }, "query"],
    [{ query: "\u3000" }, "query"],
    [{ query: 7 }, "query"],
  ])("of %j is refused", async (args, field) => {
    expect(await refusal(bob.call("search", { query: "x", ...args }))).toMatchObject({
      code: "invalid_argument",
      details: { field, expected: expect.any(String) },
    });
  });
});

describe("a brain", () => {
  test("is found as it is now: written, overwritten, deleted, also where the same bytes come back", async () => {
    await hub.project("changing");
    const session = await start(alice, "changing");
    await put(alice, session, "/kv/i", "ibex first");
    expect(await find(alice, "ibex", session)).toEqual(["/kv/i"]);
    await put(alice, session, "/kv/i", "second");
    expect(await find(alice, "ibex", session)).toEqual([]);
    expect(await find(alice, "second", session)).toEqual(["/kv/i"]);
    await alice.call("brain_delete", { session, store: "session", path: "/kv/i" });
    expect(await find(alice, "second", session)).toEqual([]);
    await put(alice, session, "/kv/i", "ibex first");
    expect(await find(alice, "ibex", session)).toEqual(["/kv/i"]);
    expect(await refusal(put(alice, session, "/fs", "ibex"))).toMatchObject({ code: "invalid_argument" });
    expect(await find(alice, "ibex", session)).toEqual(["/kv/i"]);
  });

  test("of a fork and of its source change apart", async () => {
    await hub.project("forked");
    const source = await start(alice, "forked");
    await put(alice, source, "/kv/same", "jackal value");
    await put(alice, source, "/kv/moved", "jackal value");
    const fork = await start(bob, "forked", { from: source });
    const again = await start(bob, "forked", { from: fork, session_name: "again" });
    const where = async () => {
      const found = await hitsOf(alice, "jackal", { project_id: "forked" });
      return found.map((hit) => [hit.session_id, hit.title]).sort();
    };
    const all = [source, fork, again].flatMap(({ session_id }) => [
      [session_id, "/kv/moved"],
      [session_id, "/kv/same"],
    ]);
    expect(await where()).toEqual(all.sort());
    await put(bob, fork, "/kv/moved", "otherwise");
    await alice.call("brain_delete", { session: source, store: "session", path: "/kv/same" });
    expect(await where()).toEqual(
      all.filter(
        ([id, path]) =>
          !(id === fork.session_id && path === "/kv/moved") && !(id === source.session_id && path === "/kv/same"),
      ),
    );
    await put(alice, source, "/kv/moved", "changed too");
    expect(await find(bob, "jackal", source)).toEqual([]);
    expect(await find(bob, "jackal", fork)).toEqual(["/kv/same"]);
    expect((await find(bob, "jackal", again)).sort()).toEqual(["/kv/moved", "/kv/same"]);
  });

  test("of a pruned session is found by nobody from then on, and again after an undo; its forks' stay", async () => {
    await hub.project("pruned");
    const source = await start(alice, "pruned");
    await put(alice, source, "/kv/k", "kudu value");
    const fork = await start(bob, "pruned", { from: source });
    await alice.call("session_end", source);
    const pruned = await hub.rest("pruneSession", { params: { id: source.session_id } });
    const sessionsFound = async () => (await hitsOf(hub.operator, "kudu")).map((hit) => hit.session_id);
    expect(await sessionsFound()).toEqual([fork.session_id]);
    expect(await find(hub.operator, "kudu", source)).toEqual([]);
    await hub.rest("undoPrune", { params: { token: String(pruned["undo_token"]) } });
    expect(await sessionsFound()).toEqual([source.session_id, fork.session_id]);
    expect(await find(bob, "kudu", source)).toEqual(["/kv/k"]);
  });

  test("of a pruned session takes no place among the 5,000 that are ranked", async () => {
    await hub.project("crowded");
    const visible = await start(alice, "crowded", { session_name: "visible" });
    await put(alice, visible, "/kv/v", "lynx visible");
    const crowd = await start(alice, "crowded");
    for (let from = 0; from < 5100; from += 300) {
      const paths = Array.from({ length: 300 }, (_, index) => `/kv/${from + index}`);
      await Promise.all(paths.map((path) => put(alice, crowd, path, "lynx")));
    }
    expect(await search(alice, "lynx", { project_id: "crowded" })).toMatchObject({ count: 50, truncated: true });
    await alice.call("session_end", crowd);
    await hub.rest("pruneSession", { params: { id: crowd.session_id } });
    expect(await find(alice, "lynx", { project_id: "crowded" })).toEqual(["/kv/v"]);
    expect(await find(alice, "lynx", visible)).toEqual(["/kv/v"]);
  });
});
