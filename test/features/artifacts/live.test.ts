// Live versions (artifacts.md 3, mcp-tools.md 17.17): drafted in place, held by a session, sealed by an update.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { refusal, rows } from "../as-caller.ts";
import { envelope, type Lab, openLab, sweep } from "./lab.ts";

const windowMs = 900_000;

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

const draft = (id: string, content: string, more: object = {}, by = lab.alice): Promise<JsonObject> =>
  by.call("artifact_draft", { artifact_id: id, content, ...more });
const live = (id: string): Promise<JsonObject> => lab.rest("getArtifactLive", id);

describe("a draft", () => {
  test("writes the version above the current one, which stays where it is", async () => {
    const session = await lab.alice.start();
    const id = await lab.publish();
    const events = (await lab.events()).length;
    const updatedAt = (await lab.get(id))["updated_at"];
    lab.hub.clock.now += 1000;
    expect(await draft(id, "second")).toEqual({
      artifact_id: id,
      version: 1,
      live_version: 2,
      live_rev: 1,
      viewer_url: `http://hub.test/artifacts/${id}?live=1`,
    });
    expect(await draft(id, "second, more")).toMatchObject({ version: 1, live_version: 2, live_rev: 2 });
    const pointer = { live_version: 2, live_rev: 2, live_session: session };
    expect(await lab.get(id)).toMatchObject({
      version: 1,
      content: "first",
      updated_at: updatedAt ?? null,
      ...pointer,
    });
    expect(await lab.get(id, { version: 2 })).toMatchObject({ version: 2, content: "second, more", ...pointer });
    expect(await lab.rest("getArtifact", id, { query: { version: 2 } })).toMatchObject({ live: true });
    expect(await lab.versions(id)).toMatchObject([
      { version: 1, live: false },
      { version: 2, live: true, size_bytes: 12, label: null },
    ]);
    expect(await live(id)).toEqual({ state: "live", version: 2, live_rev: 2, session_id: session, actor: "alice" });
    expect(await lab.events()).toHaveLength(events);
    await lab.alice.call("session_end", { session_id: session });
  });

  test("is sealed by an update, under its number and with the update's content", async () => {
    await lab.alice.start();
    const id = await lab.publish({ label: "one" });
    await draft(id, "soon");
    expect(await lab.alice.call("artifact_update", { artifact_id: id, content: "now", base_version: 1 })).toMatchObject(
      {
        version: 2,
      },
    );
    expect(await lab.get(id)).toMatchObject({
      version: 2,
      content: "now",
      label: "one",
      live_version: null,
      live_rev: 0,
      live_session: null,
    });
    expect(await live(id)).toMatchObject({ state: "sealed", version: null, live_rev: 0, session_id: null });
    expect(await draft(id, "next")).toMatchObject({ live_version: 3, live_rev: 1 });
  });

  test("compares no base with the live version", async () => {
    const id = await lab.publish();
    await draft(id, "soon");
    const error = await refusal(lab.alice.call("artifact_update", { artifact_id: id, content: "x", base_version: 2 }));
    expect(error).toMatchObject({ code: "conflict", details: { current_version: 1 } });
  });

  test("goes on protected or plain as it was, unless it says otherwise", async () => {
    const id = await lab.publish();
    await draft(id, "cipher", { envelope });
    await draft(id, "cipher too");
    expect(await lab.get(id, { version: 2 })).toMatchObject({ protected: true, envelope });
    await lab.alice.call("artifact_update", { artifact_id: id, content: "sealed cipher" });
    expect(await lab.get(id)).toMatchObject({ version: 2, protected: true, envelope });
    await draft(id, "kept");
    expect(await lab.get(id, { version: 3 })).toMatchObject({ protected: true });
    await draft(id, "clear", { envelope: null });
    await draft(id, "clear too");
    expect(await lab.get(id, { version: 3 })).toMatchObject({ protected: false, envelope: null });
    expect(await lab.get(id)).toMatchObject({ protected: true, envelope });
  });

  test("can neither be shared nor be quoted", async () => {
    const id = await lab.publish();
    await draft(id, "soon");
    expect(await refusal(lab.rest("createShare", id, { body: { version: 2 } }))).toMatchObject({ code: "not_found" });
    const posted = await lab.alice.call("comment_post", { artifact_id: id, body: "x", anchor_version: 2 });
    expect(posted).toMatchObject({ comment: { anchor_version: 1 } });
  });
});

describe("a live version", () => {
  test("held by another session refuses drafts and updates that do not force", async () => {
    const session = await lab.alice.start();
    await lab.bob.start();
    const id = await lab.publish();
    await draft(id, "alice's");
    const writes = [
      () => draft(id, "bob's", {}, lab.bob),
      () => lab.bob.call("artifact_update", { artifact_id: id, content: "bob's" }),
    ];
    for (const write of writes) {
      const error = await lab.refusedWithoutTrace(write);
      expect(error).toMatchObject({ code: "conflict", details: { live_session: session, agent: "alice" } });
      expect(error["message"]).toMatch(new RegExp(`alice .* live_session=${session}$`));
    }
    expect(await draft(id, "bob's", { force: true }, lab.bob)).toMatchObject({ live_version: 2, live_rev: 2 });
    expect(await live(id)).toMatchObject({ state: "live", actor: "bob" });
    expect(await refusal(draft(id, "alice's again"))).toMatchObject({ details: { agent: "bob" } });
    const forced = await lab.alice.call("artifact_update", { artifact_id: id, content: "alice's", force: true });
    expect(forced).toMatchObject({ version: 2 });
    expect(await lab.versions(id)).toHaveLength(2);
  });

  test("is never in the way of a caller without a session, who leaves it to its holder", async () => {
    const session = await lab.alice.start();
    const id = await lab.publish();
    await draft(id, "alice's");
    const without = { artifact_id: id, content: "from a script" };
    expect(await lab.bob.caller.call("artifact_draft", without)).toMatchObject({ live_rev: 2 });
    expect(await lab.get(id)).toMatchObject({ live_session: session });
    expect(await lab.bob.caller.call("artifact_update", without)).toMatchObject({ version: 2 });
  });

  test("without a session is in nobody's way, and is left by the sweep", async () => {
    const id = await lab.publish();
    await lab.alice.caller.call("artifact_draft", { artifact_id: id, content: "x" });
    expect(await live(id)).toMatchObject({ state: "idle", session_id: null, actor: "alice" });
    lab.hub.clock.now += 10 * windowMs;
    await sweep(lab);
    expect(await live(id)).toMatchObject({ state: "idle", version: 2 });
    await lab.bob.start();
    expect(await draft(id, "y", {}, lab.bob)).toMatchObject({ live_rev: 2 });
    expect(await live(id)).toMatchObject({ state: "live", actor: "bob" });
  });

  const ways: [string, (session: string) => Promise<unknown>][] = [
    ["has ended", (session) => lab.bob.call("session_end", { session_id: session })],
    [
      "was pruned",
      async (session) => {
        await lab.bob.call("session_end", { session_id: session });
        await lab.hub.rest("pruneSession", { params: { id: session } });
      },
    ],
    [
      "was quiet for the window",
      async () => {
        lab.hub.clock.now += windowMs + 1;
      },
    ],
  ];
  test.each(ways)("whose session %s holds nothing; the sweep lets it go, its version stays", async (_how, end) => {
    const session = await lab.bob.start(`bob-${_how.replaceAll(" ", "-")}`);
    const id = await lab.publish();
    const other = await lab.publish();
    for (const each of [id, other]) await draft(each, "bob's", {}, lab.bob);
    expect(await live(id)).toMatchObject({ state: "live", session_id: session });
    await end(session);
    expect(await live(id)).toMatchObject({ state: "idle", version: 2, live_rev: 1 });
    await lab.alice.start();
    expect(await draft(other, "alice's")).toMatchObject({ live_version: 2, live_rev: 2 });
    await sweep(lab);
    expect(await live(id)).toEqual({ state: "sealed", version: null, live_rev: 0, session_id: null, actor: "alice" });
    expect(await live(other)).toMatchObject({ state: "live" });
    expect(await lab.get(id)).toMatchObject({ version: 1, live_version: null });
    expect(await lab.versions(id)).toMatchObject([{ version: 1 }, { version: 2, live: false, actor: "bob" }]);
    expect(await lab.get(id, { version: 2 })).toMatchObject({ content: "bob's" });
    expect(await draft(id, "again")).toMatchObject({ live_version: 2, live_rev: 1 });
    expect(await lab.versions(id)).toHaveLength(2);
  });

  test("that was abandoned gives its number to the next update", async () => {
    const session = await lab.bob.start("leaving");
    const id = await lab.publish();
    await draft(id, "bob's", {}, lab.bob);
    await lab.bob.call("session_end", { session_id: session });
    await sweep(lab);
    expect(await lab.alice.call("artifact_update", { artifact_id: id, content: "settled" })).toMatchObject({
      version: 2,
    });
    expect(await lab.versions(id)).toMatchObject([{ version: 1 }, { version: 2, actor: "alice" }]);
  });

  test("keeps its session at work", async () => {
    const session = await lab.alice.start("at-work");
    const id = await lab.publish();
    for (let round = 0; round < 4; round += 1) {
      lab.hub.clock.now += windowMs / 2;
      await draft(id, `round ${round}`);
      await lab.hub.hub.kernel.services.touches.flush();
      await sweep(lab);
    }
    expect(await live(id)).toMatchObject({ state: "live", session_id: session, live_rev: 4 });
  });
});

test("500 drafts and an update add one version, one event and no garbage", async () => {
  await using small = await openLab();
  await small.alice.start();
  const id = await small.publish({ content: "published zero" });
  const before = await small.events();
  for (let number = 1; number <= 500; number += 1) {
    await small.alice.call("artifact_draft", { artifact_id: id, content: `draft ${number}` });
  }
  expect(await small.get(id)).toMatchObject({ version: 1, live_version: 2, live_rev: 500 });
  await small.alice.call("artifact_update", { artifact_id: id, content: "sealed" });
  expect(await small.events()).toHaveLength(before.length + 1);
  expect(await small.versions(id)).toHaveLength(2);
  expect(await small.find("draft")).toEqual([]);
  expect(await small.find("sealed")).toEqual([id]);
  small.hub.clock.now += 600_000;
  await sweep(small);
  expect(rows(small.hub, "SELECT count(*) AS n FROM blobs")).toEqual([{ n: 2 }]);
  expect(await small.blobFiles()).toHaveLength(2);
  await small.alice.call("artifact_delete", { artifact_id: id });
  small.hub.clock.now += 600_000;
  await sweep(small);
  expect(await small.blobFiles()).toEqual([]);
  expect(await small.hub.rest("getStorage")).toMatchObject({ by_kind: { artifacts: 0 } });
});
