// What a knowledge base costs does not grow with it: counted in rows and statements, since timings gate nothing.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { SqlValue } from "../../../src/storage/database.ts";
import { recordStatements, type Statement } from "../../support/statements.ts";
import { rows } from "../as-caller.ts";
import { type Base, guide, openBase } from "./base.ts";

let base: Base;
beforeAll(async () => {
  base = await openBase();
  for (let directory = 0; directory < 4; directory += 1) {
    for (let page = 0; page < 10; page += 1) {
      await base.put(`/fs/d${directory}/p${page}.md`, guide("[first](/fs/d0/p0.md)", "stale_after: 2999-01-01\n"));
    }
  }
});
afterAll(() => base[Symbol.asyncDispose]());

const tables = "(?:p|t|l|w|i|v|pages|page_\\w+|search_docs)";
const whole = new RegExp(`^SCAN ${tables}\\b`);
// All rows of a project, with nothing that narrows them.
const ofProject = new RegExp(`^SEARCH ${tables} USING [^(]*\\(project_id=\\?\\) in`);

/** Steps of a statement's plan that read a whole table of pages. On a connection of its own, which no write waits for. */
function walks({ sql, values }: Statement): string[] {
  if (!/^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/i.test(sql)) return [];
  using database = new Database(join(base.hub.dataDir, "hub.db"), { readonly: true });
  const plan = database.prepare<{ detail: string }, SqlValue[]>(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  return plan.map(({ detail }) => `${detail} in ${sql}`).filter((step) => whole.test(step) || ofProject.test(step));
}

const acts: [string, () => Promise<unknown>][] = [
  ["brain_list", () => base.list("/fs/d1")],
  ["brain_get", () => base.get("/fs/d1/p1.md")],
  ["brain_put", () => base.put("/fs/d1/p1.md", guide(`[x](p2.md) ${Math.random()}`))],
  ["brain_put of a new page", () => base.put(`/fs/d1/new-${Math.random()}.md`, guide("x"))],
  ["brain_delete", () => base.remove("/fs/d2/p1.md")],
  ["brain_history", () => base.history("/fs/d1/p1.md")],
  ["a level", () => base.rest("listPages", { query: { prefix: "d1" } })],
  ["the log", () => base.rest("listPageLog", {})],
  ["a review", () => base.rest("reviewPage", { path: "d1/p3.md" })],
  ["stats", () => base.rest("getPageStats")],
  ["backlinks", () => base.restList("listBacklinks", { path: "d1/p1.md" })],
  ["a forget", () => base.rest("forgetVersions", { query: { path: "d1/p1.md" } })],
];

test.each(acts)("%s walks no table of pages, and opens no page but its own", async (_name, act) => {
  using recording = await recordStatements(base.hub);
  await act();
  const statements = recording.statements.splice(0);
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.flatMap(walks)).toEqual([]);
  // Bytes of blobs are looked up by these alone.
  const opened = statements.filter(({ sql }) => sql.startsWith("SELECT size, bytes FROM blobs"));
  expect(opened.length).toBeLessThanOrEqual(1);
});

test("a write costs the same number of statements whatever is there", async () => {
  await using own = await openBase();
  const counted = async (path: string): Promise<number> => {
    // Bytes of its own: what is stored already costs a look whether it was about to go.
    await own.put(path, guide(`${path} [x](y.md)`));
    using recording = await recordStatements(own.hub);
    await own.put(path, guide(`${path} [y](x.md)`));
    return recording.statements.length;
  };
  const first = await counted("/fs/d/first.md");
  for (let page = 0; page < 60; page += 1) await own.put(`/fs/d/more-${page}.md`, guide("x"));
  expect(await counted("/fs/d/last.md")).toBe(first);
  expect(rows(own.hub, "SELECT files FROM page_directories WHERE path = '/fs/d'")).toEqual([{ files: 62 }]);
});
