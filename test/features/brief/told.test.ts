// An answer a brief lists counts as delivered (mcp-tools.md 5, 17.4); everything else rides on it as on any tool.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { drain, tell, toldBy } from "../../support/trailer.ts";
import { append, ask, reply } from "../conversation.ts";
import { ids, type Lab, openLab, project } from "./lab.ts";

let lab: Lab;
beforeEach(async () => {
  lab = await openLab();
  await lab.hub.project("q");
});
afterEach(() => lab[Symbol.asyncDispose]());

const briefed = () => tell(lab.hub, lab.alice, "session_brief", { project_id: project });

test("a listed answer is not nudged again, and a nudged one is still listed", async () => {
  const first = await ask(lab.alice, project);
  await reply(lab.hub, first);
  const { content, pending } = await briefed();
  expect(content).not.toHaveProperty("notifications");
  expect(pending).toEqual([]);
  expect(content["answers"]).toMatchObject({ items: [{ id: first }] });
  expect(await drain(lab.hub, lab.alice)).toEqual([]);

  const second = await ask(lab.alice, project);
  await reply(lab.hub, second);
  expect(await toldBy(lab.hub, lab.alice)).toMatchObject([{ id: second }]);
  expect(ids((await lab.brief()).answers)).toEqual([second, first]);
  expect(await drain(lab.hub, lab.alice)).toEqual([]);
});

test("what it does not list is told beside it, once", async () => {
  await lab.alice.call("notify_subscribe", { kinds: ["idea"], exclude_own: true });
  const asked: string[] = [];
  for (let index = 0; index < 12; index += 1) asked.push(await ask(lab.alice, project));
  const elsewhere = await ask(lab.alice, "q");
  await drain(lab.hub, lab.alice);
  for (const id of [...asked, elsewhere]) await reply(lab.hub, id);
  const idea = await append(lab.bob, project, { kind: "idea" });
  const { content, pending } = await briefed();
  expect(content["answers"]).toMatchObject({ more: 2 });
  expect(pending.map(({ id }) => id)).toEqual([...asked.slice(0, 2), elsewhere, idea]);
  expect(await drain(lab.hub, lab.alice)).toEqual([]);
});

test("it tells the caller alone", async () => {
  const his = await ask(lab.bob, project);
  await reply(lab.hub, his);
  expect((await briefed()).pending).toEqual([]);
  expect(await toldBy(lab.hub, lab.bob)).toMatchObject([{ id: his }]);
});

test("an answer below the cursor that was never told is told beside it", async () => {
  const question = await ask(lab.alice, project);
  await drain(lab.hub, lab.alice);
  await reply(lab.hub, question);
  // Reading the feed tells of the answer too, and moves the feed's cursor over it.
  await tell(lab.hub, lab.bob, "feed_read", { project_id: project });
  await lab.alice.call("feed_read", { project_id: project });
  const { content, pending } = await briefed();
  expect(content["answers"]).toMatchObject({ items: [] });
  expect(pending).toMatchObject([{ id: question, kind: "question_answered" }]);
});
