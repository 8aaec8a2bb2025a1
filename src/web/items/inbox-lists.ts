// The inbox as resources: one list a group and filter, one item by its id. Acts patch every list that holds the item, so
// a row, the open item and Home agree before the hub has answered.

import type { Answers } from "../../shared/api.ts";
import type { InboxItemView } from "../../shared/views.ts";
import { call } from "../data/call.ts";
import { notFound } from "../data/call-failed.ts";
import { type Resource, type ResourceSpec, resource } from "../data/resource.ts";
import { beforeSignOut } from "../data/session.ts";

export type InboxGroup = "waiting" | "snoozed" | "unread" | "earlier";
export type InboxFilter = { project?: string | undefined; actor?: string | undefined; kind?: string | undefined };
export type InboxPage = Answers["listInbox"];

/** A page to read; of what waits all is wanted, so that no agent's flood hides another's items. */
const pageRows = 50;
const waitingRows = 500;
const waitingPagesMax = 20;

const isInbox = (topic: string): boolean => topic === "inbox";

beforeSignOut(() => {
  lists.clear();
  items.clear();
});

const lists = new Map<string, Resource<InboxPage>>();
const items = new Map<string, Resource<InboxItemView>>();

export function inboxList(group: InboxGroup, filter: InboxFilter): Resource<InboxPage> {
  const key = `inbox ${group} ${filter.project ?? ""} ${filter.actor ?? ""} ${filter.kind ?? ""}`;
  const spec: ResourceSpec<InboxPage> = {
    key,
    concerns: isInbox,
    isKept: true,
    load: (signal) => (group === "waiting" ? loadWaiting(filter, signal) : loadFirst(group, filter, key, signal)),
  };
  const found = resource(spec);
  lists.set(key, found);
  return found;
}

export function inboxItem(id: string): Resource<InboxItemView> {
  const found = resource<InboxItemView>({
    key: `inbox item ${id}`,
    concerns: isInbox,
    async load(signal) {
      const item = await loadItem(id, signal);
      if (item === undefined) throw notFound();
      return item;
    },
  });
  items.set(id, found);
  return found;
}

// A refresh reads the first page anew; the older ones stay behind it.
async function loadFirst(group: InboxGroup, filter: InboxFilter, key: string, signal: AbortSignal): Promise<InboxPage> {
  const first = await loadPage(group, filter, undefined, signal);
  const before = lists.get(key)?.value.value;
  if (before === undefined || first.next_before === null || before.items.length <= first.items.length) return first;
  return { ...first, items: joined(first.items, before.items), next_before: before.next_before };
}

/** The next page of a list, behind the others. */
export async function loadOlder(group: InboxGroup, filter: InboxFilter, list: Resource<InboxPage>): Promise<void> {
  const before = list.value.value?.next_before;
  if (before === undefined || before === null) return;
  const more = await loadPage(group, filter, before).catch(() => undefined); // the button stays
  if (more === undefined) return;
  list.patch((page) => ({ ...page, items: joined(page.items, more.items), next_before: more.next_before }));
}

function joined(first: readonly InboxItemView[], rest: readonly InboxItemView[]): InboxItemView[] {
  const ids = new Set(first.map((item) => item.event_id));
  return [...first, ...rest.filter((item) => !ids.has(item.event_id))];
}

export async function loadItem(id: string, signal?: AbortSignal): Promise<InboxItemView | undefined> {
  const page = await call("listInbox", { query: { event_id: id, limit: 1 }, signal });
  return page.items[0];
}

function loadPage(
  group: InboxGroup,
  { project, actor, kind }: InboxFilter,
  before: string | undefined,
  signal?: AbortSignal,
): Promise<InboxPage> {
  const limit = group === "waiting" ? waitingRows : pageRows;
  return call("listInbox", { query: { group, project, actor, kind, before, limit }, signal });
}

/** All that waits. */
export async function loadWaiting(filter: InboxFilter, signal: AbortSignal): Promise<InboxPage> {
  const first = await loadPage("waiting", filter, undefined, signal);
  const rest: InboxItemView[] = [];
  let next = first.next_before;
  for (let page = 1; next !== null && page < waitingPagesMax; page += 1) {
    const more = await loadPage("waiting", filter, next, signal);
    rest.push(...more.items);
    next = more.next_before;
  }
  return { ...first, items: [...first.items, ...rest], next_before: next };
}

/** The item as a list or the reading pane has it; undefined when none holds it. */
export function heldItem(id: string | undefined): InboxItemView | undefined {
  if (id === undefined) return undefined;
  return items.get(id)?.value.value ?? listedItem(id)?.value;
}

/** The item as a list has it, and when that was true. */
export function listedItem(id: string): { value: InboxItemView; asOfMs: number | undefined } | undefined {
  for (const list of lists.values()) {
    const item = list.value.value?.items.find((entry) => entry.event_id === id);
    if (item !== undefined) return { value: item, asOfMs: list.asOfMs.value };
  }
  return undefined;
}

/** Shows a change of one item everywhere at once; what it returns takes it back. */
export function patchItem(id: string, change: (item: InboxItemView) => InboxItemView): () => void {
  const undo = [...lists.values()].map((list) =>
    list.patch((page) => ({
      ...page,
      items: page.items.map((item) => (item.event_id === id ? change(item) : item)),
    })),
  );
  const one = items.get(id);
  if (one !== undefined) undo.push(one.patch(change));
  return () => {
    for (const takeBack of undo) takeBack();
  };
}
