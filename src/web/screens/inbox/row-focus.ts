// Where the focus goes in a list of rows: selection is real focus, and it is never lost to the body (web-app.md 5.3).

export function rowIdOf(target: EventTarget | null): string | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-id][data-kind]") : null;
  return row?.dataset["id"];
}

export function rowLinks(list: HTMLElement | null): HTMLElement[] {
  return [...(list?.querySelectorAll<HTMLElement>("[data-row-link]") ?? [])];
}

export function rowElement(list: HTMLElement | null, id: string): HTMLElement | undefined {
  return rowLinks(list).find((link) => rowIdOf(link) === id);
}

/** To the next row or the one before; to the list's tab stop when the focus is elsewhere. */
export function moveFocus(list: HTMLElement | null, stop: string | undefined, by: 1 | -1): void {
  const links = rowLinks(list);
  const focused = list?.contains(document.activeElement) === true ? rowIdOf(document.activeElement) : undefined;
  const here = links.findIndex((link) => rowIdOf(link) === (focused ?? stop));
  // Coming from elsewhere, the row with the tab stop is the first to go to.
  const to = here < 0 ? 0 : here + (focused === undefined ? 0 : by);
  const link = links[Math.max(0, Math.min(links.length - 1, to))];
  link?.focus({ preventScroll: true });
  link?.closest("[data-id][data-kind]")?.scrollIntoView({ block: "nearest" });
}

/** Back to the row of what was closed; where that has gone meanwhile, to the list's tab stop, else to what heads it. */
export function focusRow(list: HTMLElement | null, id: string): void {
  const stop = list?.querySelector<HTMLElement>("[data-row-link][tabindex='0']");
  const heading = list?.querySelector<HTMLElement>("[data-empty], h2[tabindex]");
  (rowElement(list, id) ?? stop ?? heading ?? document.querySelector<HTMLElement>("main h1"))?.focus();
}

/** After a row is gone: the next, else the one before, else the group's heading, else what says that nothing is left. */
export function focusAfter(list: HTMLElement | null, goneId: string): (() => void) | undefined {
  const active = document.activeElement;
  if (list === null || rowIdOf(active) !== goneId || !list.contains(active)) return undefined;
  const links = rowLinks(list);
  const here = links.findIndex((link) => rowIdOf(link) === goneId);
  const heirs = [links[here + 1], links[here - 1]].map((link) => (link === undefined ? undefined : rowIdOf(link)));
  const heading = links[here]?.closest("section")?.querySelector<HTMLElement>("h2");
  return () => {
    const rows = heirs.map((id) => (id === undefined ? undefined : rowElement(list, id)));
    const left = [...rows, heading, list.querySelector<HTMLElement>("[data-empty], h2")];
    left.find((element) => element?.isConnected === true)?.focus();
  };
}
