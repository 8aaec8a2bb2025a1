// A control that goes away with what it did leaves its focus to the next one: it is never lost to the body.
import { useLayoutEffect, useRef } from "preact/hooks";

type Place = { current: HTMLElement | null };

/** @param state whose change may take the focused control away; the first control of the place inherits */
export function useFocusHeir(place: Place, state: unknown): void {
  const before = useRef(state);
  // Before the change can be seen: there is no moment in which nothing has the focus.
  useLayoutEffect(() => {
    const isChanged = before.current !== state;
    before.current = state;
    if (!isChanged || !isFocusLost()) return;
    place.current?.querySelector<HTMLElement>("a[href], button, input, select, [tabindex]")?.focus();
  }, [state]);
}

/** Nothing has the focus, or what has it cannot be seen. */
export function isFocusLost(): boolean {
  const active = document.activeElement;
  return active === null || active === document.body || !active.checkVisibility();
}
