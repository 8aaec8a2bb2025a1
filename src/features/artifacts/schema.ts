// Inputs of artifacts, as agents and the operator send them (mcp-tools.md 17.15 to 17.21, rest-api.md 11).
import { z } from "zod";
import { anyId, flag, integer, jsonValue, largeContent, oneOf, shortText } from "../../kernel/fields.ts";
import { type Anchor, artifactKinds } from "../../shared/artifacts.ts";
import { byteLength, codePoints, isObject, type JsonObject } from "../../shared/json.ts";
import {
  artifactBytes,
  artifactDescriptionChars,
  artifactLabelBytes,
  artifactTitleChars,
  commentAnchorBytes,
  commentChars,
  commentQuoteChars,
  envelopeBytes,
  idempotencyKeyChars,
} from "../../shared/limits.ts";
import { projectId } from "../projects/index.ts";
import { firstHeading } from "./text.ts";

/** A text of at most `maxChars` characters; a longer one is a fault of the request, as artifacts.md 1 names it. */
function shown(maxChars: number): z.ZodType<string> {
  const expected = `a text of at most ${maxChars} characters`;
  return z
    .string({ error: expected })
    .refine((text) => text.isWellFormed() && codePoints(text.trim()) <= maxChars, { error: expected });
}

const text = largeContent(artifactBytes);

const labelExpected = `a text of at most ${artifactLabelBytes} bytes`;
const labelText = z
  .string({ error: labelExpected })
  .refine((given) => given.isWellFormed() && byteLength(given) <= artifactLabelBytes, { error: labelExpected });

const envelopeExpected = "a JSON object, as the client that encrypted the content made it";

function isEnvelope(given: unknown): given is JsonObject | undefined {
  return given === undefined || isObject(given);
}

const envelope = jsonValue(envelopeBytes)
  .refine(isEnvelope, { error: envelopeExpected })
  .transform((given): JsonObject | undefined => (isEnvelope(given) ? given : undefined))
  .optional();
const keptEnvelope = jsonValue(envelopeBytes)
  .refine((given) => given === null || isEnvelope(given), { error: envelopeExpected })
  .transform((given): JsonObject | null | undefined => (given === null || isEnvelope(given) ? given : undefined))
  .optional()
  .meta({ type: "object", description: "absent keeps the current one, null publishes in the clear" });

const key = shortText(idempotencyKeyChars).optional();
const artifact_id = anyId;
const version = integer(1, Number.MAX_SAFE_INTEGER);

const titleExpected = "a title; only plain markdown with a heading may leave it out";

export const PublishArtifact = z
  .object({
    project_id: projectId,
    kind: oneOf(artifactKinds),
    content: text.meta({ type: "string", description: "up to 50 MiB; ciphertext when there is an envelope" }),
    title: shown(artifactTitleChars).optional().meta({ description: "default on plain markdown: the first heading" }),
    description: shown(artifactDescriptionChars).optional(),
    label: labelText.optional().meta({ description: "name of this version" }),
    envelope: envelope.meta({ type: "object", description: "how the content was encrypted: makes it protected" }),
    idempotency_key: key,
  })
  .superRefine((input, context) => {
    if ((input.title ?? "").trim() !== "") return;
    const hasHeading =
      input.kind === "markdown" && input.envelope === undefined && firstHeading(input.content) !== undefined;
    if (!hasHeading) context.addIssue({ code: "custom", path: ["title"], message: titleExpected });
  });
export type PublishArtifact = z.infer<typeof PublishArtifact>;

export const UpdateArtifact = z.object({
  artifact_id,
  content: text,
  envelope: keptEnvelope,
  base_version: version.optional().meta({ description: "refused unless this is the current version" }),
  force: flag.optional().meta({ description: "write over a newer version or another session's live one" }),
  label: z
    .preprocess((given) => (given === null ? "" : given), labelText.optional())
    .meta({ type: "string", description: "absent keeps the current one, empty clears it" }),
  idempotency_key: key,
});
export type UpdateArtifact = z.infer<typeof UpdateArtifact>;

export const DraftArtifact = z.object({
  artifact_id,
  content: text,
  envelope: keptEnvelope,
  force: flag.optional().meta({ description: "take over another session's live version" }),
});
export type DraftArtifact = z.infer<typeof DraftArtifact>;

export const ArtifactRef = z.object({ artifact_id });
export type ArtifactRef = z.infer<typeof ArtifactRef>;

export const GetArtifact = z.object({
  artifact_id,
  version: version.optional().meta({ description: "default the current one; the live one by its number" }),
});
export type GetArtifact = z.infer<typeof GetArtifact>;

export const ListArtifacts = z.object({
  project_id: projectId,
  session: anyId.optional().meta({ description: "only those published in this session" }),
});
export type ListArtifacts = z.infer<typeof ListArtifacts>;

/** The same as the operator's address spells it. */
export const ListArtifactsAt = z
  .object({ project_id: projectId, session: anyId.optional(), session_id: anyId.optional() })
  .transform(({ session_id, ...input }): ListArtifacts => ({ ...input, session: input.session ?? session_id }));

export const ListSessionArtifacts = z.object({ session: anyId });

const bodyExpected = `a text of 1 to ${commentChars} characters, not blank`;
const body = z
  .string({ error: bodyExpected })
  .trim()
  .refine((given) => given !== "" && given.isWellFormed() && codePoints(given) <= commentChars, {
    error: bodyExpected,
  });

const anchorExpected = `{mode: "point", x, y} or {mode: "text", quote}, at most ${commentAnchorBytes} bytes`;

// JSON has numbers that are read as infinite.
function isFiniteNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function anchorOf(given: unknown): Anchor | undefined {
  if (!isObject(given)) return undefined;
  const { mode, x, y, quote } = given;
  if (mode === "point" && isFiniteNumber(x) && isFiniteNumber(y)) return { mode, x, y };
  if (mode !== "text" || typeof quote !== "string" || !quote.isWellFormed()) return undefined;
  const trimmed = quote.trim();
  return trimmed === "" || codePoints(trimmed) > commentQuoteChars ? undefined : { mode, quote: trimmed };
}

const anchor = z
  .unknown()
  .transform((given, context): Anchor | undefined => {
    if (given === undefined) return undefined;
    const read = anchorOf(given);
    if (read !== undefined && byteLength(JSON.stringify(read)) <= commentAnchorBytes) return read;
    context.addIssue({ code: "custom", message: anchorExpected });
    return z.NEVER;
  })
  .optional();

const anchorVersionExpected = "a whole number, the version commented on";

export const PostComment = z.object({
  artifact_id,
  body,
  anchor: anchor.meta({
    type: "object",
    description: '{mode: "point", x, y} with fractions of the page, or {mode: "text", quote}',
  }),
  anchor_version: z
    .number({ error: anchorVersionExpected })
    .int({ error: anchorVersionExpected })
    .optional()
    .meta({ description: "version commented on, default the current one" }),
  idempotency_key: key,
});
export type PostComment = z.infer<typeof PostComment>;

const comment_id = anyId;
const delete_token = anyId.optional().meta({ description: "from comment_post; else write access decides" });

export const ResolveComment = z.object({
  artifact_id,
  comment_id,
  done: flag.meta({ description: "false reopens it" }),
  delete_token,
});

export const DeleteComment = z.object({ artifact_id, comment_id, delete_token });
export type DeleteComment = z.infer<typeof DeleteComment>;

export const CreateShare = z.object({ artifact_id, version: version.optional() });
