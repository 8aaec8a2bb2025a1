// What comes first (mcp-tools.md 17.33): whole words above prefixes, titles above bodies, close words, then the
// newest; over all matches up to 5,000, over the newest 5,000 beyond.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { putDocument } from "../../../src/features/corpus/index.ts";
import { type Caller, openTestHub, type TestHub } from "../../support/hub.ts";
import { append } from "../conversation.ts";
import { find, hitsOf, say, search } from "./finding.ts";

let hub: TestHub;
let alice: Caller;
beforeAll(async () => {
  hub = await openTestHub();
  alice = await hub.agent("alice");
});
afterAll(() => hub[Symbol.asyncDispose]());

let projects = 0;
const project = (options?: { confidential: boolean }): Promise<string> => {
  projects += 1;
  return hub.project(`rank-${projects}`, options);
};

/** Many documents at once, oldest first, as the hub itself would index them; an event stands for all of them. */
async function index(projectId: string, texts: readonly { title: string; body?: string }[]): Promise<void> {
  for (let from = 0; from < texts.length; from += 1000) {
    await hub.hub.kernel.services.write((tx) => {
      for (const { title, body = "" } of texts.slice(from, from + 1000)) {
        const about = { family: "kb", projectId, refId: tx.id(), sessionId: null, updatedAt: tx.now } as const;
        putDocument(tx.db, { ...about, title, snippet: title, titleText: title, bodyText: body });
      }
    });
  }
}

describe("in a small store", () => {
  test("whole words come before prefixes, titles before bodies", async () => {
    const project_id = await project();
    await say(
      alice,
      project_id,
      { title: "prefix below", body: "deployment" },
      { title: "prefix above: deployment", body: "" },
      { title: "whole below", body: "deploy" },
      { title: "whole above: deploy", body: "" },
      { title: "often below", body: "deploy ".repeat(60) },
    );
    expect(await find(alice, "deploy", { project_id })).toEqual([
      "whole above: deploy",
      "often below",
      "whole below",
      "prefix above: deployment",
      "prefix below",
    ]);
  });

  test("all words in the title come before some in the body", async () => {
    const project_id = await project();
    await say(alice, project_id, { title: "fox", body: "red red red" }, "a red fox, and many other words besides", {
      title: "red",
      body: "fox fox",
    });
    expect((await find(alice, "red fox", { project_id }))[0]).toBe("a red fox, and many other words besides");
  });

  test("words that stand together come before words that do not, in bodies and in titles", async () => {
    const project_id = await project();
    const between = "and a great many more words that say nothing of it at all, on and on and on,";
    await say(
      alice,
      project_id,
      { title: "y", body: "cobalt by the amber" },
      { title: "x", body: `amber ${between} cobalt` },
    );
    await say(alice, project_id, "amber cobalt", `cobalt ${between} amber`);
    expect(await find(alice, "amber cobalt", { project_id })).toEqual([
      "amber cobalt",
      `cobalt ${between} amber`,
      "y",
      "x",
    ]);
  });

  test("what is alike comes newest first", async () => {
    const project_id = await project();
    const names = Array.from({ length: 20 }, (_, index) => `same words ${index + 10}`);
    await say(alice, project_id, ...names);
    expect(await find(alice, "same words", { project_id })).toEqual(names.toReversed());
  });

  test("the oldest of many can be the best", async () => {
    const project_id = await project();
    await index(project_id, [{ title: "deploy" }, ...Array(700).fill({ title: "log", body: "a deploy of things" })]);
    expect((await find(alice, "deploy", { project_id, limit: 1 }))[0]).toBe("deploy");
  });
});

test("groups come by their best hit, hits in each by rank, and counts are of hits", async () => {
  const project_id = await project();
  const session = { session_id: (await alice.call("session_start", { project_id, session_name: "s" }))["session_id"] };
  const put = (path: string, content: string) => alice.call("brain_put", { session, store: "session", path, content });
  await append(alice, project_id, { summary: "otter", payload: { body: "nothing" } });
  await put("/kv/one", "an otter in the body");
  await put("/kv/otter", "in the path");
  await put("/kv/two", "otters by prefix");
  await append(alice, project_id, { summary: "a body", payload: { body: "otter" } });
  const found = await search(alice, "otter", { project_id });
  expect(found).toEqual({ count: 5, truncated: false, took_ms: expect.any(Number), groups: expect.any(Array) });
  expect(found.groups.map(({ kind, count, hits }) => [kind, count, hits.map((hit) => hit.title)])).toEqual([
    ["brain", 3, ["/kv/otter", "/kv/one", "/kv/two"]],
    ["feed", 2, ["otter", "a body"]],
  ]);
});

describe("of many matches", () => {
  const filler = (count: number, title: string) =>
    Array.from({ length: count }, (_, index) => ({ title, body: `${index}` }));

  test("5,000 are ranked all, titles first; of 5,001 the newest 5,000", async () => {
    const project_id = await project();
    const below = (count: number) => Array.from({ length: count }, () => ({ title: "a long line", body: "badger" }));
    await index(project_id, [{ title: "badger" }, ...below(4999)]);
    expect(await find(alice, "badger", { project_id, limit: 2 })).toEqual([
      "badger",
      expect.stringContaining("a long"),
    ]);
    await index(project_id, below(1));
    expect((await find(alice, "badger", { project_id, limit: 100 })).filter((title) => title === "badger")).toEqual([]);
    expect(await search(alice, "badger", { project_id })).toMatchObject({ count: 50, truncated: true });
  });

  test("a better tier comes first within the newest 5,000, also where few are in it, and not beyond", async () => {
    const project_id = await project();
    const below = (count: number) => Array.from({ length: count }, () => ({ title: "log", body: "marmot marmots" }));
    await index(project_id, [{ title: "marmot of old" }, ...below(100), { title: "marmot early" }]);
    await index(project_id, [...below(4500), { title: "marmots" }, ...below(400)]);
    // 4,903 after the first, 5,003 in all.
    expect((await find(alice, "marmot", { project_id, limit: 3 })).slice(0, 2)).toEqual(["marmot early", "log"]);
    expect((await find(alice, "marmots", { project_id, limit: 3 })).slice(0, 2)).toEqual(["marmots", "log"]);
  });

  test("when a page of the best tier reaches beyond the newest 5,000, it is filled from within", async () => {
    const project_id = await project();
    const titled = (name: string) => ({ title: `vole ${name}` });
    const below = (count: number) => Array.from({ length: count }, () => ({ title: "log", body: "vole" }));
    await index(project_id, [
      ...Array.from({ length: 30 }, (_, number) => titled(`old ${number}`)),
      ...below(2500),
      ...Array.from({ length: 10 }, (_, number) => titled(`new ${number}`)),
      ...below(2500),
    ]);
    const found = await find(alice, "vole", { project_id, limit: 20 });
    expect(found.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, number) => `vole new ${9 - number}`));
    expect(found.slice(10)).toEqual(Array(10).fill("log"));
  });

  test("what the caller may not see takes no place among them", async () => {
    const project_id = await project();
    const hidden = await project({ confidential: true });
    const scoped = await project();
    await index(project_id, [{ title: "lemur" }, { title: "log", body: "lemur" }]);
    await index(hidden, filler(5200, "lemur"));
    await index(scoped, filler(5200, "lemur"));
    expect(await find(alice, "lemur", { project_id })).toEqual(["lemur", "log"]);
    expect(await find(alice, "lem", { project_id })).toEqual(["lemur", "log"]);
    const { count, groups } = await search(alice, "lemur", { limit: 100 });
    expect(count).toBe(100);
    expect(groups.flatMap((group) => group.hits).map((hit) => hit.project_id)).toEqual(Array(100).fill(scoped));
    await hub.rest("deleteProject", { params: { id: scoped } });
    expect((await hitsOf(alice, "lemur")).map((hit) => hit.title)).toEqual(["lemur", "log"]);
  });

  test("nor do other families and kinds that were not asked for", async () => {
    const project_id = await project();
    await append(alice, project_id, { summary: "genet" });
    await index(project_id, filler(5200, "genet"));
    expect(await find(alice, "genet", { project_id, type: "feed" })).toEqual(["genet"]);
  });
});
