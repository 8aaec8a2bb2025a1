// The keys of the Inbox (web-app.md 5.3). The list names those that do something now: what an item cannot take is not
// bound.
import type { InboxItemView } from "../../../shared/views.ts";
import { itemKeysOf, moveKeys } from "../../items/item-keys.ts";
import { mark } from "../../items/marks.ts";
import type { KeyBinding } from "../../shell/keys.ts";
import { inboxText } from "../../text/en-inbox.ts";

export type KeyActs = {
  move: (by: 1 | -1) => void;
  open: (item: InboxItemView) => void;
  /** Undefined when nothing is open. */
  close: (() => void) | undefined;
  write: (item: InboxItemView) => void;
  snooze: (item: InboxItemView) => void;
  menu: (item: InboxItemView) => void;
  pick: (item: InboxItemView) => void;
  /** Undefined when nothing is unread. */
  markAllRead: (() => void) | undefined;
};

const { keys: words } = inboxText;

/** @param item the focused row, or the open item */
export function inboxKeys(item: InboxItemView | undefined, acts: KeyActs): KeyBinding[] {
  const bindings: KeyBinding[] = [
    ...moveKeys(acts.move),
    { keys: "/", words: words.filter, run: () => document.querySelector<HTMLElement>("[data-filter]")?.focus() },
  ];
  const { close, markAllRead } = acts;
  if (close !== undefined) {
    bindings.push({ keys: "Escape", words: words.close, run: close, isAlways: true });
    bindings.push({ keys: "u", words: words.close, run: close });
  }
  if (markAllRead !== undefined) bindings.push({ keys: "Shift+E", words: words.allRead, run: markAllRead });
  return item === undefined ? bindings : [...bindings, ...itemKeys(item, acts)];
}

function itemKeys(item: InboxItemView, acts: KeyActs): KeyBinding[] {
  const bindings: KeyBinding[] = [
    { keys: "o", words: words.open, run: () => acts.open(item) },
    { keys: "x", words: words.select, run: () => acts.pick(item) },
    { keys: ".", words: words.menu, run: () => acts.menu(item) },
  ];
  if (item.status === "unread" || item.status === "read") {
    const to = item.status === "unread" ? "read" : "unread";
    bindings.push({ keys: "e", words: words.read, run: () => void mark([item], to) /* tells itself */ });
  }
  return [...bindings, ...itemKeysOf(item, acts)];
}
