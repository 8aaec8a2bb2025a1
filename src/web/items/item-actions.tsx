// The controls of an item that waits, the same on a row, in the reading pane and on Home: approve and decline with or
// without a note, the offered answers as they were sent, an answer of one's own, snooze.
import { useState } from "preact/hooks";
import { decisionNoteChars } from "../../shared/limits.ts";
import type { InboxItemView } from "../../shared/views.ts";
import { useDraft } from "../data/drafts.ts";
import { Button, IconButton } from "../parts/button.tsx";
import { Composer } from "../parts/composer.tsx";
import { itemText } from "../text/en-items.ts";
import { clockTime } from "../text/time.ts";
import { joinClaimOf } from "./agents.ts";
import { wantedComposer } from "./composer-wish.ts";
import { deadlineOf } from "./deadline.ts";
import { useDeadlineClock } from "./deadline-line.tsx";
import { HeldLine, RefusalLine } from "./held-line.tsx";
import { decide, dropWork, isOffline, workOn } from "./holds.ts";
import { JoinActions } from "./join-card.tsx";
import { readPayload } from "./payload.ts";
import { WhenMenu } from "./when-menu.tsx";

type ItemActionsProps = {
  item: InboxItemView;
  /** A row has no room for a composer and opens the item instead. */
  place: "row" | "pane";
  /** Opens the item with its composer at hand; only a row needs it. */
  onReply?: (() => void) | undefined;
  /** -1 where another row holds the list's tab stop. */
  tabIndex?: number;
};

export function ItemActions(props: ItemActionsProps) {
  const { item, place, tabIndex = 0 } = props;
  const claim = joinClaimOf(item, readPayload(item).claimsToJoin);
  const work = workOn(item.event_id).value;
  const isPassed = (deadlineOf(item, useDeadlineClock(item))?.leftMs ?? 1) <= 0;
  if (work?.phase === "held" || work?.phase === "sending") return <HeldLine item={item} work={work} />;
  if (work?.phase === "sent" || isPassed) return null;
  if (claim.kind !== "none") {
    return (
      <div class="control-line">
        {claim.kind === "true" ? (
          <JoinActions item={item} agent={claim.agent} place={place} tabIndex={tabIndex} />
        ) : null}
        <SnoozeButton item={item} tabIndex={tabIndex} />
      </div>
    );
  }
  return (
    <>
      {item.kind === "question" ? <AnswerControls {...props} /> : <DecisionControls {...props} />}
      {work?.phase === "refused" ? <RefusalLine item={item} work={work} /> : null}
    </>
  );
}

function DecisionControls({ item, place, tabIndex = 0 }: ItemActionsProps) {
  const draft = useDraft(`note ${item.event_id}`);
  const words = draft.text.value;
  const [isPressed, setPressed] = useState(false);
  const isAsked = isPressed || wantedComposer.value === item.event_id;
  const isOpen = place === "pane" && (isAsked || words !== "");
  const isNoted = words.trim() !== "";
  const reason = isOffline() ? itemText.offline : undefined;
  const press = (verb: "approve" | "decline") => () => decide(item, { verb, words });
  return (
    <div class="decision-controls">
      {isOpen ? (
        <Composer
          label={itemText.note}
          value={words}
          limit={decisionNoteChars}
          doesFocus={isAsked}
          draft={draftOf(draft)}
          onInput={(text) => {
            draft.write(text);
            dropWork(item.event_id);
          }}
        />
      ) : null}
      <div class="control-line">
        <Button
          look={place === "pane" ? "solid" : "outline"}
          glyph="check"
          keys={place === "pane" ? "a" : undefined}
          tabIndex={tabIndex}
          data-act="approve"
          reason={reason}
          onRefused={press("approve")}
          onClick={press("approve")}
        >
          {isNoted ? itemText.approveWithNote : itemText.approve}
          <Whose item={item} />
        </Button>
        <Button
          glyph="cross"
          keys={place === "pane" ? "d" : undefined}
          tabIndex={tabIndex}
          data-act="decline"
          reason={reason}
          onRefused={press("decline")}
          onClick={press("decline")}
        >
          {isNoted ? itemText.declineWithNote : itemText.decline}
          <Whose item={item} />
        </Button>
        {place === "pane" && !isOpen ? (
          <Button look="quiet" glyph="plus" keys="n" data-act="note" onClick={() => setPressed(true)}>
            {itemText.addNote}
          </Button>
        ) : null}
        <SnoozeButton item={item} tabIndex={tabIndex} />
      </div>
    </div>
  );
}

function AnswerControls({ item, place, onReply, tabIndex = 0 }: ItemActionsProps) {
  const { options } = readPayload(item);
  const reason = isOffline() ? itemText.offline : undefined;
  return (
    <div class="answer-controls">
      {options.length === 0 ? null : (
        <fieldset class="option-list" aria-label={itemText.optionsOf(item.summary)}>
          {options.map((option, index) => (
            <Button
              key={option}
              tabIndex={tabIndex}
              data-act={`option-${index + 1}`}
              reason={reason}
              onRefused={() => decide(item, { verb: "answer", words: option })}
              onClick={() => decide(item, { verb: "answer", words: option })}
            >
              <span class="option-number num" aria-hidden="true">
                {index + 1}
              </span>
              <span class="theirs" dir="auto">
                {option}
              </span>
            </Button>
          ))}
        </fieldset>
      )}
      {place === "pane" ? <AnswerComposer item={item} hasOptions={options.length > 0} /> : null}
      <div class="control-line">
        {onReply === undefined ? null : (
          <Button glyph="reply" tabIndex={tabIndex} data-act="reply" onClick={onReply}>
            {itemText.reply}
            <Whose item={item} />
          </Button>
        )}
        <SnoozeButton item={item} tabIndex={tabIndex} />
      </div>
    </div>
  );
}

function AnswerComposer({ item, hasOptions }: { item: InboxItemView; hasOptions: boolean }) {
  const draft = useDraft(`answer ${item.event_id}`);
  const words = draft.text.value;
  const send = () => {
    if (words.trim() !== "") decide(item, { verb: "answer", words: words.trim() });
  };
  return (
    <Composer
      label={hasOptions ? itemText.writeYourOwn : itemText.yourAnswer}
      value={words}
      sendWords={itemText.sendAnswer}
      doesFocus={wantedComposer.value === item.event_id}
      draft={draftOf(draft)}
      onSend={send}
      onInput={(text) => {
        draft.write(text);
        dropWork(item.event_id);
      }}
    />
  );
}

/** The object of an act, for those who hear a button without seeing its row. */
function Whose({ item }: { item: InboxItemView }) {
  return <span class="unseen-by-eye">{`: ${item.summary}`}</span>;
}

function SnoozeButton({ item, tabIndex }: { item: InboxItemView; tabIndex: number }) {
  const [anchor, setAnchor] = useState<HTMLElement | undefined>(undefined);
  return (
    <>
      <IconButton
        glyph="snooze"
        tabIndex={tabIndex}
        label={itemText.named(itemText.snooze, item.summary)}
        hint={itemText.snooze}
        data-act="snooze"
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      />
      {anchor === undefined ? null : (
        <WhenMenu purpose="snooze" items={[item]} anchor={anchor} onClose={() => setAnchor(undefined)} />
      )}
    </>
  );
}

function draftOf(draft: ReturnType<typeof useDraft>): { time: string; onDiscard: () => void } | undefined {
  const keptAtMs = draft.keptAtMs.value;
  return keptAtMs === undefined ? undefined : { time: clockTime(keptAtMs), onDiscard: () => draft.drop() };
}
