// One group of the inbox as it stands on the screen: the hub's list, held still while the hand is on it.
import { effect, untracked } from "@preact/signals";
import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { InboxItemView } from "../../../shared/views.ts";
import { hubNow } from "../../data/clock.ts";
import type { Resource } from "../../data/resource.ts";
import { isOpen, isSnoozed } from "../../items/deadline.ts";
import { onDeparture } from "../../items/departures.ts";
import { byAgent } from "../../items/flood.ts";
import { type InboxGroup, type InboxPage, inboxList, loadItem, loadOlder } from "../../items/inbox-lists.ts";
import { createSteadyList, isUnderHand, type SteadyList } from "../../parts/steady-list.ts";
import { scrollerOf } from "../../parts/windowed-rows.tsx";
import { filterOf, matchesWords, type View } from "./inbox-filter.ts";

export type Group = {
  name: InboxGroup;
  resource: Resource<InboxPage>;
  steady: SteadyList<InboxItemView>;
  /** Older ones follow; undefined when none do. */
  older: (() => void) | undefined;
  isLoadingOlder: boolean;
};

/** Items resolved elsewhere whose outcome is asked for one by one; beyond these the next refresh tells. */
const askedMax = 5;
/** An item resolved elsewhere is read in its place before it goes. */
const lingerMs = 4000;

const idOf = (item: InboxItemView): string => item.event_id;

export function useGroup(name: InboxGroup, view: View, list: { current: HTMLElement | null }): Group {
  const filter = filterOf(view);
  const resource = inboxList(name, filter);
  const steady = useMemo(
    () => createSteadyList(idOf, name === "unread" || name === "earlier" ? "grows" : "waits"),
    [resource, view.sort, view.words],
  );
  const [isLoadingOlder, setLoadingOlder] = useState(false);
  useEffect(() => resource.hold(), [resource]);

  useLayoutEffect(
    () =>
      effect(() => {
        const page = resource.value.value;
        if (page === undefined) return;
        untracked(() => offer(steady, name, page.items, view, list.current));
      }),
    [resource, steady],
  );

  useEffect(
    () =>
      onDeparture(({ id, to }) => {
        const heir = { snoozed: "snoozed", woken: "waiting", resolved: "earlier", gone: undefined }[to];
        if (name === heir) steady.admit(id);
        else if (name === "waiting" || name === "snoozed") steady.remove(id);
      }),
    [steady],
  );

  const next = resource.value.value?.next_before;
  const older = useCallback(() => {
    setLoadingOlder(true);
    // Its failure leaves the button where it was.
    void loadOlder(name, filter, resource).finally(() => setLoadingOlder(false));
  }, [resource, next]);
  return {
    name,
    resource,
    steady,
    older: next === null || next === undefined || isLoadingOlder ? undefined : older,
    isLoadingOlder,
  };
}

function offer(
  steady: SteadyList<InboxItemView>,
  name: InboxGroup,
  items: readonly InboxItemView[],
  view: View,
  list: HTMLElement | null,
): void {
  const nowMs = hubNow();
  const latest = items.filter((item) => belongs(name, item, nowMs) && matchesWords(item, view.words));
  const ordered = name === "waiting" && view.sort === "agent" ? byAgent(latest) : latest;
  const isHeld = isUnderHand(list, list === null ? null : scrollerOf(list));
  steady.offer(ordered, isHeld);
  if (isHeld && (name === "waiting" || name === "snoozed")) void followDeparted(steady, list); // in its own time
}

/** What left without an act of ours is shown with its outcome where it stood, and goes when the hand has gone. */
async function followDeparted(steady: SteadyList<InboxItemView>, list: HTMLElement | null): Promise<void> {
  const gone = steady.departed().filter(isOpen);
  if (gone.length === 0) return;
  for (const item of gone.slice(0, askedMax)) {
    const latest = await loadItem(item.event_id).catch(() => undefined); // the next refresh tells
    if (latest !== undefined) steady.update(latest);
  }
  setTimeout(() => {
    const isHeld = isUnderHand(list, list === null ? null : scrollerOf(list));
    if (!isHeld) for (const item of steady.departed()) steady.remove(item.event_id);
  }, lingerMs);
}

function belongs(name: InboxGroup, item: InboxItemView, nowMs: number): boolean {
  switch (name) {
    case "waiting":
      return isOpen(item) && !isSnoozed(item, nowMs);
    case "snoozed":
      return isOpen(item) && isSnoozed(item, nowMs);
    case "unread":
      return item.status === "unread";
    case "earlier":
      return item.status === "read" || item.status === "resolved";
  }
}
