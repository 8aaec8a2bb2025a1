// Nothing moves under the operator's hand (law L4): while a list is under pointer, touch or focus, or scrolled, what
// comes waits behind "3 new", what changes is updated in its place, and what leaves stays where it was.
import { type ReadonlySignal, signal } from "@preact/signals";

export type SteadyList<T> = {
  readonly shown: ReadonlySignal<readonly T[]>;
  /** How many wait to be shown. */
  readonly fresh: ReadonlySignal<number>;
  /** The list as the hub says it now. */
  offer(latest: readonly T[], isUnderHand: boolean): void;
  /** Shows what waits; for the press on "3 new", and when the hand has gone. */
  showFresh(): void;
  /** The operator's own act took it out of this list. */
  remove(id: string): void;
  /** The operator's own act brings it into this list: it is shown as soon as the hub says so. */
  admit(id: string): void;
  /** A newer look of one that has left the list but still stands in it. */
  update(entry: T): void;
  /** Entries that stand here although the list has let them go. */
  departed(): readonly T[];
};

/** @param end `grows` where pages are added at the end, which moves nothing; `waits` where new ones come there too */
export function createSteadyList<T>(idOf: (entry: T) => string, end: "grows" | "waits" = "waits"): SteadyList<T> {
  const shown = signal<readonly T[]>([]);
  const fresh = signal(0);
  let latest: readonly T[] = [];
  let hasShown = false;
  const removed = new Set<string>();
  const admitted = new Set<string>();

  function showFresh(): void {
    hasShown = true;
    shown.value = latest.filter((entry) => !removed.has(idOf(entry)));
    fresh.value = 0;
  }

  return {
    shown,
    fresh,
    offer(entries, isUnderHand) {
      latest = entries;
      const byId = new Map(entries.map((entry) => [idOf(entry), entry]));
      for (const id of removed) if (!byId.has(id)) removed.delete(id);
      if (!hasShown || !isUnderHand) return showFresh();
      const ids = new Set(shown.value.map(idOf));
      const kept = shown.value.map((entry) => byId.get(idOf(entry)) ?? entry);
      const last = entries.findLastIndex((entry) => ids.has(idOf(entry)));
      for (const entry of end === "grows" && last >= 0 ? entries.slice(last + 1) : []) {
        if (!removed.has(idOf(entry))) kept.push(entry);
        ids.add(idOf(entry));
      }
      for (const [place, entry] of entries.entries()) {
        const id = idOf(entry);
        if (ids.has(id) || !admitted.delete(id)) continue;
        const before = new Set(entries.slice(0, place).map(idOf));
        kept.splice(kept.findLastIndex((one) => before.has(idOf(one))) + 1, 0, entry);
        ids.add(id);
      }
      shown.value = kept;
      fresh.value = entries.filter((entry) => !ids.has(idOf(entry)) && !removed.has(idOf(entry))).length;
    },
    showFresh,
    remove(id) {
      admitted.delete(id);
      removed.add(id);
      shown.value = shown.value.filter((entry) => idOf(entry) !== id);
    },
    admit(id) {
      removed.delete(id);
      admitted.add(id);
    },
    update(entry) {
      shown.value = shown.value.map((one) => (idOf(one) === idOf(entry) ? entry : one));
    },
    departed() {
      const ids = new Set(latest.map(idOf));
      return shown.value.filter((entry) => !ids.has(idOf(entry)));
    },
  };
}

/** Whether a hand is on the list: hover of a fine pointer, a touch, the focus, or a scroll offset. */
export function isUnderHand(list: HTMLElement | null, scroller: HTMLElement | null): boolean {
  if (list === null) return false;
  const isHovered = matchMedia("(hover: hover)").matches && list.matches(":hover");
  const isFocused = list.contains(document.activeElement);
  return isHovered || isFocused || list.dataset["touched"] === "true" || (scroller?.scrollTop ?? 0) > 0;
}
