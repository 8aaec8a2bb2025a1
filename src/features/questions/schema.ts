// Inputs of questions, answers and decisions (mcp-tools.md 17.7, 17.8; rest-api.md 7).
import { z } from "zod";
import { anyId, boundedText, oneOf, trimmedText } from "../../kernel/fields.ts";
import { byteLength, codePoints } from "../../shared/json.ts";
import {
  decisionNoteChars,
  optionChars,
  optionsMax,
  optionsMin,
  payloadBytes,
  summaryChars,
} from "../../shared/limits.ts";
import { deadlineSeconds, idempotencyKey } from "../items/index.ts";
import { projectId } from "../projects/index.ts";

const optionsExpected = `${optionsMin} to ${optionsMax} different one-line texts of 1 to ${optionChars} characters`;

// A bad list is refused whole: nothing is dropped or cut.
const options = z
  .array(z.string({ error: optionsExpected }).trim(), { error: optionsExpected })
  .min(optionsMin, { error: optionsExpected })
  .max(optionsMax, { error: optionsExpected })
  .refine((list) => list.every(isOption) && new Set(list).size === list.length, { error: optionsExpected });

function isOption(text: string): boolean {
  return text !== "" && codePoints(text) <= optionChars && !/[\p{Cc}\u2028\u2029]/u.test(text);
}

const text = z.string({ error: "a text" });

// Loose, so that on_expiry is there to be refused without being offered in the tool's schema.
export const PostQuestion = z
  .looseObject({
    project_id: projectId,
    subject: boundedText(summaryChars).meta({ description: "one line" }),
    body: text.optional(),
    context: text.optional(),
    options: options.optional(),
    expires_in_seconds: deadlineSeconds.optional(),
    idempotency_key: idempotencyKey.optional(),
  })
  .superRefine((input, context) => {
    if (input["on_expiry"] !== undefined) {
      const message = "nothing: a question closes with no answer at its deadline";
      context.addIssue({ code: "custom", path: ["on_expiry"], message });
    }
    const actual = byteLength(JSON.stringify(questionPayload(input)));
    if (actual > payloadBytes) context.addIssue(payloadTooLarge("body", actual));
  });
export type PostQuestion = z.infer<typeof PostQuestion>;

/** What a question stores besides its subject; null when there is nothing (mcp-tools.md 8.3). */
export function questionPayload(input: {
  body?: string | undefined;
  context?: string | undefined;
  options?: string[] | undefined;
}): { body?: string; context?: string; options?: string[] } | null {
  const payload = {
    ...(input.body === undefined ? {} : { body: input.body }),
    ...(input.context === undefined ? {} : { context: input.context }),
    ...(input.options === undefined ? {} : { options: input.options }),
  };
  return Object.keys(payload).length === 0 ? null : payload;
}

const answerBody = text
  .trim()
  .min(1, { error: "a text that is not blank" })
  .superRefine((body, context) => {
    const actual = byteLength(JSON.stringify({ body }));
    if (actual > payloadBytes) context.addIssue(payloadTooLarge(undefined, actual));
  });

export const AnswerQuestion = z.object({
  question_id: anyId.meta({ description: "from question_post, or an item's event_id" }),
  body: answerBody,
  idempotency_key: idempotencyKey.optional(),
});
export type AnswerQuestion = z.infer<typeof AnswerQuestion>;

export const DecideApproval = z.object({
  approval_id: anyId,
  decision: oneOf(["approve", "decline"]),
  note: trimmedText(decisionNoteChars).optional(),
  idempotency_key: idempotencyKey.optional(),
});
export type DecideApproval = z.infer<typeof DecideApproval>;

function payloadTooLarge(field: string | undefined, actual: number) {
  return {
    code: "custom" as const,
    ...(field === undefined ? {} : { path: [field] }),
    message: `at most ${payloadBytes} bytes`,
    params: { limit: payloadBytes, actual, unit: "bytes" },
  };
}
