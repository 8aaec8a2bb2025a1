// What the operator does to an item besides deciding it: read marks, snooze, wake, extend. Shown at once, taken back in
// place when the hub refuses, undone by the inverse call (web-app.md 2.9, 4.5).

import type { InboxItemView } from "../../shared/views.ts";
import { problemWords } from "../../shared/words.ts";
import { call } from "../data/call.ts";
import { CallFailed, noAnswer } from "../data/call-failed.ts";
import { hubNow } from "../data/clock.ts";
import { note, offerUndo, tellProblem } from "../parts/toasts.ts";
import { itemText } from "../text/en-items.ts";
import { whenComing } from "../text/time.ts";
import { tellDeparture } from "./departures.ts";
import { isOffline } from "./holds.ts";
import { patchItem } from "./inbox-lists.ts";

/** Calls at once when many items are marked: enough to be quick, few enough for one connection. */
const parallel = 4;

type ReadMark = "read" | "unread";

/** Opening an unread item marks it read; nothing is said about it. */
export function markOpened(item: InboxItemView): void {
  if (item.status === "unread" && !isOffline()) void setMarks([item.event_id], "read"); // shown already
}

/** By a control, a key or a swipe: with a way back. */
export async function mark(items: readonly InboxItemView[], to: ReadMark): Promise<void> {
  const from: ReadMark = to === "read" ? "unread" : "read";
  const ids = items.filter((item) => item.status === from).map((item) => item.event_id);
  if (ids.length === 0 || isRefused()) return;
  const done = await setMarks(ids, to);
  if (done.length === 0) return;
  const words = to === "read" ? itemText.readSome(done.length) : itemText.unreadSome(done.length);
  offerUndo(words, () => void setMarks(done, from)); // shown already
}

/** One call for the inbox or a project; under another filter the rows one by one. */
export async function markAllRead(
  items: readonly InboxItemView[],
  scope: { project: string | undefined } | "rows",
): Promise<void> {
  const unread = items.filter((item) => item.status === "unread");
  const newest = unread
    .map((item) => item.event_id)
    .toSorted()
    .at(-1);
  if (newest === undefined || isRefused()) return;
  if (scope === "rows") return mark(unread, "read");
  const takeBack = unread.map((item) => patchItem(item.event_id, (shown) => ({ ...shown, status: "read" })));
  const { project } = scope;
  try {
    const body = { ...(project === undefined ? {} : { project_id: project }), up_to: newest };
    const { marked, event_ids: ids } = await call("markAllRead", { body });
    offerUndo(itemText.readSome(marked), () => void setMarks(ids, "unread")); // shown already
  } catch (error) {
    for (const undo of takeBack) undo();
    tellRefusal(error);
  }
}

async function setMarks(ids: readonly string[], to: ReadMark): Promise<string[]> {
  const queue = [...ids];
  const done: string[] = [];
  let failure: unknown;
  async function work(): Promise<void> {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      const takeBack = patchItem(id, (item) => (isMarkable(item) ? { ...item, status: to } : item));
      try {
        await call(to === "read" ? "markRead" : "markUnread", { params: { event_id: id } });
        done.push(id);
      } catch (error) {
        takeBack();
        failure = error;
        queue.length = 0;
      }
    }
  }
  await Promise.all(Array.from({ length: parallel }, work));
  if (failure !== undefined) tellRefusal(failure);
  return done;
}

function isMarkable(item: InboxItemView): boolean {
  return item.status === "read" || item.status === "unread";
}

export async function snooze(items: readonly InboxItemView[], untilMs: number): Promise<void> {
  if (items.length === 0 || isRefused()) return;
  const until = new Date(untilMs).toISOString();
  const done: InboxItemView[] = [];
  for (const item of items) {
    const takeBack = patchItem(item.event_id, (shown) => ({ ...shown, snoozed_until: until }));
    try {
      await call("snoozeItem", { params: { event_id: item.event_id }, body: { until } });
      tellDeparture({ id: item.event_id, to: "snoozed" });
      done.push(item);
    } catch (error) {
      takeBack();
      tellRefusal(error);
      break;
    }
  }
  if (done.length === 0) return;
  const when = whenComing(untilMs, hubNow());
  const words = done.length === 1 ? itemText.snoozedUntil(when) : itemText.snoozedSome(done.length, when);
  offerUndo(words, () => {
    for (const item of done) void unsnooze(item, item.snoozed_until); // shown already
  });
}

export async function wake(item: InboxItemView): Promise<void> {
  const before = item.snoozed_until;
  if (before === undefined || isRefused() || !(await unsnooze(item, undefined))) return;
  offerUndo(itemText.awake, () => void snooze([item], Date.parse(before))); // shown already
}

/** Back to what it was: awake, or asleep until an earlier choice. */
async function unsnooze(item: InboxItemView, before: string | undefined): Promise<boolean> {
  const takeBack = patchItem(item.event_id, ({ snoozed_until: _, ...rest }) =>
    before === undefined ? rest : { ...rest, snoozed_until: before },
  );
  try {
    const params = { event_id: item.event_id };
    if (before === undefined) await call("wakeItem", { params });
    else await call("snoozeItem", { params, body: { until: before } });
  } catch (error) {
    takeBack();
    tellRefusal(error);
    return false;
  }
  if (before === undefined) tellDeparture({ id: item.event_id, to: "woken" });
  return true;
}

/** Gives time and takes none, so it is done at once. */
export async function extend(item: InboxItemView, untilMs: number): Promise<void> {
  if (isRefused()) return;
  // Up to the chosen minute, never to the last moment of the one before.
  const seconds = Math.ceil((untilMs - hubNow()) / 1000);
  try {
    const answer = await call("extendItem", { params: { event_id: item.event_id }, body: { seconds } });
    patchItem(item.event_id, (shown) => ({ ...shown, expires_at: answer.expires_at }));
    note(itemText.nowUntil(whenComing(answer.expires_at, hubNow())));
  } catch (error) {
    tellRefusal(error);
  }
}

function isRefused(): boolean {
  if (!isOffline()) return false;
  tellProblem(itemText.offline);
  return true;
}

function tellRefusal(error: unknown): void {
  const failed = error instanceof CallFailed ? error : noAnswer(error);
  const { code, detail, details, kind } = failed;
  tellProblem(kind === "problem" ? itemText.couldNot(problemWords({ code, detail, details })) : itemText.offline);
}
