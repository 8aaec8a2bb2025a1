// Inputs of the inbox views (mcp-tools.md 17.9, 17.10; rest-api.md 6).
import { z } from "zod";
import { anyId, cutInteger, flag, oneOf } from "../../kernel/fields.ts";
import { pageMax, waitSecondsMax } from "../../shared/limits.ts";
import { inboxStatuses } from "../../shared/views.ts";
import { inboxGroups } from "./store.ts";

const agentStatuses = ["unread", "action", "waiting", "resolved"] as const;
const itemKinds = ["finished", "question", "approval"] as const;

const agentFilters = {
  status: oneOf(agentStatuses).optional(),
  project_id: anyId.optional(),
  actor: anyId.optional(),
  since: anyId.optional(),
  limit: cutInteger(1, pageMax).optional(),
};

export const ReadInbox = z.object(agentFilters);
export type ReadInbox = z.infer<typeof ReadInbox>;

export const WaitInbox = z.object({
  wait_seconds: cutInteger(0, waitSecondsMax).optional(),
  ...agentFilters,
});
export type WaitInbox = z.infer<typeof WaitInbox>;

const beforeExpected = "the next_before of the previous answer";

export const ListInbox = z
  .object({
    status: oneOf(inboxStatuses).optional(),
    group: oneOf(inboxGroups).optional(),
    project: anyId.optional(),
    actor: anyId.optional(),
    kind: oneOf(itemKinds).optional(),
    event_id: anyId.optional(),
    before: z
      .string({ error: beforeExpected })
      .regex(/^\d{1,16}~[0-9A-Z]{26}$/, { error: beforeExpected })
      .transform((place) => {
        const [key = "", eventId = ""] = place.split("~");
        return { key: Number(key), eventId };
      })
      .optional(),
    limit: cutInteger(1, pageMax).optional(),
    unread_only: flag.optional(),
  })
  .superRefine((input, context) => {
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: "custom", path: [field], message });
    if (input.group !== undefined && (input.status !== undefined || input.unread_only !== undefined)) {
      refuse("group", "no group beside status or unread_only");
    }
    if (input.unread_only === true && input.status !== undefined && input.status !== "unread") {
      refuse("unread_only", "no unread_only beside another status");
    }
  });
export type ListInbox = z.infer<typeof ListInbox>;
