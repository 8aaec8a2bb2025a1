// Deleting from a brain (mcp-tools.md 14.1, 14.2, 17.29): one entry, by its owner, under a guard when there is one.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { storeHardBytes } from "../../../src/shared/limits.ts";
import { sha256 } from "../../../src/storage/blobs.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { refusal, rows, sql } from "../as-caller.ts";
import { expectNoTrace } from "../conversation.ts";
import { find } from "../search/finding.ts";
import { end, type Named, prune, put, read, remove, startNamed } from "./working.ts";

let hub: TestHub;
let alice: Caller;
let bob: Caller;
let session: Named;
let sessions = 0;
beforeAll(async () => {
  hub = await openTestHub();
  alice = await hub.agent("alice");
  bob = await hub.agent("bob");
  await hub.project("p");
  session = await fresh();
});
afterAll(() => hub[Symbol.asyncDispose]());

function fresh(): Promise<Named> {
  sessions += 1;
  return startNamed(alice, "p", `s${sessions}`);
}
const versionOf = (content: string): string => `sha256:${sha256(new TextEncoder().encode(content))}`;
const bytesOf = (one: Named) =>
  rows(hub, "SELECT brain_bytes FROM sessions WHERE id = ?", one.session_id)[0]?.["brain_bytes"];

describe("brain_delete", () => {
  test("removes one value: from the brain, its size and the index; nothing is said in the feed", async () => {
    await put(alice, session, "/fs/a/b.md", "quokka");
    await put(alice, session, "/kv/a", "quokka too");
    const events = rows(hub, "SELECT count(*) AS n FROM events");
    expect(await remove(alice, session, "/fs//a/./b.md")).toEqual({ ok: true, path: "/fs/a/b.md", store: "session" });
    expect(await refusal(read(alice, session, "/fs/a/b.md"))).toMatchObject({ code: "not_found" });
    expect(bytesOf(session)).toBe("quokka too".length);
    expect(await find(alice, "quokka")).toEqual(["/kv/a"]);
    // The directory went with its last file, so its name is free.
    await put(alice, session, "/fs/a", "a file now");
    expect(rows(hub, "SELECT count(*) AS n FROM events")).toEqual(events);
  });

  test("of nothing does nothing and succeeds", async () => {
    const before = await hub.snapshot();
    expect(await remove(alice, session, "/kv/nothing")).toEqual({ ok: true, path: "/kv/nothing", store: "session" });
    expect(await remove(alice, session, "/fs/no/thing", { if_version: "absent" })).toMatchObject({ ok: true });
    expect(await hub.snapshot()).toBe(before);
  });

  test("of a directory is refused while entries lie below it", async () => {
    await put(alice, session, "/fs/dir/sub/file", "v");
    for (const path of ["/fs/dir", "/fs/dir/sub", "/fs/dir/sub/"]) {
      await expectNoTrace(hub, () => remove(alice, session, path), {
        code: "invalid_argument",
        details: { field: "path", expected: expect.any(String) },
      });
    }
    await remove(alice, session, "/fs/dir/sub/file");
    expect(await remove(alice, session, "/fs/dir")).toMatchObject({ ok: true });
    // A key is no directory of other keys.
    await put(alice, session, "/kv/x", "v");
    await put(alice, session, "/kv/x/y", "v");
    await remove(alice, session, "/kv/x");
    expect(await read(alice, session, "/kv/x/y")).toBe("v");
  });

  test("takes only the path it names", async () => {
    const one = await fresh();
    const paths = [
      "/kv/%",
      "/kv/_",
      "/kv/a",
      "/kv/A",
      "/kv/a\u0000",
      "/kv/a\u0000b",
      "/kv/'",
      "/fs/%",
      "/fs/a",
      "/fs/a.b",
    ];
    for (const path of paths) await put(alice, one, path, path);
    for (const [index, path] of paths.entries()) {
      await remove(alice, one, path);
      for (const gone of paths.slice(0, index + 1))
        expect(await refusal(read(alice, one, gone))).toMatchObject({ code: "not_found" });
      for (const left of paths.slice(index + 1)) expect(await read(alice, one, left)).toBe(left);
    }
    expect(bytesOf(one)).toBe(0);
  });

  test.each([
    [{ path: "/fs" }, "path"],
    [{ path: "/kv/" }, "path"],
    [{ path: "/tmp/x" }, "path"],
    [{ path: 7 }, "path"],
    [{ store: undefined }, "store"],
    [{ store: "elsewhere" }, "store"],
    [{ if_version: "latest" }, "if_version"],
    [{ if_version: "sha256:12" }, "if_version"],
  ])("of %j is refused", async (args, field) => {
    const call = () => alice.call("brain_delete", { session, store: "session", path: "/kv/k", ...args });
    expect(await refusal(call())).toMatchObject({ code: "invalid_argument", details: { field } });
  });

  test("is the owner's, of a session that runs and is there", async () => {
    const one = await fresh();
    await put(alice, one, "/kv/k", "v");
    const denied = await expectNoTrace(hub, () => remove(bob, one, "/kv/k"), {
      code: "forbidden",
      details: { owner: "alice" },
    });
    expect(denied.message).toEndWith(" owner=alice");
    await expectNoTrace(hub, () => remove(hub.operator, one, "/kv/k"), {
      code: "forbidden",
      details: { owner: "alice" },
    });
    await expectNoTrace(hub, () => remove(bob, { session_id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }, "/kv/k"), {
      code: "forbidden",
      details: {},
    });
    await expectNoTrace(hub, () => bob.call("brain_delete", { store: "session", path: "/kv/k" }), {
      code: "conflict",
      details: {},
    });
    await end(alice, one);
    await expectNoTrace(hub, () => remove(alice, one, "/kv/k"), { code: "conflict", details: {} });
    await prune(hub, one);
    await expectNoTrace(hub, () => remove(alice, one, "/kv/k"), { code: "not_found", details: {} });
  });

  test("by name from a caller without a connection", async () => {
    const one = await fresh();
    await put(alice, one, "/kv/k", "v");
    const ref = { agent: "alice", name: `s${sessions}`, project_id: "p" };
    expect(await alice.call("brain_delete", { session: ref, store: "session", path: "/kv/k" })).toMatchObject({
      ok: true,
    });
    expect(await refusal(read(alice, one, "/kv/k"))).toMatchObject({ code: "not_found" });
  });

  test("is never refused for size", async () => {
    const one = await fresh();
    await put(alice, one, "/kv/k", "v");
    await sql(hub, "UPDATE sessions SET brain_bytes = ? WHERE id = ?", storeHardBytes + 5, one.session_id);
    await remove(alice, one, "/kv/k");
    expect(bytesOf(one)).toBe(storeHardBytes + 4);
  });
});

describe("a guard", () => {
  test("lets through the version that is stored", async () => {
    const one = await fresh();
    await put(alice, one, "/kv/k", "v");
    const held = { code: "conflict", details: { current_version: versionOf("v") } } as const;
    for (const guard of [versionOf("w"), "absent"]) {
      const error = await expectNoTrace(hub, () => remove(alice, one, "/kv/k", { if_version: guard }), held);
      expect(error.message).toEndWith(` current_version=${versionOf("v")}`);
    }
    const upper = versionOf("v").replace(/[0-9a-f]{64}/, (digits) => digits.toUpperCase());
    expect(await remove(alice, one, "/kv/k", { if_version: upper })).toMatchObject({ ok: true });
    const gone = await expectNoTrace(hub, () => remove(alice, one, "/kv/k", { if_version: versionOf("v") }), {
      code: "conflict",
      details: { current_version: "absent" },
    });
    expect(gone.message).toEndWith(" current_version=absent");
  });

  test("of a directory is not looked at", async () => {
    const one = await fresh();
    await put(alice, one, "/fs/d/f", "v");
    expect(await refusal(remove(alice, one, "/fs/d", { if_version: versionOf("v") }))).toMatchObject({
      code: "invalid_argument",
    });
  });

  test("that many hold, to write and to delete, lets exactly one through", async () => {
    const one = await fresh();
    for (let round = 0; round < 20; round += 1) {
      const path = `${round % 2 === 0 ? "/kv" : "/fs"}/k`;
      await put(alice, one, path, `before ${round}`);
      const if_version = versionOf(`before ${round}`);
      const acts = Array.from({ length: 6 }, (_, index) =>
        index % 2 === round % 2
          ? remove(alice, one, path, { if_version }).then(() => "deleted")
          : put(alice, one, path, `${index}`, { if_version }).then(() => `${index}`),
      );
      const outcomes = await Promise.allSettled(acts);
      const won = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      expect(won.length).toBe(1);
      const now = await read(alice, one, path).catch(() => "deleted");
      expect(won).toEqual([now]);
      const lost = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
      const current = now === "deleted" ? "absent" : versionOf(now);
      for (const error of lost)
        expect(error).toMatchObject({ code: "conflict", details: { current_version: current } });
      await remove(alice, one, path);
    }
  });
});

test("a delete and the end of the session at once: what ended first keeps the value", async () => {
  for (let round = 0; round < 10; round += 1) {
    const one = await fresh();
    await put(alice, one, "/kv/k", "v");
    const acts = [
      () =>
        remove(alice, one, "/kv/k").then(
          () => true,
          () => false,
        ),
      () => end(alice, one).then(() => true),
    ];
    const order = round % 2 === 0 ? acts : acts.toReversed();
    const outcomes = await Promise.all(order.map((act) => act()));
    const isDeleted = outcomes[round % 2 === 0 ? 0 : 1];
    expect(
      await read(bob, one, "/kv/k").then(
        () => false,
        () => true,
      ),
    ).toBe(isDeleted ?? false);
  }
});
