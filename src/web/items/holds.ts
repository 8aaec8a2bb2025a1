// Decisions are held for some seconds with Undo and only then sent: nothing leaves this device before (web-app.md
// 6.4.5). A page that goes away sends at once. Never two holds on one item; holds on different items run side by side.
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { byteLength, codePoints } from "../../shared/json.ts";
import { decisionNoteChars } from "../../shared/limits.ts";
import type { InboxItemView } from "../../shared/views.ts";
import { hubNow } from "../data/clock.ts";
import { readItem } from "../data/device-storage.ts";
import { link } from "../data/live.ts";
import { beforeSignOut } from "../data/session.ts";
import { itemText } from "../text/en-items.ts";
import { type Act, type Outcome, sendAct } from "./send-act.ts";

export type Work =
  | { phase: "held"; act: Act; secondsLeft: number }
  | { phase: "sending"; act: Act }
  | { phase: "sent"; act: Act }
  | { phase: "refused"; act: Act; words: string; canRetry: boolean };

type Hold = { item: InboxItemView; act: Act; key: string; untilMs: number };

const tickMs = 200;
const secondsDefault = 5;
/** Too near its deadline to wait. */
const hurryMs = 10_000;
/** What a browser takes from a page that goes away. */
const lastBytesMax = 48 * 1024;

const works = new Map<string, Signal<Work | undefined>>();
const holds = new Map<string, Hold>();
const asked = signal<{ item: InboxItemView; act: Act } | undefined>(undefined);
let ticker: ReturnType<typeof setInterval> | undefined;

/** A decision about which the operator is asked first. One question, wherever the item is shown. */
export const askedAct: ReadonlySignal<{ item: InboxItemView; act: Act } | undefined> = asked;

/** What is being done to an item right now. */
export function workOn(id: string): ReadonlySignal<Work | undefined> {
  return workSignal(id);
}

function workSignal(id: string): Signal<Work | undefined> {
  const known = works.get(id);
  if (known !== undefined) return known;
  const made = signal<Work | undefined>(undefined);
  works.set(id, made);
  return made;
}

/** The one way to decide or answer: refused in words when offline, else asked, held or sent at once. */
export function decide(item: InboxItemView, act: Act): void {
  const work = workSignal(item.event_id);
  const { phase } = work.value ?? {};
  if (phase === "held" || phase === "sending" || phase === "sent") return;
  if (isOffline()) {
    work.value = { phase: "refused", act, words: itemText.offline, canRetry: false };
    return;
  }
  const over = act.verb === "answer" ? 0 : codePoints((act.words ?? "").trim()) - decisionNoteChars;
  if (over > 0) {
    work.value = { phase: "refused", act, words: itemText.tooLong(over), canRetry: false };
    return;
  }
  const choice = holdChoice();
  if (choice === "ask" && asked.value?.item.event_id !== item.event_id) {
    asked.value = { item, act };
    return;
  }
  asked.value = undefined;
  start(item, act, choice === "ask" || mustHurry(item, act) ? 0 : choice);
}

/** Takes a held decision back; the words stay where they were typed. */
export function undoHold(id: string): boolean {
  const hold = holds.get(id);
  if (hold === undefined) return false;
  holds.delete(id);
  workSignal(id).value = undefined;
  stopIdleTicker();
  return true;
}

/** The one that was held last; for the key. */
export function undoNewestHold(): boolean {
  const newest = [...holds.keys()].at(-1);
  return newest !== undefined && undoHold(newest);
}

/** Closes the question of "ask me each time", or clears a refusal. */
export function dropWork(id: string): void {
  const work = workSignal(id);
  if (asked.value?.item.event_id === id) asked.value = undefined;
  if (work.value?.phase === "refused") work.value = undefined;
}

export function retry(item: InboxItemView): void {
  const work = workSignal(item.event_id).value;
  if (work?.phase === "refused") start(item, work.act, 0);
}

export function isOffline(): boolean {
  return !navigator.onLine || link.value.kind === "offline";
}

/** Everything that is held goes out now: the page is about to. */
function sendHeld(): void {
  for (const hold of [...holds.values()]) void send(hold, true); // the page does not wait for it
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) sendHeld();
});
globalThis.addEventListener("pagehide", sendHeld);
beforeSignOut(sendHeld);

function start(item: InboxItemView, act: Act, seconds: number): void {
  const hold = { item, act, key: mintKey(), untilMs: Date.now() + seconds * 1000 };
  if (seconds === 0) {
    void send(hold, false); // its outcome is shown by the work signal
    return;
  }
  holds.set(item.event_id, hold);
  workSignal(item.event_id).value = { phase: "held", act, secondsLeft: seconds };
  ticker ??= setInterval(tick, tickMs);
}

function tick(): void {
  const now = Date.now();
  for (const hold of [...holds.values()]) {
    const secondsLeft = Math.ceil((hold.untilMs - now) / 1000);
    const work = workSignal(hold.item.event_id);
    if (secondsLeft <= 0)
      void send(hold, false); // its outcome is shown by the work signal
    else if (work.value?.phase === "held" && work.value.secondsLeft !== secondsLeft) {
      work.value = { phase: "held", act: hold.act, secondsLeft };
    }
  }
  stopIdleTicker();
}

function stopIdleTicker(): void {
  if (holds.size > 0) return;
  clearInterval(ticker);
  ticker = undefined;
}

async function send(hold: Hold, isLast: boolean): Promise<void> {
  const { item, act, key } = hold;
  holds.delete(item.event_id);
  const work = workSignal(item.event_id);
  work.value = { phase: "sending", act };
  work.value = workAfter(act, await sendAct(item, act, key, isLast));
}

function workAfter(act: Act, outcome: Outcome): Work {
  if (outcome.kind === "sent") return { phase: "sent", act };
  return { phase: "refused", act, words: outcome.words, canRetry: outcome.kind === "unsent" };
}

function mustHurry(item: InboxItemView, act: Act): boolean {
  const isNear = item.expires_at !== undefined && Date.parse(item.expires_at) - hubNow() <= hurryMs;
  return isNear || byteLength(act.words ?? "") > lastBytesMax;
}

/** Seconds of the hold on this device, or a question each time (Settings). */
function holdChoice(): number | "ask" {
  const chosen = readItem("local", "hold");
  if (chosen === "ask") return "ask";
  const seconds = Number(chosen ?? secondsDefault);
  return Number.isInteger(seconds) && seconds >= 0 && seconds <= 20 ? seconds : secondsDefault;
}

// `randomUUID` is missing on a plain-http page.
function mintKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
