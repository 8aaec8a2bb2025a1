// Inputs of sessions and of their brains (mcp-tools.md 13, 14, 17.1, 17.2, 17.26, 17.27).
import { z } from "zod";
import { anyId, content, cutInteger, limitedText, oneOf, pattern } from "../../kernel/fields.ts";
import { projectIdPattern, sessionNamePattern } from "../../shared/ids.ts";
import { isObject } from "../../shared/json.ts";
import { brainValueBytes, handoffChars, sessionListMax } from "../../shared/limits.ts";
import { projectId } from "../projects/index.ts";
import { brainPathExpected, canonicalListPath, canonicalPath } from "./paths.ts";

export const EndSession = z.object({
  session_id: anyId,
  handoff: limitedText(handoffChars).optional(),
});
export type EndSession = z.infer<typeof EndSession>;

const refExpected = "either session_id, or agent and name with an optional project_id";

const refMembers = z.object(
  {
    session_id: anyId.optional(),
    agent: anyId.optional(),
    name: anyId.optional(),
    project_id: projectId.optional(),
  },
  { error: refExpected },
);

// A member sent as `null` is absent, as at the top level (mcp-tools.md 2).
function withoutNulls(given: unknown): unknown {
  return isObject(given) ? Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) : given;
}

/** Names a session: by id, or by owner and name (mcp-tools.md 13.3). Flat in the schema, exactly one form in fact. */
export const SessionRef = z.preprocess(
  withoutNulls,
  refMembers.refine(
    (ref) => {
      const byId = ref.session_id !== undefined;
      const byName = ref.agent !== undefined && ref.name !== undefined;
      if (byId) return ref.agent === undefined && ref.name === undefined && ref.project_id === undefined;
      return byName;
    },
    { error: refExpected },
  ),
);
export type SessionRef = z.infer<typeof SessionRef>;

const refSchema = z.toJSONSchema(refMembers);

export const StartSession = z.object({
  project_id: pattern(projectIdPattern, "the id of a project"),
  session_name: pattern(sessionNamePattern, "1 to 128 characters of A-Z a-z 0-9 _ -").meta({
    description: "of A-Z a-z 0-9 _ -",
  }),
  from: SessionRef.optional().meta(refSchema),
});
export type StartSession = z.infer<typeof StartSession>;

const sessionStatuses = ["active", "ended"] as const;

export const ListSessions = z.object({
  project_id: projectId.optional(),
  status: oneOf(sessionStatuses).optional(),
  agent: anyId.optional(),
  limit: cutInteger(1, sessionListMax).optional(),
});
export type ListSessions = z.infer<typeof ListSessions>;

const path = z
  .string({ error: brainPathExpected })
  .refine((given) => given.isWellFormed() && canonicalPath(given) !== undefined, { error: brainPathExpected });
const session = SessionRef.optional().meta(refSchema);

const listExpected = "/fs, /fs/<directory>, /kv or /kv/<prefix>";
const listPath = z
  .string({ error: listExpected })
  .refine((given) => given.isWellFormed() && canonicalListPath(given) !== undefined, { error: listExpected });

export const ListBrain = z.object({ path: listPath.optional(), session });
export type ListBrain = z.infer<typeof ListBrain>;

const versionExpected = "sha256:<64 hex digits>, or absent";
const ifVersion = pattern(/^(?:absent|sha256:[0-9a-fA-F]{64})$/, versionExpected);

export const GetBrain = z.object({ path, session });
export type GetBrain = z.infer<typeof GetBrain>;

export const PutBrain = z.object({
  path,
  // Half a surrogate pair is no UTF-8: it would be read back as another character.
  content: content(brainValueBytes).refine((text) => text.isWellFormed(), { error: "a text of whole characters" }),
  session,
  if_version: ifVersion.optional().meta({ description: "write only over this version; absent: over nothing" }),
});
export type PutBrain = z.infer<typeof PutBrain>;

export const DeleteBrain = PutBrain.omit({ content: true });
export type DeleteBrain = z.infer<typeof DeleteBrain>;
