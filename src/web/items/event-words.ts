// An event as a sentence: the actor, a verb in the past tense, and the object as it was written (web-app.md 6.7).
import { isObject } from "../../shared/json.ts";
import type { EventView } from "../../shared/views.ts";
import { eventText } from "../text/en-events.ts";
import { previewOf } from "./payload.ts";

export type EventWords = {
  /** Empty where the object says what was done itself. */
  verb: string;
  object: string;
  /** After the object: "from scout". */
  rest?: string;
};

type Said = Record<string, unknown>;

/** @param nameOf the name of an agent that is spoken of, by its id */
export function eventWords(
  event: Pick<EventView, "kind" | "summary" | "payload">,
  nameOf: (agent: string) => string = (agent) => agent,
): EventWords {
  const said: Said = isObject(event.payload) ? event.payload : {};
  const plain = { verb: eventText.verbs[event.kind], object: event.summary };
  switch (event.kind) {
    case "answer":
      return { verb: answerVerb(said), object: event.summary.replace(/^re: /, "") };
    case "approval":
      return said["action"] === "enrol_request" ? { verb: eventText.joins, object: "" } : plain;
    case "artifact":
      return artifactWords(said) ?? plain;
    case "session":
      return sessionWords(said, nameOf) ?? plain;
    default:
      return plain;
  }
}

function answerVerb(said: Said): string {
  const isExpired = said["expired"] === true;
  if (said["decision"] === "approved") return isExpired ? eventText.approvedAtDeadline : eventText.approved;
  if (said["decision"] === "declined") return isExpired ? eventText.declinedAtDeadline : eventText.declined;
  return isExpired ? eventText.closedUnanswered : eventText.verbs.answer;
}

function artifactWords({ action, title }: Said): EventWords | undefined {
  if (typeof title !== "string" || title === "" || !isKeyOf(eventText.artifact, action)) return undefined;
  return { verb: eventText.artifact[action], object: title };
}

function sessionWords(said: Said, nameOf: (agent: string) => string): EventWords | undefined {
  const { action, session_name: name, from_agent: from, to_agent: to } = said;
  if (typeof name !== "string" || !isKeyOf(eventText.session, action)) return undefined;
  const words = { verb: eventText.session[action], object: name };
  if (action === "reassigned" && typeof to === "string") return { ...words, rest: eventText.to(nameOf(to)) };
  if (typeof from === "string") return { ...words, rest: eventText.from(nameOf(from)) };
  return words;
}

function isKeyOf<T extends object>(table: T, key: unknown): key is keyof T {
  return typeof key === "string" && Object.hasOwn(table, key);
}

/** The whole sentence, for places without markup; `by` is the name of who did it. */
export function eventSentence(event: Pick<EventView, "kind" | "summary" | "payload">, by: string): string {
  const { verb, object, rest } = eventWords(event);
  return [verb === "" ? `${by}:` : `${by} ${verb}`, object, rest].filter(Boolean).join(" ");
}

/** What it says besides its summary, in one line. */
export function eventPreview({ kind, payload }: Pick<EventView, "kind" | "payload">): string | undefined {
  if (!isObject(payload)) return previewOf(payload);
  if (kind === "answer" && payload["decision"] !== undefined) return previewOf(payload["note"] ?? null);
  if (kind === "session") return previewOf(payload["handoff"] ?? null);
  return previewOf(payload);
}
