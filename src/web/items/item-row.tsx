// An item as a row of the inbox or of Home: the kind by its glyph, the state by bar and word, what happens by itself, and
// while it waits its controls (web-app.md 4.2).
import type { ComponentChildren } from "preact";
import type { InboxItemView } from "../../shared/views.ts";
import { kindWords, outcomeWords } from "../../shared/words.ts";
import { minuteClock } from "../data/clock.ts";
import { Glyph } from "../glyphs/glyph.tsx";
import { IconButton } from "../parts/button.tsx";
import { Row, type RowTone } from "../parts/row.tsx";
import { Time } from "../parts/time.tsx";
import { itemText } from "../text/en-items.ts";
import { projectName } from "../text/names.ts";
import { whenComing } from "../text/time.ts";
import { joinClaimOf, nameOfActor } from "./agents.ts";
import { isOpen, isSnoozed } from "./deadline.ts";
import { DeadlineOf } from "./deadline-line.tsx";
import { workOn } from "./holds.ts";
import { ItemActions } from "./item-actions.tsx";
import { mark, wake } from "./marks.ts";
import { previewOf, readPayload } from "./payload.ts";

export type ItemState = "waiting" | "snoozed" | "held" | "unread" | "read" | "resolved";

type ItemRowProps = {
  item: InboxItemView;
  href: string;
  /** Shown in the reading pane. */
  isShown?: boolean;
  isPicked?: boolean;
  /** Holds the list's tab stop. */
  isStop?: boolean;
  /** Woke up while the list was open. */
  isBack?: boolean;
  /** Of a list that is not drawn whole. */
  place?: { position: number; total: number } | undefined;
  onOpen?: (event: MouseEvent) => void;
  onReply?: () => void;
  onMenu?: (anchor: HTMLElement | { x: number; y: number }) => void;
};

export function stateOf(item: InboxItemView, nowMs: number): ItemState {
  if (item.status === "resolved" || item.status === "read" || item.status === "unread") return item.status;
  const phase = workOn(item.event_id).value?.phase;
  if (phase === "held" || phase === "sending") return "held";
  return isSnoozed(item, nowMs) ? "snoozed" : "waiting";
}

const tones: Record<ItemState, RowTone | undefined> = {
  waiting: "lamp",
  snoozed: "hold",
  held: "hold",
  unread: "new",
  read: undefined,
  resolved: undefined,
};

export function ItemRow(props: ItemRowProps) {
  const {
    item,
    href,
    isShown = false,
    isPicked,
    isStop = true,
    isBack = false,
    place,
    onOpen,
    onReply,
    onMenu,
  } = props;
  const nowMs = minuteClock.value;
  const state = stateOf(item, nowMs);
  const isAwake = state === "waiting" || state === "held";
  const tabIndex = isStop ? 0 : -1;
  const preview = state === "resolved" ? resolvedLine(item) : previewOf(item.payload);
  const claim = joinClaimOf(item, readPayload(item).claimsToJoin).kind;
  return (
    <Row
      id={item.event_id}
      kind={item.kind}
      itemState={state}
      href={href}
      tone={tones[state]}
      leading={<Glyph name={item.kind} label={kindWords[item.kind]} />}
      title={claim === "true" ? itemText.newAgent : item.summary}
      isStrong={isAwake || state === "unread"}
      hiddenWord={state === "unread" ? itemText.unread : undefined}
      time={<Time at={item.created_at} nowMs={nowMs} />}
      isOpen={isShown}
      isPicked={isPicked}
      isStop={isStop}
      place={place}
      {...(onOpen === undefined ? {} : { onOpen })}
      {...(onMenu === undefined ? {} : { onMenu: menuPress(onMenu) })}
      actions={isAwake ? <ItemActions item={item} place="row" onReply={onReply} tabIndex={tabIndex} /> : undefined}
      quickActions={isAwake ? undefined : <QuickActions {...{ item, state, tabIndex }} />}
    >
      {preview === undefined ? null : (
        <p class="row-preview theirs" dir="auto">
          {preview}
        </p>
      )}
      {claim === "false" ? <p class="row-preview">{itemText.lookAlike}</p> : null}
      <div class="row-meta">
        <StateWord state={state} item={item} nowMs={nowMs} isBack={isBack} />
        <span class="theirs" dir="auto">
          {projectName(item)}
        </span>
        <span aria-hidden="true">·</span>
        <span class="theirs" dir="auto">
          {nameOfActor(item.actor)}
        </span>
      </div>
      {isOpen(item) && item.expires_at !== undefined ? (
        <p class="row-deadline">
          <DeadlineOf item={item} />
        </p>
      ) : null}
    </Row>
  );
}

type StateWordProps = { state: ItemState; item: InboxItemView; nowMs: number; isBack: boolean };

function StateWord({ state, item, nowMs, isBack }: StateWordProps): ComponentChildren {
  if (state === "snoozed" && item.snoozed_until !== undefined) {
    return <strong class="state hold">{itemText.backAt(whenComing(item.snoozed_until, nowMs))}</strong>;
  }
  if (state === "waiting")
    return <strong class="state lamp">{isBack ? itemText.backFromSnooze : itemText.waiting}</strong>;
  if (state === "held") return <strong class="state hold">{itemText.held}</strong>;
  const outcome = outcomeWords(item);
  return outcome === undefined ? null : (
    <strong class="state theirs" dir="auto">
      {outcome}
    </strong>
  );
}

/** The note of a decision: the answer itself stands in the outcome already. */
function resolvedLine(item: InboxItemView): string | undefined {
  const note = item.decision?.note;
  return note === undefined || note === null ? undefined : itemText.noted(note);
}

function QuickActions({ item, state, tabIndex }: { item: InboxItemView; state: ItemState; tabIndex: number }) {
  if (state === "snoozed") {
    return (
      <IconButton
        glyph="wake"
        tabIndex={tabIndex}
        label={itemText.named(itemText.wake, item.summary)}
        hint={itemText.wake}
        data-act="wake"
        onClick={() => void wake(item)} // says itself what became of it
      />
    );
  }
  if (state !== "unread" && state !== "read") return null;
  const to = state === "unread" ? "read" : "unread";
  const words = to === "read" ? itemText.markRead : itemText.markUnread;
  return (
    <IconButton
      glyph={to}
      tabIndex={tabIndex}
      label={itemText.named(words, item.summary)}
      hint={words}
      data-act={`mark-${to}`}
      onClick={() => void mark([item], to)} // says itself what became of it
    />
  );
}

/** Right button of a mouse; a long touch selects instead. */
function menuPress(onMenu: (anchor: { x: number; y: number }) => void) {
  return (event: MouseEvent) => {
    event.preventDefault();
    if ("pointerType" in event && event.pointerType === "touch") return;
    onMenu({ x: event.clientX, y: event.clientY });
  };
}
