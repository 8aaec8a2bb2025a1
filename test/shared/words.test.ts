// Outcomes and refusals in words.
import { expect, test } from "bun:test";
import { outcomeWords, problemWords } from "../../src/shared/words.ts";

const at = "2026-03-18T14:05:00.000Z";
const decided = { note: null, event_id: "E", decided_at: at };
const answered = { event_id: "E", answered_at: at };

test("an outcome says what, by whom, and whether it was the deadline", () => {
  const base = { kind: "approval", status: "resolved" } as const;
  expect(outcomeWords({ ...base, decision: { ...decided, decision: "approved", actor: "human" } })).toBe(
    "Approved by you",
  );
  expect(outcomeWords({ ...base, decision: { ...decided, decision: "declined", actor: "hub", expired: true } })).toBe(
    "Declined at the deadline by the hub",
  );
  const question = { kind: "question", status: "resolved" } as const;
  expect(outcomeWords({ ...question, answer: { ...answered, body: "Use Postgres", actor: "human" } })).toBe(
    "Answered: Use Postgres",
  );
  expect(outcomeWords({ ...question, answer: { ...answered, body: null, actor: "hub", expired: true } })).toBe(
    "Closed unanswered",
  );
  expect(outcomeWords({ kind: "finished", status: "read" })).toBeUndefined();
});

test("a refusal says what to do, and whether something may have happened", () => {
  const say = (code: string, more = {}) => problemWords({ code, detail: "the hub's words", details: {}, ...more });
  expect(say("unauthenticated")).toBe("Sign in again.");
  expect(say("forbidden")).toBe("the hub's words");
  expect(say("forbidden", { isAtEdge: true })).toContain("allowed_hosts");
  expect(say("payload_too_large", { details: { limit: 2000, actual: 2212 } })).toBe(
    "Too long by 212: the limit is 2000.",
  );
  expect(say("payload_too_large")).toBe("the hub's words");
  expect(say("conflict")).toBe("the hub's words");
  expect(say("teapot")).toContain("It may have happened");
  expect(say("internal", { mayHaveLanded: false })).toContain("Nothing was changed");
});
