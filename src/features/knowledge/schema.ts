// Inputs of the knowledge base, as agents send them (mcp-tools.md 14, 17.26 to 17.32). Paths come out canonical.
import { z } from "zod";
import { content, integer, listOf, pattern } from "../../kernel/fields.ts";
import { historyMax, pageBytes } from "../../shared/limits.ts";
import { projectId } from "../projects/index.ts";
import { brainPathExpected, canonicalBrainPath } from "../sessions/index.ts";
import { canonicalDirectory, canonicalPagePath, pagePathExpected } from "./page/page-path.ts";

/** A path that is read by `canonical`, which names none as undefined. */
export function pathField(canonical: (path: string) => string | undefined, expected: string): z.ZodType<string> {
  return z.string({ error: expected }).transform((given, context) => {
    const path = canonical(given);
    if (path !== undefined) return path;
    context.addIssue({ code: "custom", message: expected });
    return z.NEVER;
  });
}

export const directoryExpected = "/fs or /fs/<directory>; the knowledge base has no other namespace";

const path = pathField(canonicalPagePath, pagePathExpected).meta({ description: "/fs/<path> of the page" });
const project = projectId.optional();

/** Half a surrogate pair is no UTF-8: it would be read back as another character. */
export const pageContent: z.ZodType<string> = content(pageBytes).refine((text) => text.isWellFormed(), {
  error: "a text of whole characters",
});
export const version: z.ZodType<string> = pattern(/^sha256:[0-9a-fA-F]{64}$/, "sha256:<64 hex digits>");
export const guard: z.ZodType<string> = pattern(
  /^(?:absent|sha256:[0-9a-fA-F]{64})$/,
  "sha256:<64 hex digits>, or absent",
);

const ifVersion = guard.optional().meta({ description: "write only over this version; absent: over nothing" });

export const GetPage = z.object({
  path,
  project_id: project,
  version: version.optional(),
});
export type GetPage = z.infer<typeof GetPage>;

export const PutPage = z.object({ path, content: pageContent, project_id: project, if_version: ifVersion });
export type PutPage = z.infer<typeof PutPage>;

export const ListPages = z.object({
  path: pathField(canonicalDirectory, directoryExpected).optional(),
  project_id: project,
});
export type ListPages = z.infer<typeof ListPages>;

export const DeletePage = z.object({ path, project_id: project, if_version: ifVersion });
export type DeletePage = z.infer<typeof DeletePage>;

export const before: z.ZodType<number> = integer(0, Number.MAX_SAFE_INTEGER);
export const historyLimit: z.ZodType<number> = integer(0, historyMax);

export const ListVersions = z.object({
  path,
  project_id: project,
  before: before.optional().meta({ description: "next_before of the last answer" }),
  limit: historyLimit.optional(),
});
export type ListVersions = z.infer<typeof ListVersions>;

export const RevertPage = z.object({ path, version, project_id: project, if_version: ifVersion });
export type RevertPage = z.infer<typeof RevertPage>;

const lineExpected = "one line, without control characters";
const line = z
  .string({ error: lineExpected })
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), { error: lineExpected });

/** What a promote writes into the frontmatter; each one line. */
export const promotedFields = {
  type: line.optional(),
  title: line.optional(),
  description: line.optional(),
  tags: listOf(line, "a list of texts").optional(),
};
export type PromotedFields = z.infer<z.ZodObject<typeof promotedFields>>;

/** An entry of a brain; it is cited in the page, so it is one line. */
export const fromPath = pathField(
  (given) => (given.isWellFormed() && !/\p{Cc}/u.test(given) ? canonicalBrainPath(given) : undefined),
  `${brainPathExpected}, without control characters`,
);

export const PromoteOwnEntry = z.object({
  from_path: fromPath.meta({ description: "/fs/<path> or /kv/<key> of your active session's brain" }),
  to_path: path,
  project_id: project,
  ...promotedFields,
  if_version: ifVersion,
});
