import { type Tool, tool } from "../../kernel/tool.ts";
import { viewEvent } from "../events/index.ts";
import { readFeed } from "./operations.ts";

export const feedTools: readonly Tool[] = [
  tool({
    name: "feed_read",
    description:
      "Read a project's feed. Without since or before it goes on from where you stopped last time: the hub keeps your place. since reads forward and keeps your place too; before reads back.",
    operation: readFeed,
    core: true,
    present: (page, ctx) => ({
      events: page.events.map((event) => viewEvent(event, ctx.principal.kind === "operator" ? "operator" : "agent")),
      next_since: page.nextSince,
      next_before: page.nextBefore,
    }),
  }),
];
