// When a session cannot be taken up (mcp-tools.md 13.4, 17.1): what the caller is told, and that nothing is left behind.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { refusal, rows } from "../as-caller.ts";
import { expectNoTrace } from "../conversation.ts";
import { end, prune, startNamed, undo } from "./working.ts";

const denial = { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} };

let hub: TestHub;
let alice: Caller;
let bob: Caller;
let projects = 0;
let project_id = "";
beforeAll(async () => {
  hub = await openTestHub();
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
});
afterAll(() => hub[Symbol.asyncDispose]());

/** A project of its own for a test. */
async function freshProject(options?: { confidential: boolean }): Promise<string> {
  projects += 1;
  project_id = await hub.project(`pickup-${projects}`, options);
  return project_id;
}

const start = (by: Caller, session_name: string, args: JsonObject = {}, connection?: string): Promise<JsonObject> =>
  by.call("session_start", { project_id, session_name, ...args }, connection === undefined ? {} : { connection });

describe("a pickup is refused", () => {
  test("of a pruned source, until the prune is taken back; then as one that never was", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "work");
    await end(alice, source);
    const token = await prune(hub, source);
    for (const from of [source, { agent: "alice", name: "work" }]) {
      const error = await expectNoTrace(hub, () => start(bob, "mine", { from }), {
        code: "conflict",
        details: { session_id: source.session_id },
      });
      expect(error.message).toEndWith(` session_id=${source.session_id}`);
    }
    await undo(hub, token);
    expect(await start(bob, "mine", { from: source })).toMatchObject({ pickup: { mode: "adopt" } });
  });

  test("of a source in another project", async () => {
    const elsewhere = await freshProject();
    const source = await startNamed(alice, project_id, "work");
    await freshProject();
    for (const from of [source, { agent: "alice", name: "work", project_id: elsewhere }]) {
      const error = await expectNoTrace(hub, () => start(bob, "mine", { from }), {
        code: "invalid_argument",
        details: { from_project_id: elsewhere },
      });
      expect(error.message).toEndWith(` from_project_id=${elsewhere}`);
    }
  });

  test("under a name the caller holds, running, ended or pruned", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "work");
    const held = await startNamed(bob, project_id, "held");
    const refused = async (details: Record<string, string>) => {
      const [[key, value] = []] = Object.entries(details);
      const error = await expectNoTrace(hub, () => start(bob, "held", { from: source }), { code: "conflict", details });
      expect(error.message).toEndWith(` ${key}=${value}`);
    };
    await refused({ existing_session_id: held.session_id });
    await end(bob, held);
    await refused({ existing_session_id: held.session_id });
    await prune(hub, held);
    await refused({ pruned_session_id: held.session_id });
    expect(await start(bob, "other", { from: source })).toMatchObject({ pickup: { mode: "fork" } });
  });

  test("of one's own pruned session under its name", async () => {
    await freshProject();
    const own = await startNamed(alice, project_id, "work");
    await end(alice, own);
    await prune(hub, own);
    expect(await refusal(start(alice, "work", { from: own }))).toMatchObject({ code: "conflict" });
  });

  test("without access: read on the source, write on the project; missing and denied are one", async () => {
    const secret = await freshProject({ confidential: true });
    const hidden = await startNamed(hub.operator, project_id, "hidden");
    const space = String((await alice.call("whoami"))["personal_project_id"]);
    const own = await startNamed(alice, space, "s");
    await freshProject();
    const refused: JsonObject[] = [
      { from: hidden },
      { from: { session_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" } },
      { from: { session_id: "nothing like an id" } },
      { from: { agent: "human", name: "hidden", project_id: secret } },
      { from: { agent: "human", name: "hidden", project_id: "no-such" } },
      { project_id: secret, from: hidden },
      // Reading another's space is allowed, writing it is not.
      { project_id: space, from: own },
    ];
    for (const args of refused) expect(await refusal(start(bob, "mine", args))).toEqual(denial);
    expect(
      await refusal(start(hub.operator, "mine", { from: { session_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" } })),
    ).toMatchObject({
      code: "not_found",
    });
    await hub.rest("createGrant", { params: { id: "bob" }, body: { project_id: secret } });
    expect(await start(bob, "mine", { project_id: secret, from: hidden })).toMatchObject({ pickup: { mode: "fork" } });
  });

  test("of a name nobody has there", async () => {
    await freshProject();
    await startNamed(alice, project_id, "work");
    for (const from of [
      { agent: "alice", name: "other" },
      { agent: "bob", name: "work" },
      { agent: "nobody", name: "work" },
    ]) {
      await expectNoTrace(hub, () => start(bob, "mine", { from }), { code: "not_found", details: {} });
    }
  });

  test.each([
    [{}],
    [{ session_id: "x", agent: "alice" }],
    [{ session_id: "x", project_id: "p" }],
    [{ agent: "alice" }],
    [{ name: "work" }],
    ["alice"],
    [7],
  ])("with from %j", async (from) => {
    await freshProject();
    await expectNoTrace(hub, () => start(bob, "mine", { from }), {
      code: "invalid_argument",
      details: { field: "from", expected: expect.any(String) },
    });
  });

  test("and leaves the connection where it was", async () => {
    await freshProject();
    const source = await startNamed(alice, project_id, "work");
    const connection = await hub.connect(bob);
    await start(bob, "held", {}, connection);
    expect(await refusal(start(bob, "held", { from: source }, connection))).toMatchObject({ code: "conflict" });
    await bob.call("brain_put", { path: "/kv/k", content: "v", store: "session" }, { connection });
    expect(
      rows(
        hub,
        "SELECT s.name FROM brain_entries b JOIN sessions s ON s.id = b.session_id WHERE s.project_id = ?",
        project_id,
      ),
    ).toEqual([{ name: "held" }]);
  });
});
