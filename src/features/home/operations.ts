// Everything the operator's first screen shows, in one request (rest-api.md 3).
import { z } from "zod";
import { readOperation } from "../../kernel/operation.ts";
import { eventKinds } from "../../shared/views.ts";
import { type EventWithStatus, listEvents } from "../events/index.ts";
import { countInbox, type InboxCounts, type InboxEntry, listGroup } from "../inbox/index.ts";
import { settleDueItems } from "../items/index.ts";
import { operatorOnly, visibleProjects } from "../projects/index.ts";
import {
  type ActiveSession,
  countAgentsActive,
  countNeedsReview,
  countPrunable,
  displayNames,
  listActiveSessions,
  listUnseen,
} from "./store.ts";

const waitingShown = 5;
const sessionsShown = 5;
const recentShown = 10;

export type Home = {
  counts: InboxCounts;
  waiting: InboxEntry[];
  agentsActive: number;
  sessions: ActiveSession[];
  recent: { event: EventWithStatus; projectDisplayName: string | null }[];
  unseen: { project_id: string; display_name: string; events: number }[];
  prunable: { sessions: number; bytes: number };
  needsReview: number;
};

export const readHome = readOperation({
  name: "readHome",
  input: z.object({}),
  access: operatorOnly,
  before: (ctx) => settleDueItems(ctx),
  run(ctx): Home {
    const now = ctx.now();
    const filter = { visible: visibleProjects(ctx.principal) };
    const recent = listEvents(ctx.db, {
      projectId: null,
      kinds: eventKinds.filter((kind) => kind !== "system"),
      limit: recentShown,
      oldestFirst: false,
    });
    const names = displayNames(ctx.db, [...new Set(recent.map((event) => event.projectId))]);
    const waiting = listGroup(ctx.db, filter, { group: "waiting", after: undefined, now, limit: waitingShown });
    return {
      counts: countInbox(ctx.db, filter, now),
      waiting: waiting.map(({ entry }) => entry),
      agentsActive: countAgentsActive(ctx.db, now - ctx.config.activeWindowSecs * 1000),
      sessions: listActiveSessions(ctx.db, sessionsShown),
      recent: recent.map((event) => ({ event, projectDisplayName: names.get(event.projectId) ?? null })),
      unseen: listUnseen(ctx.db),
      prunable: countPrunable(ctx.db),
      needsReview: countNeedsReview(ctx.db),
    };
  },
});
