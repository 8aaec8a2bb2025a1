// The deadline of an item, counting in hub time: each half minute above five minutes, each second below.
import { useEffect, useRef } from "preact/hooks";
import type { InboxItemView } from "../../shared/views.ts";
import { hubNow, minuteClock, secondClock } from "../data/clock.ts";
import { DeadlineChip } from "../parts/deadline-chip.tsx";
import { deadlineOf, deadlineSentence, fineMs } from "./deadline.ts";

/** Hub time as often as this deadline needs it. */
export function useDeadlineClock(item: Pick<InboxItemView, "expires_at">): number {
  const atMs = item.expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(item.expires_at);
  const leftMs = atMs - hubNow();
  // Past by a minute, nothing changes any more.
  const isFine = leftMs <= fineMs + 31_000 && leftMs > -60_000;
  return isFine ? secondClock.value : minuteClock.value;
}

export function DeadlineOf({ item }: { item: InboxItemView }) {
  const deadline = deadlineOf(item, useDeadlineClock(item));
  return deadline === undefined ? null : (
    <DeadlineChip words={deadline.chip} tone={deadline.tone} left={deadline.left} />
  );
}

const announcedMs = [5 * 60_000, 60_000];

type DeadlineSentenceProps = {
  item: InboxItemView;
  /** Said once at five minutes and once at one, while the item is open. */
  announce: (words: string) => void;
  /** The moment is there: the hub is asked what it did. */
  onPassed: () => void;
};

export function DeadlineSentence({ item, announce, onPassed }: DeadlineSentenceProps) {
  const nowMs = useDeadlineClock(item);
  const deadline = deadlineOf(item, nowMs);
  const leftMs = deadline?.leftMs ?? Number.POSITIVE_INFINITY;
  const before = useRef(leftMs);
  useEffect(() => {
    const mark = announcedMs.find((ms) => before.current > ms && leftMs <= ms);
    if (mark !== undefined && leftMs > 0 && deadline !== undefined) announce(deadline.chip);
    if (before.current > 0 && leftMs <= 0) onPassed();
    before.current = leftMs;
  }, [leftMs]);
  if (deadline === undefined) return null;
  if (deadline.leftMs <= 0) return <DeadlineChip words={deadline.chip} tone="plain" />;
  const { before: start, weight, after } = deadlineSentence(deadline, nowMs);
  return (
    <div class="deadline-line" role="timer">
      <DeadlineChip words={deadline.chip} tone={deadline.tone} left={deadline.left} />
      <p>
        {start}
        <strong>{weight}</strong>
        {after}
      </p>
    </div>
  );
}
