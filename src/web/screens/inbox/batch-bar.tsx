// What can be done to several rows at once. Decisions cannot: each is a judgement.
import { useState } from "preact/hooks";
import type { InboxItemView } from "../../../shared/views.ts";
import { isOpen } from "../../items/deadline.ts";
import { mark } from "../../items/marks.ts";
import { WhenMenu } from "../../items/when-menu.tsx";
import { Button, IconButton } from "../../parts/button.tsx";
import { inboxText } from "../../text/en-inbox.ts";
import { itemText } from "../../text/en-items.ts";

export function BatchBar({ items, onClear }: { items: readonly InboxItemView[]; onClear: () => void }) {
  const [anchor, setAnchor] = useState<HTMLElement | undefined>(undefined);
  const open = items.filter(isOpen);
  const done = (to: "read" | "unread") => () => {
    void mark(items, to); // tells itself
    onClear();
  };
  return (
    <section class="batch-bar" aria-label={inboxText.batch}>
      <p class="num" aria-live="polite">
        {inboxText.picked(items.length)}
      </p>
      {items.some((item) => item.status === "unread") ? (
        <Button glyph="read" onClick={done("read")}>
          {itemText.markRead}
        </Button>
      ) : null}
      {items.some((item) => item.status === "read") ? (
        <Button glyph="unread" onClick={done("unread")}>
          {itemText.markUnread}
        </Button>
      ) : null}
      {open.length === 0 ? null : (
        <Button glyph="snooze" aria-haspopup="menu" onClick={(event) => setAnchor(event.currentTarget)}>
          {itemText.snooze}
        </Button>
      )}
      <IconButton glyph="close" label={inboxText.clearPicked} onClick={onClear} />
      {anchor === undefined ? null : (
        <WhenMenu
          purpose="snooze"
          items={open}
          anchor={anchor}
          onClose={() => {
            setAnchor(undefined);
          }}
        />
      )}
    </section>
  );
}
