// Choices of this device, applied at once (web-app.md 6.16).
import { effect, type Signal, signal } from "@preact/signals";
import { readItem, removeItem, writeItem } from "./device-storage.ts";

export type Theme = "device" | "light" | "dark";

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

function chosen<T extends string>(name: string, choices: readonly [T, ...T[]]): Signal<T> {
  const [usual] = choices;
  const kept = readItem("local", name);
  const value = signal<T>(choices.find((choice) => choice === kept) ?? usual);
  keep(name, value, usual);
  return value;
}

function number(name: string): Signal<number> {
  const kept = Number(readItem("local", name));
  const value = signal(Number.isFinite(kept) ? kept : 0);
  keep(name, value, 0);
  return value;
}

// What is as usual needs no record.
function keep(name: string, value: Signal<string | number>, usual: string | number): void {
  let isFirst = true;
  effect(() => {
    const now = value.value;
    if (!isFirst && now === usual) removeItem("local", name);
    else if (!isFirst) writeItem("local", name, String(now));
    isFirst = false;
  });
}
