// What a brief holds (mcp-tools.md 17.4): one window of the feed, taken apart so that each event is in one section, and
// what else a start needs. It is read in one turn, so the sections agree.
import { timestamp } from "../../kernel/clock.ts";
import type { Ctx } from "../../kernel/ctx.ts";
import { lowestUlidAt } from "../../shared/ids.ts";
import {
  briefAnswersMax,
  briefCountMax,
  briefEventsMax,
  briefEventsRanked,
  briefStalePagesMax,
} from "../../shared/limits.ts";
import { activeSession } from "../connections/index.ts";
import { findCursor } from "../feed/index.ts";
import {
  type Answer,
  countAnswers,
  countStale,
  countWindow,
  type EventEntry,
  findPreviousSession,
  listAnswers,
  listOpen,
  listSettled,
  listStale,
  type PreviousSession,
  type StalePage,
  type Window,
} from "./store.ts";

/** Some of a list, and how many more there are; a lower bound when the count was cut short. */
export type Section<T> = { items: T[]; more: number; isMoreCapped: boolean };

export type Since = { eventId: string | null; basis: "feed_cursor" | "previous_session" | "none" };

export type SessionBrief = {
  projectId: string;
  agent: string;
  since: Since;
  answers: Section<Answer>;
  previousSession: PreviousSession | undefined;
  events: Section<EventEntry & { isOpen: boolean }>;
  stalePages: Section<StalePage>;
};

export function composeBrief(ctx: Ctx, projectId: string): SessionBrief {
  const { db } = ctx;
  const { actor } = ctx.principal;
  const previousSession = findPreviousSession(db, projectId, actor, activeSession(ctx, db)?.id);
  const since = windowStart(findCursor(db, actor, projectId), previousSession);
  const window = { projectId, actor, since: since.eventId ?? "" };
  const today = timestamp(ctx.now()).slice(0, "YYYY-MM-DD".length);
  const answers = section(listAnswers(db, window, briefAnswersMax + 1), briefAnswersMax, (limit) =>
    countAnswers(db, window, limit),
  );
  return {
    projectId,
    agent: actor,
    since,
    answers,
    previousSession,
    events: eventsBesides(ctx, window, new Set(answers.items.map((answer) => answer.answer_id))),
    stalePages: section(listStale(db, projectId, today, briefStalePagesMax + 1), briefStalePagesMax, (limit) =>
      countStale(db, projectId, today, limit),
    ),
  };
}

function windowStart(cursor: string | undefined, previous: PreviousSession | undefined): Since {
  if (cursor !== undefined) return { eventId: cursor, basis: "feed_cursor" };
  if (previous !== undefined) return { eventId: lowestUlidAt(previous.last_activity), basis: "previous_session" };
  return { eventId: null, basis: "none" };
}

/** @param found one more than are shown, when there are more */
function section<T>(found: T[], max: number, countAll: (limit: number) => number): Section<T> {
  if (found.length <= max) return { items: found, more: 0, isMoreCapped: false };
  return withMore(found.slice(0, max), max, countAll);
}

// Counting goes one past its end, to know whether it stopped there.
function withMore<T>(items: T[], shown: number, countAll: (limit: number) => number): Section<T> {
  const counted = countAll(briefCountMax + 1);
  return {
    items,
    more: Math.max(0, Math.min(counted, briefCountMax) - shown),
    isMoreCapped: counted > briefCountMax,
  };
}

/** What waits on somebody comes first, wherever it sits in the window; the rest is ranked among the newest. */
function eventsBesides(ctx: Ctx, window: Window, listed: ReadonlySet<string>): SessionBrief["events"] {
  const open = listOpen(ctx.db, window, briefEventsMax);
  const settled = listSettled(ctx.db, window, briefEventsRanked + listed.size + 1).filter(({ id }) => !listed.has(id));
  const isOwn = ({ kind, actor }: EventEntry): boolean => actor === window.actor || kind === "session";
  const newest = settled.slice(0, briefEventsRanked);
  const ranked = [...newest.filter((event) => !isOwn(event)), ...newest.filter(isOwn)];
  const items = [
    ...open.map((event) => ({ ...event, isOpen: true })),
    ...ranked.map((event) => ({ ...event, isOpen: false })),
  ].slice(0, briefEventsMax);
  // Both lists came whole: there is nothing left to count.
  if (open.length < briefEventsMax && settled.length <= briefEventsRanked) {
    return { items, more: open.length + settled.length - items.length, isMoreCapped: false };
  }
  return withMore(items, items.length + listed.size, (limit) => countWindow(ctx.db, window, limit));
}
