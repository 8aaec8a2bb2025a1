// Input of the search (mcp-tools.md 17.33).
import { z } from "zod";
import { anyId, cutInteger, oneOf } from "../../kernel/fields.ts";
import { searchHitsMax } from "../../shared/limits.ts";

const queryExpected = "a text that is not blank";
const query = z.string({ error: queryExpected }).refine((text) => text.trim() !== "", { error: queryExpected });
const family = oneOf(["feed", "artifact", "brain", "kb"]).optional();
const limit = cutInteger(1, searchHitsMax).optional();

export const Search = z
  .object({
    query: query,
    scope: oneOf(["project", "session", "global"]).optional(),
    project_id: anyId.optional(),
    type: family,
    session_id: anyId.optional(),
    limit,
  })
  .superRefine((input, context) => {
    if (input.scope === "project") needs(context, "project_id", input.project_id);
    if (input.scope === "session") needs(context, "session_id", input.session_id);
  });
export type Search = z.infer<typeof Search>;

/** The same as the query string of the REST call names it (rest-api.md 15). */
export const SearchQuery = z
  .object({
    q: query,
    scope: oneOf(["project", "global"]).optional(),
    project: anyId.optional(),
    type: family,
    session_id: anyId.optional(),
    session: anyId.optional(),
    limit,
  })
  .superRefine((input, context) => {
    if (input.scope === "project") needs(context, "project", input.project);
  })
  .transform(
    ({ q, project, session, ...rest }): Search => ({
      ...rest,
      query: q,
      project_id: project,
      session_id: rest.session_id ?? session,
    }),
  );

function needs(context: z.core.$RefinementCtx, field: string, value: string | undefined): void {
  if (value !== undefined) return;
  context.addIssue({ code: "custom", path: [field], message: `a ${field.replace("_id", "")} for this scope` });
}
