// The keys of the Inbox (web-app.md 5.3). The list names those that do something now: what an item cannot take is not
// bound.
import type { InboxItemView } from "../../../shared/views.ts";
import { openDraft } from "../../data/drafts.ts";
import { joinClaimOf } from "../../items/agents.ts";
import { isOpen } from "../../items/deadline.ts";
import { decide, undoNewestHold } from "../../items/holds.ts";
import { mark } from "../../items/marks.ts";
import { readPayload } from "../../items/payload.ts";
import { undoNewest } from "../../parts/toasts.ts";
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
    { keys: "j", words: words.next, run: () => acts.move(1) },
    { keys: "ArrowDown", words: words.next, run: () => acts.move(1), isAlways: true },
    { keys: "k", words: words.previous, run: () => acts.move(-1) },
    { keys: "ArrowUp", words: words.previous, run: () => acts.move(-1), isAlways: true },
    { keys: "/", words: words.filter, run: () => document.querySelector<HTMLElement>("[data-filter]")?.focus() },
    {
      keys: "z",
      words: words.undo,
      run: () => {
        if (!undoNewestHold()) undoNewest();
      },
    },
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
  if (!isOpen(item)) return bindings;
  bindings.push({ keys: "s", words: words.snooze, run: () => acts.snooze(item) });
  const body = readPayload(item);
  if (joinClaimOf(item, body.claimsToJoin).kind !== "none") return bindings;
  if (item.kind === "approval") {
    const noteOf = (): string => openDraft(`note ${item.event_id}`).text.value;
    bindings.push(
      { keys: "a", words: words.approve, run: () => decide(item, { verb: "approve", words: noteOf() }) },
      { keys: "d", words: words.decline, run: () => decide(item, { verb: "decline", words: noteOf() }) },
      { keys: "n", words: words.note, run: () => acts.write(item) },
    );
  }
  if (item.kind === "question") {
    bindings.push({ keys: "r", words: words.reply, run: () => acts.write(item) });
    for (const [index, option] of body.options.entries()) {
      bindings.push({
        keys: String(index + 1),
        words: words.option(index + 1),
        run: () => decide(item, { verb: "answer", words: option }),
      });
    }
  }
  return bindings;
}
