// What of all that waits is worth a notification: pure, so that time is an argument (web-app.md 8).
import type { InboxItemView } from "../../shared/views.ts";
import { deadlineOf } from "../items/deadline.ts";

const reminderMs = 10 * 60_000;
const dayMinutes = 24 * 60;
const minuteMs = 60_000;

/** Ids of what waited at the last look, and of what the operator was reminded of. */
export type Memory = { known: readonly string[]; reminded: readonly string[] };

/** What began to wait since the last look; before any there is no news. */
export function newsOf(items: readonly InboxItemView[], memory: Memory | undefined): InboxItemView[] {
  if (memory === undefined) return [];
  const known = new Set(memory.known);
  return items.filter(({ event_id }) => !known.has(event_id));
}

/** Milliseconds until the operator is to be reminded of it; undefined for what does not approve itself. */
export function reminderIn(item: InboxItemView, nowMs: number): number | undefined {
  const deadline = deadlineOf(item, nowMs);
  if (deadline === undefined || deadline.onExpiry !== "approve" || deadline.leftMs <= 0) return undefined;
  return Math.max(0, deadline.leftMs - reminderMs);
}

/** Milliseconds until the quiet ends; 0 outside of it. Both ends are of the device's clock, `22:00`. */
export function quietForMs(now: Date, from: string, to: string): number {
  const at = now.getHours() * 60 + now.getMinutes();
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const isQuiet = start <= end ? at >= start && at < end : at >= start || at < end;
  if (!isQuiet) return 0;
  const left = (end - at + dayMinutes) % dayMinutes;
  return left * minuteMs - (now.getTime() % minuteMs);
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
