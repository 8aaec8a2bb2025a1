// Building the index anew (architecture.md 9): a store whose index has another version is indexed again when it is
// opened, and finds then what it found before, in the same order.
import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { rows, sql } from "../as-caller.ts";
import { append } from "../conversation.ts";
import { find, hitsOf } from "./finding.ts";

const queries = ["word", "word 1", "wo", '"word 1"', "模型", "session", "puma", "kv", "body"];

async function fill(hub: TestHub, alice: Caller): Promise<void> {
  for (const project_id of ["p", "q"]) {
    await hub.project(project_id);
    const started = await alice.call("session_start", { project_id, session_name: "s" });
    const session = { session_id: started["session_id"] };
    for (let number = 0; number < 40; number += 1) {
      // Each thing at a time of its own: what was written last is found first.
      hub.clock.now += 1;
      const content = `\uFEFFword ${number} 模型训练 ${number % 3 === 0 ? "puma" : ""}`;
      if (number % 2 === 0) await append(alice, project_id, { summary: `word ${number}`, payload: { body: content } });
      else await alice.call("brain_put", { session, store: "session", path: `/kv/${number}`, content });
    }
    hub.clock.now += 1;
    await alice.call("brain_put", { session, store: "session", path: "/kv/1", content: "word again" });
    await alice.call("brain_delete", { session, store: "session", path: "/kv/3" });
  }
}

async function everything(alice: Caller, hub: TestHub): Promise<object[]> {
  const found = await Promise.all(queries.flatMap((query) => [hitsOf(alice, query), hitsOf(hub.operator, query)]));
  return found.flat();
}

test("finds the same as before, in the same order, and once only", async () => {
  await using hub = await openTestHub();
  const alice = await hub.agent("alice");
  await fill(hub, alice);
  const before = await everything(alice, hub);
  expect(before.length).toBeGreaterThan(300);
  for (const mark of [0, 9999]) {
    await sql(hub, "UPDATE marks SET value = ? WHERE name = 'search_index_version'", mark);
    await hub.reopen();
    expect(await everything(alice, hub)).toEqual(before);
  }
  await sql(hub, "DELETE FROM marks WHERE name = 'search_index_version'");
  await sql(hub, "INSERT INTO search_texts (rowid, title, body, scope) VALUES (100000, 'stray', 'word', 'ffeed')");
  await hub.reopen();
  expect(await everything(alice, hub)).toEqual(before);
  expect(rows(hub, "SELECT count(*) AS n FROM search_texts WHERE search_texts MATCH 'stray'")).toEqual([{ n: 0 }]);
});

test("is not done when the version is the same", async () => {
  await using hub = await openTestHub();
  const alice = await hub.agent("alice");
  await fill(hub, alice);
  const ids = () => rows(hub, "SELECT id, text_id, ref_id FROM search_docs ORDER BY id");
  const before = ids();
  await hub.reopen();
  expect(ids()).toEqual(before);
});

test("leaves out what a pruned session had once its prune is final, and keeps it until then", async () => {
  await using hub = await openTestHub();
  const alice = await hub.agent("alice");
  await fill(hub, alice);
  const [session] = rows(hub, "SELECT id FROM sessions WHERE project_id = 'p'");
  const session_id = String(session?.["id"]);
  await alice.call("session_end", { session_id });
  const found = await find(alice, "word", { session_id });
  const { undo_token } = await hub.rest("pruneSession", { params: { id: session_id } });
  await sql(hub, "DELETE FROM marks WHERE name = 'search_index_version'");
  await hub.reopen();
  expect(await find(alice, "word", { session_id })).toEqual([]);
  await hub.rest("undoPrune", { params: { token: String(undo_token) } });
  expect(await find(alice, "word", { session_id })).toEqual(found);
});

test("goes on past a value whose bytes are gone", async () => {
  await using hub = await openTestHub();
  const alice = await hub.agent("alice");
  await fill(hub, alice);
  const session = { session_id: String(rows(hub, "SELECT id FROM sessions WHERE project_id = 'p'")[0]?.["id"]) };
  await alice.call("brain_put", { session, store: "session", path: "/fs/lost", content: "ocelot" });
  await alice.call("brain_put", { session, store: "session", path: "/fs/kept", content: "ocelot too" });
  const [lost] = rows(hub, "SELECT hash FROM blobs JOIN brain_entries ON blob = id WHERE path = '/fs/lost'");
  const hash = String(lost?.["hash"]);
  rmSync(join(hub.dataDir, "blobs", "sha256", hash.slice(0, 2), hash.slice(2)));
  await sql(hub, "DELETE FROM marks WHERE name = 'search_index_version'");
  await hub.reopen();
  expect(await find(alice, "ocelot")).toEqual(["/fs/kept"]);
  expect(hub.log.join("\n")).toContain(hash);
});
