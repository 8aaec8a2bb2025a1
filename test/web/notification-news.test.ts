// What is worth a notification, and when (web-app.md 8).
import { expect, test } from "bun:test";
import type { InboxItemView } from "../../src/shared/views.ts";
import { newsOf, quietForMs, reminderIn } from "../../src/web/notifications/news.ts";

const now = Date.parse("2026-03-18T14:05:00.000Z");
const minute = 60_000;
const at = (ms: number) => new Date(now + ms).toISOString();

function item(id: string, more: Partial<InboxItemView> = {}): InboxItemView {
  return {
    event_id: id,
    project_id: "lab",
    project_display_name: "Lab",
    kind: "approval",
    actor: "ann",
    summary: id,
    payload: {},
    status: "action",
    created_at: at(-minute),
    updated_at: at(-minute),
    ...more,
  };
}

const ids = (items: readonly InboxItemView[]) => items.map(({ event_id }) => event_id);

test("news is what began to wait since the last look; the first look has none", () => {
  const items = [item("old"), item("new"), item("woken")];
  expect(ids(newsOf(items, { known: ["old", "gone"], reminded: [] }))).toEqual(["new", "woken"]);
  expect(ids(newsOf(items, undefined))).toEqual([]);
});

test("a reminder is for what approves itself, ten minutes before, and never once that is past", () => {
  const approves = (ms: number) => item("a", { expires_at: at(ms), on_expiry: "approve" });
  expect(reminderIn(approves(25 * minute), now)).toBe(15 * minute);
  expect(reminderIn(approves(10 * minute), now)).toBe(0);
  expect(reminderIn(approves(0), now)).toBeUndefined();
  expect(reminderIn(item("a", { expires_at: at(minute), on_expiry: "decline" }), now)).toBeUndefined();
  expect(reminderIn(item("a", { expires_at: at(minute) }), now)).toBeUndefined();
  expect(reminderIn(item("a"), now)).toBeUndefined();
});

test("quiet hours go over midnight, and end on the minute", () => {
  const time = (hours: number, minutes: number, seconds = 0) => new Date(2026, 2, 18, hours, minutes, seconds);
  expect(quietForMs(time(21, 59, 59), "22:00", "07:00")).toBe(0);
  expect(quietForMs(time(22, 0), "22:00", "07:00")).toBe(9 * 60 * minute);
  expect(quietForMs(time(6, 59, 30), "22:00", "07:00")).toBe(minute / 2);
  expect(quietForMs(time(7, 0), "22:00", "07:00")).toBe(0);
  expect(quietForMs(time(12, 30), "12:00", "13:00")).toBe(30 * minute);
  expect(quietForMs(time(13, 0), "12:00", "13:00")).toBe(0);
  // From a time to itself is no time at all.
  expect(quietForMs(time(12, 0), "12:00", "12:00")).toBe(0);
});
