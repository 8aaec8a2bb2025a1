// Inputs of the knowledge base as the operator's addresses spell them (rest-api.md 13): the project is in the path,
// `/fs/` may be left out, and what is not known is refused.
import { z } from "zod";
import { anyId, cutInteger, flag, jsonValue, oneOf } from "../../kernel/fields.ts";
import { codePoints, isObject } from "../../shared/json.ts";
import { pageOps } from "../../shared/knowledge.ts";
import { commentAnchorBytes, commentChars, pageLevelMax } from "../../shared/limits.ts";
import { canonicalDirectory, canonicalPagePath, fromRestSpelling, pagePathExpected } from "./page/page-path.ts";
import {
  before,
  directoryExpected,
  fromPath,
  guard,
  historyLimit,
  pageContent,
  pathField,
  promotedFields,
  version,
} from "./schema.ts";

const project_id = anyId;
const path = pathField((given) => canonicalPagePath(fromRestSpelling(given)), pagePathExpected);
const directory = pathField((given) => canonicalDirectory(fromRestSpelling(given)), directoryExpected);

export const BaseRef = z.strictObject({ project_id });
export const PathRef = z.strictObject({ project_id, path });

export const ReadPageAt = z.strictObject({ project_id, path, version: version.optional() });

/** The guard stands in the body, or in the address as `?if_version`, and not in both. */
export const PutPageAt = z
  .strictObject({
    project_id,
    path,
    content: pageContent,
    if_version: guard.optional(),
    "?if_version": guard.optional(),
  })
  .superRefine((input, context) => {
    if (input.if_version === undefined || input["?if_version"] === undefined) return;
    context.addIssue({ code: "custom", path: ["if_version"], message: "one guard, in the body or in the address" });
  })
  .transform(({ "?if_version": inAddress, ...input }) => ({ ...input, if_version: input.if_version ?? inAddress }));

export const DeletePageAt = z.strictObject({ project_id, path, if_version: guard.optional() });

export const ReviewPage = z.strictObject({
  project_id,
  path,
  if_version: guard.optional(),
  verified_by: oneOf(["human"]).optional(),
});

export const RevertPageAt = z.strictObject({ project_id, path, version, if_version: guard.optional() });

export const ListLevel = z.strictObject({
  project_id,
  prefix: directory.optional(),
  limit: cutInteger(1, pageLevelMax).optional(),
  meta: flag.optional(),
});

export const ListLog = z.strictObject({
  project_id,
  path: path.optional(),
  prefix: directory.optional(),
  actor: anyId.optional(),
  op: oneOf(pageOps).optional(),
  before: before.optional(),
  limit: historyLimit.optional(),
});

export const ListVersionsAt = z.strictObject({
  project_id,
  path,
  before: before.optional(),
  limit: historyLimit.optional(),
});

export const ForgetVersions = z.strictObject({ project_id, path, plan: flag.optional() });

/** `fresh` asks for what every lint is: read anew. */
export const LintBase = z.strictObject({ project_id, fresh: flag.optional() });

const bodyExpected = `a text of 1 to ${commentChars} characters, not blank`;

export const PostComment = z.strictObject({
  project_id,
  path,
  body: z
    .string({ error: bodyExpected })
    .trim()
    .refine((text) => text !== "" && text.isWellFormed() && codePoints(text) <= commentChars, { error: bodyExpected }),
  anchor: jsonValue(commentAnchorBytes)
    .refine((anchor) => anchor === undefined || isObject(anchor), { error: "a JSON object" })
    .optional(),
  author: oneOf(["human"]).optional(),
});

export const CommentRef = z.strictObject({ project_id, comment_id: anyId });
export type CommentRef = z.infer<typeof CommentRef>;

export const MarkComment = z.strictObject({ project_id, comment_id: anyId, done: flag });

export const PromoteEntry = z.strictObject({
  project_id,
  from_session_id: anyId,
  from_path: fromPath,
  to_path: path,
  ...promotedFields,
  if_version: guard.optional(),
});
