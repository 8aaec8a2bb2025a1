// Raises notifications while the app is open and nobody looks at it (web-app.md 8). The tab that leads the stream does it
// for all tabs; what it knows is kept on the device, so that the next one to lead goes on where it was. For each change of
// the inbox it asks once what waits, which hidden pages do without.
import { effect } from "@preact/signals";
import { isObject } from "../../shared/json.ts";
import type { InboxItemView } from "../../shared/views.ts";
import { hubNow } from "../data/clock.ts";
import { readItem, writeItem } from "../data/device-storage.ts";
import { homeSpec } from "../data/home.ts";
import { isLeader, onChange } from "../data/live.ts";
import { quietFrom, quietHours, quietTo, reminders } from "../data/preferences.ts";
import { resource } from "../data/resource.ts";
import { agentList } from "../items/agents.ts";
import { loadWaiting } from "../items/inbox-lists.ts";
import { type Memory, newsOf, quietForMs, reminderIn } from "./news.ts";
import { type Notice, showItem, showMany, shownNotices, showReminder } from "./notices.ts";
import { watchPresence } from "./presence.ts";

/** Between two calls: changes that come together are one look after the first. */
const spacingMs = 1000;
const retryMs = 120_000;
/** So many in such a time are told as one. */
const burstItems = 3;
const burstMs = 30_000;
/** Timers that run longer than a month run at once. */
const longestMs = 24 * 3_600_000;

type Raised = { id: string; atMs: number };

/** Runs until it is ended; what is on the screen then goes. */
export function startNotifier(ended: AbortSignal): void {
  let isLooking = false;
  let isOutdated = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let askedMs = 0;
  let burst: Raised[] = [];

  function look(): void {
    if (!isLeader.peek() || ended.aborted) return;
    isOutdated = isLooking;
    if (isLooking) return;
    clearTimeout(timer);
    const restMs = askedMs + spacingMs - Date.now();
    if (restMs > 0) setTimer(restMs);
    else begin();
  }

  function begin(): void {
    isLooking = true;
    // No answer: the next change, or this, asks again.
    lookOnce().then(lookAgain, () => lookAgain(retryMs));
  }

  function lookAgain(inMs: number | undefined): void {
    isLooking = false;
    if (ended.aborted) return;
    if (isOutdated) look();
    else if (inMs !== undefined) setTimer(Math.min(inMs, longestMs));
  }

  function setTimer(ms: number): void {
    timer = setTimeout(look, ms);
  }

  /** Milliseconds until there is reason to look again by itself. */
  async function lookOnce(): Promise<number | undefined> {
    const notices = await shownNotices();
    askedMs = Date.now();
    const { items, counts } = await loadWaiting({}, ended);
    await takeAway(notices, items, counts.waiting);
    const isShown = await presence.isShown();
    if (ended.aborted) return undefined;
    const { news, due, inMs } = take(items, isShown);
    // Whoever looks at the app needs none; once nobody does, there is another look.
    if (isShown) return undefined;
    followLamp(counts.waiting);
    if (news.length + due.length > 0) await knowAgents([...news, ...due]);
    if (!ended.aborted) await raise(news, due, counts.waiting);
    return inMs;
  }

  async function raise(news: readonly InboxItemView[], due: readonly InboxItemView[], waiting: number) {
    const nowMs = hubNow();
    burst = [
      ...burst.filter(({ atMs }) => nowMs - atMs < burstMs),
      ...news.map(({ event_id: id }) => ({ id, atMs: nowMs })),
    ];
    if (news.length > 0 && burst.length >= burstItems) await collapse(burst, waiting);
    else for (const item of news) if (!due.includes(item)) await showItem(item);
    for (const item of due) await showReminder(item, Date.parse(item.expires_at ?? "") - nowMs);
  }

  const presence = watchPresence(ended, look);
  const stopHearing = onChange((topics) => {
    if (topics === "everything" || topics.has("inbox")) look();
  });
  const stopLeading = effect(() => {
    if (isLeader.value) look();
  });
  ended.addEventListener("abort", () => {
    stopHearing();
    stopLeading();
    clearTimeout(timer);
    void closeAll(); // nobody waits for it
  });
}

/**
 * What is to be told now, remembered as told, and when the next reminder is due. In quiet hours nothing is told; what is
 * due by then is told after them, should it still be open.
 */
function take(items: readonly InboxItemView[], isShown: boolean) {
  const before = readMemory();
  const reminded = new Set(before?.reminded);
  const nowMs = hubNow();
  const timed = reminders.value === "off" ? [] : items.filter(({ event_id }) => !reminded.has(event_id));
  const due = timed.filter((item) => reminderIn(item, nowMs) === 0);
  const coming = timed.map((item) => reminderIn(item, nowMs) ?? 0).filter((inMs) => inMs > 0);
  const quietMs = quietHours.value === "off" ? 0 : quietForMs(new Date(), quietFrom.value, quietTo.value);
  const isTold = quietMs === 0 && !isShown;
  if (isTold) for (const { event_id } of due) reminded.add(event_id);
  const known = items.map(({ event_id }) => event_id);
  writeMemory({ known, reminded: known.filter((id) => reminded.has(id)) });
  return {
    news: isTold ? newsOf(items, before) : [],
    due: isTold ? due : [],
    inMs: Math.min(...coming, quietMs > 0 && due.length > 0 ? quietMs : longestMs),
  };
}

async function closeAll(): Promise<void> {
  for (const notice of await shownNotices()) notice.close();
}

/** One for all of them in place of one each. */
async function collapse(burst: readonly Raised[], waiting: number): Promise<void> {
  const ids = new Set(burst.map(({ id }) => id));
  for (const notice of await shownNotices()) {
    if (notice.kind === "many") for (const id of notice.ids) ids.add(id);
    else if (notice.kind === "item" && notice.ids.some((id) => ids.has(id))) notice.close();
  }
  await showMany([...ids], waiting);
}

/** What no longer waits is no longer told, nor a deadline that was moved; one that counts says the true number. */
async function takeAway(notices: readonly Notice[], items: readonly InboxItemView[], waiting: number): Promise<void> {
  const nowMs = hubNow();
  const waits = new Map(items.map((item) => [item.event_id, item]));
  for (const notice of notices) {
    const left = notice.ids.flatMap((id) => waits.get(id) ?? []);
    const isTrue =
      left.length > 0 && (notice.kind !== "reminder" || left.some((item) => reminderIn(item, nowMs) === 0));
    if (!isTrue) notice.close();
    else if (notice.kind === "many" && notice.amount !== waiting) {
      await showMany(
        left.map(({ event_id }) => event_id),
        waiting,
        true,
      );
    }
  }
}

/** The one number, which a hidden page asks for seldom. */
function followLamp(waiting: number): void {
  resource(homeSpec).patch((home) => (home.waiting === waiting ? home : { ...home, waiting }));
}

async function knowAgents(items: readonly InboxItemView[]): Promise<void> {
  const list = agentList();
  const known = new Set(list.value.peek()?.agents.map(({ id }) => id));
  // A name that is not to be had is its id.
  if (items.some(({ actor }) => !known.has(actor))) await list.refresh();
}

const memory = "noticed";

function readMemory(): Memory | undefined {
  const stored = readItem("local", memory);
  const told = stored === undefined ? undefined : parsed(stored);
  return isObject(told) ? { known: textsOf(told["known"]), reminded: textsOf(told["reminded"]) } : undefined;
}

// What is damaged is as good as nothing: what waits now counts as told.
function parsed(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    return undefined;
  }
}

function writeMemory(told: Memory): void {
  writeItem("local", memory, JSON.stringify(told));
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
