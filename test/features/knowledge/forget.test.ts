// The operator's forget: nothing of it is read again, and no byte of it stays in any file (knowledge-base.md 9.7,
// rest-api.md 13.4).
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../../src/shared/json.ts";
import { sha256 } from "../../../src/storage/blobs.ts";
import { agent, callAs, objectsIn, refusal, restAs, rows, sql } from "../as-caller.ts";
import { until } from "../conversation.ts";
import { type Base, guide, openBase, project, versionOf } from "./base.ts";

let base: Base;
beforeAll(async () => {
  base = await openBase();
});
afterAll(() => base[Symbol.asyncDispose]());

const forget = (own: Base, path: string, more: object = {}): Promise<JsonObject> =>
  own.rest("forgetVersions", { query: { path, ...more } });
const hashOf = (text: string): string => sha256(new TextEncoder().encode(text));
const fileOf = (own: Base, text: string): string => {
  const hash = hashOf(text);
  return join(own.hub.dataDir, "blobs", "sha256", hash.slice(0, 2), hash.slice(2));
};
const audits = (own: Base): unknown[] =>
  rows(own.hub, "SELECT actor, project_id, payload FROM events WHERE kind = 'system' ORDER BY id")
    .map((row) => ({ ...row, payload: JSON.parse(String(row["payload"])) }))
    .filter(({ payload }) => payload.action === "kb_history_forgotten");
const purged = (own: Base): Promise<void> =>
  until("the purge", () => rows(own.hub, "SELECT 1 FROM marks WHERE name = 'search_purge_due'").length === 0);

/** Texts of which something stands in a file of the data directory. */
function leftIn(dataDir: string, texts: readonly string[]): string[] {
  const files = readdirSync(dataDir, { recursive: true, encoding: "utf8" })
    .map((name) => join(dataDir, name))
    .filter((path) => statSync(path).isFile());
  return files.flatMap((path) => {
    const bytes = readFileSync(path);
    return texts.filter((text) => bytes.includes(text)).map((text) => `${path}: ${text}`);
  });
}

describe("a forget", () => {
  test("drops every version but the one the page holds; the rows stay and say so", async () => {
    const path = "/fs/held.md";
    const texts = ["first secret", "second secret", "held"];
    for (const text of texts) await base.put(path, text);
    const before = await base.hub.snapshot();
    const numbers = { ok: true, path, versions_forgotten: 2, bytes_forgotten: 25, unreferenced_forgotten: 0 };
    expect<unknown>(await forget(base, "held.md", { plan: true })).toEqual(numbers);
    expect(await base.hub.snapshot()).toBe(before);
    expect<unknown>(await forget(base, "held.md")).toEqual(numbers);
    const payload = {
      action: "kb_history_forgotten",
      store: "project",
      path,
      versions: 2,
      bytes: 25,
      unreferenced_versions: 0,
      unreferenced_bytes: 0,
    };
    await purged(base);
    expect(audits(base)).toEqual([{ actor: "human", project_id: project, payload }]);
    expect(texts.map((text) => existsSync(fileOf(base, text)))).toEqual([false, false, true]);
    const { versions } = await base.history(path);
    expect(versions).toMatchObject([
      { kept: true, current: true, version: versionOf("held") },
      { kept: false, version: versionOf("second secret"), size_bytes: 13 },
      { kept: false, version: versionOf("first secret") },
    ]);
    for (const attempt of [
      () => base.get(path, { version: versionOf("first secret") }),
      () => base.revert(path, versionOf("first secret")),
      () => base.rest("revertPage", { path, body: { version: versionOf("second secret") } }),
    ]) {
      expect(await base.refusedWithoutTrace(attempt)).toMatchObject({ code: "not_found" });
    }
    expect(await base.get(path)).toMatchObject({ content: "held" });
    expect(rows(base.hub, "SELECT forgotten_through FROM pages WHERE path = ?", path)).toEqual([
      { forgotten_through: 3 },
    ]);
  });

  test("of a deleted page drops all of them, and later writes are kept as before", async () => {
    const path = "/fs/deleted.md";
    await base.put(path, "gone");
    await base.remove(path);
    expect(await forget(base, path)).toMatchObject({ versions_forgotten: 1, bytes_forgotten: 4 });
    expect(existsSync(fileOf(base, "gone"))).toBe(false);
    expect(await forget(base, path)).toMatchObject({ versions_forgotten: 0, bytes_forgotten: 0 });
    await base.put(path, "new");
    await base.put(path, "newer");
    expect(await base.get(path, { version: versionOf("new") })).toMatchObject({ content: "new" });
    expect(await base.history(path)).toMatchObject({ total: 4 });
  });

  test("keeps the file of bytes that something else holds, which read through that alone", async () => {
    const shared = "bytes of many";
    await base.put("/fs/one.md", shared);
    await base.put("/fs/one.md", "now other");
    await base.put("/fs/two.md", shared);
    const connection = await base.hub.connect(base.alice);
    await base.alice.call("session_start", { project_id: project, session_name: "work" }, { connection });
    await base.alice.call(
      "brain_put",
      { store: "session", path: "/fs/brain", content: "now in a brain" },
      { connection },
    );
    await base.put("/fs/one.md", "now in a brain");
    await base.put("/fs/one.md", "last");
    expect(await forget(base, "one.md")).toMatchObject({ versions_forgotten: 3 });
    expect([shared, "now other", "now in a brain"].map((text) => existsSync(fileOf(base, text)))).toEqual([
      true,
      false,
      true,
    ]);
    for (const text of [shared, "now in a brain"]) {
      expect(await refusal(base.get("/fs/one.md", { version: versionOf(text) }))).toMatchObject({ code: "not_found" });
    }
    expect(await base.get("/fs/two.md", { version: versionOf(shared) })).toMatchObject({ content: shared });
    expect(await base.alice.call("brain_get", { path: "/fs/brain" }, { connection })).toMatchObject({
      content: "now in a brain",
    });
  });

  test("spares bytes that a write is about to name", async () => {
    const path = "/fs/in-flight.md";
    await base.put(path, "wanted again");
    await base.put(path, "current");
    // What a put holds between storing its bytes and its transaction.
    using held = await base.hub.hub.kernel.services.blobs.put(new TextEncoder().encode("wanted again"));
    await forget(base, path);
    expect(existsSync(fileOf(base, "wanted again"))).toBe(true);
    await base.put("/fs/wanting.md", "wanted again");
    expect(held.hash).toBe(hashOf("wanted again"));
    expect(await base.get("/fs/wanting.md")).toMatchObject({ content: "wanted again" });
  });

  test("races a write of the same bytes, and the page that was written can be read", async () => {
    for (let round = 0; round < 10; round += 1) {
      const text = `raced ${round}`;
      await base.put("/fs/raced.md", text);
      await base.put("/fs/raced.md", `current ${round}`);
      await Promise.all([forget(base, "raced.md"), base.put(`/fs/racing-${round}.md`, text)]);
      expect(await base.get(`/fs/racing-${round}.md`)).toMatchObject({ content: text });
    }
  });

  test("commits whole or not at all", async () => {
    await using own = await openBase();
    await own.put("/fs/whole.md", "a");
    await own.put("/fs/whole.md", "b");
    await sql(own.hub, "ALTER TABLE event_totals RENAME TO totals_gone");
    expect(await refusal(forget(own, "whole.md"))).toMatchObject({ code: "internal" });
    expect(audits(own)).toEqual([]);
    expect(await own.get("/fs/whole.md", { version: versionOf("a") })).toMatchObject({ content: "a" });
    expect(existsSync(fileOf(own, "a"))).toBe(true);
  });

  test("of a path the log never named is not found, and no agent may", async () => {
    expect(await base.refusedWithoutTrace(() => forget(base, "never.md"))).toMatchObject({ code: "not_found" });
    expect(await base.refusedWithoutTrace(() => forget(base, "kv/x"))).toMatchObject({ code: "invalid_argument" });
    const asAgent = () =>
      restAs(base.hub, agent("alice"), "forgetVersions", { params: { id: project }, query: { path: "held.md" } });
    expect(await base.refusedWithoutTrace(asAgent)).toMatchObject({ code: "forbidden" });
    const names = base.hub.hub.tools.map(({ name }) => name);
    expect(names.filter((name) => name.includes("forget"))).toEqual([]);
    expect(await callAs(base.hub, agent("alice"), "feed_read", { project_id: project, since: "0" })).not.toMatchObject({
      events: expect.arrayContaining([expect.objectContaining({ kind: "system" })]),
    });
  });
});

// Letters alone, so that each is one word; a word is looked for without its beginning, which an index may share.
const word = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => String.fromCharCode(97 + (byte % 26))).join("");

function secretPage(words: readonly string[]): string {
  const [title, tag, target, body, more] = words;
  return guide(
    `${body} lies here, [see](${target}.md)\n\n${"and on it goes\n".repeat(50)}${more}`,
    `title: ${title}\ndescription: ${title}\ntags: [${tag}]\n`,
  );
}

test("after a forget no byte of the text is in any file of the data directory", async () => {
  await using own = await openBase();
  const secrets = Array.from({ length: 12 }, () => Array.from({ length: 5 }, word));
  const filler = async (rounds: number): Promise<void> => {
    for (let index = 0; index < rounds; index += 1)
      await own.put(`/fs/filler/${word()}.md`, secretPage(Array.from({ length: 5 }, word)));
  };
  await filler(20);
  for (const [index, words] of secrets.entries()) {
    const path = `/fs/secrets/${index % 4}.md`;
    await own.put(path, secretPage(words));
    await filler(5);
    if (index % 3 === 0) await own.put(path, guide("nothing to see"));
  }
  for (const path of ["0", "1"]) await own.put(`/fs/secrets/${path}.md`, guide("clean"));
  for (const path of ["2", "3"]) await own.remove(`/fs/secrets/${path}.md`);
  await filler(10);
  const looked = secrets.flat().map((text) => text.slice(4));
  expect(leftIn(own.hub.dataDir, looked).length).toBeGreaterThan(0);
  for (const path of ["0", "1", "2", "3"]) await forget(own, `secrets/${path}.md`);
  await purged(own);
  expect(leftIn(own.hub.dataDir, looked)).toEqual([]);
  // What was not forgotten is where it was.
  const [filled] = rows(own.hub, "SELECT path, title FROM pages WHERE path LIKE '/fs/filler/%'");
  const found = await own.alice.call("search", { query: String(filled?.["title"]), type: "kb" });
  expect(objectsIn(found, "groups")).toMatchObject([{ hits: [{ ref_id: filled?.["path"] }] }]);
  await own.hub.reopen();
  expect(leftIn(own.hub.dataDir, looked)).toEqual([]);
}, 60_000);

test("a purge that was cut short goes on when the hub is back", async () => {
  await using own = await openBase({ config: { sweepIntervalSecs: 1 } });
  const secret = word();
  await own.put("/fs/cut.md", guide(secret));
  await own.put("/fs/cut.md", guide("clean"));
  // As a hub leaves it that stopped right after the commit.
  await sql(own.hub, "DELETE FROM page_versions WHERE blob = ?", hashOf(guide(secret)));
  await sql(own.hub, "DELETE FROM blobs WHERE hash = ?", hashOf(guide(secret)));
  await sql(own.hub, "INSERT INTO marks (name, value) VALUES ('search_purge_due', 1)");
  await own.hub.reopen();
  await purged(own);
  const left = leftIn(own.hub.dataDir, [secret.slice(4)]).filter((found) => !found.includes("/blobs/"));
  expect(left).toEqual([]);
}, 30_000);
