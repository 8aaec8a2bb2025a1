// Inputs that carry a deadline (mcp-tools.md 11) and the input of signal_append (17.6).
import { z } from "zod";
import { anyId, boundedText, integer, jsonValue, oneOf, shortText } from "../../kernel/fields.ts";
import { isObject } from "../../shared/json.ts";
import {
  deadlineSecondsMax,
  deadlineSecondsMin,
  idempotencyKeyChars,
  payloadBytes,
  summaryChars,
} from "../../shared/limits.ts";
import { projectId } from "../projects/index.ts";

const writableKinds = ["signal", "finished", "approval", "idea"] as const;

export const deadlineSeconds: z.ZodType<number> = integer(deadlineSecondsMin, deadlineSecondsMax);
export const idempotencyKey: z.ZodType<string> = shortText(idempotencyKeyChars);

export const AppendSignal = z
  .object({
    project_id: projectId,
    kind: oneOf(writableKinds),
    summary: boundedText(summaryChars),
    payload: jsonValue(payloadBytes).optional().meta({ description: "any JSON" }),
    thread_id: anyId.optional(),
    expires_in_seconds: deadlineSeconds.optional(),
    on_expiry: oneOf(["approve", "decline"]).optional(),
    idempotency_key: idempotencyKey.optional(),
  })
  .superRefine((input, context) => {
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: "custom", path: [field], message });
    if (input.expires_in_seconds !== undefined && input.kind !== "approval") {
      refuse("expires_in_seconds", "no deadline on this kind: only an approval or a question takes one");
    } else if (input.expires_in_seconds !== undefined && isEnrolRequest(input.payload)) {
      refuse("expires_in_seconds", "no deadline on a request to join");
    }
    if (input.on_expiry !== undefined && input.kind !== "approval") {
      refuse("on_expiry", "no outcome on this kind: only an approval takes one");
    } else if (input.on_expiry !== undefined && input.expires_in_seconds === undefined) {
      refuse("on_expiry", "a deadline beside it: send expires_in_seconds too");
    }
  });
export type AppendSignal = z.infer<typeof AppendSignal>;

/** What a self-enrolment request looks like; only ever used to refuse, never to trust (mcp-tools.md 11). */
export function isEnrolRequest(payload: unknown): boolean {
  return isObject(payload) && payload["action"] === "enrol_request";
}
