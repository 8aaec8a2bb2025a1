// What Home holds, each list still while the hand is on the screen (law L4), and what can be done in it.
import { effect, untracked } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import type { HomeView, InboxItemView } from "../../../shared/views.ts";
import { homeSpec, isHomeShown } from "../../data/home.ts";
import { useLater, useResource } from "../../data/resource.ts";
import { agentList } from "../../items/agents.ts";
import { wantedComposer } from "../../items/composer-wish.ts";
import { onDeparture } from "../../items/departures.ts";
import { itemKeysOf, moveKeys } from "../../items/item-keys.ts";
import { createSteadyList, isUnderHand } from "../../parts/steady-list.ts";
import { useKeys } from "../../shell/keys.ts";
import { routeText } from "../../shell/route.ts";
import { go } from "../../shell/router.ts";
import { itemText } from "../../text/en-items.ts";
import { focusAfter, moveFocus, rowElement, rowIdOf } from "../inbox/row-focus.ts";

const waitingShown = 3;
const recentShown = 8;

export type WorkingSession = HomeView["active_sessions"][number];
export type UnseenProject = HomeView["unseen"][number];
export type RecentEvent = HomeView["recent"][number];

export function useHome(screen: { current: HTMLElement | null }) {
  const resource = useResource(homeSpec);
  useLater(agentList()); // their names
  const lists = useMemo(
    () => ({
      waiting: createSteadyList((item: InboxItemView) => item.event_id),
      sessions: createSteadyList((session: WorkingSession) => session.session_id),
      unseen: createSteadyList((project: UnseenProject) => project.project_id),
      recent: createSteadyList((event: RecentEvent) => event.id),
    }),
    [],
  );
  const [stop, setStop] = useState<string | undefined>(undefined);

  useEffect(() => {
    isHomeShown.value = true;
    // Away from it, only the number that waits was followed; what failed is tried again anyway.
    const isBehind = resource.value.peek() !== undefined && resource.failure.peek() === undefined;
    if (isBehind) void resource.refresh(); // its failure shows as its state
    return () => {
      isHomeShown.value = false;
    };
  }, [resource]);

  useLayoutEffect(
    () =>
      effect(() => {
        const home = resource.value.value;
        if (home === undefined) return;
        untracked(() => {
          const isHeld = isUnderHand(screen.current, document.documentElement);
          lists.waiting.offer(home.waiting_items, isHeld);
          lists.sessions.offer(home.active_sessions, isHeld);
          lists.unseen.offer(home.unseen, isHeld);
          lists.recent.offer(home.recent, isHeld);
        });
      }),
    [resource],
  );

  useEffect(
    () =>
      onDeparture(({ id, to }) => {
        if (to === "woken") return lists.waiting.admit(id);
        const focus = focusAfter(screen.current, id);
        lists.waiting.remove(id);
        // The headline says at once what the hub will say in a moment.
        resource.patch((home) => {
          const items = home.waiting_items.filter((item) => item.event_id !== id);
          const isHere = items.length < home.waiting_items.length;
          return isHere ? { ...home, waiting: Math.max(0, home.waiting - 1), waiting_items: items } : home;
        });
        if (focus !== undefined) requestAnimationFrame(focus);
      }),
    [resource],
  );

  const waiting = lists.waiting.shown.value.slice(0, waitingShown);

  const sessions = lists.sessions.shown.value;
  const unseen = lists.unseen.shown.value;
  const above = new Set(waiting.map((item) => item.event_id));
  const recent = lists.recent.shown.value.filter((event) => !above.has(event.id)).slice(0, recentShown);
  const ids = [
    ...above,
    ...sessions.map((session) => session.session_id),
    ...unseen.map((project) => project.project_id),
    ...recent.map((event) => event.id),
  ];
  const stopId = stop !== undefined && ids.includes(stop) ? stop : ids[0];
  const current = waiting.find((item) => item.event_id === stop);

  const reply = (item: InboxItemView): void => {
    wantedComposer.value = item.event_id;
    go(routeText(["inbox", item.event_id]));
  };
  const bindings = useMemo(() => {
    const open = (): void => {
      if (stopId !== undefined) rowElement(screen.current, stopId)?.click();
    };
    return [
      ...moveKeys((by) => moveFocus(screen.current, stopId, by)),
      { keys: "o", words: itemText.open, run: open },
      ...(current === undefined
        ? []
        : itemKeysOf(current, {
            write: reply,
            snooze: (item) => {
              const row = rowElement(screen.current, item.event_id)?.closest("article");
              row?.querySelector<HTMLElement>("[data-act=snooze]")?.click();
            },
          })),
    ];
  }, [stopId, current]);
  useKeys(bindings);

  const all = [lists.waiting, lists.sessions, lists.unseen, lists.recent];
  return {
    resource,
    waiting,
    sessions,
    unseen,
    recent,
    stopId,
    reply,
    // A list that was refreshed may count one thing twice: a question is new in two of them.
    fresh: Math.max(0, ...all.map((list) => list.fresh.value)),
    showFresh() {
      for (const list of all) list.showFresh();
      document.querySelector<HTMLElement>("main h1")?.focus();
    },
    noteFocus(event: FocusEvent) {
      const id = rowIdOf(event.target);
      if (id !== undefined) setStop(id);
    },
  };
}

export type HomeModel = ReturnType<typeof useHome>;
