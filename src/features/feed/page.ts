// Pages of a feed and their two cursors (mcp-tools.md 9.1).
import type { Principal } from "../../kernel/ctx.ts";
import { type EventKind, eventKinds } from "../../shared/api.ts";
import type { Db } from "../../storage/database.ts";
import { type EventWithStatus, listEvents } from "../events/index.ts";
import { isSessionKnown } from "../sessions/index.ts";

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

/** `since` without `before` walks forward, oldest first; everything else is newest first. */
export function readPage(db: Db, query: FeedQuery): FeedPage {
  const isBackward = query.before !== undefined;
  const oldestFirst = query.since !== undefined && !isBackward;
  // An unknown or pruned session shows nothing and moves nothing (mcp-tools.md 17.5).
  if (query.sessionId !== undefined && !isSessionKnown(db, query.sessionId)) {
    return { events: [], nextSince: null, nextBefore: null };
  }
  const events = query.kinds.length === 0 ? [] : listEvents(db, { ...query, oldestFirst });
  const first = events.at(0)?.id ?? null;
  const last = events.at(-1)?.id ?? null;
  const newest = oldestFirst ? last : first;
  const oldest = oldestFirst ? first : last;
  if (isBackward) return { events, nextSince: null, nextBefore: oldest };
  // An empty poll returns the cursor it was given, so a polling client keeps its place.
  return { events, nextSince: newest ?? query.since ?? null, nextBefore: oldest };
}

/** Audit records are the operator's, and only when asked for by name. */
export function readableKinds(principal: Principal, asked: readonly EventKind[] | undefined): readonly EventKind[] {
  const kinds = asked === undefined || asked.length === 0 ? eventKinds.filter((kind) => kind !== "system") : asked;
  return principal.kind === "operator" ? kinds : kinds.filter((kind) => kind !== "system");
}
