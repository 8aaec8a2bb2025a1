import { type Tool, tool } from "../../kernel/tool.ts";
import { waitInbox } from "./operations.ts";
import { viewInboxItem } from "./view.ts";

export const inboxTools: readonly Tool[] = [
  tool({
    name: "inbox_wait",
    description:
      "Wait until one of your own questions or approvals is resolved, up to 55 s; call again to go on. Pass since: the question_id you just posted, then the next_since of each answer, so that old answers do not end the wait.",
    operation: waitInbox,
    core: true,
    hints: { readOnlyHint: true },
    present: ({ entries, nextSince }) => ({
      items: entries.map((entry) => viewInboxItem(entry, "agent")),
      next_since: nextSince,
    }),
  }),
];
