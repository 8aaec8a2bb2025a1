// What the Inbox holds and what can be done in it, apart from how it is drawn.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { InboxItemView } from "../../../shared/views.ts";
import { agentList } from "../../items/agents.ts";
import { wantedComposer } from "../../items/composer-wish.ts";
import { onDeparture } from "../../items/departures.ts";
import { heldItem } from "../../items/inbox-lists.ts";
import { markAllRead } from "../../items/marks.ts";
import { arrivedBy, go, replace, restoreScroll } from "../../shell/router.ts";
import type { ScreenProps } from "../../shell/screens.ts";
import { entriesOf, type RowActs } from "./group-view.tsx";
import { inboxRoute, isFiltered, readView, type View } from "./inbox-filter.ts";
import { focusAfter, focusRow, rowIdOf } from "./row-focus.ts";
import type { OpenMenu } from "./row-menu.tsx";
import { type Group, useGroup } from "./use-group.ts";
import { useKnown } from "./use-known.ts";

/** A list and a reading pane stand side by side. */
const wideScreen = "(min-width: 1024px)";

export function useInbox({ params, query }: ScreenProps) {
  const view = readView(query);
  const openId = params["event"];
  const list = useRef<HTMLDivElement>(null);
  const groups = {
    waiting: useGroup("waiting", view, list),
    snoozed: useGroup("snoozed", view, list),
    unread: useGroup("unread", view, list),
    earlier: useGroup("earlier", view, list),
  };
  const agents = agentList();
  useEffect(() => agents.hold(), [agents]);
  const known = useKnown(Object.values(groups), view);
  const [stop, setStop] = useState<string | undefined>(openId);
  const [previewId, setPreview] = useState<string | undefined>(undefined);
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [isEarlierOpen, setEarlierOpen] = useState(() => !matchMedia(wideScreen).matches);
  const [menu, setMenu] = useState<OpenMenu | undefined>(undefined);
  const woken = useWoken(groups);

  const always = view.isUnreadOnly ? [groups.unread] : [groups.waiting, groups.snoozed, groups.unread];
  const drawn = view.isUnreadOnly ? always : [...always, groups.earlier];
  const open = isEarlierOpen ? drawn : always;
  const rows = open.flatMap((group) =>
    entriesOf(group, unfolded).flatMap((entry) => ("item" in entry ? [entry.item] : [])),
  );
  const stopId = rows.some((item) => item.event_id === stop) ? stop : rows[0]?.event_id;
  const shownId = previewId ?? openId;
  const counts = groups.waiting.resource.value.value?.counts;
  const isEmpty = rows.length === 0 && open.every((group) => group.steady.fresh.value === 0);

  const acts: RowActs = {
    hrefOf: (item) => `#${inboxRoute(view, item.event_id)}`,
    open(item, event) {
      if (event !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey)) return;
      event?.preventDefault();
      setStop(item.event_id);
      setPreview(undefined);
      // One place in the history for the open item, whichever it is.
      (openId === undefined ? go : replace)(inboxRoute(view, item.event_id));
    },
    reply(item) {
      wantedComposer.value = item.event_id;
      acts.open(item);
    },
    menu: (item, anchor) => setMenu({ kind: "row", item, anchor }),
    snooze: (item, anchor) => setMenu({ kind: "snooze", item, anchor }),
    pick: (item) => setPicked((before) => toggled(before, item.event_id)),
  };

  function close(): void {
    setPreview(undefined);
    wantedComposer.value = undefined;
    replace(inboxRoute(view));
    if (shownId !== undefined) requestAnimationFrame(() => focusRow(list.current, shownId));
  }

  function show(event: FocusEvent): void {
    const id = rowIdOf(event.target);
    if (id === undefined) return;
    setStop(id);
    const isByKey = event.target instanceof Element && event.target.matches("[data-row-link]:focus-visible");
    // A look in passing needs the pane beside the list.
    if (isByKey && matchMedia(wideScreen).matches) setPreview(id === openId ? undefined : id);
  }

  useLayoutEffect(() => {
    if (openId === undefined) {
      if (arrivedBy() !== "load") restoreScroll();
      return;
    }
    setStop(openId);
    // From a narrow list the focus goes along; beside a wide one a reader of the list keeps it.
    if (arrivedBy() === "load" || wantedComposer.value === openId) return;
    document.querySelector<HTMLElement>(".inbox-detail [data-item-title]")?.focus();
  }, [openId]);

  useEffect(
    () =>
      onDeparture(({ id }) => {
        const focus = focusAfter(list.current, id);
        if (focus !== undefined) requestAnimationFrame(focus);
        setPicked((before) => new Set([...before].filter((other) => other !== id)));
      }),
    [],
  );

  const unread = groups.unread.steady.shown.value.filter((item) => item.status === "unread");
  const unreadCount = counts?.unread ?? 0;
  const isByRows = view.agent !== undefined || view.kind !== undefined || view.words !== "";
  const markAmount = isByRows ? unread.length : unreadCount;
  return {
    view,
    known,
    list,
    groups,
    drawn,
    acts,
    counts,
    isEmpty,
    openId,
    shownId,
    stopId,
    isPreview: previewId !== undefined,
    picked,
    woken,
    unfolded,
    isEarlierOpen,
    menu,
    markAll:
      markAmount === 0
        ? undefined
        : {
            amount: markAmount,
            run: () => void markAllRead(unread, isByRows ? "rows" : { project: view.project }), // tells itself
          },
    change: (next: View) => replace(inboxRoute(next, openId)),
    clear: () => replace(inboxRoute(readView(new URLSearchParams()), isFiltered(view) ? undefined : openId)),
    close,
    show,
    setMenu,
    clearPicked: () => setPicked(new Set()),
    unfold: (agent: string) => setUnfolded(new Set([...unfolded, agent])),
    toggleEarlier: () => setEarlierOpen(!isEarlierOpen),
    refresh: () => Promise.all([...drawn.map((group) => group.resource.refresh()), agents.refresh()]),
  };
}

export type InboxModel = ReturnType<typeof useInbox>;

/** Items whose snooze ran out while the list was open; one that was woken is where the operator put it. */
function useWoken({ waiting, snoozed }: { waiting: Group; snoozed: Group }): ReadonlySet<string> {
  const asleep = useRef(new Set<string>()).current;
  const woken = useRef(new Set<string>()).current;
  useEffect(
    () =>
      onDeparture(({ id, to }) => {
        if (to === "snoozed") woken.delete(id);
        else asleep.delete(id);
      }),
    [],
  );
  for (const item of snoozed.steady.shown.value) asleep.add(item.event_id);
  for (const item of waiting.steady.shown.value) if (asleep.delete(item.event_id)) woken.add(item.event_id);
  return woken;
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return ids.has(id) ? new Set([...ids].filter((other) => other !== id)) : new Set([...ids, id]);
}

/** Items by their ids, as far as any list holds them. */
export function itemsOf(ids: ReadonlySet<string>): InboxItemView[] {
  return [...ids].flatMap((id) => heldItem(id) ?? []);
}
