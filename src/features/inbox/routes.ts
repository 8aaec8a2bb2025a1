import { type Route, route } from "../../kernel/route.ts";
import { listInbox } from "./operations.ts";
import { viewInboxItem } from "./view.ts";

export const inboxRoutes: readonly Route[] = [
  route("listInbox", {
    operation: listInbox,
    present: ({ entries, nextBefore, counts }) => ({
      items: entries.map((entry) => viewInboxItem(entry, "operator")),
      next_before: nextBefore,
      counts,
    }),
  }),
];
