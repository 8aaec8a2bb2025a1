import { type Route, route } from "../../kernel/route.ts";
import type { FeedView } from "../../shared/views.ts";
import { viewEvent } from "../events/index.ts";
import { listFeed, markSeen } from "./operations.ts";
import type { FeedPage } from "./page.ts";

function view(page: FeedPage & { lastSeen: string | null }): FeedView {
  return {
    events: page.events.map((event) => viewEvent(event, "operator")),
    next_since: page.nextSince,
    next_before: page.nextBefore,
    last_seen: page.lastSeen,
  };
}

const byId = { id: "project_id" };

export const feedRoutes: readonly Route[] = [
  route("listFeed", { operation: listFeed, present: view }),
  route("listProjectFeed", { operation: listFeed, rename: byId, present: view }),
  route("markFeedSeen", {
    operation: markSeen,
    rename: byId,
    present: (moved) => ({ project_id: moved.projectId, last_seen: moved.lastSeen, advanced: moved.hasAdvanced }),
  }),
];
