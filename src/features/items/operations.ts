// signal_append: the way an agent writes to a feed (mcp-tools.md 17.6).
import { writeOperation } from "../../kernel/operation.ts";
import type { Json } from "../../shared/json.ts";
import { sessionOfWrite } from "../connections/index.ts";
import { appendEvent, requireThreadRoot } from "../events/index.ts";
import { writesProject } from "../projects/index.ts";
import { type Deadline, enterItem, holdOpenItemCaps } from "./items.ts";
import { AppendSignal } from "./schema.ts";

export const appendSignal = writeOperation({
  name: "appendSignal",
  input: AppendSignal,
  access: writesProject,
  replay: (_db, input) =>
    input.idempotency_key === undefined
      ? undefined
      : {
          scope: input.project_id,
          operation: `event:${input.kind}`,
          key: input.idempotency_key,
          target: input.project_id,
        },
  run(tx, ctx, input) {
    if (input.thread_id !== undefined) requireThreadRoot(tx.db, input.project_id, input.thread_id);
    if (input.kind === "approval") holdOpenItemCaps(tx, input.project_id, ctx.principal.actor);
    const event = appendEvent(tx, {
      projectId: input.project_id,
      kind: input.kind,
      actor: ctx.principal.actor,
      summary: input.summary,
      // Arguments are parsed JSON.
      payload: input.payload as Json | undefined,
      threadId: input.thread_id,
      sessionId: sessionOfWrite(tx, ctx, input.project_id),
      ceiling: "held",
    });
    if (input.kind === "finished" || input.kind === "approval") {
      enterItem(tx, event, {
        kind: input.kind,
        subjectKind: input.kind,
        subjectId: event.id,
        deadline: deadlineOf(input),
      });
    }
    return { eventId: event.id };
  },
});

function deadlineOf(input: AppendSignal): Deadline | null {
  if (input.expires_in_seconds === undefined) return null;
  // A deadline without an outcome declines, the safe one.
  return { expiresInSeconds: input.expires_in_seconds, onExpiry: input.on_expiry ?? "decline" };
}
