// Inputs of the feed views (mcp-tools.md 17.5; rest-api.md 5).
import { z } from "zod";
import { anyId, cutInteger, listOf, oneOf } from "../../kernel/fields.ts";
import { pageMax } from "../../shared/limits.ts";
import { eventKinds } from "../../shared/views.ts";
import { projectId } from "../projects/index.ts";

const kinds = listOf(oneOf(eventKinds), `a list of ${eventKinds.join(", ")}`);

export const ReadFeed = z.object({
  project_id: projectId,
  since: anyId.optional(),
  before: anyId.optional(),
  limit: cutInteger(1, pageMax).optional(),
  kinds: kinds.optional(),
  session: anyId.optional(),
});
export type ReadFeed = z.infer<typeof ReadFeed>;

/** The operator's reads; without a project every one of them. */
export const ListFeed = z
  .object({
    project_id: projectId.optional(),
    since: anyId.optional(),
    before: anyId.optional(),
    limit: cutInteger(1, pageMax).optional(),
    kinds: kinds.optional(),
    session: anyId.optional(),
    session_id: anyId.optional(),
    actor: anyId.optional(),
    around: anyId.optional(),
  })
  .refine((input) => input.around === undefined || (input.since === undefined && input.before === undefined), {
    path: ["around"],
    error: "no around beside since or before",
  });
export type ListFeed = z.infer<typeof ListFeed>;

export const MarkSeen = z.object({ project_id: projectId, event_id: anyId });
export type MarkSeen = z.infer<typeof MarkSeen>;
