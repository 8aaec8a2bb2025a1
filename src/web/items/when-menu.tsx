// When: for a snooze and for a longer deadline alike. An hour, this evening, tomorrow, Monday, or a time of one's own;
// what would be too late or too early is there, off, and says why.
import { useRef, useState } from "preact/hooks";
import { snoozeMsMax } from "../../shared/limits.ts";
import type { InboxItemView } from "../../shared/views.ts";
import { hubNow } from "../data/clock.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Menu, type MenuEntry } from "../parts/menu.tsx";
import { itemText } from "../text/en-items.ts";
import { clockTime, fieldTime, offeredTimes, whenComing } from "../text/time.ts";
import { extend, snooze } from "./marks.ts";

export type WhenPurpose = "snooze" | "extend";
type Anchor = HTMLElement | { x: number; y: number };

type WhenMenuProps = {
  purpose: WhenPurpose;
  items: readonly InboxItemView[];
  anchor: Anchor;
  onClose: () => void;
};

export function WhenMenu({ purpose, items, anchor, onClose }: WhenMenuProps) {
  const [isPicking, setPicking] = useState(false);
  const isKept = useRef(false);
  const nowMs = hubNow();
  const { hour, evening, tomorrow, monday } = offeredTimes(nowMs);
  const title = titleOf(purpose, items);
  const choose = (ms: number) => {
    onClose();
    act(purpose, items, ms);
  };
  if (isPicking) return <PickTime {...{ purpose, items, title, onClose, choose }} />;
  const offered = [
    { words: itemText.inAnHour, ms: hour },
    { words: itemText.thisEvening, ms: evening },
    { words: itemText.tomorrow, ms: tomorrow },
    { words: itemText.monday, ms: monday },
  ];
  const entries: MenuEntry[] = [
    ...offered.map(({ words, ms }) => ({
      words,
      meta: clockTime(ms),
      reason: refusalOf(purpose, items, ms, nowMs),
      onChoose: () => choose(ms),
    })),
    {
      words: itemText.pick,
      onChoose: () => {
        isKept.current = true;
        setPicking(true);
      },
    },
  ];
  // Picking takes the menu's place, so its own closing must not end both.
  return (
    <Menu label={title} anchor={anchor} entries={entries} onClose={() => (isKept.current ? undefined : onClose())} />
  );
}

type PickTimeProps = {
  purpose: WhenPurpose;
  items: readonly InboxItemView[];
  title: string;
  onClose: () => void;
  choose: (ms: number) => void;
};

function PickTime({ purpose, items, title, onClose, choose }: PickTimeProps) {
  const nowMs = hubNow();
  const [value, setValue] = useState(fieldTime(offeredTimes(nowMs).tomorrow));
  const ms = new Date(value).getTime();
  const refusal = Number.isNaN(ms) ? itemText.isPast : refusalOf(purpose, items, ms, nowMs);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{itemText.cancel}</Button>
          <Button look="solid" reason={refusal} onClick={() => choose(ms)}>
            {purpose === "snooze" ? itemText.setSnooze : itemText.setDeadline}
          </Button>
        </>
      }
    >
      <div class="field">
        <label for="picked-time">{itemText.pickedTime}</label>
        <input
          id="picked-time"
          type="datetime-local"
          value={value}
          aria-invalid={refusal !== undefined}
          aria-describedby="picked-refusal"
          onInput={(event) => setValue(event.currentTarget.value)}
        />
        <p id="picked-refusal" class="note refusal" aria-live="polite">
          {refusal}
        </p>
      </div>
    </Dialog>
  );
}

function titleOf(purpose: WhenPurpose, items: readonly InboxItemView[]): string {
  const [only] = items;
  if (items.length !== 1 || only === undefined) return itemText.snooze;
  return purpose === "snooze" ? itemText.snoozeTitle(only.summary) : itemText.extendTitle(only.summary);
}

function act(purpose: WhenPurpose, items: readonly InboxItemView[], ms: number): void {
  const [only] = items;
  if (purpose === "snooze")
    void snooze(items, ms); // says itself what became of it
  else if (only !== undefined) void extend(only, ms); // as above
}

/** Why this time is not offered; undefined when it is. */
function refusalOf(
  purpose: WhenPurpose,
  items: readonly InboxItemView[],
  ms: number,
  nowMs: number,
): string | undefined {
  if (ms <= nowMs) return itemText.isPast;
  if (ms > nowMs + snoozeMsMax) return itemText.tooFar;
  for (const item of items) {
    if (item.expires_at === undefined) continue;
    const endMs = Date.parse(item.expires_at);
    if (purpose === "snooze" && ms >= endMs) return itemText.endsBefore[item.on_expiry ?? "close"];
    if (purpose === "extend" && ms <= endMs) return `${itemText.notLater} (${whenComing(endMs, nowMs)})`;
  }
  return undefined;
}
