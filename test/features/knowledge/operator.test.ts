// The knowledge base over HTTP (rest-api.md 13): addresses, bodies of two kinds, strictness, comments.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { pageBytes } from "../../../src/shared/limits.ts";
import { sha256 } from "../../../src/storage/blobs.ts";
import { type Answer, type HttpHub, openHttpHub, problem, type Sent } from "../../server/http/requests.ts";

let http: HttpHub;
beforeAll(async () => {
  http = await openHttpHub();
  await http.hub.project("p");
});
afterAll(() => http[Symbol.asyncDispose]());

const kb = "/api/v1/projects/p/kb";
const send = (method: string, path: string, sent?: Sent): Promise<Answer> => http.send(method, `${kb}${path}`, sent);
const markdown = { "content-type": "text/markdown; charset=utf-8" };
const versionOf = (text: string): string => `sha256:${sha256(new TextEncoder().encode(text))}`;

/** Refuses, and leaves neither a row nor a blob. */
async function refused(status: number, code: string, method: string, path: string, sent?: Sent): Promise<Answer> {
  const before = await http.hub.snapshot();
  const answer = await send(method, path, sent);
  expect([method, path, answer.status, answer.json["code"]]).toEqual([method, path, status, code]);
  expect(await http.hub.snapshot()).toBe(before);
  return answer;
}

describe("an address", () => {
  test.each([
    ["a/b.md", "/fs/a/b.md"],
    ["fs/a/b.md", "/fs/a/b.md"],
    ["a%2Fb.md", "/fs/a/b.md"],
    ["%2Ffs%2Fa%2Fb.md", "/fs/a/b.md"],
    ["a//b.md/", "/fs/a/b.md"],
    ["a%20b%25%23%3F.md", "/fs/a b%#?.md"],
    ["ключ/%E9%8D%B5.md", "/fs/ключ/鍵.md"],
    ["review", "/fs/review"],
    ["a/revert", "/fs/a/revert"],
    ["x/review/y", "/fs/x/review/y"],
  ])("/pages/%s is %s", async (spelt, path) => {
    const put = await send("PUT", `/pages/${spelt}`, { text: path, headers: markdown });
    expect(put.status).toBe(200);
    expect(put.json).toEqual({
      ok: true,
      path,
      version: versionOf(path),
      size_bytes: new TextEncoder().encode(path).byteLength,
      lint: expect.any(Array),
      warnings: [],
    });
    expect((await send("GET", `/pages/${spelt}`)).json).toMatchObject({ path, content: path });
    expect((await send("DELETE", `/pages/${spelt}`)).json).toEqual({ ok: true, path });
    expect((await send("GET", `/pages/${spelt}`)).status).toBe(404);
  });

  test.each(["kv/a", "kv", "a%5Cb", "a%00b", "%C2%85", "", "fs", "x".repeat(509), "%ff", "a%zz"])(
    "/pages/%s is 400",
    async (path) => {
      for (const method of ["GET", "DELETE"]) await refused(400, "invalid_argument", method, `/pages/${path}`);
      await refused(400, "invalid_argument", "PUT", `/pages/${path}`, { body: { content: "x" } });
    },
  );

  test("of a directory is 404 to read and 400 to write and delete", async () => {
    await send("PUT", "/pages/dir/page", { body: { content: "x" } });
    await refused(404, "not_found", "GET", "/pages/dir");
    await refused(400, "invalid_argument", "DELETE", "/pages/dir");
    await refused(400, "invalid_argument", "PUT", "/pages/dir", { body: { content: "x" } });
  });

  test("that ends in an action is one on POST, and nothing else is posted to", async () => {
    await send("PUT", "/pages/act", { body: { content: "one" } });
    await send("PUT", "/pages/act", { body: { content: "two" } });
    expect((await send("POST", "/pages/act/revert", { body: { version: versionOf("one") } })).json).toMatchObject({
      changed: true,
      path: "/fs/act",
    });
    expect((await send("POST", "/pages/act/review")).json).toMatchObject({ ok: true, path: "/fs/act" });
    for (const path of ["/pages/act", "/pages/review", "/pages/act/other"]) {
      const answer = await refused(405, "invalid_argument", "POST", path, { body: {} });
      expect(answer.headers.get("allow")).toBe("GET, HEAD, PUT, DELETE");
    }
  });

  test("of an unknown project is 404 on every route", async () => {
    for (const [method, path, sent] of [
      ["GET", "/pages", {}],
      ["GET", "/pages/a", {}],
      ["PUT", "/pages/a", { body: { content: "x" } }],
      ["DELETE", "/pages/a", {}],
      ["POST", "/pages/a/review", {}],
      ["POST", "/pages/a/revert", { body: { version: versionOf("x") } }],
      ["POST", "/promote", { body: { from_session_id: "s", from_path: "/fs/a", to_path: "a" } }],
      ["GET", "/history", {}],
      ["GET", "/versions?path=a", {}],
      ["DELETE", "/versions?path=a", {}],
      ["GET", "/backlinks?path=a", {}],
      ["GET", "/lint", {}],
      ["GET", "/stats", {}],
      ["GET", "/comments?path=a", {}],
      ["POST", "/comments", { body: { path: "a", body: "x" } }],
      ["POST", "/comments/x/done", { body: { done: true } }],
      ["DELETE", "/comments/x", {}],
    ] as const) {
      const answer = await http.send(method, `/api/v1/projects/nowhere/kb${path}`, sent);
      expect([method, path, answer.status]).toEqual([method, path, 404]);
      expect(answer.json).toEqual(problem("Not Found", 404, "not_found"));
    }
  });
});

describe("a body of text", () => {
  test.each(["text/markdown", "text/plain", "Text/Markdown; charset=utf-8", "text/plain;x=y"])(
    "as %s is the page, every byte",
    async (type) => {
      const text = "\uFEFF---\r\ntype: a\r\n---\r\n\u0000 ünï";
      const put = await send("PUT", "/pages/text.md", { text, headers: { "content-type": type } });
      expect(put.json).toMatchObject({ version: versionOf(text) });
      expect((await send("GET", "/pages/text.md")).json).toMatchObject({ content: text });
    },
  );

  test("is guarded in the address", async () => {
    const guarded = (guard: string): Promise<Answer> =>
      send("PUT", `/pages/guarded.md?if_version=${guard}`, { text: "x", headers: markdown });
    expect((await guarded("absent")).status).toBe(200);
    const conflict = await guarded("absent");
    expect(conflict.json).toEqual(problem("Conflict", 409, "conflict", { current_version: versionOf("x") }));
    expect((await guarded(versionOf("x"))).status).toBe(200);
    expect((await guarded("nonsense")).status).toBe(400);
  });

  test("may be empty", async () => {
    expect((await send("PUT", "/pages/empty.md", { text: "", headers: markdown })).json).toMatchObject({
      size_bytes: 0,
    });
  });

  test("of a mebibyte is taken and not one byte more, whichever way it comes", async () => {
    await using own = await openHttpHub();
    await own.hub.project("p");
    const put = (page: string, sent: Sent): Promise<Answer> => own.send("PUT", `${kb}/pages/${page}`, sent);
    const largest = "x".repeat(pageBytes);
    expect((await put("large.md", { text: largest, headers: markdown })).status).toBe(200);
    expect((await put("large.md", { body: { content: largest } })).status).toBe(200);
    const before = await own.hub.snapshot();
    const streamed = new Blob([`${largest}x`]).stream();
    for (const sent of [
      { text: `${largest}x`, headers: markdown },
      { text: streamed, headers: markdown },
      { body: { content: `${largest}x` } },
    ]) {
      const answer = await put("large-2.md", sent);
      expect([answer.status, answer.json["code"]]).toEqual([413, "payload_too_large"]);
      expect(answer.json["details"]).toMatchObject({ limit: pageBytes });
    }
    expect(await own.hub.snapshot()).toBe(before);
  });

  test("that is not UTF-8 is 422, another kind is 415, no kind too", async () => {
    await refused(422, "invalid_argument", "PUT", "/pages/bad.md", {
      text: new Uint8Array([0x66, 0xff]),
      headers: markdown,
    });
    for (const type of [
      "text/html",
      "application/octet-stream",
      "text/markdownx",
      "application/x-www-form-urlencoded",
    ]) {
      await refused(415, "invalid_argument", "PUT", "/pages/bad.md", { text: "x", headers: { "content-type": type } });
    }
    await refused(415, "invalid_argument", "PUT", "/pages/bad.md", { text: new Uint8Array([0x66]) });
  });
});

describe("what is not known is refused", () => {
  test.each<[string, string, Sent]>([
    ["PUT", "/pages/s.md", { body: { content: "x", more: 1 } }],
    ["PUT", "/pages/s.md", { body: { content: "x", path: "/fs/t.md" } }],
    ["PUT", "/pages/s.md", { body: { content: "x", project_id: "q" } }],
    ["PUT", "/pages/s.md", { body: { content: "x", actor: "human" } }],
    ["PUT", "/pages/s.md", { body: {} }],
    ["PUT", "/pages/s.md", { body: [] }],
    ["PUT", "/pages/s.md?if_version=absent", { body: { content: "x", if_version: "absent" } }],
    ["PUT", "/pages/s.md?version=absent", { body: { content: "x" } }],
    ["GET", "/pages/s.md?if_version=absent", {}],
    ["GET", "/pages?limit=0", {}],
    ["GET", "/pages?limit=x", {}],
    ["GET", "/pages?meta=yes", {}],
    ["GET", "/pages?prefix=kv/a", {}],
    ["GET", "/pages?path=a", {}],
    ["DELETE", "/pages/s.md?force=1", {}],
    ["POST", "/pages/s.md/review", { body: { verified_by: "alice" } }],
    ["POST", "/pages/s.md/review?x=1", {}],
    ["POST", "/pages/s.md/revert", { body: {} }],
    ["POST", "/pages/s.md/revert", { body: { version: "1" } }],
    ["GET", "/history?limit=201", {}],
    ["GET", "/history?limit=-1", {}],
    ["GET", "/history?before=x", {}],
    ["GET", "/history?op=put", {}],
    ["GET", "/versions", {}],
    ["GET", "/versions?path=kv/a", {}],
    ["DELETE", "/versions", {}],
    ["DELETE", "/versions?path=a&plan=perhaps", {}],
    ["GET", "/backlinks", {}],
    ["GET", "/lint?fresh=maybe", {}],
    ["GET", "/stats?x=1", {}],
    ["GET", "/comments", {}],
    ["POST", "/comments", { body: { path: "a" } }],
    ["POST", "/comments", { body: { path: "a", body: "  " } }],
    ["POST", "/comments", { body: { path: "a", body: "x".repeat(2001) } }],
    ["POST", "/comments", { body: { path: "a", body: "x", author: "alice" } }],
    ["POST", "/comments", { body: { path: "a", body: "x", anchor: "here" } }],
    ["POST", "/comments", { body: { path: "a", body: "x", anchor: [] } }],
    ["POST", "/comments", { body: { path: "a", body: "x", more: 1 } }],
    ["POST", "/comments/x/done", { body: {} }],
    ["POST", "/comments/x/done", { body: { done: "yes" } }],
  ])("%s %s %j", async (method, path, sent) => {
    await refused(400, "invalid_argument", method, path, sent);
  });

  test("an anchor that is too large is 413", async () => {
    const anchor = { quote: "x".repeat(2048) };
    await refused(413, "payload_too_large", "POST", "/comments", { body: { path: "a", body: "x", anchor } });
  });
});

describe("a comment", () => {
  const path = "/comments?path=commented.md";

  test("hangs on a path, whatever becomes of the page, and is done and undone and deleted", async () => {
    expect((await send("GET", path)).json).toEqual({ comments: [] });
    const anchor = { quote: "x", nested: { a: [1] } };
    const posted = await send("POST", "/comments", {
      body: { path: "fs/commented.md", body: "  a remark ", anchor, author: "human" },
    });
    expect(posted.status).toBe(201);
    const comment = {
      id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      project_id: "p",
      path: "/fs/commented.md",
      author: "human",
      body: "a remark",
      anchor,
      done: false,
      created_at: "2026-01-02T03:04:05.000Z",
    };
    expect<unknown>(posted.json).toEqual({ comment });
    const second = await send("POST", "/comments", { body: { path: "/fs/commented.md", body: "x".repeat(2000) } });
    expect(second.json).toMatchObject({ comment: { anchor: null } });
    await send("PUT", "/pages/commented.md", { body: { content: "x" } });
    await send("DELETE", "/pages/commented.md");
    expect<unknown>((await send("GET", path)).json).toMatchObject({ comments: [comment, { anchor: null }] });
    const { id } = JSON.parse(posted.text).comment;
    for (const done of [true, true, false]) {
      expect<unknown>((await send("POST", `/comments/${id}/done`, { body: { done } })).json).toEqual({
        comment: { ...comment, done },
      });
    }
    await http.hub.project("q");
    const elsewhere = `/api/v1/projects/q/kb/comments/${id}`;
    expect((await http.send("POST", `${elsewhere}/done`, { body: { done: true } })).status).toBe(404);
    expect((await http.send("DELETE", elsewhere)).status).toBe(404);
    expect((await send("DELETE", `/comments/${id}`)).status).toBe(204);
    await refused(404, "not_found", "DELETE", `/comments/${id}`);
    await refused(404, "not_found", "POST", `/comments/${id}/done`, { body: { done: true } });
    expect((await send("GET", path)).json).toMatchObject({ comments: [{ anchor: null }] });
  });

  test("writes no event, and every write of the base ticks", async () => {
    const events = (): unknown =>
      http.hub.hub.kernel.services.db.all("SELECT count(*) AS n FROM events WHERE project_id = 'p'");
    const before = events();
    const heard: string[] = [];
    using _tap = http.hub.hub.kernel.bus.tap((topics) => heard.push(...topics));
    const posted = await send("POST", "/comments", { body: { path: "t.md", body: "x" } });
    const { id } = JSON.parse(posted.text).comment;
    await send("POST", `/comments/${id}/done`, { body: { done: true } });
    await send("DELETE", `/comments/${id}`);
    expect(events()).toEqual(before);
    await send("PUT", "/pages/t.md", { body: { content: "x" } });
    expect(heard).toEqual(["kb:p", "kb:p", "kb:p", "kb:p"]);
  });
});

test("no agent reaches any of it", async () => {
  for (const path of ["/pages", "/stats", "/lint", "/comments?path=a", "/pages/act"]) {
    expect((await send("GET", path, { as: "agent" })).status).toBe(401);
  }
});
