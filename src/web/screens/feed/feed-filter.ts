// What of a feed is shown, as the address says it: one kind, one agent, one session.
import { type EventKind, eventKinds } from "../../../shared/views.ts";
import { routeText } from "../../shell/route.ts";

export type FeedFilter = {
  kind: EventKind | "waiting" | undefined;
  agent: string | undefined;
  session: string | undefined;
};

export function readFilter(query: URLSearchParams): FeedFilter {
  const kind = query.get("kind");
  return {
    kind: kind === "waiting" ? kind : eventKinds.find((each) => each === kind),
    agent: query.get("agent") ?? undefined,
    session: query.get("session") ?? undefined,
  };
}

export function isFiltered({ kind, agent, session }: FeedFilter): boolean {
  return kind !== undefined || agent !== undefined || session !== undefined;
}

export function feedRoute(project: string, filter: FeedFilter, event?: string): string {
  return routeText(["p", project, "feed", ...(event === undefined ? [] : [event])], filter);
}

/**
 * Kinds to read from the hub. A question or an approval shows how it ended, and that stands in its answer, so answers
 * come along and are not drawn as rows.
 */
export function kindsToRead({ kind }: FeedFilter): EventKind[] | undefined {
  if (kind === undefined || kind === "waiting") return undefined;
  return kind === "question" || kind === "approval" ? [kind, "answer"] : [kind];
}

export function isDrawn({ kind }: FeedFilter, of: EventKind): boolean {
  return kind === undefined || kind === of;
}
