// What the inbox holds in numbers, and what can be done to all of it.
import { Button, IconButton } from "../../parts/button.tsx";
import { inboxText } from "../../text/en-inbox.ts";
import { clockTime } from "../../text/time.ts";

type InboxHeadProps = {
  counts: { waiting: number; unread: number } | undefined;
  asOfMs: number | undefined;
  /** Absent when nothing is unread. */
  markAll: { amount: number; run: () => void } | undefined;
  onRefresh: () => void;
};

export function InboxHead({ counts, asOfMs, markAll, onRefresh }: InboxHeadProps) {
  return (
    <div class="inbox-head">
      <p class="note faint num">
        {counts === undefined ? null : <span>{countWords(counts)}</span>}
        {asOfMs === undefined ? null : <span class="as-of">{inboxText.asOf(clockTime(asOfMs))}</span>}
      </p>
      <div class="inbox-acts">
        {markAll === undefined ? null : (
          <Button look="quiet" glyph="read" data-act="mark-all" onClick={markAll.run}>
            {inboxText.markAllRead(markAll.amount)}
          </Button>
        )}
        <IconButton glyph="refresh" label={inboxText.refresh} onClick={onRefresh} />
      </div>
    </div>
  );
}

function countWords({ waiting, unread }: { waiting: number; unread: number }): string {
  const words = [
    waiting === 0 ? inboxText.nothing : inboxText.waitingCount(waiting),
    ...(unread === 0 ? [] : [inboxText.unreadCount(unread)]),
  ];
  return words.join(" · ");
}
