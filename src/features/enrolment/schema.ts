// Inputs of enrolment (rest-api.md 10).
import { z } from "zod";
import { anyId, flag, listOf, name } from "../../kernel/fields.ts";
import { enrolNoteExpected, isEnrolNote } from "../../shared/enrol-note.ts";
import { nameChars, waitSecondsMax } from "../../shared/limits.ts";

const waitExpected = "a whole number of seconds";

export const AskIn = z.object({
  display_name: name(nameChars),
  suggested_id: anyId.optional(),
  why: z.string({ error: enrolNoteExpected }).trim().refine(isEnrolNote, { error: enrolNoteExpected }),
});
export type AskIn = z.infer<typeof AskIn>;

export const WaitForDecision = z.object({
  wait: z
    .number({ error: waitExpected })
    .refine(Number.isInteger, { error: waitExpected })
    .transform((seconds) => Math.min(Math.max(seconds, 0), waitSecondsMax))
    .optional(),
});
export type WaitForDecision = z.infer<typeof WaitForDecision>;

export const Admit = z.strictObject({
  agent_id: anyId,
  display_name: name(nameChars).optional(),
  share: flag.optional(),
  projects: listOf(anyId, "a list of project ids").optional(),
});
export type Admit = z.infer<typeof Admit>;

export const Refuse = z.object({ agent_id: anyId });
