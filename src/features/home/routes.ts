import { timestamp } from "../../kernel/clock.ts";
import { type Route, route } from "../../kernel/route.ts";
import { viewEvent } from "../events/index.ts";
import { viewInboxItem } from "../inbox/index.ts";
import { readHome } from "./operations.ts";

export const homeRoutes: readonly Route[] = [
  route("getHome", {
    operation: readHome,
    present: (home, ctx) => {
      const usage = ctx.usage();
      return {
        unread: home.counts.unread,
        waiting: home.counts.waiting,
        snoozed: home.counts.snoozed,
        waiting_items: home.waiting.map((entry) => viewInboxItem(entry, "operator", ctx.now())),
        node: { host: ctx.config.nodeName, mode: "local" },
        agents_active: home.agentsActive,
        active_sessions: home.sessions.map((session) => ({
          session_id: session.id,
          session_name: session.name,
          agent: session.agent,
          project_id: session.project_id,
          project_display_name: session.display_name,
          since: timestamp(session.created_at),
          last_activity: timestamp(session.last_activity),
          last_event: session.last_event,
        })),
        last_event_at: home.recent[0] === undefined ? null : timestamp(home.recent[0].event.createdAt),
        recent: home.recent.map(({ event, projectDisplayName }) => ({
          ...viewEvent(event, "operator"),
          project_display_name: projectDisplayName,
        })),
        unseen: home.unseen.map((row) => ({
          project_id: row.project_id,
          events: row.events,
          project_display_name: row.display_name,
        })),
        storage: {
          used_bytes: usage.usedBytes,
          capacity_bytes: usage.capacityBytes,
          free_bytes: usage.freeBytes,
        },
        prunable: home.prunable,
        needs_review: home.needsReview,
      };
    },
  }),
];
