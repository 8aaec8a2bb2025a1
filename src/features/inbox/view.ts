// How an inbox item is shown (mcp-tools.md 12.1).
import { timestamp } from "../../kernel/clock.ts";
import { isObject } from "../../shared/json.ts";
import type { AnswerView, DecisionView, InboxItemView } from "../../shared/views.ts";
import type { InboxEntry } from "./store.ts";

/**
 * @param audience to an agent a read item is `unread` and was never touched, and none is ever snoozed
 * @param now a snooze that ran out by then shows no more, milliseconds
 */
export function viewInboxItem(entry: InboxEntry, audience: "agent" | "operator", now: number): InboxItemView {
  const isHidden = audience === "agent" && entry.status === "read";
  return {
    event_id: entry.eventId,
    project_id: entry.projectId,
    project_display_name: entry.projectDisplayName,
    kind: entry.kind,
    actor: entry.actor,
    summary: entry.summary,
    payload: entry.payload,
    status: isHidden ? "unread" : entry.status,
    created_at: timestamp(entry.createdAt),
    updated_at: timestamp(
      isHidden || (audience === "agent" && entry.status === "unread") ? entry.createdAt : entry.updatedAt,
    ),
    ...(entry.expiresAt === null ? {} : { expires_at: timestamp(entry.expiresAt) }),
    ...(entry.onExpiry === null ? {} : { on_expiry: entry.onExpiry }),
    ...resolution(entry),
    ...(audience === "operator" && entry.snoozedUntil !== null && entry.snoozedUntil > now
      ? { snoozed_until: timestamp(entry.snoozedUntil) }
      : {}),
  };
}

function resolution(entry: InboxEntry): { decision?: DecisionView; answer?: AnswerView } {
  const { answer } = entry;
  if (answer === null) return {};
  const payload = isObject(answer.payload) ? answer.payload : {};
  const expired = payload["expired"] === true ? { expired: true as const } : {};
  const by = { actor: answer.actor, event_id: answer.eventId };
  if (entry.kind === "approval") {
    return {
      decision: {
        decision: payload["decision"] === "approved" ? "approved" : "declined",
        note: typeof payload["note"] === "string" ? payload["note"] : null,
        ...by,
        decided_at: timestamp(answer.at),
        ...expired,
      },
    };
  }
  return {
    answer: {
      body: typeof payload["body"] === "string" ? payload["body"] : null,
      ...by,
      answered_at: timestamp(answer.at),
      ...expired,
    },
  };
}
