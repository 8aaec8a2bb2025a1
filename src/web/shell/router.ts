// Where the operator is. Each place in the history has a number and scroll positions of its own (web-app.md 2.4).
import { type ReadonlySignal, signal } from "@preact/signals";
import { parseRoute, type Route } from "./route.ts";

type Scrolled = Record<string, number>;
export type Arrival = "load" | "forward" | "back" | "replace";

const current = signal<Route>(parseRoute(""));
const scrolls = new Map<number, Scrolled>();
let arrival: Arrival = "load";
let place = placeOf(history.state) ?? 1;
let leaveGuard: LeaveGuard | undefined;

export const route: ReadonlySignal<Route> = current;

/** How the present place was come to. */
export function arrivedBy(): Arrival {
  return arrival;
}

/** Something here is unsaved: whoever wants to leave is asked first. No place is given when the page itself goes. */
export type LeaveGuard = { isUnsaved: (to?: string) => boolean; ask: (to: string) => void };

export function guardLeaving(guard: LeaveGuard): () => void {
  leaveGuard = guard;
  const beforeUnload = (event: BeforeUnloadEvent): void => {
    if (guard.isUnsaved()) event.preventDefault();
  };
  globalThis.addEventListener("beforeunload", beforeUnload);
  return () => {
    if (leaveGuard === guard) leaveGuard = undefined;
    globalThis.removeEventListener("beforeunload", beforeUnload);
  };
}

/** @param text of a route, `/inbox` */
export function go(text: string): void {
  if (parseRoute(text).text === current.value.text || isHeldBack(text)) return;
  rememberScroll();
  history.pushState({ place: place + 1 }, "", `#${text}`);
  arrive("forward", place + 1);
}

/** The same place under another address: filters, an item that was closed. */
export function replace(text: string): void {
  history.replaceState({ place }, "", `#${text}`);
  arrive("replace", place);
}

/** @param beforeReading looks at an address before anything else does */
export function startRouter(beforeReading: () => void): void {
  history.scrollRestoration = "manual";
  beforeReading();
  history.replaceState({ place }, "");
  current.value = parseRoute(location.hash);
  globalThis.addEventListener("popstate", ({ state }: PopStateEvent) => {
    beforeReading();
    if (isHeldBack(location.hash)) {
      // The history has moved already: a place that is new is made this one again, else this one goes on top.
      const isNew = placeOf(state) === undefined;
      if (isNew) place += 1;
      history[isNew ? "replaceState" : "pushState"]({ place }, "", `#${current.value.text}`);
      return;
    }
    rememberScroll();
    const from = { place, text: current.value.text };
    // A link that was pressed and an address that was typed come without a number.
    const to = placeOf(state) ?? place + 1;
    if (placeOf(state) === undefined) history.replaceState({ place: to }, "");
    arrive(to < from.place ? "back" : "forward", to);
    // An item that was closed left two places that are the same: one press goes past both.
    if (to < from.place && to > 1 && current.value.text === from.text) history.back();
  });
}

function isHeldBack(to: string): boolean {
  const { text } = parseRoute(to);
  if (leaveGuard === undefined || text === current.value.text || !leaveGuard.isUnsaved(text)) return false;
  leaveGuard.ask(text);
  return true;
}

/** Where the present place was scrolled to when it was left; the top when it is new. */
export function restoreScroll(): void {
  const kept = arrival === "back" ? scrolls.get(place) : undefined;
  scrollTo(0, kept?.["page"] ?? 0);
  for (const [name, element] of scrollers()) element.scrollTop = kept?.[name] ?? 0;
}

function arrive(by: Arrival, to: number): void {
  const next = parseRoute(location.hash);
  place = to;
  if (next.text === current.value.text) return;
  arrival = by;
  current.value = next;
}

function rememberScroll(): void {
  const kept: Scrolled = { page: scrollY };
  for (const [name, element] of scrollers()) kept[name] = element.scrollTop;
  scrolls.set(place, kept);
}

// What scrolls by itself is named by `data-scroll`.
function scrollers(): [string, HTMLElement][] {
  return [...document.querySelectorAll<HTMLElement>("[data-scroll]")].map((element) => [
    element.dataset["scroll"] ?? "",
    element,
  ]);
}

function placeOf(state: unknown): number | undefined {
  const number = typeof state === "object" && state !== null && "place" in state ? state.place : undefined;
  return typeof number === "number" ? number : undefined;
}
