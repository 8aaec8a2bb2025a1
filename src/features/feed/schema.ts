// Input of feed_read (mcp-tools.md 17.5).
import { z } from "zod";
import { anyId, cutInteger, listOf, oneOf } from "../../kernel/fields.ts";
import { eventKinds } from "../../shared/api.ts";
import { pageMax } from "../../shared/limits.ts";
import { projectId } from "../projects/index.ts";

export const ReadFeed = z.object({
  project_id: projectId,
  since: anyId.optional().meta({ description: "exclusive event id: read forward from it" }),
  before: anyId.optional().meta({ description: "exclusive event id: read back from it; moves no cursor" }),
  limit: cutInteger(1, pageMax).optional().meta({ description: "1 to 500, default 50" }),
  kinds: listOf(oneOf(eventKinds), `a list of ${eventKinds.join(", ")}`).optional(),
  session: anyId.optional().meta({ description: "only events written in this session" }),
});
export type ReadFeed = z.infer<typeof ReadFeed>;
