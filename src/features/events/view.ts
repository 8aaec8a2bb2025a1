// How an event is shown, to agents and to the operator (mcp-tools.md 8.1).
import { timestamp } from "../../kernel/clock.ts";
import type { EventView } from "../../shared/views.ts";
import type { EventWithStatus } from "./store.ts";

/** @param audience an agent never learns whether the operator read an item: `read` shows as `unread` to it */
export function viewEvent(event: EventWithStatus, audience: "agent" | "operator"): EventView {
  const status = audience === "agent" && event.inboxStatus === "read" ? "unread" : event.inboxStatus;
  return {
    id: event.id,
    project_id: event.projectId,
    kind: event.kind,
    actor: event.actor,
    summary: event.summary,
    payload: event.payload,
    thread_id: event.threadId,
    session_id: event.sessionId,
    needs_action: event.kind === "question" || event.kind === "approval",
    created_at: timestamp(event.createdAt),
    inbox_status: status,
  };
}
