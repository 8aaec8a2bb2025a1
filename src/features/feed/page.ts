// Pages of a feed and their two cursors (mcp-tools.md 9.1).
import type { Principal } from "../../kernel/ctx.ts";
import { HubError } from "../../shared/errors.ts";
import { type EventKind, eventKinds } from "../../shared/views.ts";
import type { Db } from "../../storage/database.ts";
import { type EventWithStatus, findEvent, listEvents, withStatus } from "../events/index.ts";
import { isSessionOf } from "./store.ts";

export type FeedPage = { events: EventWithStatus[]; nextSince: string | null; nextBefore: string | null };

export type FeedQuery = {
  /** Null reads every project. */
  projectId: string | null;
  kinds: readonly EventKind[];
  since?: string | undefined;
  before?: string | undefined;
  sessionId?: string | undefined;
  actor?: string | undefined;
  limit: number;
};

const aroundEachSide = 25;
const emptyPage: FeedPage = { events: [], nextSince: null, nextBefore: null };

/** `since` without `before` walks forward, oldest first; everything else is newest first. */
export function readPage(db: Db, query: FeedQuery): FeedPage {
  const isBackward = query.before !== undefined;
  const oldestFirst = query.since !== undefined && !isBackward;
  if (hasUnknownSession(db, query)) return emptyPage;
  const events = query.kinds.length === 0 ? [] : listEvents(db, { ...query, oldestFirst });
  const first = events.at(0)?.id ?? null;
  const last = events.at(-1)?.id ?? null;
  const newest = oldestFirst ? last : first;
  const oldest = oldestFirst ? first : last;
  if (isBackward) return { events, nextSince: null, nextBefore: oldest };
  // An empty poll returns the cursor it was given, so a polling client keeps its place.
  return { events, nextSince: newest ?? query.since ?? null, nextBefore: oldest };
}

/**
 * An event with up to 25 of its neighbours on either side, newest first. The filters choose the neighbours; the event
 * itself is shown whatever they say, unless it is an audit record that was not asked for by its kind.
 * @throws HubError `not_found`
 */
export function readAround(db: Db, query: Omit<FeedQuery, "limit"> & { projectId: string }, eventId: string): FeedPage {
  if (hasUnknownSession(db, query)) return emptyPage;
  const event = findEvent(db, eventId);
  const isHidden = event?.kind === "system" && !query.kinds.includes("system");
  if (event === undefined || event.projectId !== query.projectId || isHidden) {
    throw new HubError("not_found", `there is no event ${JSON.stringify(eventId)} in this project`);
  }
  const near = { ...query, limit: aroundEachSide };
  const newer = listEvents(db, { ...near, since: eventId, oldestFirst: true }).reverse();
  const older = listEvents(db, { ...near, before: eventId, oldestFirst: false });
  const events = [...newer, withStatus(db, event), ...older];
  return { events, nextSince: events.at(0)?.id ?? null, nextBefore: events.at(-1)?.id ?? null };
}

// An unknown or pruned session shows nothing and moves nothing (mcp-tools.md 17.5). One of another project is as
// unknown here: it may be one the caller must not learn of.
function hasUnknownSession(db: Db, query: Pick<FeedQuery, "projectId" | "sessionId">): boolean {
  return query.sessionId !== undefined && !isSessionOf(db, query.projectId, query.sessionId);
}

/** Audit records are the operator's, and only when asked for by name. */
export function readableKinds(principal: Principal, asked: readonly EventKind[] | undefined): readonly EventKind[] {
  const kinds = asked === undefined || asked.length === 0 ? eventKinds.filter((kind) => kind !== "system") : asked;
  return principal.kind === "operator" ? kinds : kinds.filter((kind) => kind !== "system");
}
