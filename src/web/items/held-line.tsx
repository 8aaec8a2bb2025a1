// In the place of an item's controls while a decision is on its way: held with Undo, being sent, or refused in words.
import { useLayoutEffect, useRef } from "preact/hooks";
import type { InboxItemView } from "../../shared/views.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { itemText } from "../text/en-items.ts";
import { askedAct, decide, dropWork, retry, undoHold, type Work } from "./holds.ts";
import type { Act } from "./send-act.ts";

export function HeldLine({ item, work }: { item: InboxItemView; work: Work }) {
  const line = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const holder = line.current?.closest("article") ?? null;
    // The control that was pressed is gone, and what takes its place goes too: the focus stays with the item.
    keepFocus(holder);
    return () => queueMicrotask(() => keepFocus(holder));
  }, [work.phase]);
  if (work.phase === "held") {
    return (
      <div ref={line} class="held-line">
        <p class="theirs" dir="auto">
          {itemText.holding(actWords(work.act), work.secondsLeft)}
        </p>
        <Button glyph="undo" keys="z" data-undo onClick={() => undoHold(item.event_id)}>
          {itemText.undo}
        </Button>
      </div>
    );
  }
  return (
    <div ref={line} class="held-line" aria-busy="true">
      <p>{itemText.sending}</p>
    </div>
  );
}

function keepFocus(holder: Element | null): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return;
  for (const place of ["[data-undo]", "[data-row-link]", "[data-item-title]"]) {
    const heir = holder?.querySelector<HTMLElement>(place);
    if (heir === undefined || heir === null) continue;
    heir.focus({ preventScroll: true });
    return;
  }
}

/** Why nothing was sent, beside the controls it is about. */
export function RefusalLine({ item, work }: { item: InboxItemView; work: Work & { phase: "refused" } }) {
  return (
    <div class="refusal-line" role="alert">
      <p>{work.words}</p>
      {work.canRetry ? <Button onClick={() => retry(item)}>{itemText.retry}</Button> : null}
    </div>
  );
}

/** "Ask me each time" of Settings, in the place of the hold. */
export function AskDialog() {
  const open = askedAct.value;
  if (open === undefined) return null;
  const { item, act } = open;
  const title = askWords[act.verb](item.summary);
  return (
    <Dialog
      title={title}
      onClose={() => dropWork(item.event_id)}
      foot={
        <>
          <Button autofocus onClick={() => dropWork(item.event_id)}>
            {itemText.keepWaiting}
          </Button>
          <Button look="solid" onClick={() => decide(item, act)}>
            {doWords[act.verb]}
          </Button>
        </>
      }
    >
      <p>{itemText.askSentence}</p>
      {act.words === undefined || act.words === "" ? null : (
        <p class="theirs" dir="auto">
          {itemText.noted(act.words)}
        </p>
      )}
    </Dialog>
  );
}

const askWords = { approve: itemText.askApprove, decline: itemText.askDecline, answer: itemText.askAnswer } as const;
const doWords = { approve: itemText.approve, decline: itemText.decline, answer: itemText.sendAnswer } as const;
const shownChars = 60;

function actWords({ verb, words = "" }: Act): string {
  if (verb === "approve") return itemText.approving;
  if (verb === "decline") return itemText.declining;
  const letters = [...words.replace(/\s+/g, " ")];
  return itemText.answering(
    letters.length > shownChars ? `${letters.slice(0, shownChars).join("")}…` : letters.join(""),
  );
}
