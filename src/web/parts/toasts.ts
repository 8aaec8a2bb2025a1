// What was just done, and the way back: one message at a time. A newer one takes its place, but an undo that has not run
// out waits behind it (web-app.md 4.3).
import { computed, signal } from "@preact/signals";

export type Toast = {
  id: number;
  kind: "note" | "undo" | "problem";
  words: string;
  /** Counts down while nothing holds it; absent: stays until dismissed. */
  leftMs?: number | undefined;
  /** True for a window that is the hub's own, which no hover can stop. */
  isServerWindow?: boolean | undefined;
  undo?: (() => void) | undefined;
};

type ToastInput = Omit<Toast, "id" | "kind">;

const noteMs = 5000;
const undoMs = 8000;

const stack = signal<readonly Toast[]>([]);
let lastId = 0;

/** The one that is shown. */
export const shownToast = computed(() => stack.value.at(-1));
/** Undo messages that wait behind it. */
export const waitingToasts = computed(() => Math.max(0, stack.value.length - 1));

export function note(words: string): void {
  push({ kind: "note", words, leftMs: noteMs });
}

/** `leftMs` is the hub's own window where it has one. Returns the message's id, for `dismiss`. */
export function offerUndo(words: string, undo: () => void, options: Partial<ToastInput> = {}): number {
  return push({ kind: "undo", words, undo, leftMs: undoMs, ...options });
}

export function tellProblem(words: string): void {
  push({ kind: "problem", words });
}

/** Takes back what the newest message offers to; false when there is nothing. */
export function undoNewest(): boolean {
  const toast = stack.value.findLast((entry) => entry.undo !== undefined);
  if (toast === undefined) return false;
  dismiss(toast.id);
  toast.undo?.();
  return true;
}

export function dismiss(id: number): void {
  stack.value = stack.value.filter((toast) => toast.id !== id);
}

export function dismissShown(): boolean {
  const toast = shownToast.value;
  if (toast !== undefined) dismiss(toast.id);
  return toast !== undefined;
}

/** One second or less went by; `isHeld` while pointer, focus, a dialog or a hidden tab holds the timers. */
export function passTime(ms: number, isHeld: boolean): void {
  const kept: Toast[] = [];
  let isChanged = false;
  for (const toast of stack.value) {
    const runs = toast.leftMs !== undefined && (!isHeld || toast.isServerWindow === true);
    if (!runs || toast.leftMs === undefined) {
      kept.push(toast);
      continue;
    }
    isChanged = true;
    const leftMs = toast.leftMs - ms;
    if (leftMs > 0) kept.push({ ...toast, leftMs });
  }
  if (isChanged) stack.value = kept;
}

function push(toast: Omit<Toast, "id">): number {
  lastId += 1;
  const id = lastId;
  // Only undo messages wait: a note that was pushed aside has nothing to offer any more.
  const behind = stack.value.filter((entry) => entry.kind === "undo");
  stack.value = [...behind, { ...toast, id }];
  return id;
}
