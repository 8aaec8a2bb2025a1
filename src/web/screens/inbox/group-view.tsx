// A group of the inbox: its heading with the true count, what waits to be shown, its rows, and what follows them.
import { useState } from "preact/hooks";
import type { InboxItemView } from "../../../shared/views.ts";
import { hubNow } from "../../data/clock.ts";
import { joinClaimOf, nameOfActor } from "../../items/agents.ts";
import { isSnoozed } from "../../items/deadline.ts";
import { foldFloods, type WaitingEntry } from "../../items/flood.ts";
import { decide } from "../../items/holds.ts";
import { ItemRow } from "../../items/item-row.tsx";
import { mark } from "../../items/marks.ts";
import { readPayload } from "../../items/payload.ts";
import { Button } from "../../parts/button.tsx";
import { WindowedRows } from "../../parts/windowed-rows.tsx";
import { count } from "../../text/count.ts";
import { inboxText } from "../../text/en-inbox.ts";
import { itemText } from "../../text/en-items.ts";
import type { Anchor } from "./row-menu.tsx";
import { SwipeRow, type TrayAct } from "./swipe-row.tsx";
import type { Group } from "./use-group.ts";

/** More rows than this are drawn page by page, and say their place in the whole. */
const plainRows = 50;

export type RowActs = {
  hrefOf: (item: InboxItemView) => string;
  open: (item: InboxItemView, event?: MouseEvent) => void;
  reply: (item: InboxItemView) => void;
  menu: (item: InboxItemView, anchor: Anchor) => void;
  snooze: (item: InboxItemView, anchor: Anchor) => void;
  pick: (item: InboxItemView) => void;
};

type GroupViewProps = {
  group: Group;
  total: number;
  acts: RowActs;
  /** Ids: of the row with the tab stop, of the one in the pane, of those picked, of those that woke up here. */
  stop: string | undefined;
  shown: string | undefined;
  picked: ReadonlySet<string>;
  woken: ReadonlySet<string>;
  unfolded: ReadonlySet<string>;
  onUnfold: (agent: string) => void;
  /** Present on a group that folds. */
  onFold?: (() => void) | undefined;
};

export function entriesOf(group: Group, unfolded: ReadonlySet<string>): WaitingEntry[] {
  const items = group.steady.shown.value;
  return group.name === "waiting" ? foldFloods(items, unfolded) : items.map((item) => ({ item }));
}

export function GroupView(props: GroupViewProps) {
  const { group, total, unfolded, onUnfold, onFold } = props;
  const entries = entriesOf(group, unfolded);
  const fresh = group.steady.fresh.value;
  const isLong = Math.max(total, entries.length) > plainRows;
  if (entries.length === 0 && fresh === 0) return null;
  const word = inboxText.groups[group.name];
  return (
    <section class="group" data-group={group.name}>
      <div class="group-head">
        <h2 tabIndex={-1}>
          {word}
          <span class="num faint">{count(total)}</span>
        </h2>
        {fresh === 0 ? null : (
          <Button look="quiet" glyph="up" data-fresh onClick={group.steady.showFresh}>
            {inboxText.fresh(fresh)}
          </Button>
        )}
        {onFold === undefined ? null : (
          <Button look="quiet" glyph="up" aria-expanded onClick={onFold}>
            {inboxText.hideEarlier}
          </Button>
        )}
      </div>
      <WindowedRows
        feedLabel={isLong ? inboxText.rowsOf(word, total) : undefined}
        entries={entries}
        keyOf={(entry) => ("item" in entry ? entry.item.event_id : `more ${entry.moreFrom}`)}
        onEnd={isLong ? group.older : undefined}
        draw={(entry, index) =>
          "item" in entry ? (
            <Swiped {...props} item={entry.item} place={isLong ? { position: index + 1, total } : undefined} />
          ) : (
            <MoreFrom agent={entry.moreFrom} amount={entry.amount} onUnfold={onUnfold} />
          )
        }
      />
      {group.older === undefined && !group.isLoadingOlder ? null : (
        <div class="load-older">
          <Button look="quiet" isBusy={group.isLoadingOlder} onClick={() => group.older?.()}>
            {inboxText.loadOlder}
          </Button>
        </div>
      )}
    </section>
  );
}

function MoreFrom({ agent, amount, onUnfold }: { agent: string; amount: number; onUnfold: (agent: string) => void }) {
  return (
    <button type="button" class="more-from" data-more={agent} onClick={() => onUnfold(agent)}>
      {inboxText.moreFrom(amount, nameOfActor(agent))}
    </button>
  );
}

type SwipedProps = GroupViewProps & { item: InboxItemView; place: { position: number; total: number } | undefined };

function Swiped({ item, acts, stop, shown, picked, woken, place }: SwipedProps) {
  const { event_id: id } = item;
  const [hasPress] = useState(() => matchMedia("(any-pointer: coarse)").matches);
  const row = (
    <ItemRow
      item={item}
      href={acts.hrefOf(item)}
      isShown={shown === id}
      isPicked={picked.has(id)}
      isStop={stop === id}
      isBack={woken.has(id)}
      place={place}
      onOpen={(event) => acts.open(item, event)}
      onReply={() => acts.reply(item)}
      onMenu={(anchor) => acts.menu(item, anchor)}
    />
  );
  if (!hasPress) return row;
  return (
    <SwipeRow id={id} toEnd={toEnd(item, acts)} tray={trayOf(item, acts)} onLongPress={() => acts.pick(item)}>
      {row}
    </SwipeRow>
  );
}

function toEnd(item: InboxItemView, acts: RowActs) {
  if (item.status === "unread" || item.status === "read") {
    const to = item.status === "unread" ? ("read" as const) : ("unread" as const);
    const words = to === "read" ? itemText.markRead : itemText.markUnread;
    return { glyph: to, words, onCommit: () => void mark([item], to) /* tells itself */ };
  }
  if (item.status === "resolved" || isSnoozed(item, hubNow())) return undefined;
  return { glyph: "snooze" as const, words: itemText.snooze, onCommit: (row: HTMLElement) => acts.snooze(item, row) };
}

function trayOf(item: InboxItemView, acts: RowActs): TrayAct[] {
  if (item.status === "read") {
    return [
      { words: itemText.markUnread, glyph: "unread", onPress: () => void mark([item], "unread") /* tells itself */ },
    ];
  }
  if (item.status !== "action" && item.status !== "waiting") return [];
  if (joinClaimOf(item, readPayload(item).claimsToJoin).kind !== "none") return [];
  if (item.kind === "question") return [{ words: itemText.reply, glyph: "reply", onPress: () => acts.reply(item) }];
  return [
    { words: itemText.decline, glyph: "cross", onPress: () => decide(item, { verb: "decline" }) },
    { words: itemText.approve, glyph: "check", onPress: () => decide(item, { verb: "approve" }) },
  ];
}
