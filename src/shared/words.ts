// Words both sides say alike: kinds, outcomes, and what a refusal means to the operator (web-app.md 3.6, 11.3).
import type { ErrorDetails } from "./errors.ts";
import { hubActor, operatorActor } from "./ids.ts";
import type { AnswerView, DecisionView, EventKind, InboxItemView } from "./views.ts";

export const kindWords = {
  signal: "Update",
  finished: "Finished",
  question: "Question",
  answer: "Answer",
  approval: "Approval",
  artifact: "Artifact",
  session: "Session",
  idea: "Idea",
  system: "Hub record",
} as const satisfies Record<EventKind, string>;

/** How an item ended, in words; undefined while it is open. */
export function outcomeWords(item: Pick<InboxItemView, "kind" | "status" | "decision" | "answer">): string | undefined {
  if (item.status !== "resolved") return undefined;
  if (item.decision !== undefined) return decisionWords(item.decision);
  if (item.answer !== undefined) return answerWords(item.answer);
  return item.kind === "finished" ? undefined : "Closed";
}

function decisionWords(decision: DecisionView): string {
  const word = decision.decision === "approved" ? "Approved" : "Declined";
  return decision.expired === true ? `${word} at the deadline by the hub` : `${word} by ${by(decision.actor)}`;
}

function answerWords(answer: AnswerView): string {
  if (answer.expired === true || answer.body === null) return "Closed unanswered";
  return answer.actor === operatorActor
    ? `Answered: ${answer.body}`
    : `Answered by ${by(answer.actor)}: ${answer.body}`;
}

function by(actor: string): string {
  if (actor === operatorActor) return "you";
  return actor === hubActor ? "the hub" : actor;
}

export type Refusal = {
  code: string;
  detail: string;
  details: ErrorDetails;
  /** Refused before any route was reached, for the address it came to. */
  isAtEdge?: boolean;
  /** False when the call is known not to have changed anything. */
  mayHaveLanded?: boolean;
};

/** A refusal as the operator reads it beside the control. */
export function problemWords(refusal: Refusal): string {
  switch (refusal.code) {
    case "unauthenticated":
      return "Sign in again.";
    case "forbidden":
      return refusal.isAtEdge === true
        ? "The hub refuses calls made at this address; name it in `public_url` or `allowed_hosts`."
        : refusal.detail;
    case "not_found":
      return "This isn't here any more.";
    case "conflict":
    case "invalid_argument":
      return refusal.detail;
    case "payload_too_large":
      return tooLargeWords(refusal);
    case "rate_limited":
    case "unavailable":
      return "The hub is busy.";
    default:
      return `The hub couldn't do that (${refusal.code}). ${
        refusal.mayHaveLanded === false ? "Nothing was changed." : "It may have happened; look before trying again."
      }`;
  }
}

function tooLargeWords({ detail, details }: Refusal): string {
  const { limit, actual } = details;
  if (typeof limit !== "number" || typeof actual !== "number") return detail;
  return `Too long by ${actual - limit}: the limit is ${limit}.`;
}
