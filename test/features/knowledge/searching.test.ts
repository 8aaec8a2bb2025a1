// Pages in the search index, across a restart, with damaged bytes, and gone with their project (knowledge-base.md 9.8).
import { expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { objectsIn, refusal, rows, sql } from "../as-caller.ts";
import { guide, openBase, project, versionOf } from "./base.ts";

test("pages are found by any word of theirs, until they change or go", async () => {
  await using own = await openBase();
  const find = async (query: string) => {
    const { groups } = await own.alice.call("search", { query, type: "kb", project_id: project });
    return objectsIn({ groups: groups ?? [] }, "groups").flatMap((group) => objectsIn(group, "hits"));
  };
  const body = `${"filler ".repeat(140_000)} zanzibar 検索できる`;
  await own.put("/fs/found.md", guide(body, "title: Island guide\n"));
  for (const word of ["zanzibar", "island", "検索"]) {
    expect(await find(word)).toMatchObject([
      { doc_id: `kb:${project}:/fs/found.md`, ref_id: "/fs/found.md", title: "Island guide", session_id: null },
    ]);
  }
  await own.put("/fs/found.md", "madagascar");
  expect(await find("zanzibar")).toEqual([]);
  expect(await find("madagascar")).toMatchObject([{ title: "/fs/found.md", snippet: "madagascar" }]);
  await own.remove("/fs/found.md");
  expect(await find("madagascar")).toEqual([]);
});

test("everything stays, and the index is built anew with every page, when the hub is opened again", async () => {
  await using own = await openBase();
  await own.put("/fs/stays.md", guide("kilimanjaro"));
  await sql(own.hub, "DELETE FROM marks WHERE name = 'search_index_version'");
  await own.hub.reopen();
  expect(await own.get("/fs/stays.md")).toMatchObject({ content: guide("kilimanjaro") });
  expect(await own.alice.call("search", { query: "kilimanjaro" })).toMatchObject({ count: 1 });
});

test("a page whose bytes are damaged is told as such, keeps no other from being found, and is overwritten", async () => {
  await using own = await openBase();
  const fresh = `---\nverified:\n  - by: a\n    at: ${new Date(own.hub.clock.now).toISOString()}\n---\n`;
  await own.put("/fs/damaged.md", fresh);
  await own.put("/fs/whole.md", "everest");
  const hash = versionOf(fresh).slice("sha256:".length);
  await rm(join(own.hub.dataDir, "blobs", "sha256", hash.slice(0, 2), hash.slice(2)));
  expect(await refusal(own.get("/fs/damaged.md"))).toMatchObject({ code: "unavailable", retryable: true });
  await sql(own.hub, "DELETE FROM marks WHERE name = 'search_index_version'");
  await own.hub.reopen();
  expect(await own.alice.call("search", { query: "everest" })).toMatchObject({ count: 1 });
  await own.put("/fs/damaged.md", `${fresh}whole again`);
  expect(await own.get("/fs/damaged.md")).toMatchObject({ content: `${fresh}whole again` });
});

test("a project takes its knowledge base along", async () => {
  await using own = await openBase();
  await own.put("/fs/a/gone.md", guide("[x](y.md)"));
  await own.rest("postPageComment", { body: { path: "a/gone.md", body: "a remark" } });
  await own.hub.rest("deleteProject", { params: { id: project } });
  for (const table of [
    "knowledge_bases",
    "pages",
    "page_directories",
    "page_writes",
    "page_versions",
    "page_links",
    "page_comments",
  ]) {
    expect([table, rows(own.hub, `SELECT * FROM ${table}`)]).toEqual([table, []]);
  }
  expect(rows(own.hub, "SELECT * FROM search_docs WHERE family = 'kb'")).toEqual([]);
});
