// Inputs of the inbox views (mcp-tools.md 17.9, 17.10; rest-api.md 6).
import { z } from "zod";
import { anyId, cutInteger, oneOf } from "../../kernel/fields.ts";
import { inboxStatuses } from "../../shared/api.ts";
import { pageMax, waitSecondsMax } from "../../shared/limits.ts";

const agentStatuses = ["unread", "action", "waiting", "resolved"] as const;
const itemKinds = ["finished", "question", "approval"] as const;

const agentFilters = {
  status: oneOf(agentStatuses).optional(),
  project_id: anyId.optional(),
  actor: anyId.optional(),
  since: anyId.optional().meta({ description: "exclusive cursor: next_since of a page, or a question_id" }),
  limit: cutInteger(1, pageMax).optional(),
};

export const WaitInbox = z.object({
  wait_seconds: cutInteger(0, waitSecondsMax).optional().meta({ description: "0 to 60, default 30; 0 looks once" }),
  ...agentFilters,
});
export type WaitInbox = z.infer<typeof WaitInbox>;

export const ListInbox = z.object({
  status: oneOf(inboxStatuses).optional(),
  project: anyId.optional(),
  actor: anyId.optional(),
  kind: oneOf(itemKinds).optional(),
  before: anyId.optional(),
  limit: cutInteger(1, pageMax).optional(),
});
export type ListInbox = z.infer<typeof ListInbox>;
