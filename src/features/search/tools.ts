import { type Tool, tool } from "../../kernel/tool.ts";
import { search } from "./operations.ts";
import { viewSearch } from "./view.ts";

export const searchTools: readonly Tool[] = [
  tool({
    name: "search",
    description: 'Search feeds, brains and pages. All words must match, the last one as a prefix; "..." is a phrase.',
    operation: search,
    core: true,
    hints: { readOnlyHint: true },
    present: viewSearch,
  }),
];
