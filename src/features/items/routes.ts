import { timestamp } from "../../kernel/clock.ts";
import { type Route, route } from "../../kernel/route.ts";
import { extendItem, markAllRead, markRead, markUnread, snoozeItem, wakeItem } from "./triage.ts";

export const itemRoutes: readonly Route[] = [
  route("markRead", {
    operation: markRead,
    present: ({ eventId, status, isChanged }) => ({ event_id: eventId, status, changed: isChanged }),
  }),
  route("markUnread", {
    operation: markUnread,
    present: ({ eventId, status, isChanged }) => ({ event_id: eventId, status, changed: isChanged }),
  }),
  route("markAllRead", {
    operation: markAllRead,
    present: ({ marked, eventIds }) => ({ marked, event_ids: eventIds }),
  }),
  route("snoozeItem", {
    operation: snoozeItem,
    present: ({ eventId, until }) => ({ event_id: eventId, snoozed_until: timestamp(until) }),
  }),
  route("wakeItem", { operation: wakeItem, present: () => undefined }),
  route("extendItem", {
    operation: extendItem,
    present: ({ eventId, expiresAt }) => ({ event_id: eventId, expires_at: timestamp(expiresAt) }),
  }),
];
