// Schemas of the argument shapes that features share. Each carries its own "expected ..." text, which is what a caller
// reads when it is not met.
import { z } from "zod";
import { byteLength, codePoints } from "../shared/json.ts";
import { jsonLevelsMax } from "../shared/limits.ts";
import { LargeText } from "./large-text.ts";

/** The input of a call that takes none. */
export const noInput: z.ZodType<Record<string, unknown>> = z.object({});

/** A text that matches a pattern. */
export function pattern(expression: RegExp, expected: string): z.ZodType<string> {
  return z.string({ error: expected }).regex(expression, { error: expected });
}

/** Any text of 1 to `maxChars` characters. */
export function shortText(maxChars: number): z.ZodType<string> {
  const expected = `a text of 1 to ${maxChars} characters`;
  return z
    .string({ error: expected })
    .refine((text) => text.length > 0 && codePoints(text) <= maxChars, { error: expected });
}

/** A name people read: trimmed, not blank, no control characters. */
export function name(maxChars: number): z.ZodType<string> {
  const expected = `a text of 1 to ${maxChars} characters, not blank, without control characters`;
  return z
    .string({ error: expected })
    .trim()
    .refine((text) => text.length > 0 && codePoints(text) <= maxChars && !/\p{Cc}/u.test(text), { error: expected });
}

/** A trimmed, non-blank text; too long is `payload_too_large`, counted in characters. */
export function boundedText(maxChars: number): z.ZodType<string> {
  const expected = `a text of 1 to ${maxChars} characters, not blank`;
  return z.string({ error: expected }).trim().min(1, { error: expected }).superRefine(withinChars(maxChars));
}

/** A text of at most `maxChars` characters, kept as it is; longer is `payload_too_large`. */
export function limitedText(maxChars: number): z.ZodType<string> {
  return z.string({ error: "a text" }).superRefine(withinChars(maxChars));
}

/** The same, trimmed first. */
export function trimmedText(maxChars: number): z.ZodType<string> {
  return z.string({ error: "a text" }).trim().superRefine(withinChars(maxChars));
}

function withinChars(maxChars: number) {
  return (text: string, context: z.core.$RefinementCtx<string>): void => {
    const actual = codePoints(text);
    if (actual > maxChars) context.addIssue(overLimit(maxChars, actual, "characters"));
  };
}

/** A text of at most `maxBytes` UTF-8 bytes, kept as it is. */
export function content(maxBytes: number): z.ZodType<string> {
  return z.string({ error: "a text" }).superRefine((text, context) => {
    const actual = byteLength(text);
    if (actual > maxBytes) context.addIssue(overLimit(maxBytes, actual, "bytes"));
  });
}

/** A text of whole characters of at most `maxBytes` UTF-8 bytes; a large one may come as such. */
export function largeContent(maxBytes: number): z.ZodType<string | LargeText> {
  const isText = (given: unknown): given is string | LargeText =>
    typeof given === "string" || given instanceof LargeText;
  return z
    .custom<string | LargeText>(isText, { error: "a text" })
    .superRefine((text, context) => {
      if (!isText(text)) return;
      const isLarge = text instanceof LargeText;
      const actual = isLarge ? text.bytes.byteLength : byteLength(text);
      if (actual > maxBytes) context.addIssue(overLimit(maxBytes, actual, "bytes"));
      // Half a surrogate pair is no UTF-8: it would be read back as another character.
      else if (!(isLarge ? text.isWellFormed : text.isWellFormed())) {
        context.addIssue({ code: "custom", message: "a text of whole characters" });
      }
    })
    .meta({ type: "string" });
}

/** Any JSON value of at most `maxBytes` once serialised, and not nested deeper than every reader can follow. */
export function jsonValue(maxBytes: number): z.ZodType<unknown> {
  return z.unknown().superRefine((value, context) => {
    if (isDeeper(value, jsonLevelsMax)) {
      context.addIssue({ code: "custom", message: `JSON of at most ${jsonLevelsMax} levels` });
      return;
    }
    const actual = byteLength(JSON.stringify(value) ?? "");
    if (actual > maxBytes) context.addIssue(overLimit(maxBytes, actual, "bytes"));
  });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1));
}

function overLimit(limit: number, actual: number, unit: string) {
  return { code: "custom" as const, message: `at most ${limit} ${unit}`, params: { limit, actual, unit } };
}

/** A whole number inside its bounds. */
export function integer(min: number, max: number): z.ZodType<number> {
  const expected = `a whole number from ${min} to ${max}`;
  return z
    .number({ error: expected })
    .int({ error: expected })
    .min(min, { error: expected })
    .max(max, { error: expected });
}

/** A whole number that is cut to `max` rather than refused (mcp-tools.md 9.4). */
export function cutInteger(min: number, max: number): z.ZodType<number> {
  const expected = `a whole number of at least ${min}`;
  return z
    .number({ error: expected })
    .int({ error: expected })
    .min(min, { error: expected })
    .transform((value) => Math.min(value, max));
}

/** One of a closed list. */
export function oneOf<const T extends readonly string[]>(values: T): z.ZodType<T[number]> {
  return z.enum(values, { error: `one of ${values.join(", ")}` });
}

export function listOf<T>(item: z.ZodType<T>, expected: string): z.ZodType<T[]> {
  return z.array(item, { error: expected });
}

/** An id that is only ever looked up: any text, since an unknown one is refused by the look-up. */
export const anyId: z.ZodType<string> = z.string({ error: "a text" });

/** True or false. */
export const flag: z.ZodType<boolean> = z.boolean({ error: "true or false" });
