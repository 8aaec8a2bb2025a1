import { type Route, route } from "../../kernel/route.ts";
import { listInbox } from "./operations.ts";
import { viewInboxItem } from "./view.ts";

export const inboxRoutes: readonly Route[] = [
  route("listInbox", {
    operation: listInbox,
    present: ({ entries, nextBefore, counts }, ctx) => ({
      items: entries.map((entry) => viewInboxItem(entry, "operator", ctx.now())),
      next_before: nextBefore,
      counts,
    }),
  }),
];
