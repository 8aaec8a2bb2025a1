// What a feed holds and what can be done in it, apart from how it is drawn.
import { effect, signal, untracked } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { EventView, InboxItemView } from "../../../shared/views.ts";
import { projectSpec, projectStatsSpec } from "../../data/projects.ts";
import { useResource } from "../../data/resource.ts";
import { agentList } from "../../items/agents.ts";
import { wantedComposer } from "../../items/composer-wish.ts";
import { inboxList } from "../../items/inbox-lists.ts";
import { isUnderHand } from "../../parts/steady-list.ts";
import { scrollerOf } from "../../parts/windowed-rows.tsx";
import { arrivedBy, go, replace, restoreScroll } from "../../shell/router.ts";
import type { ScreenProps } from "../../shell/screens.ts";
import { focusRow, rowIdOf } from "../inbox/row-focus.ts";
import { type FeedFilter, feedRoute, isDrawn, isFiltered, readFilter } from "./feed-filter.ts";
import { answersByItem, type Batch, burstRowId, deletedArtifacts, type FeedDay, layOutFeed } from "./feed-lines.ts";
import { feedList } from "./feed-list.ts";
import { seenHere, usePostSeen } from "./use-seen.ts";

const none: readonly Batch[] = [];

export function useFeed(projectId: string, { params, query }: ScreenProps) {
  const filter = readFilter(query);
  const openId = params["event"];
  const list = useRef<HTMLDivElement>(null);
  const project = useResource(projectSpec(projectId));
  const stats = useResource(projectStatsSpec(projectId));
  const agents = agentList();
  useEffect(() => agents.hold(), [agents]);

  const [anchor, setAnchor] = useState(openId);
  const { kind, agent, session } = filter;
  const readKind = kind === "waiting" ? undefined : kind;
  const feed = useMemo(
    () => feedList(projectId, { kind: readKind, agent, session }, anchor),
    [projectId, readKind, agent, session, anchor],
  );
  const { resource } = feed;
  useEffect(() => resource.hold(), [resource]);
  const state = resource.value.value;
  const batches = state?.batches ?? none;

  /** Newer pages that were asked for are no news that waits. */
  const isPaging = useRef(false);
  const top = useMemo(() => signal<string | undefined>(undefined), [resource]);
  useLayoutEffect(
    () =>
      effect(() => {
        const newest = resource.value.value?.batches[0]?.events[0]?.id;
        if (newest === undefined) return;
        untracked(() => {
          if (top.value === undefined || isPaging.current || !isHandOn(list.current)) top.value = newest;
        });
      }),
    [resource, top],
  );
  const shown = useMemo(() => upTo(batches, top.value), [batches, top.value]);

  const arrival = useRef<string | null | undefined>(undefined);
  if (state !== undefined && arrival.current === undefined) arrival.current = seenHere(projectId, state.lastSeen);
  const seen = arrival.current ?? null;
  const isUnseen = (event: EventView): boolean => seen === null || event.id > seen;

  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const days = useMemo(
    () =>
      layOutFeed(shown, { unfolded, isUnseen, isDrawn: (event) => isDrawn({ ...filter, kind: readKind }, event.kind) }),
    [shown, unfolded, seen, readKind],
  );
  const answers = useMemo(() => answersByItem(batches), [batches]);
  const deleted = useMemo(() => deletedArtifacts(batches), [batches]);
  const holdsOpen = useMemo(() => hasOpen(batches, answers), [batches, answers]);
  const items = useOpenItems(projectId, kind === "waiting" || holdsOpen);

  const newest = shown[0]?.events[0]?.id;
  const isAtNewest = state !== undefined && state.nextSince === undefined;
  usePostSeen(projectId, isFiltered(filter) || !isAtNewest ? undefined : newest);

  // An event that is opened by its address and was not read yet is entered at.
  const isLoaded = openId !== undefined && batches.some(({ events }) => events.some((event) => event.id === openId));
  const isReady = state !== undefined;
  useEffect(() => {
    if (openId !== undefined && isReady && !isLoaded && !isFiltered(filter)) setAnchor(openId);
  }, [openId, isReady]);

  const [stop, setStop] = useState(openId);
  const rowIds = useMemo(() => rowIdsOf(days), [days]);
  const [firstId] = rowIds;
  const stopId = stop !== undefined && rowIds.has(stop) ? stop : firstId;
  const loaded = useMemo(() => batches.flatMap(({ events }) => events), [batches]);

  useLayoutEffect(() => {
    if (openId === undefined) {
      if (arrivedBy() !== "load") restoreScroll();
      return;
    }
    setStop(openId);
    if (arrivedBy() === "load" || wantedComposer.value === openId) return;
    document.querySelector<HTMLElement>(".feed-detail [data-item-title]")?.focus();
  }, [openId]);

  return {
    projectId,
    filter,
    project,
    stats,
    resource,
    list,
    days,
    answers,
    deleted,
    items,
    loaded,
    unfolded,
    openId,
    anchor,
    stopId,
    isUnseen,
    isEmpty: rowIds.size === 0,
    fresh: amountAbove(batches, top.value, { ...filter, kind: readKind }),
    current: stop === undefined ? undefined : items.byId.get(stop),
    hasOlder: state?.nextBefore !== undefined,
    hasNewer: state !== undefined && state.nextSince !== undefined,
    hrefOf: (id: string) => `#${feedRoute(projectId, filter, id)}`,
    older: feed.older,
    async newer() {
      isPaging.current = true;
      await feed.newer().finally(() => {
        isPaging.current = false;
      });
    },
    showFresh() {
      top.value = batches[0]?.events[0]?.id;
      scrollToTop(list.current);
      // The button goes; the focus stays in the list.
      requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[data-row-link]")?.focus());
    },
    toNewest() {
      setAnchor(undefined);
      if (openId !== undefined) replace(feedRoute(projectId, filter));
      scrollToTop(list.current);
    },
    open(id: string, event?: MouseEvent) {
      if (event !== undefined && (event.metaKey || event.ctrlKey || event.shiftKey)) return;
      event?.preventDefault();
      setStop(id);
      (openId === undefined ? go : replace)(feedRoute(projectId, filter, id));
    },
    reply(item: InboxItemView) {
      wantedComposer.value = item.event_id;
      setStop(item.event_id);
      (openId === undefined ? go : replace)(feedRoute(projectId, filter, item.event_id));
    },
    close() {
      wantedComposer.value = undefined;
      replace(feedRoute(projectId, filter));
      if (openId !== undefined) requestAnimationFrame(() => focusRow(list.current, openId));
    },
    change: (next: FeedFilter) => {
      setAnchor(undefined);
      replace(feedRoute(projectId, next));
    },
    toggle(id: string) {
      setUnfolded((before) =>
        before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id]),
      );
    },
    noteFocus(event: FocusEvent) {
      const id = rowIdOf(event.target);
      if (id !== undefined) setStop(id);
    },
  };
}

export type FeedModel = ReturnType<typeof useFeed>;

function useOpenItems(project: string, isWanted: boolean) {
  const waiting = inboxList("waiting", { project });
  const snoozed = inboxList("snoozed", { project });
  useEffect(() => {
    if (!isWanted) return;
    const letGo = [waiting.hold(), snoozed.hold()];
    return () => {
      for (const each of letGo) each();
    };
  }, [isWanted, waiting, snoozed]);
  const [awake, asleep] = [waiting.value.value?.items, snoozed.value.value?.items];
  const byId = useMemo(
    () => new Map([...(awake ?? []), ...(asleep ?? [])].map((item) => [item.event_id, item])),
    [awake, asleep],
  );
  return { waiting, byId };
}

function hasOpen(batches: readonly Batch[], answers: ReadonlyMap<string, EventView>): boolean {
  return batches.some(({ events }) => events.some((event) => isOpenEvent(event) && !answers.has(event.id)));
}

export function isOpenEvent({ inbox_status: status }: EventView): boolean {
  return status === "action" || status === "waiting";
}

function isHandOn(list: HTMLElement | null): boolean {
  if (list === null) return false;
  return isUnderHand(list, scrollerOf(list) ?? document.documentElement);
}

function scrollToTop(list: HTMLElement | null): void {
  if (list === null) return;
  const scroller = scrollerOf(list) ?? document.documentElement;
  scroller.scrollTop = 0;
}

function upTo(batches: readonly Batch[], top: string | undefined): readonly Batch[] {
  const first = batches[0]?.events[0];
  if (top === undefined || first === undefined || first.id <= top) return batches;
  return batches.map(({ key, events }) =>
    (events[0]?.id ?? "") <= top ? { key, events } : { key, events: events.filter((event) => event.id <= top) },
  );
}

function amountAbove(batches: readonly Batch[], top: string | undefined, filter: FeedFilter): number {
  if (top === undefined) return 0;
  let amount = 0;
  for (const { events } of batches) {
    for (const event of events) {
      if (event.id <= top) return amount;
      if (isDrawn(filter, event.kind)) amount += 1;
    }
  }
  return amount;
}

function rowIdsOf(days: readonly FeedDay[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { chunks } of days) {
    for (const { lines } of chunks) {
      for (const line of lines) {
        if (line.kind === "event") ids.add(line.event.id);
        else if (line.kind === "burst") ids.add(burstRowId(line.id));
      }
    }
  }
  return ids;
}
