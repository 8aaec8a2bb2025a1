// Everything that can be done to a row, for a right press, the menu key and the open item; each has a control elsewhere.
import type { InboxItemView } from "../../../shared/views.ts";
import { hubNow } from "../../data/clock.ts";
import { joinClaimOf } from "../../items/agents.ts";
import { isOpen, isSnoozed } from "../../items/deadline.ts";
import { decide } from "../../items/holds.ts";
import { mark, wake } from "../../items/marks.ts";
import { readPayload } from "../../items/payload.ts";
import type { WhenPurpose } from "../../items/when-menu.tsx";
import { copyText } from "../../parts/clipboard.ts";
import { Menu, type MenuEntry } from "../../parts/menu.tsx";
import { note, tellProblem } from "../../parts/toasts.ts";
import { routeText } from "../../shell/route.ts";
import { go } from "../../shell/router.ts";
import { inboxText } from "../../text/en-inbox.ts";
import { itemText } from "../../text/en-items.ts";

export type Anchor = HTMLElement | { x: number; y: number };

export type OpenMenu = { kind: "row" | WhenPurpose; item: InboxItemView; anchor: Anchor };

type RowMenuProps = {
  item: InboxItemView;
  anchor: Anchor;
  isPicked: boolean;
  onOpen: () => void;
  onPick: () => void;
  onWhen: (purpose: WhenPurpose) => void;
  onClose: () => void;
};

export function RowMenu({ item, anchor, isPicked, onOpen, onPick, onWhen, onClose }: RowMenuProps) {
  const entries: MenuEntry[] = [
    { words: itemText.open, glyph: "forward", onChoose: onOpen },
    ...decisions(item),
    ...marks(item),
    ...times(item, onWhen),
    { words: isPicked ? inboxText.deselect : inboxText.select, glyph: "select", onChoose: onPick },
    { words: itemText.copyLink, glyph: "link", onChoose: () => void copyLink(item) /* tells itself */ },
    {
      words: itemText.openInFeed,
      glyph: "projects",
      onChoose: () => go(routeText(["p", item.project_id, "feed", item.event_id])),
    },
  ];
  return <Menu label={item.summary} anchor={anchor} entries={entries} onClose={onClose} />;
}

function decisions(item: InboxItemView): MenuEntry[] {
  if (!isOpen(item) || item.kind !== "approval") return [];
  if (joinClaimOf(item, readPayload(item).claimsToJoin).kind !== "none") return [];
  return [
    { words: itemText.approve, glyph: "check", onChoose: () => decide(item, { verb: "approve" }) },
    { words: itemText.decline, glyph: "cross", onChoose: () => decide(item, { verb: "decline" }) },
  ];
}

function marks(item: InboxItemView): MenuEntry[] {
  if (item.status !== "unread" && item.status !== "read") return [];
  const to = item.status === "unread" ? "read" : "unread";
  const words = to === "read" ? itemText.markRead : itemText.markUnread;
  return [{ words, glyph: to, onChoose: () => void mark([item], to) /* tells itself */ }];
}

function times(item: InboxItemView, onWhen: (purpose: WhenPurpose) => void): MenuEntry[] {
  if (!isOpen(item)) return [];
  const snoozing: MenuEntry = isSnoozed(item, hubNow())
    ? { words: itemText.wake, glyph: "wake", onChoose: () => void wake(item) /* tells itself */ }
    : { words: itemText.snooze, glyph: "snooze", onChoose: () => onWhen("snooze") };
  if (item.expires_at === undefined) return [snoozing];
  return [snoozing, { words: itemText.extend, glyph: "clock", onChoose: () => onWhen("extend") }];
}

async function copyLink(item: InboxItemView): Promise<void> {
  const isCopied = await copyText(new URL(`#${routeText(["inbox", item.event_id])}`, document.baseURI).href);
  if (isCopied) note(itemText.linkCopied);
  else tellProblem(itemText.linkNotCopied);
}
