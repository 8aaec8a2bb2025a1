// A feed as far as it was read: batches from the newest to the oldest, growing at both ends. What is there is never read
// again, because an event never changes; how an item ended is told by the answer that follows it.
import type { EventView } from "../../../shared/views.ts";
import { call } from "../../data/call.ts";
import { CallFailed } from "../../data/call-failed.ts";
import { type Resource, resource } from "../../data/resource.ts";
import { type FeedFilter, isDrawn, kindsToRead } from "./feed-filter.ts";
import type { Batch } from "./feed-lines.ts";

/** Rows of one batch: what is drawn or put away at once. */
const batchRows = 10;
const pageRows = 50;
/** More news than this while nobody looked, and the feed is begun anew. */
const newsMax = 500;
/** Pages read for one press while none of their events is to be drawn. */
const pagesAtOnce = 6;

export type FeedState = {
  batches: readonly Batch[];
  /** Older ones follow. */
  nextBefore: string | undefined;
  /** Newer ones are there that were not read, because the feed was entered deep. */
  nextSince: string | undefined;
  /** How far the operator had seen it. */
  lastSeen: string | null;
};

export type FeedList = {
  resource: Resource<FeedState>;
  older: () => Promise<void>;
  newer: () => Promise<void>;
};

/** @param around the event to enter at, when it is not the newest */
export function feedList(project: string, filter: FeedFilter, around: string | undefined): FeedList {
  const query = { kinds: kindsToRead(filter), session: filter.session, actor: filter.agent };
  const read = (more: { before?: string; since?: string; around?: string; limit?: number }, signal?: AbortSignal) =>
    call("listProjectFeed", { params: { id: project }, query: { limit: pageRows, ...query, ...more }, signal });

  const found: Resource<FeedState> = resource<FeedState>({
    key: `feed ${project} ${filter.kind ?? ""} ${filter.agent ?? ""} ${filter.session ?? ""} ${around ?? ""}`,
    concerns: (topic) => topic === `feed:${project}`,
    load: (signal) => (newestOf(found.value.value) === undefined ? enter(signal) : follow(signal)),
  });

  async function enter(signal: AbortSignal): Promise<FeedState> {
    const middle = around === undefined ? undefined : await readAround(around, signal);
    if (middle === undefined) {
      const page = await read({}, signal);
      return {
        batches: batchesOf(page.events),
        nextBefore: page.events.length < pageRows ? undefined : (page.next_before ?? undefined),
        nextSince: undefined,
        lastSeen: page.last_seen,
      };
    }
    const state = {
      batches: batchesOf(middle.events),
      nextBefore: middle.next_before ?? undefined,
      nextSince: newestIn(middle.events),
      lastSeen: middle.last_seen,
    };
    return state.nextSince === undefined ? state : grownUp(state, await read({ since: state.nextSince }, signal));
  }

  // An event that is gone, or is not of the kinds that are shown, is no reason to show nothing.
  async function readAround(id: string, signal: AbortSignal) {
    try {
      return await read({ around: id }, signal);
    } catch (error) {
      if (error instanceof CallFailed && (error.status === 404 || error.status === 400)) return undefined;
      throw error;
    }
  }

  async function follow(signal: AbortSignal): Promise<FeedState> {
    const before = found.value.value;
    const since = newestOf(before);
    if (before === undefined || since === undefined) return enter(signal);
    if (before.nextSince !== undefined) return before;
    const page = await read({ since, limit: newsMax }, signal);
    if (page.events.length === newsMax) return enter(signal);
    // Older ones may have come meanwhile: what is there now grows.
    return withNews(found.value.value ?? before, page.events.toReversed(), page.last_seen);
  }

  async function older(): Promise<void> {
    for (let pages = 0; pages < pagesAtOnce; pages += 1) {
      const before = found.value.value?.nextBefore;
      if (before === undefined) return;
      const page = await read({ before });
      const isOver = page.events.length < pageRows || page.next_before === null;
      found.patch((state) =>
        state.nextBefore !== before
          ? state
          : {
              ...state,
              batches: [...state.batches, ...batchesOf(page.events)],
              nextBefore: isOver ? undefined : (page.next_before ?? undefined),
            },
      );
      if (isOver || page.events.some((event) => isDrawn(filter, event.kind))) return;
    }
  }

  async function newer(): Promise<void> {
    const since = found.value.value?.nextSince;
    if (since === undefined) return;
    const page = await read({ since });
    found.patch((state) => (state.nextSince === since ? grownUp(state, page) : state));
  }

  return { resource: found, older, newer };
}

type Page = { events: EventView[]; last_seen: string | null };

/** With the next newer page of a feed that was entered deep. */
function grownUp(state: FeedState, page: Page): FeedState {
  const events = page.events.toReversed();
  return {
    ...state,
    batches: [...batchesOf(events), ...state.batches],
    nextSince: page.events.length < pageRows ? undefined : newestIn(events),
  };
}

/** With what has just happened, in the newest batch while that has room. */
function withNews(state: FeedState, news: readonly EventView[], lastSeen: string | null): FeedState {
  if (news.length === 0) return { ...state, lastSeen };
  const [first, ...rest] = state.batches;
  const hasRoom = first?.key.startsWith("live") === true && first.events.length + news.length <= batchRows;
  const batches = hasRoom
    ? [{ key: first.key, events: [...news, ...first.events] }, ...rest]
    : [...batchesOf(news, "live"), ...state.batches];
  return { ...state, batches, lastSeen };
}

function batchesOf(events: readonly EventView[], kind = "read"): Batch[] {
  const batches: Batch[] = [];
  for (let start = 0; start < events.length; start += batchRows) {
    const part = events.slice(start, start + batchRows);
    // Named by its oldest event: a live batch grows at its other end.
    batches.push({ key: `${kind} ${part.at(-1)?.id ?? ""}`, events: part });
  }
  return batches;
}

function newestOf(state: FeedState | undefined): string | undefined {
  return newestIn(state?.batches[0]?.events ?? []);
}

function newestIn(events: readonly EventView[]): string | undefined {
  return events[0]?.id;
}
