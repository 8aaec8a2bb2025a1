// Inputs of the session and brain tools (mcp-tools.md 13, 14, 17.1, 17.2, 17.26, 17.27).
import { z } from "zod";
import { anyId, content, limitedText, oneOf, pattern } from "../../kernel/fields.ts";
import { sessionNamePattern } from "../../shared/ids.ts";
import { brainValueBytes, handoffChars } from "../../shared/limits.ts";
import { projectId } from "../projects/index.ts";
import { brainPathExpected, canonicalPath } from "./paths.ts";

export const StartSession = z.object({
  project_id: projectId,
  session_name: pattern(sessionNamePattern, "1 to 128 characters of A-Z a-z 0-9 _ -").meta({
    description: "your name for this piece of work; the same name resumes it",
  }),
});
export type StartSession = z.infer<typeof StartSession>;

export const EndSession = z.object({
  session_id: anyId,
  handoff: limitedText(handoffChars)
    .optional()
    .meta({ description: "note for whoever takes over, up to 4096 characters" }),
});
export type EndSession = z.infer<typeof EndSession>;

const refExpected = "either session_id, or agent and name with an optional project_id";

/** Names a session: by id, or by owner and name (mcp-tools.md 13.3). Flat in the schema, exactly one form in fact. */
export const SessionRef = z
  .object(
    {
      session_id: anyId.optional(),
      agent: anyId.optional(),
      name: anyId.optional(),
      project_id: projectId.optional(),
    },
    { error: refExpected },
  )
  .refine(
    (ref) => {
      const byId = ref.session_id !== undefined;
      const byName = ref.agent !== undefined && ref.name !== undefined;
      if (byId) return ref.agent === undefined && ref.name === undefined && ref.project_id === undefined;
      return byName;
    },
    { error: refExpected },
  );
export type SessionRef = z.infer<typeof SessionRef>;

const store = oneOf(["session"]);
const path = z
  .string({ error: brainPathExpected })
  .refine((given) => canonicalPath(given) !== undefined, { error: brainPathExpected })
  .meta({ description: "/fs/<path> or /kv/<key>" });
const session = SessionRef.optional().meta({ description: "another session; default your active one" });

const versionExpected = "sha256:<64 hex digits>, or absent";
const ifVersion = pattern(/^(?:absent|sha256:[0-9a-fA-F]{64})$/, versionExpected);

export const GetBrain = z.object({ path, store: store.optional(), session });
export type GetBrain = z.infer<typeof GetBrain>;

export const PutBrain = z.object({
  path,
  content: content(brainValueBytes),
  store,
  session: SessionRef.optional().meta({ description: "one of your own running sessions; default your active one" }),
  if_version: ifVersion
    .optional()
    .meta({ description: "write only while this version is stored; absent: only when nothing is" }),
});
export type PutBrain = z.infer<typeof PutBrain>;
