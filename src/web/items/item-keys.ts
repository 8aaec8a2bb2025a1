// The keys of rows and of what waits for the operator, on every screen that shows such rows (web-app.md 5.3).
import type { InboxItemView } from "../../shared/views.ts";
import { openDraft } from "../data/drafts.ts";
import { undoNewest } from "../parts/toasts.ts";
import type { KeyBinding } from "../shell/keys.ts";
import { inboxText } from "../text/en-inbox.ts";
import { joinClaimOf } from "./agents.ts";
import { isOpen } from "./deadline.ts";
import { decide, undoNewestHold } from "./holds.ts";
import { readPayload } from "./payload.ts";

export type ItemKeyActs = {
  write: (item: InboxItemView) => void;
  snooze: (item: InboxItemView) => void;
};

const { keys: words } = inboxText;

/** Row by row, and the way back of what was done to one. */
export function moveKeys(move: (by: 1 | -1) => void): KeyBinding[] {
  return [
    { keys: "j", words: words.next, run: () => move(1) },
    { keys: "ArrowDown", words: words.next, run: () => move(1), isAlways: true },
    { keys: "k", words: words.previous, run: () => move(-1) },
    { keys: "ArrowUp", words: words.previous, run: () => move(-1), isAlways: true },
    {
      keys: "z",
      words: words.undo,
      run: () => {
        if (!undoNewestHold()) undoNewest();
      },
    },
  ];
}

/** What an open item takes; nothing for one that is settled. */
export function itemKeysOf(item: InboxItemView, acts: ItemKeyActs): KeyBinding[] {
  if (!isOpen(item)) return [];
  const bindings: KeyBinding[] = [{ keys: "s", words: words.snooze, run: () => acts.snooze(item) }];
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
