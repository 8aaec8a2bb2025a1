import { type Tool, tool } from "../../kernel/tool.ts";
import { search } from "./operations.ts";
import { viewSearch } from "./view.ts";

export const searchTools: readonly Tool[] = [
  tool({
    name: "search",
    description:
      'Search feeds, session brains and knowledge base pages you may read. Every word must match, the last one as a prefix; "..." is a phrase. Narrow with project_id, type or session_id.',
    operation: search,
    core: true,
    hints: { readOnlyHint: true },
    present: viewSearch,
  }),
];
