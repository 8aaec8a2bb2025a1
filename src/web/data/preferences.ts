// Choices of this device, applied at once (web-app.md 6.16).
import { effect, type Signal, signal } from "@preact/signals";
import { readItem, removeItem, writeItem } from "./device-storage.ts";
import { keyOf } from "./scope.ts";
import { beforeSignOut } from "./session.ts";

export type Theme = "device" | "light" | "dark";
export type OffOn = "off" | "on";

/** `boot-theme.ts` reads the same name before the first paint. */
export const theme: Signal<Theme> = chosen<Theme>("theme", ["device", "light", "dark"]);
/** `auto`: on where a fine pointer or a hardware key was seen. */
export const shortcuts: Signal<"auto" | "on" | "off"> = chosen("shortcuts", ["auto", "on", "off"]);
/** Rows closer together; only where a fine pointer hits them. */
export const density: Signal<"comfortable" | "compact"> = chosen("density", ["comfortable", "compact"]);
/** Percent. */
export const textSize: Signal<(typeof textSizes)[number]> = chosen("text-size", ["100", "90", "110", "120", "130"]);
export const textSizes = ["90", "100", "110", "120", "130"] as const;
/** Seconds a decision is held, or a question each time. */
export const holdSeconds: Signal<"5" | "10" | "20" | "0" | "ask"> = chosen("hold", ["5", "10", "20", "0", "ask"]);
export const undoMessages: Signal<"timed" | "stay"> = chosen("undo-messages", ["timed", "stay"]);
export const inboxSort: Signal<"deadline" | "agent"> = chosen("inbox-sort", ["deadline", "agent"]);
/** Width of the list beside a reading pane, in CSS pixels; 0 is the usual one. */
export const listWidth: Signal<number> = number("list-width");
/** Wanted here; whether the browser allows them, `notifications/permission.ts` knows. */
export const notifications: Signal<OffOn> = chosen<OffOn>("notifications", ["off", "on"]);
/** An item's own words are in its notification too. */
export const notificationText: Signal<OffOn> = chosen<OffOn>("notification-text", ["off", "on"]);
/** Before something approves itself. */
export const reminders: Signal<OffOn> = chosen<OffOn>("reminders", ["on", "off"]);
export const quietHours: Signal<OffOn> = chosen<OffOn>("quiet-hours", ["off", "on"]);
/** Of the device's clock, `22:00`. */
export const quietFrom: Signal<string> = text("quiet-from", "22:00", isTimeOfDay);
export const quietTo: Signal<string> = text("quiet-to", "07:00", isTimeOfDay);
/** Where a finished first run is shown again; `dismissed` once that was enough. */
export const finishedStart: Signal<string> = text("finished-start", "", () => true);

export function isTimeOfDay(value: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value);
}

function chosen<T extends string>(name: string, choices: readonly [T, ...T[]]): Signal<T> {
  const [usual] = choices;
  return kept(name, usual, (stored) => choices.find((choice) => choice === stored));
}

function number(name: string): Signal<number> {
  return kept(name, 0, (stored) => (Number.isFinite(Number(stored)) ? Number(stored) : undefined));
}

function text(name: string, usual: string, isValid: (value: string) => boolean): Signal<string> {
  return kept(name, usual, (stored) => (isValid(stored) ? stored : undefined));
}

/** @param read undefined for what was never chosen here */
function kept<T extends string | number>(name: string, usual: T, read: (stored: string) => T | undefined): Signal<T> {
  const chosenIn = (stored: string | null | undefined): T => (stored ? read(stored) : undefined) ?? usual;
  const value = signal<T>(chosenIn(readItem("local", name)));
  let isFirst = true;
  effect(() => {
    const now = value.value;
    // What is as usual needs no record.
    if (!isFirst && now === usual) removeItem("local", name);
    else if (!isFirst) writeItem("local", name, String(now));
    isFirst = false;
  });
  // A device that forgets everything chose nothing.
  beforeSignOut(() => {
    value.value = usual;
  });
  // Choices are the device's, so other tabs follow.
  globalThis.addEventListener("storage", ({ key, newValue }) => {
    if (key === keyOf(name)) value.value = chosenIn(newValue);
  });
  return value;
}
