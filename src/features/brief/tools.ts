import { type Tool, tool } from "../../kernel/tool.ts";
import type { Notifier } from "../notify/index.ts";
import { briefOperation } from "./operations.ts";
import { viewBrief } from "./view.ts";

export function briefTools(notifier: Notifier): readonly Tool[] {
  return [
    tool({
      name: "session_brief",
      description: "Read first: answers to you, your last session's handoff, what is new in the feed, stale pages.",
      operation: briefOperation(notifier),
      core: true,
      hints: { readOnlyHint: true },
      isTrailer: true,
      present: viewBrief,
    }),
  ];
}
