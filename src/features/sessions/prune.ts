// Pruning ended sessions, with 30 s to take it back (rest-api.md 14). A pruned session is gone for every reader at once;
// its bytes and rows go when the window is over, in steps that hold nobody up.
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Services, Tx } from "../../kernel/ctx.ts";
import { anyId } from "../../kernel/fields.ts";
import { writeOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { undoWindowMs } from "../../shared/limits.ts";
import { dropDeferredSession, dropSomeSessionDocuments } from "../corpus/index.ts";
import { removeSessionEvents } from "../events/index.ts";
import { operatorOnly, requireProject } from "../projects/index.ts";
import { valuesReleased } from "./brain.ts";
import { deleteEntries } from "./brain-store.ts";
import {
  deleteSession,
  dropUndoToken,
  findByUndoToken,
  findSession,
  listFinallyPruned,
  listPrunable,
  markPruned,
  type SessionRecord,
  unmarkPruned,
} from "./store.ts";

const tokenBytes = 32;
const documentsAtOnce = 200;
const entriesAtOnce = 1000;

export type PrunedSession = { sessionId: string; undoToken: string };

function prune(tx: Tx, sessionId: string): PrunedSession | undefined {
  const undoToken = randomBytes(tokenBytes).toString("hex");
  return markPruned(tx.db, sessionId, undoToken, tx.now) ? { sessionId, undoToken } : undefined;
}

export const pruneSession = writeOperation({
  name: "pruneSession",
  input: z.object({ session_id: anyId }),
  access: operatorOnly,
  run(tx, ctx, input) {
    const session = findSession(tx.db, input.session_id);
    if (session === undefined)
      throw new HubError("not_found", `there is no session ${JSON.stringify(input.session_id)}`);
    const pruned = prune(tx, session.id);
    if (pruned === undefined) {
      const why = session.prunedAt === null ? "is still running; end it first" : "is pruned already";
      throw new HubError("conflict", `session ${session.name} ${why}`);
    }
    tx.wake("storage", `sessions:${session.projectId}`);
    tx.afterCommit(() => ctx.log.info("session pruned", { session: session.id }));
    return { ...pruned, undoExpiresAt: tx.now + undoWindowMs };
  },
});

// One act: the ids reported are exactly the rows moved.
export const pruneSessions = writeOperation({
  name: "pruneSessions",
  input: z.object({ project_id: anyId.optional() }),
  access: (who, input) => {
    operatorOnly(who, input);
    if (input.project_id !== undefined) requireProject(who, "read", input.project_id);
  },
  run(tx, ctx, input) {
    const sessions = listPrunable(tx.db, input.project_id ?? null)
      .map((id) => prune(tx, id))
      .filter((pruned) => pruned !== undefined);
    if (sessions.length > 0) tx.wake("storage", ...projectsOf(tx, sessions));
    tx.afterCommit(() => ctx.log.info("sessions pruned", { count: sessions.length }));
    return { sessions, undoExpiresAt: tx.now + undoWindowMs };
  },
});

function projectsOf(tx: Tx, sessions: readonly PrunedSession[]): string[] {
  const ids = new Set(sessions.map(({ sessionId }) => findSession(tx.db, sessionId)?.projectId));
  return [...ids].filter((id) => id !== undefined).map((id) => `sessions:${id}`);
}

export const undoPrune = writeOperation({
  name: "undoPrune",
  input: z.object({ undo_token: anyId }),
  access: operatorOnly,
  run(tx, ctx, input) {
    const session = findByUndoToken(tx.db, input.undo_token);
    if (session === undefined || session.prunedAt === null) {
      throw new HubError("not_found", "no prune can be taken back with this token");
    }
    if (session.prunedAt + undoWindowMs <= tx.now) {
      throw new HubError("conflict", `the ${undoWindowMs / 1000} s to take the prune back are over`);
    }
    unmarkPruned(tx.db, session.id);
    tx.wake("storage", `sessions:${session.projectId}`);
    tx.afterCommit(() => ctx.log.info("prune taken back", { session: session.id }));
  },
});

/** Makes prunes past their window final. One that fails stays pending and holds up no other. */
export async function sweepPruned(services: Services): Promise<void> {
  for (const session of listFinallyPruned(services.db, services.now() - undoWindowMs)) {
    try {
      await removeForGood(services, session);
    } catch (error) {
      services.log.warn("a prune could not be made final and stays pending", {
        session: session.id,
        cause: String(error),
      });
    }
  }
}

// In jobs of bounded size: nobody sees the session any more, so nobody sees it half gone.
async function removeForGood(services: Services, session: SessionRecord): Promise<void> {
  // First the way back goes: from here on an undo is 404, also when the clock is set back meanwhile.
  const isOurs = await services.write((tx) => {
    const isGone = dropUndoToken(tx.db, session.id, tx.now - undoWindowMs);
    // No value is added to the index from here on; the session's own events may be, until they go.
    if (isGone) dropDeferredSession(tx.db, session.id);
    return isGone;
  });
  if (!isOurs) return;
  let left = 1;
  while (left > 0) {
    left = await services.write((tx) => dropSomeSessionDocuments(tx.db, session.id, documentsAtOnce));
  }
  left = 1;
  while (left > 0) {
    left = await services.write((tx) => {
      const blobs = deleteEntries(tx.db, session.id, entriesAtOnce);
      tx.emit(valuesReleased, { blobs });
      return blobs.length;
    });
  }
  await services.write((tx) => {
    removeSessionEvents(tx, session.projectId, session.id);
    dropSomeSessionDocuments(tx.db, session.id, documentsAtOnce);
    deleteSession(tx.db, session.id);
    tx.wake("storage", `sessions:${session.projectId}`);
    tx.afterCommit(() => services.log.info("prune is final", { session: session.id }));
  });
}
