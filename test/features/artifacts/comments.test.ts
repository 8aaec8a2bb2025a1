// Comments on artifacts (artifacts.md 8, mcp-tools.md 17.22 to 17.25): who may, what they hang on, what is counted.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { isObject, type JsonObject } from "../../../src/shared/json.ts";
import { objectsIn, refusal, rows } from "../as-caller.ts";
import { envelope, type Lab, openLab, project } from "./lab.ts";

const denial = { code: "forbidden", message: "not found or not permitted", retryable: false, details: {} };

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab[Symbol.asyncDispose]());

type Posted = { id: string; token: string; comment: JsonObject };

async function post(artifactId: string, more: object = {}, by = lab.alice): Promise<Posted> {
  const answer = await by.call("comment_post", { artifact_id: artifactId, body: "Why?", ...more });
  const comment = isObject(answer["comment"]) ? (answer["comment"] as JsonObject) : {}; // made of JSON
  return { id: String(comment["id"]), token: String(answer["delete_token"]), comment };
}

const listed = async (id: string): Promise<JsonObject[]> =>
  objectsIn(await lab.alice.call("comment_list", { artifact_id: id }), "comments");
const counts = async (id: string): Promise<unknown[]> => {
  const { comments_count, comments_open } = await lab.get(id);
  return [comments_count, comments_open];
};

describe("a post", () => {
  test("is the caller's, trimmed, and has its token once", async () => {
    const id = await lab.publish();
    const answer = await lab.bob.call("comment_post", { artifact_id: id, body: "  Why?\n", author: "mallory" });
    expect(answer).toEqual({
      comment: {
        id: expect.any(String),
        artifact_id: id,
        author: "bob",
        body: "Why?",
        anchor: null,
        anchor_version: 1,
        done: false,
        created_at: "2026-01-02T03:04:05.000Z",
      },
      delete_token: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await listed(id)).toEqual([answer["comment"] as JsonObject]); // an object, as above
    expect(JSON.stringify(rows(lab.hub, "SELECT * FROM artifact_comments"))).not.toContain(
      String(answer["delete_token"]),
    );
  });

  test("leaves no event, no item and no search row, and moves no time", async () => {
    const id = await lab.publish();
    const before = [await lab.events(), (await lab.get(id))["updated_at"]];
    lab.hub.clock.now += 1000;
    await post(id, { body: "wombat" });
    expect([await lab.events(), (await lab.get(id))["updated_at"]]).toEqual(before);
    expect(objectsIn(await lab.alice.call("search", { query: "wombat" }), "groups")).toEqual([]);
  });

  test("with a key is one comment, and its token is not told again", async () => {
    const id = await lab.publish();
    const first = await post(id, { idempotency_key: "k" });
    const again = await lab.bob.call("comment_post", { artifact_id: id, body: "Other", idempotency_key: "k" });
    expect(again).toEqual({ comment: first.comment });
    expect(await listed(id)).toHaveLength(1);
    expect(JSON.stringify(rows(lab.hub, "SELECT * FROM idempotency_keys"))).not.toContain(first.token);
    const other = await lab.publish();
    const reused = lab.alice.call("comment_post", { artifact_id: other, body: "x", idempotency_key: "k" });
    expect(await refusal(reused)).toMatchObject({ code: "invalid_argument", details: { field: "idempotency_key" } });
  });

  test.each<[string, unknown, unknown]>([
    ["a point", { mode: "point", x: 0.5, y: -2, more: 1 }, { mode: "point", x: 0.5, y: -2 }],
    ["a quote", { mode: "text", quote: "  some words " }, { mode: "text", quote: "some words" }],
    ["the longest quote", { mode: "text", quote: "a".repeat(2000) }, { mode: "text", quote: "a".repeat(2000) }],
    ["nothing", null, null],
  ])("hangs on %s", async (_what, anchor, kept) => {
    const { comment } = await post(await lab.publish(), { anchor });
    expect(comment["anchor"]).toEqual(kept as JsonObject); // as written above
  });

  test.each<[string, object, string]>([
    ["a blank body", { body: " \n" }, "body"],
    ["a body too long", { body: "a".repeat(2001) }, "body"],
    ["another mode", { anchor: { mode: "line", line: 3 } }, "anchor"],
    ["half a point", { anchor: { mode: "point", x: 1 } }, "anchor"],
    ["a point nowhere", { anchor: { mode: "point", x: Number.POSITIVE_INFINITY, y: 1 } }, "anchor"],
    ["a blank quote", { anchor: { mode: "text", quote: " " } }, "anchor"],
    ["a quote too long", { anchor: { mode: "text", quote: "a".repeat(2001) } }, "anchor"],
    ["a quote of too many bytes", { anchor: { mode: "text", quote: "é".repeat(1500) } }, "anchor"],
    ["a list", { anchor: [] }, "anchor"],
    ["half a version", { anchor_version: 1.5 }, "anchor_version"],
  ])("with %s is refused by name and leaves nothing", async (_what, more, field) => {
    const id = await lab.publish();
    const error = await lab.refusedWithoutTrace(() => post(id, more));
    expect(error).toMatchObject({ code: "invalid_argument", details: { field } });
  });

  test.each([
    [undefined, 3],
    [-5, 1],
    [0, 1],
    [2, 2],
    [99, 3],
  ])("on version %p of 3 is on version %p", async (anchor_version, kept) => {
    const id = await lab.publish();
    for (const content of ["two", "three"]) await lab.alice.call("artifact_update", { artifact_id: id, content });
    const { comment } = await post(id, anchor_version === undefined ? {} : { anchor_version });
    expect(comment["anchor_version"]).toBe(kept);
  });

  test("quotes no version that is held only as ciphertext", async () => {
    const id = await lab.publish({ envelope });
    await lab.alice.call("artifact_update", { artifact_id: id, content: "plain", envelope: null });
    const quote = { anchor: { mode: "text", quote: "plain" } };
    const error = await lab.refusedWithoutTrace(() => post(id, { ...quote, anchor_version: 1 }));
    expect(error).toMatchObject({ code: "invalid_argument", details: { field: "anchor" } });
    await post(id, quote);
    await post(id, { anchor: { mode: "point", x: 0, y: 0 }, anchor_version: 1 });
  });
});

describe("a resolve and a delete", () => {
  const resolve = (artifact_id: string, comment_id: string, done: boolean, more: object = {}, by = lab.alice) =>
    by.call("comment_resolve", { artifact_id, comment_id, done, ...more });
  const remove = (artifact_id: string, comment_id: string, more: object = {}, by = lab.alice) =>
    by.call("comment_delete", { artifact_id, comment_id, ...more });

  test("are counted over every version, whatever was done before", async () => {
    const id = await lab.publish();
    const first = await post(id);
    await lab.alice.call("artifact_update", { artifact_id: id, content: "two" });
    const second = await post(id);
    expect(await counts(id)).toEqual([2, 2]);
    expect(await resolve(id, first.id, true)).toMatchObject({ comment: { id: first.id, done: true, body: "Why?" } });
    expect(await counts(id)).toEqual([2, 1]);
    const before = await lab.hub.snapshot();
    expect(await resolve(id, first.id, true)).toMatchObject({ comment: { done: true } });
    expect(await lab.hub.snapshot()).toBe(before);
    await resolve(id, first.id, false);
    expect(await counts(id)).toEqual([2, 2]);
    await resolve(id, second.id, true);
    expect(await remove(id, second.id)).toEqual({ ok: true });
    expect(await counts(id)).toEqual([1, 1]);
    expect((await listed(id)).map((comment) => comment["id"])).toEqual([first.id]);
    const list = await lab.alice.call("artifact_list", { project_id: project });
    const found = objectsIn(list, "artifacts").find((artifact) => artifact["id"] === id);
    expect(found).toMatchObject({ comments_count: 1, comments_open: 1 });
    await remove(id, first.id);
    expect(await counts(id)).toEqual([0, 0]);
  });

  test("take the comment's token from who may not even read, and no other", async () => {
    await lab.hub.project("closed");
    const id = await lab.publish({ project_id: "closed" });
    const kept = await post(id, {}, lab.bob);
    const other = await post(id);
    await lab.hub.rest("updateProject", { params: { id: "closed" }, body: { confidential: true } });
    const outside = [
      () => resolve(id, kept.id, true, {}, lab.bob),
      () => resolve(id, kept.id, true, { delete_token: other.token }, lab.bob),
      () => remove(id, kept.id, { delete_token: "" }, lab.bob),
      () => remove(id, kept.id, { delete_token: kept.token.toUpperCase() }, lab.bob),
      () => remove(id, other.id, { delete_token: kept.token }, lab.bob),
      () => lab.bob.call("comment_list", { artifact_id: id }),
      () => resolve(id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", true, { delete_token: kept.token }, lab.bob),
      () => resolve("01ARZ3NDEKTSV4RRFFQ69G5FAV", kept.id, true, { delete_token: kept.token }, lab.bob),
    ];
    for (const attempt of outside) expect(await refusal(attempt())).toEqual(denial);
    expect(await resolve(id, kept.id, true, { delete_token: kept.token }, lab.bob)).toMatchObject({
      comment: { done: true },
    });
    expect(await remove(id, kept.id, { delete_token: kept.token }, lab.bob)).toEqual({ ok: true });
    expect(await refusal(remove(id, kept.id, { delete_token: kept.token }, lab.bob))).toEqual(denial);
  });

  test("ignore a wrong token where there is write access, and find no comment of another artifact", async () => {
    const id = await lab.publish();
    const { id: comment } = await post(id);
    const wrong = { delete_token: "0".repeat(64) };
    expect(await resolve(id, comment, true, wrong, lab.bob)).toMatchObject({ comment: { done: true } });
    expect(await refusal(resolve(await lab.publish(), comment, true))).toEqual(denial);
    expect(await remove(id, comment, wrong, lab.bob)).toEqual({ ok: true });
  });
});

test("the operator comments as human, without a token, and may close and remove any", async () => {
  const id = await lab.publish();
  const mine = await lab.rest("postArtifactComment", id, { body: { body: " Mine ", idempotency_key: "o" } });
  expect(mine).toMatchObject({ author: "human", body: "Mine", done: false });
  expect(Object.keys(mine)).not.toContain("delete_token");
  expect(await lab.rest("postArtifactComment", id, { body: { body: "Again", idempotency_key: "o" } })).toEqual(mine);
  expect(rows(lab.hub, "SELECT token_hash FROM artifact_comments WHERE artifact_id = ?", id)).toEqual([
    { token_hash: null },
  ]);
  const theirs = await post(id);
  const done = await lab.rest("resolveArtifactComment", id, { comment_id: theirs.id, body: { done: true } });
  expect(done).toMatchObject({ id: theirs.id, done: true });
  const all = objectsIn(await lab.rest("listArtifactComments", id), "comments");
  expect(all.map((comment) => comment["id"])).toEqual([mine["id"] ?? null, theirs.id]);
  expect(await lab.rest("deleteArtifactComment", id, { comment_id: theirs.id })).toEqual({ ok: true });
  const foreign = lab.rest("deleteArtifactComment", await lab.publish(), { comment_id: String(mine["id"]) });
  expect(await refusal(foreign)).toMatchObject({ code: "not_found" });
});
