// Starting, resuming and ending a session (mcp-tools.md 13, 17.1, 17.2).
import type { Ctx, Tx } from "../../kernel/ctx.ts";
import { writeOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { clearActiveSession, setActiveSession } from "../connections/index.ts";
import { appendEvent } from "../events/index.ts";
import { writesProject } from "../projects/index.ts";
import { findSource, nameTaken, type Pickup, pickUp } from "./pickup.ts";
import { EndSession, StartSession } from "./schema.ts";
import { findSessionNamed, insertSession, markEnded, markResumed, type SessionRecord } from "./store.ts";
import { byId } from "./target.ts";

/** Where a session keeps what it is doing; a convention, nothing writes it for the agent. */
export const recoveryPath = "/fs/RECOVERY.md";

export type StartedSession = {
  session: SessionRecord;
  isResumed: boolean;
  isBound: boolean;
  /** How another session was taken up; null for a start or a resume. */
  pickup: Pickup | null;
};

export const startSession = writeOperation({
  name: "startSession",
  input: StartSession,
  access(who, input) {
    writesProject(who, input);
    if (input.from !== undefined) findSource(who, { ...input, from: input.from });
  },
  run(tx, ctx, input): StartedSession {
    const started = startOrPickUp(tx, ctx, input);
    if (ctx.connection !== null) setActiveSession(tx.db, ctx.connection, started.session.id);
    tx.wake(`sessions:${started.session.projectId}`);
    return { ...started, isBound: ctx.connection !== null };
  },
});

function startOrPickUp(tx: Tx, ctx: Ctx, input: StartSession): Omit<StartedSession, "isBound"> {
  const owner = ctx.principal.actor;
  const found = findSessionNamed(tx.db, input.project_id, owner, input.session_name);
  if (input.from !== undefined) {
    const source = findSource({ ...ctx, db: tx.db }, { ...input, from: input.from });
    // The caller's own session under its own name is an ordinary resume.
    if (source.id !== found?.id) return { ...pickUp(tx, ctx, source, input.session_name), isResumed: false };
  }
  if (found === undefined) return { session: create(tx, owner, input), isResumed: false, pickup: null };
  if (found.prunedAt !== null) throw nameTaken(found);
  return { session: resume(tx, found), isResumed: true, pickup: null };
}

function create(tx: Tx, owner: string, input: StartSession): SessionRecord {
  const session: SessionRecord = {
    id: tx.id(),
    projectId: input.project_id,
    agent: owner,
    name: input.session_name,
    status: "active",
    createdAt: tx.now,
    lastActivity: tx.now,
    handoff: null,
    brainBytes: 0,
    prunedAt: null,
    forkedFrom: null,
    adoptedFrom: null,
  };
  insertSession(tx.db, session);
  appendEvent(tx, {
    projectId: session.projectId,
    kind: "session",
    actor: owner,
    summary: `session ${session.name} started`,
    payload: { action: "started", session_id: session.id, session_name: session.name },
    sessionId: session.id,
    ceiling: "exempt",
  });
  return session;
}

function resume(tx: Tx, session: SessionRecord): SessionRecord {
  markResumed(tx.db, session.id, tx.now);
  return { ...session, status: "active", lastActivity: tx.now };
}

export const endSession = writeOperation({
  name: "endSession",
  input: EndSession,
  access: (who, input) => {
    byId(who, input.session_id, "write");
  },
  run(tx, ctx, input) {
    const session = byId({ ...ctx, db: tx.db }, input.session_id, "write");
    requireOwnerOrOperator(ctx, session);
    if (session.status === "ended") return;
    markEnded(tx.db, session.id, input.handoff ?? null);
    clearActiveSession(tx.db, session.id);
    appendEvent(tx, {
      projectId: session.projectId,
      kind: "session",
      actor: ctx.principal.actor,
      summary: `session ${session.name} ended`,
      payload: {
        action: "ended",
        session_id: session.id,
        session_name: session.name,
        handoff: input.handoff ?? session.handoff,
      },
      sessionId: session.id,
      ceiling: "exempt",
    });
    tx.wake(`sessions:${session.projectId}`);
  },
});

function requireOwnerOrOperator(ctx: Ctx, session: SessionRecord): void {
  if (ctx.principal.kind === "operator" || session.agent === ctx.principal.actor) return;
  throw new HubError("forbidden", `a session is ended by its owner or the operator; owner=${session.agent}`, {
    owner: session.agent,
  });
}
