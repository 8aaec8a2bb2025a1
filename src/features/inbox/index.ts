import type { Feature } from "../../kernel/feature.ts";
import { inboxRoutes } from "./routes.ts";
import { inboxTools } from "./tools.ts";

export { countInbox, type InboxCounts, type InboxEntry, listGroup } from "./store.ts";
export { viewInboxItem } from "./view.ts";

export const inbox: Feature = { name: "inbox", tools: inboxTools, routes: inboxRoutes };
