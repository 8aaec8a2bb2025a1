import { type Tool, tool } from "../../kernel/tool.ts";
import { appendSignal } from "./operations.ts";

export const itemTools: readonly Tool[] = [
  tool({
    name: "signal_append",
    description:
      "Append an event to a project's feed. signal: progress others may want to know. finished: done work for the human to read. approval: asks the human to approve or decline. idea: worth keeping.",
    operation: appendSignal,
    core: true,
    present: (written) => ({ event_id: written.eventId }),
  }),
];
