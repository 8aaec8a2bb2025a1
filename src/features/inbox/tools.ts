import type { Ctx } from "../../kernel/ctx.ts";
import { type Tool, tool } from "../../kernel/tool.ts";
import { type InboxSlice, readInbox, waitInbox } from "./operations.ts";
import { viewInboxItem } from "./view.ts";

function present({ entries, nextSince }: InboxSlice, ctx: Ctx): object {
  return { items: entries.map((entry) => viewInboxItem(entry, "agent", ctx.now())), next_since: nextSince };
}

export const inboxTools: readonly Tool[] = [
  tool({
    name: "inbox_read",
    description:
      "Read the human's inbox over every project you may read: questions, approvals and finished work, with the answers and decisions they got. since goes forward over what was resolved, too.",
    operation: readInbox,
    hints: { readOnlyHint: true },
    present,
  }),
  tool({
    name: "inbox_wait",
    description:
      "Wait up to 55 s until a question or approval of yours is resolved; call again to go on. since: the id just posted, then each next_since.",
    operation: waitInbox,
    core: true,
    hints: { readOnlyHint: true },
    present,
  }),
];
