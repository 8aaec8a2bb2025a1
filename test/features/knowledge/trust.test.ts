// How far a page is trusted: no text that an agent writes makes it reviewed by the operator (knowledge-base.md 5, 9.3).
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/shared/json.ts";
import { objectsIn, refusal, rows } from "../as-caller.ts";
import { type Base, openBase, project, versionOf } from "./base.ts";

let base: Base;
beforeAll(async () => {
  base = await openBase();
});
afterAll(() => base[Symbol.asyncDispose]());

const path = "/fs/page.md";
const now = (offsetMs = 0): string => new Date(base.hub.clock.now + offsetMs).toISOString();
function later(ms: number): void {
  base.hub.clock.now += ms;
}
const entry = (by: string, at: string): string => `  - by: ${by}\n    at: ${at}\n`;
const page = (entries: string, body = "text"): string => `---\ntype: Guide\nverified:\n${entries}---\n${body}\n`;
const fresh = (by = "alice", body = "text"): string => page(entry(by, now()), body);

async function listed(): Promise<JsonObject> {
  const rows = objectsIn(await base.rest("listPages", { query: { meta: true } }), "entries");
  return rows.find((row) => row["path"] === path) ?? {};
}
const trust = async (): Promise<unknown> => (await listed())["trust"];

beforeEach(async () => {
  if ((await base.history(path))["current_version"] !== null) await base.remove(path);
  // Further than any entry of the test before counts as fresh.
  later(3_600_000);
});

describe("a page", () => {
  test("without a readable entry is unverified", async () => {
    for (const text of ["text", "---\nverified: yes\n---\n", "---\nverified:\n  - by: a\n---\n", `\uFEFF${fresh()}`]) {
      await base.put(path, text);
      expect(await listed()).toMatchObject({ trust: "unverified", verified_by: null, verified_at: null });
    }
  });

  test("an agent writes with a fresh entry is confirmed by a machine, whatever the entry says", async () => {
    for (const by of ["alice", "human", '"human"']) {
      await base.put(path, fresh(by, by));
      expect(await listed()).toMatchObject({ trust: "machine_confirmed", verified_by: "alice", verified_at: now() });
      later(1000);
    }
  });

  test("the operator reviews is reviewed, until it changes", async () => {
    await base.put(path, "text");
    await base.rest("reviewPage", { path });
    const { content, version } = await base.get(path);
    expect(content).toBe(`---\nverified:\n  - by: human\n    at: ${now()}\n---\n\ntext`);
    expect(await listed()).toMatchObject({ trust: "human_reviewed", verified_by: "human", verified_at: now() });
    // In the very second of the review.
    await base.put(path, `${content} changed`);
    expect(await listed()).toMatchObject({ trust: "edited_since_review", verified_by: "human" });
    // The reviewed bytes put back, by anybody.
    await base.put(path, String(content));
    expect(await trust()).toBe("human_reviewed");
    await base.put(path, "other");
    await base.revert(path, String(version));
    expect(await trust()).toBe("human_reviewed");
  });

  test("stored again as it is was not edited", async () => {
    const text = fresh();
    await base.put(path, text);
    later(500_000);
    await base.put(path, text);
    expect(await trust()).toBe("machine_confirmed");
  });

  test("the operator writes with a fresh entry is reviewed", async () => {
    await base.rest("putPage", { path, body: { content: fresh("anyone") } });
    expect(await listed()).toMatchObject({ trust: "human_reviewed", verified_by: "human" });
  });

  test("with the operator's entry copied by an agent is not reviewed", async () => {
    await base.put(path, "text");
    await base.rest("reviewPage", { path });
    const { content } = await base.get(path);
    await base.put(path, String(content).replace("text", "forged"));
    expect(await trust()).toBe("edited_since_review");
    await base.put("/fs/copy.md", String(content));
    const copies = objectsIn(await base.rest("listPages", { query: { meta: true } }), "entries");
    expect(copies.find((row) => row["path"] === "/fs/copy.md")).toMatchObject({
      trust: "machine_confirmed",
      verified_by: "alice",
    });
  });

  test("whose newest entry was removed was edited", async () => {
    const first = entry("alice", now());
    await base.put(path, page(first));
    later(400_000);
    await base.put(path, page(first + entry("bob", now())));
    expect(await trust()).toBe("machine_confirmed");
    await base.put(path, page(first));
    expect(await trust()).toBe("edited_since_review");
  });

  test("with an old entry over a new body is verified by nothing", async () => {
    await base.put(path, fresh());
    later(600_000);
    await base.put(path, fresh().replace(now(), now(-600_000)).replace("text", "new"));
    expect(await trust()).toBe("edited_since_review");
  });
});

describe("an entry counts as brought in", () => {
  test.each([
    [-300_000, true],
    [-300_001, false],
    [60_000, true],
    [60_001, false],
  ])("%i ms from the write: %p", async (offset, counts) => {
    await base.put(path, page(entry("alice", now(offset)), String(offset)));
    const [write] = rows(base.hub, "SELECT verifies FROM page_writes ORDER BY ordinal DESC LIMIT 1");
    expect(write).toEqual({ verifies: counts ? 1 : 0 });
  });

  test("when it is the last, new to the page, and its time can be read", async () => {
    const known = entry("alice", now());
    const verifies = async (text: string): Promise<unknown> => {
      await base.put(path, text);
      return rows(base.hub, "SELECT verifies FROM page_writes ORDER BY ordinal DESC LIMIT 1")[0]?.["verifies"];
    };
    expect(await verifies(page(known))).toBe(1);
    expect(await verifies(page(known, "changed"))).toBe(0);
    expect(await verifies(page(entry("bob", "yesterday") + known, "x"))).toBe(0);
    expect(await verifies(page(known + entry("alice", "soon")))).toBe(0);
    expect(await verifies(page(known + entry("bob", now())))).toBe(1);
    expect(await verifies(page(entry("bob", now()) + known))).toBe(0);
    await base.remove(path);
    expect(await verifies(page(known))).toBe(1);
  });
});

describe("an entry that no write brought in", () => {
  test.each([
    [-3_600_000, "edited_since_review"],
    [3_600_000, "machine_confirmed"],
  ])("%i ms from the write: %s", async (offset, expected) => {
    const fromElsewhere = `/fs/elsewhere/${offset}.md`;
    await base.put(fromElsewhere, page(entry("carol", now(offset))));
    const found = objectsIn(await base.rest("listPages", { query: { meta: true } }), "entries");
    expect(found.find((row) => row["path"] === fromElsewhere)).toMatchObject({
      trust: expected,
      verified_by: "carol",
      verified_at: now(offset),
    });
  });

  test("of an unreadable time counts as not edited", async () => {
    await base.put("/fs/unreadable.md", page(entry("carol", "some day")));
    const found = objectsIn(await base.rest("listPages", { query: { meta: true } }), "entries");
    expect(found.find((row) => row["path"] === "/fs/unreadable.md")).toMatchObject({ trust: "machine_confirmed" });
  });
});

describe("a review", () => {
  test("is logged, signalled and counted as the operator's", async () => {
    await base.put(path, "text");
    const before = await base.rest("getPageStats");
    const { version } = await base.rest("reviewPage", {
      path,
      body: { verified_by: "human", if_version: versionOf("text") },
    });
    const [signal] = rows(
      base.hub,
      "SELECT actor, summary, payload FROM events WHERE kind = 'signal' ORDER BY id DESC LIMIT 1",
    );
    expect(signal).toMatchObject({ actor: "human", summary: `Reviewed knowledge base page ${path}` });
    expect(JSON.parse(String(signal?.["payload"]))).toEqual({
      action: "kb_reviewed",
      store: "project",
      path,
      version,
      verified_by: "human",
    });
    expect(await base.rest("getPageStats")).toMatchObject({ unverified: Number(before["unverified"]) - 1 });
  });

  test("of frontmatter that cannot be patched, of a page too large, or by another name writes nothing", async () => {
    await base.put(path, "---\nverified: yes\n---\n");
    for (const body of [undefined, {}, { verified_by: "alice" }, { more: 1 }]) {
      const error = await base.refusedWithoutTrace(() => base.rest("reviewPage", { path, body }));
      expect(error).toMatchObject({ code: "invalid_argument" });
    }
    await base.put(path, "x".repeat(1_048_576));
    expect(await base.refusedWithoutTrace(() => base.rest("reviewPage", { path }))).toMatchObject({
      code: "payload_too_large",
    });
  });

  test("never overwrites an edit that came in between", async () => {
    await base.put(path, "before");
    const [review, put] = await Promise.allSettled([base.rest("reviewPage", { path }), base.put(path, "meanwhile")]);
    expect(put?.status).toBe("fulfilled");
    const content = String((await base.get(path))["content"]);
    if (review?.status === "rejected") expect(content).toBe("meanwhile");
    else expect((await base.history(path))["total"]).toBeGreaterThan(2);
    expect(content).toContain("meanwhile");
  });

  test("is no agent's act", async () => {
    expect(base.hub.hub.tools.map(({ name }) => name).filter((name) => /review|forget/.test(name))).toEqual([]);
  });
});

test("every count of trust agrees with the pages, whatever was written", async () => {
  for (const [index, text] of ["a", fresh(), page(entry("x", "soon")), "---\n", fresh("human", "z")].entries()) {
    await base.put(`/fs/counted/${index}.md`, text);
  }
  await base.rest("reviewPage", { path: "counted/0.md" });
  await base.put("/fs/counted/1.md", "plain again");
  await base.remove("/fs/counted/4.md");
  const counted = rows(base.hub, `SELECT trust, count(*) AS n FROM pages WHERE blob IS NOT NULL GROUP BY trust`);
  const of = (name: string): number => Number(counted.find((row) => row["trust"] === name)?.["n"] ?? 0);
  const needs_review = {
    unverified: of("unverified"),
    machine_confirmed: of("machine_confirmed"),
    edited_since_review: of("edited_since_review"),
  };
  const total = Object.values(needs_review).reduce((sum, value) => sum + value, 0);
  expect(await base.rest("getPageStats")).toMatchObject({
    pages: total + of("human_reviewed"),
    unverified: of("unverified"),
    needs_review: { ...needs_review, total },
    last_change_by: "alice",
  });
});

describe("stale_after", () => {
  test.each([
    ["2026-01-01", true],
    ["2026-01-02", false],
    ["2026-01-01T23:59:59Z", true],
    ["2026-01-02T00:00:00+14:00", false],
    ["2026-01-01 10:00", true],
    ["2025-13-01", false],
    ["2025-02-29", false],
    ["2025-12-31 draft", false],
    ["soon", false],
    ["", false],
  ])("%j on 2 January 2026 is stale: %p", async (date, stale) => {
    await using own = await openBase();
    await own.put("/fs/a.md", `---\nstale_after: ${date}\n---\n`);
    const [row] = objectsIn(await own.rest("listPages", { query: { meta: true } }), "entries");
    expect(row).toMatchObject({ stale, stale_after: date === "" ? null : date });
    expect(await own.rest("getPageStats")).toMatchObject({ stale: stale ? 1 : 0 });
    if (date !== "2026-01-02") return;
    own.hub.clock.now += 24 * 3_600_000;
    expect(await own.rest("getPageStats")).toMatchObject({ stale: 1 });
    await own.remove("/fs/a.md");
    expect(await own.rest("getPageStats")).toMatchObject({ stale: 0, pages: 0 });
  });
});

test("a page of another project is no page here", async () => {
  await base.hub.project("other");
  const error = await refusal(base.hub.rest("reviewPage", { params: { id: "other", path } }));
  expect(error["code"]).toBe("not_found");
  expect(project).not.toBe("other");
});
