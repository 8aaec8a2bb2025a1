import { type Tool, tool } from "../../kernel/tool.ts";
import { appendSignal } from "./operations.ts";

export const itemTools: readonly Tool[] = [
  tool({
    name: "signal_append",
    description:
      "Append to a project's feed: signal (progress), finished (work for the human to read), approval (the human decides, or the deadline), idea.",
    operation: appendSignal,
    core: true,
    present: (written) => ({ event_id: written.eventId }),
  }),
];
