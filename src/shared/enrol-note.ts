// What an agent says when it asks to join: the rule of both sides (rest-api.md 10, cli.md 7).
import { codePoints } from "./json.ts";
import { enrolNoteChars } from "./limits.ts";

export const enrolNoteExpected = `one line of 1 to ${enrolNoteChars} characters that says why`;

/** True for what may stand as a reason, trimmed: one line, without what could play tricks on a terminal. */
export function isEnrolNote(text: string): boolean {
  return text !== "" && codePoints(text) <= enrolNoteChars && !/[\p{Cc}\u2028\u2029]/u.test(text);
}
