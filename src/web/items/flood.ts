// Nothing one agent does can push another agent's items out of sight: past five, the rest of its items fold into one
// line that opens in place (web-app.md 6.3).
import type { InboxItemView } from "../../shared/views.ts";

export type WaitingEntry = { item: InboxItemView } | { moreFrom: string; amount: number };

const floodRows = 5;

/** @param items in the order they wait; `unfolded` are the agents whose items are all shown */
export function foldFloods(items: readonly InboxItemView[], unfolded: ReadonlySet<string>): WaitingEntry[] {
  const totals = blocks(items);
  const shown = new Map<string, number>();
  const entries: WaitingEntry[] = [];
  for (const item of items) {
    const place = (shown.get(item.actor) ?? 0) + 1;
    shown.set(item.actor, place);
    const total = totals.get(item.actor)?.length ?? 0;
    const isWhole = unfolded.has(item.actor) || total <= floodRows;
    if (isWhole || place <= floodRows) entries.push({ item });
    else if (place === floodRows + 1) entries.push({ moreFrom: item.actor, amount: total - floodRows });
  }
  return entries;
}

/** Blocks per agent, the largest last; inside a block the order stays. */
export function byAgent(items: readonly InboxItemView[]): InboxItemView[] {
  return [...blocks(items).values()].toSorted((one, other) => one.length - other.length).flat();
}

function blocks(items: readonly InboxItemView[]): Map<string, InboxItemView[]> {
  const byActor = new Map<string, InboxItemView[]>();
  for (const item of items) {
    const block = byActor.get(item.actor);
    if (block === undefined) byActor.set(item.actor, [item]);
    else block.push(item);
  }
  return byActor;
}
