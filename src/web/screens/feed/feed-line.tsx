// One line of a feed: an event, a burst of artifacts, or where the news end.

import { isObject } from "../../../shared/json.ts";
import type { DecisionView, EventView, InboxItemView } from "../../../shared/views.ts";
import { kindWords, outcomeWords } from "../../../shared/words.ts";
import { minuteClock } from "../../data/clock.ts";
import { Glyph } from "../../glyphs/glyph.tsx";
import { nameOfActor } from "../../items/agents.ts";
import { DeadlineOf } from "../../items/deadline-line.tsx";
import { EventRow } from "../../items/event-row.tsx";
import { ItemActions } from "../../items/item-actions.tsx";
import { stateOf } from "../../items/item-row.tsx";
import { Time } from "../../parts/time.tsx";
import { useReach } from "../../shell/reach.tsx";
import { eventText } from "../../text/en-events.ts";
import { feedText } from "../../text/en-feed.ts";
import { itemText } from "../../text/en-items.ts";
import { whenComing } from "../../text/time.ts";
import { burstRowId, type FeedLine, targetOf } from "./feed-lines.ts";
import { TargetChip } from "./target-chip.tsx";
import { type FeedModel, isOpenEvent } from "./use-feed.ts";

export function FeedLineView({ line, model }: { line: FeedLine; model: FeedModel }) {
  switch (line.kind) {
    case "seen":
      return <div class="seen-line note">{feedText.newAbove(line.amount)}</div>;
    case "burst":
      return <Burst line={line} model={model} />;
    case "event":
      return <FeedRow event={line.event} position={line.position} model={model} />;
  }
}

type FeedRowProps = { event: EventView; position: number; model: FeedModel };

function FeedRow({ event, position, model }: FeedRowProps) {
  const { id } = event;
  const answer = model.answers.get(id);
  const item = model.items.byId.get(id);
  const ending = endingOf(event, answer, item);
  const isOpen = event.needs_action && ending === undefined && isOpenEvent(event);
  const canReach = useReach();
  const target = targetOf(event, model.deleted);
  const shared = {
    event,
    href: model.hrefOf(id),
    isShown: model.openId === id,
    isStop: model.stopId === id,
    // Of a feed that goes on nobody knows how long it is.
    place: { position, total: -1 },
    onOpen: (press: MouseEvent) => model.open(id, press),
  };
  if (isOpen) return <OpenRow {...shared} item={item} onReply={model.reply} />;
  return (
    <EventRow {...shared} isUnseen={isNews(event, model)} {...(ending === undefined ? {} : { state: "resolved" })}>
      {ending === undefined ? null : (
        <p class="row-ending">
          <strong class="theirs" dir="auto">
            {ending.words}
          </strong>
          {ending.note === undefined ? null : (
            <span class="theirs" dir="auto">
              {itemText.noted(ending.note)}
            </span>
          )}
        </p>
      )}
      {target === undefined ? null : <TargetChip project={event.project_id} target={target} canReach={canReach} />}
    </EventRow>
  );
}

type OpenRowProps = Parameters<typeof EventRow>[0] & {
  item: InboxItemView | undefined;
  onReply: (item: InboxItemView) => void;
};

function OpenRow({ item, onReply, ...row }: OpenRowProps) {
  const nowMs = minuteClock.value;
  const state = item === undefined ? "waiting" : stateOf(item, nowMs);
  const isAwake = state === "waiting" || state === "held";
  const tone = state === "waiting" ? ("lamp" as const) : ("hold" as const);
  return (
    <EventRow
      {...row}
      state={state}
      tone={tone}
      meta={
        <>
          <strong class={`state ${tone}`}>{stateWord(state, item, nowMs)}</strong>
          {item?.expires_at === undefined ? null : <DeadlineOf item={item} />}
        </>
      }
      actions={
        item === undefined || !isAwake ? undefined : (
          <ItemActions item={item} place="row" onReply={() => onReply(item)} tabIndex={row.isStop === true ? 0 : -1} />
        )
      }
    />
  );
}

function stateWord(state: ReturnType<typeof stateOf>, item: InboxItemView | undefined, nowMs: number): string {
  if (state === "held") return itemText.held;
  if (state !== "snoozed" || item?.snoozed_until === undefined) return itemText.waiting;
  return itemText.backAt(whenComing(item.snoozed_until, nowMs));
}

function isNews(event: EventView, { isUnseen }: FeedModel): boolean {
  // What the operator did is no news to them.
  return event.actor !== "human" && isUnseen(event);
}

type Ending = { words: string; note: string | undefined };

/** How a question or an approval ended: told by its answer, by the item while it stands in a list, else by its status. */
function endingOf(
  event: EventView,
  answer: EventView | undefined,
  item: InboxItemView | undefined,
): Ending | undefined {
  const { kind } = event;
  if (kind !== "question" && kind !== "approval") return undefined;
  if (answer !== undefined) return endingBy(kind, answer);
  if (item?.status === "resolved") {
    return { words: outcomeWords(item) ?? feedText.resolved, note: item.decision?.note ?? undefined };
  }
  return event.inbox_status === "resolved" ? { words: feedText.resolved, note: undefined } : undefined;
}

function endingBy(kind: "question" | "approval", answer: EventView): Ending {
  const said = isObject(answer.payload) ? answer.payload : {};
  const expired = said["expired"] === true ? { expired: true as const } : {};
  const by = { actor: answer.actor, event_id: answer.id };
  const note = typeof said["note"] === "string" ? said["note"] : undefined;
  const { decision: verdict } = said;
  if (verdict === "approved" || verdict === "declined") {
    const decision: DecisionView = {
      decision: verdict,
      note: note ?? null,
      decided_at: answer.created_at,
      ...by,
      ...expired,
    };
    return { words: outcomeWords({ kind, status: "resolved", decision }) ?? feedText.resolved, note };
  }
  const body = typeof said["body"] === "string" ? said["body"] : null;
  const given = { body, answered_at: answer.created_at, ...by, ...expired };
  return { words: outcomeWords({ kind, status: "resolved", answer: given }) ?? feedText.resolved, note };
}

type BurstProps = { line: Extract<FeedLine, { kind: "burst" }>; model: FeedModel };

function Burst({ line, model }: BurstProps) {
  const [newest] = line.events;
  if (newest === undefined) return null;
  const isUnseen = line.events.some((event) => isNews(event, model));
  const words = line.isOpen ? feedText.fold : feedText.unfold;
  return (
    <article
      class={`row burst${isUnseen ? " new" : ""}`}
      data-id={burstRowId(line.id)}
      data-kind="burst"
      data-item-state={isUnseen ? "unseen" : "seen"}
      aria-setsize={-1}
      aria-posinset={line.position}
    >
      <div class="row-leading">
        <Glyph name="artifact" label={kindWords.artifact} />
      </div>
      <div class="row-body">
        <div class="row-head">
          <button
            type="button"
            class={`row-title${isUnseen ? " strong" : ""}`}
            tabIndex={model.stopId === burstRowId(line.id) ? 0 : -1}
            data-row-link
            aria-expanded={line.isOpen}
            title={words}
            onClick={() => model.toggle(line.id)}
          >
            {isUnseen ? <span class="unseen-by-eye">{`${eventText.unseen}: `}</span> : null}
            <bdi class="event-actor">{nameOfActor(newest.actor)}</bdi> {feedText.burst(line.events.length)}
            <Glyph name={line.isOpen ? "up" : "down"} size={14} />
          </button>
          <span class="row-time">
            <Time at={newest.created_at} nowMs={minuteClock.value} />
          </span>
        </div>
      </div>
    </article>
  );
}
