// Rules of items that need no browser: floods, order, deadlines in words, payloads, and lists that hold still.
import { expect, test } from "bun:test";
import type { InboxItemView } from "../../src/shared/views.ts";
import { deadlineOf, deadlineSentence } from "../../src/web/items/deadline.ts";
import { byAgent, foldFloods } from "../../src/web/items/flood.ts";
import { previewOf, readPayload } from "../../src/web/items/payload.ts";
import { createSteadyList } from "../../src/web/parts/steady-list.ts";

const now = Date.parse("2026-03-18T14:00:00.000Z");
const at = (ms: number) => new Date(now + ms).toISOString();

function item(id: string, more: Partial<InboxItemView> = {}): InboxItemView {
  return {
    event_id: id,
    project_id: "lab",
    project_display_name: "Lab",
    kind: "approval",
    actor: "ann",
    summary: id,
    payload: null,
    status: "action",
    created_at: at(-60_000),
    updated_at: at(-60_000),
    ...more,
  };
}

test("a flood folds after five rows, in its place, and unfolds", () => {
  const items = [...Array.from({ length: 7 }, (_, index) => item(`a${index}`)), item("b", { actor: "bob" })];
  const entries = foldFloods(items, new Set());
  expect(entries.map((entry) => ("item" in entry ? entry.item.event_id : `${entry.amount} ${entry.moreFrom}`))).toEqual(
    ["a0", "a1", "a2", "a3", "a4", "2 ann", "b"],
  );
  expect(foldFloods(items, new Set(["ann"]))).toHaveLength(8);
  expect(foldFloods(items.slice(0, 5), new Set())).toHaveLength(5);
  expect(byAgent(items).map(({ event_id: id }) => id)[0]).toBe("b");
});

test("a deadline says what happens, when, and how near it is", () => {
  const dated = item("a", { expires_at: at(14 * 60_000), on_expiry: "decline" });
  const deadline = deadlineOf(dated, now);
  expect(deadline).toMatchObject({ chip: "Declines itself in 14 min", tone: "lamp", onExpiry: "decline" });
  if (deadline === undefined) throw new Error("no deadline");
  const { before, weight, after } = deadlineSentence(deadline, now);
  expect(before + weight + after).toMatch(/^If you don't decide, the hub declines this at \d\d:14 \(in 14 min\)\.$/);
  expect(deadlineOf({ ...dated, snoozed_until: at(1000) }, now)?.tone).toBe("hold");
  expect(deadlineOf(dated, now + 15 * 60_000)).toMatchObject({ chip: "Settling…", tone: "plain" });
  expect(deadlineOf({ ...dated, status: "resolved" }, now)).toBeUndefined();
  expect(deadlineOf({ ...dated, on_expiry: "approve" }, now)?.chip).toBe("Approves itself in 14 min");
  expect(deadlineOf(item("q", { kind: "question", expires_at: at(60_000) }), now)?.chip).toBe("Closes in 1:00");
});

test("a payload is read with care: half a list of effects is no list, and odd keys are details", () => {
  const body = readPayload({
    kind: "approval",
    payload: {
      body: "why",
      effects: ["one", 2],
      reversible: "no",
      options: ["a", "b"],
      artifact_id: "A1",
      constructor: "odd",
      more: { deep: [1] },
    },
  });
  expect(body).toMatchObject({ body: "why", effects: [], options: [], reversible: undefined });
  expect(body.about).toEqual([{ kind: "artifact", id: "A1" }]);
  expect(body.details.map(({ key }) => key)).toEqual(["effects", "reversible", "options", "constructor", "more"]);
  expect(readPayload({ kind: "question", payload: { options: ["a", "b"] } }).options).toEqual(["a", "b"]);
  expect(readPayload({ kind: "finished", payload: "plain words" }).body).toBe("plain words");
  expect(previewOf({ body: "# Head\n\n- **one**\n- two" })).toBe("Head one two");
  expect(previewOf({ body: 7 })).toBeUndefined();
});

test("LAW-04: under the hand rows are updated in place, new ones wait, gone ones stay", () => {
  type Entry = { id: string; words: string };
  const list = createSteadyList<Entry>(({ id }) => id);
  const entry = (id: string, words = id): Entry => ({ id, words });
  const ids = () => list.shown.value.map(({ id }) => id);
  list.offer([entry("a"), entry("b")], true);
  expect(ids()).toEqual(["a", "b"]);
  list.offer([entry("new"), entry("b", "changed")], true);
  expect(list.shown.value).toEqual([entry("a"), entry("b", "changed")]);
  expect(list.fresh.value).toBe(1);
  expect(list.departed()).toEqual([entry("a")]);
  list.update(entry("a", "over"));
  expect(list.shown.value[0]).toEqual(entry("a", "over"));
  list.showFresh();
  expect(ids()).toEqual(["new", "b"]);
  list.remove("new");
  list.offer([entry("new"), entry("b")], true);
  expect(ids()).toEqual(["b"]);
  list.admit("new");
  list.offer([entry("new"), entry("b")], true);
  expect(ids()).toEqual(["new", "b"]);
  list.offer([entry("c")], false);
  expect(ids()).toEqual(["c"]);
  const paged = createSteadyList<Entry>(({ id }) => id, "grows");
  paged.offer([entry("a")], true);
  paged.offer([entry("new"), entry("a"), entry("older")], true);
  expect(paged.shown.value.map(({ id }) => id)).toEqual(["a", "older"]);
  expect(paged.fresh.value).toBe(1);
});
