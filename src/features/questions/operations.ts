// Questions and approvals: asked by an agent, resolved once by the operator, an agent's answer, or the hub at the
// deadline (mcp-tools.md 11, rest-api.md 7).
import type { Ctx, Tx } from "../../kernel/ctx.ts";
import { invalid } from "../../kernel/input.ts";
import { writeOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { hubActor } from "../../shared/ids.ts";
import type { JsonObject } from "../../shared/json.ts";
import { sessionOfWrite } from "../connections/index.ts";
import { appendEvent, type EventRecord, findEvent } from "../events/index.ts";
import {
  enterItem,
  findItem,
  holdOpenItemCaps,
  type ItemRecord,
  type ItemSubject,
  isEnrolRequest,
  itemSubject,
  requireOpen,
  resolveItem,
} from "../items/index.ts";
import { can, missing, operatorOnly, writesProject } from "../projects/index.ts";
import { AnswerQuestion, DecideApproval, PostQuestion, questionPayload } from "./schema.ts";

export const postQuestion = writeOperation({
  name: "postQuestion",
  input: PostQuestion,
  access: writesProject,
  replay: (_db, input) =>
    input.idempotency_key === undefined
      ? undefined
      : {
          scope: input.project_id,
          operation: "event:question",
          key: input.idempotency_key,
          target: input.project_id,
        },
  run(tx, ctx, input) {
    holdOpenItemCaps(tx, input.project_id, ctx.principal.actor);
    const event = appendEvent(tx, {
      projectId: input.project_id,
      kind: "question",
      actor: ctx.principal.actor,
      summary: input.subject,
      payload: questionPayload(input),
      rootsThread: true,
      sessionId: sessionOfWrite(tx, ctx, input.project_id),
      ceiling: "held",
    });
    enterItem(tx, event, {
      kind: "question",
      subjectKind: "question",
      subjectId: event.id,
      deadline:
        input.expires_in_seconds === undefined
          ? null
          : { expiresInSeconds: input.expires_in_seconds, onExpiry: "close" },
    });
    return { eventId: event.id };
  },
});

export const answerQuestion = writeOperation({
  name: "answerQuestion",
  input: AnswerQuestion,
  access(who, input) {
    const question = findEvent(who.db, input.question_id);
    // Audit records are not there for an agent.
    const isHidden = question?.kind === "system" && who.principal.kind === "agent";
    if (question === undefined || isHidden || !can(who, "write", question.projectId)) {
      throw missing(who.principal, `question ${JSON.stringify(input.question_id)}`);
    }
  },
  replay: (db, input) => itemKey(findEvent(db, input.question_id), "answer", input.idempotency_key),
  run(tx, ctx, input) {
    const { event, item } = requireItem(tx, ctx, input.question_id, "question", "question_id");
    requireOpen(tx, item);
    const byOperator = ctx.principal.kind === "operator";
    return resolveWith(tx, item, event, {
      actor: ctx.principal.actor,
      payload: { body: input.body },
      sessionId: sessionOfWrite(tx, ctx, event.projectId),
      ceiling: byOperator ? "exempt" : "held",
    });
  },
});

export const decideApproval = writeOperation({
  name: "decideApproval",
  input: DecideApproval,
  access: operatorOnly,
  replay: (db, input) => itemKey(findEvent(db, input.approval_id), "decision", input.idempotency_key),
  run(tx, ctx, input) {
    const { event, item } = requireItem(tx, ctx, input.approval_id, "approval", "approval_id");
    // Only the feature that admits agents writes such items; one an agent wrote is a forgery (rest-api.md 7).
    if (isEnrolRequest(event.payload) && item.subjectKind === "approval") {
      throw invalid(
        "approval_id",
        input.approval_id,
        "an approval that is not a forged request to join; decline it by leaving it",
      );
    }
    requireOpen(tx, item);
    const decision = input.decision === "approve" ? "approved" : "declined";
    const word = input.decision === "approve" ? "Approved" : "Declined";
    const note = input.note === "" ? undefined : input.note;
    const subject = tx.parts.of(itemSubject, item.subjectKind);
    if (subject.decide !== undefined) return subject.decide(tx, ctx, { item, event, decision, note: note ?? null });
    return resolveWith(tx, item, event, {
      actor: ctx.principal.actor,
      payload: {
        body: note === undefined ? word : `${word}: ${note}`,
        decision,
        ...(note === undefined ? {} : { note }),
      },
      sessionId: null,
      ceiling: "exempt",
    });
  },
});

/** A question closes with no answer at its deadline. */
export const questionSubject: ItemSubject = {
  expire: (tx, item) => expireWith(tx, item, { expired: true }),
};

/** An approval takes the outcome its agent named. */
export const approvalSubject: ItemSubject = {
  expire: (tx, item) => {
    const decision = item.onExpiry === "approve" ? "approved" : "declined";
    expireWith(tx, item, { expired: true, decision, body: `Expired: ${decision}` });
  },
};

function expireWith(tx: Tx, item: ItemRecord, payload: JsonObject): void {
  const event = findEvent(tx.db, item.eventId);
  if (event === undefined) return;
  resolveWith(tx, item, event, { actor: hubActor, payload, sessionId: null, ceiling: "exempt" });
}

type Resolution = { actor: string; payload: JsonObject; sessionId: string | null; ceiling: "held" | "exempt" };

function resolveWith(tx: Tx, item: ItemRecord, root: EventRecord, by: Resolution): { eventId: string } {
  const answer = appendEvent(tx, {
    projectId: root.projectId,
    kind: "answer",
    actor: by.actor,
    summary: `re: ${root.summary}`,
    payload: by.payload,
    threadId: root.id,
    sessionId: by.sessionId,
    ceiling: by.ceiling,
  });
  resolveItem(tx, item, answer.id);
  return { eventId: answer.id };
}

function requireItem(
  tx: Tx,
  ctx: Ctx,
  id: string,
  kind: "question" | "approval",
  field: string,
): { event: EventRecord; item: ItemRecord } {
  const event = findEvent(tx.db, id);
  if (event === undefined) throw missing(ctx.principal, `${kind} ${JSON.stringify(id)}`);
  if (event.kind !== kind) {
    const hint = event.kind === "approval" ? "an approval is decided by the human" : `this is a ${event.kind}`;
    throw invalid(field, id, `the id of a ${kind}; ${hint}`);
  }
  const item = findItem(tx.db, id);
  if (item === undefined) throw new HubError("not_found", `${kind} ${id} has no inbox entry`);
  return { event, item };
}

function itemKey(event: EventRecord | undefined, operation: "answer" | "decision", key: string | undefined) {
  if (event === undefined || key === undefined) return undefined;
  return { scope: event.projectId, operation, key, target: event.id };
}
