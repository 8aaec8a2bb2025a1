// Signals of what happened to a page (knowledge-base.md 9.2): best effort, so a full feed never fails a write.
import type { Ctx, Tx } from "../../kernel/ctx.ts";
import type { JsonObject } from "../../shared/json.ts";
import { sessionOfWrite } from "../connections/index.ts";
import { appendEvent, hasRoom } from "../events/index.ts";

/** Appends the signal; what the writer is warned of when it could not be. */
export function signalWrite(tx: Tx, ctx: Ctx, projectId: string, summary: string, payload: JsonObject): string[] {
  const project = projectId;
  if (!hasRoom(tx, projectId)) {
    tx.afterCommit(() => ctx.log.warn("signal dropped at the event ceiling", { project }));
    return ["the project is at its event ceiling, so its feed does not tell of this write"];
  }
  let isSent = false;
  tx.attempt("a signal of a page", () => {
    appendEvent(tx, {
      projectId,
      kind: "signal",
      actor: ctx.principal.actor,
      summary,
      payload: { ...payload, store: "project" },
      sessionId: sessionOfWrite(tx, ctx, projectId),
      ceiling: "exempt",
    });
    isSent = true;
  });
  return isSent ? [] : ["the project's feed could not be told of this write"];
}
