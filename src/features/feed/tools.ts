import { type Tool, tool } from "../../kernel/tool.ts";
import { viewEvent } from "../events/index.ts";
import { readFeed } from "./operations.ts";

export const feedTools: readonly Tool[] = [
  tool({
    name: "feed_read",
    description:
      "Read on in a project's feed: the hub keeps your place. since reads forward from an event id, before back.",
    operation: readFeed,
    core: true,
    // Over MCP nobody is shown whether an item was read: the contract has no such status (mcp-tools.md 8.1).
    present: (page) => ({
      events: page.events.map((event) => viewEvent(event, "agent")),
      next_since: page.nextSince,
      next_before: page.nextBefore,
    }),
  }),
];
