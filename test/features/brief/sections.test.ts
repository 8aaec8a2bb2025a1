// What each section of a brief holds, in which order, and what it counts (mcp-tools.md 17.4).
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { answer, append, ask, dayMs, decide, reply, request } from "../conversation.ts";
import { fill, ids, type Lab, openLab, project } from "./lab.ts";

let lab: Lab;
beforeEach(async () => {
  lab = await openLab();
});
afterEach(() => lab[Symbol.asyncDispose]());

const long = "y".repeat(150) + "é😀".repeat(100);
const cutTo200 = "y".repeat(150) + "é😀".repeat(25);

describe("answers", () => {
  test("say what became of each item, newest answer first", async () => {
    const asked = await ask(lab.alice, project, { subject: "Now?" });
    const lapsed = await ask(lab.alice, project, { subject: "Soon?", expires_in_seconds: 60 });
    const [yes, no] = [await request(lab.alice, project), await request(lab.alice, project)];
    const late = await request(lab.alice, project, { expires_in_seconds: 90, on_expiry: "approve" });
    const replied = await reply(lab.hub, asked, { body: "tonight" });
    await decide(lab.hub, yes);
    await decide(lab.hub, no, { decision: "decline", note: "too early" });
    // Nobody sweeps: the brief itself settles what is due.
    lab.later(2 * 60_000);
    const { answers } = await lab.brief();
    expect(answers.more).toBe(0);
    expect(answers.items).toMatchObject([
      { id: late, kind: "approval", outcome: "approved", by: "hub", expired: true },
      { id: lapsed, kind: "question", outcome: "expired", summary: "Soon?", by: "hub", expired: true },
      { id: no, kind: "approval", outcome: "declined", text: "too early", by: "human" },
      { id: yes, kind: "approval", outcome: "approved", by: "human" },
      { id: asked, kind: "question", outcome: "answered", summary: "Now?", text: "tonight", by: "human" },
    ]);
    expect(answers.items.at(-1)).toEqual({
      id: asked,
      answer_id: replied,
      kind: "question",
      outcome: "answered",
      summary: "Now?",
      text: "tonight",
      by: "human",
      at: new Date(lab.hub.clock.now - 2 * 60_000).toISOString(),
    });
    for (const entry of [answers.items[0], answers.items[1], answers.items[3]])
      expect(entry).not.toHaveProperty("text");
  });

  test("are to the caller alone, from the window alone", async () => {
    const [old, mine, his] = [
      await ask(lab.alice, project),
      await ask(lab.alice, project),
      await ask(lab.bob, project),
    ];
    await reply(lab.hub, old);
    await lab.catchUp();
    await answer(lab.bob, mine);
    const toHim = await reply(lab.hub, his);
    const { answers, events } = await lab.brief();
    expect(ids(answers)).toEqual([mine]);
    // What is not for her is news.
    expect(ids(events)).toEqual([toHim]);
  });

  test("over ten are among the events, each in one of the two", async () => {
    const asked: string[] = [];
    for (let index = 0; index < 13; index += 1) asked.push(await ask(lab.alice, project));
    await lab.catchUp();
    const replies = [];
    for (const id of asked) replies.push(await reply(lab.hub, id));
    const { answers, events } = await lab.brief();
    expect(ids(answers)).toEqual(asked.slice(3).reverse());
    expect(answers).toMatchObject({ more: 3 });
    expect(ids(events)).toEqual(replies.slice(0, 3).reverse());
    expect(events).toMatchObject({ more: 0 });
  });
});

describe("events", () => {
  test("waiting on somebody come first, then others' work, then the caller's own and sessions", async () => {
    await lab.catchUp();
    const mine = await ask(lab.alice, project);
    const his = await request(lab.bob, project);
    const done = await append(lab.bob, project, { kind: "finished" });
    await lab.bob.call("session_start", { project_id: project, session_name: "s" });
    const own = await append(lab.alice, project);
    const said = await append(lab.bob, project, { thread_id: done });
    const { events } = await lab.brief();
    expect(events.items.map(({ id, kind, open }) => [kind === "session" ? kind : id, open])).toEqual([
      [his, true],
      [mine, true],
      [said, undefined],
      [done, undefined],
      [own, undefined],
      ["session", undefined],
    ]);
    expect(events.items[2]).toMatchObject({ thread_id: done, actor: "bob", summary: "s" });
    expect(events.more).toBe(0);
  });

  test("below the cursor are left out, open or not", async () => {
    await ask(lab.bob, project);
    await lab.catchUp();
    expect((await lab.brief()).events).toEqual({ items: [], more: 0 });
  });

  test("are twenty at most, and open ones are among them however old", async () => {
    const open = await ask(lab.alice, project);
    const said: string[] = [];
    for (let index = 0; index < 30; index += 1) said.push(await append(lab.bob, project));
    const { events } = await lab.brief();
    expect(ids(events)).toEqual([open, ...said.slice(-19).reverse()]);
    expect(events).toMatchObject({ more: 11 });
  });

  test("are ranked among the newest two hundred alone", async () => {
    const early = await append(lab.bob, project);
    for (let index = 0; index < 199; index += 1) await append(lab.alice, project);
    expect(ids((await lab.brief()).events)[0]).toBe(early);
    await append(lab.alice, project);
    const { events } = await lab.brief();
    expect(new Set(events.items.map(({ actor }) => actor))).toEqual(new Set(["alice"]));
    expect(events).toMatchObject({ more: 181 });
  });

  test("never show the audit trail, nor count it", async () => {
    await lab.hub.rest("createGrant", { params: { id: "bob" }, body: { project_id: project } });
    await fill(lab.hub, 300, { kind: "system", actor: "human" });
    const said = await append(lab.bob, project);
    for (const of of [lab.alice, lab.hub.operator]) {
      expect((await lab.brief(of)).events).toMatchObject({ items: [{ id: said }], more: 0 });
    }
  });

  test("are counted up to ten thousand", async () => {
    await fill(lab.hub, 10_000);
    expect((await lab.brief()).events).toMatchObject({ more: 9980 });
    expect((await lab.brief()).events).not.toHaveProperty("more_capped");
    const question = await ask(lab.alice, project);
    await reply(lab.hub, question);
    const { events, answers } = await lab.brief();
    expect(ids(answers)).toEqual([question]);
    expect(events).toMatchObject({ more: 9979, more_capped: true });
  });
});

test("every text is cut to two hundred characters, and says so; a short one does not", async () => {
  const question = await ask(lab.alice, project, { subject: long });
  await reply(lab.hub, question, { body: long });
  await append(lab.bob, project, { summary: long });
  const { answers, events } = await lab.brief();
  expect(answers.items).toMatchObject([{ summary: cutTo200, text: cutTo200, truncated: true }]);
  expect(events.items[0]).toMatchObject({ summary: cutTo200, truncated: true });
  await append(lab.bob, project, { summary: cutTo200 });
  const [whole] = (await lab.brief()).events.items;
  expect(whole).toMatchObject({ summary: cutTo200 });
  expect(whole).not.toHaveProperty("truncated");
});

describe("stale pages", () => {
  const put = (path: string, staleAfter: string, title?: string): Promise<unknown> =>
    lab.bob.call("brain_put", {
      store: "project",
      project_id: project,
      path,
      content: `---\ntype: Guide\n${title === undefined ? "" : `title: ${title}\n`}stale_after: ${staleAfter}\n---\n`,
    });
  const day = (offset: number): string => new Date(lab.hub.clock.now + offset * dayMs).toISOString().slice(0, 10);

  test("are those past their day, the longest overdue first, then by path", async () => {
    await put("/fs/b.md", day(-2), "B");
    await put("/fs/a.md", day(-2));
    await put("/fs/c.md", day(-9), long);
    await put("/fs/today.md", day(0));
    await put("/fs/gone.md", day(-5));
    await lab.bob.call("brain_delete", { store: "project", project_id: project, path: "/fs/gone.md" });
    expect((await lab.brief()).stale_pages as object).toEqual({
      items: [
        { path: "/fs/c.md", title: cutTo200, stale_after: day(-9), truncated: true },
        { path: "/fs/a.md", title: null, stale_after: day(-2) },
        { path: "/fs/b.md", title: "B", stale_after: day(-2) },
      ],
      more: 0,
    });
  });

  test("are ten at most, the rest counted, whatever the caller has read", async () => {
    for (let index = 0; index < 12; index += 1) await put(`/fs/${index}.md`, day(-1 - index));
    await lab.catchUp();
    const { stale_pages: stale } = await lab.brief();
    expect(stale.items.map(({ path }) => path)).toEqual(
      Array.from({ length: 10 }, (_, index) => `/fs/${11 - index}.md`),
    );
    expect(stale).toMatchObject({ more: 2 });
  });
});
