// Which session a call means, and whether the caller may use it so (mcp-tools.md 13.2, 13.3).
import type { Ctx, Tx } from "../../kernel/ctx.ts";
import { invalid } from "../../kernel/input.ts";
import type { Who } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { activeSession, releaseActiveSession } from "../connections/index.ts";
import { can, missing, requireProject } from "../projects/index.ts";
import type { SessionRef } from "./schema.ts";
import { findSession, findSessionNamed, markActivity, type SessionRecord } from "./store.ts";

const touchEveryMs = 60_000;

/**
 * Finds the named session, or the connection's active one, and checks access to its project.
 * @throws HubError the shared denial or `not_found` for what is not there, `conflict` when there is no active session
 */
export function findTarget(who: Who, ref: SessionRef | undefined, permission: "read" | "write"): SessionRecord {
  if (ref === undefined) return requireActive(who, permission);
  if (ref.session_id !== undefined) return byId(who, ref.session_id, permission);
  const projectId = ref.project_id ?? activeSession(who, who.db)?.projectId;
  if (projectId === undefined) {
    throw invalid("session.project_id", undefined, "a project, since no session is active to take it from");
  }
  requireProject(who, permission, projectId);
  const session = findSessionNamed(who.db, projectId, ref.agent ?? "", ref.name ?? "");
  if (session === undefined || session.prunedAt !== null) {
    throw new HubError("not_found", `${ref.agent} has no session ${JSON.stringify(ref.name)} in this project`);
  }
  return session;
}

/** The session of an id the caller may use so; a pruned one is `not_found`. */
export function byId(who: Who, id: string, permission: "read" | "write"): SessionRecord {
  const session = findSession(who.db, id);
  if (session === undefined || !can(who, permission, session.projectId)) {
    throw missing(who.principal, `session ${JSON.stringify(id)}`);
  }
  if (session.prunedAt !== null) throw new HubError("not_found", `session ${id} was pruned`);
  return session;
}

/** Access to the project of the session a call means. An active session that was lost is told by `dropLostSession`. */
export function requireTarget(who: Who, ref: SessionRef | undefined, permission: "read" | "write"): void {
  if (ref === undefined) requireActiveId(who, permission);
  else findTarget(who, ref, permission);
}

function requireActive(who: Who, permission: "read" | "write"): SessionRecord {
  const session = findSession(who.db, requireActiveId(who, permission));
  if (session === undefined || session.prunedAt !== null) throw prunedMeanwhile();
  return session;
}

function requireActiveId(who: Who, permission: "read" | "write"): string {
  const active = activeSession(who, who.db);
  if (active === undefined) {
    const next =
      who.connection === null
        ? "this call belongs to no connection; pass session"
        : "call session_start first, or pass session";
    throw new HubError("conflict", `no session is active; ${next}`);
  }
  requireProject(who, permission, active.projectId);
  return active.id;
}

function prunedMeanwhile(): HubError {
  return new HubError("conflict", "the active session was pruned; call session_start to open another");
}

function reassignedMeanwhile(session: SessionRecord): HubError {
  return new HubError("conflict", `the session was reassigned and now belongs to ${session.agent}; start another`, {
    owner: session.agent,
  });
}

/**
 * Holds what a brain write asks of its session: the caller's own, and running.
 * @throws HubError `forbidden` tail `owner=`; `conflict` when it ended, or was reassigned while active here
 */
export function requireOwnRunning(who: Who, session: SessionRecord, isNamed: boolean): void {
  if (session.agent !== who.principal.actor) {
    if (!isNamed) throw reassignedMeanwhile(session);
    throw new HubError("forbidden", `a session's brain is written by its owner alone; owner=${session.agent}`, {
      owner: session.agent,
    });
  }
  if (session.status === "ended") {
    throw new HubError("conflict", `session ${session.name} has ended; resume it with session_start to write`);
  }
}

/**
 * Clears an active session that was pruned or, for a write, reassigned: the next use of it is refused, once.
 * @throws HubError `conflict` that says what became of it
 */
export async function dropLostSession(ctx: Ctx, permission: "read" | "write"): Promise<void> {
  const { connection } = ctx;
  const active = activeSession(ctx, ctx.db);
  const session = active === undefined ? undefined : findSession(ctx.db, active.id);
  if (connection === null || session === undefined) return;
  const isPruned = session.prunedAt !== null;
  if (!isPruned && (permission === "read" || session.agent === ctx.principal.actor)) return;
  await ctx.write((tx: Tx) => releaseActiveSession(tx.db, connection, session.id));
  throw isPruned ? prunedMeanwhile() : reassignedMeanwhile(session);
}

/** Notes that an own session is at work, at most once a minute; best effort. */
export function touchSession(ctx: Ctx, session: SessionRecord): void {
  const now = ctx.now();
  if (session.agent !== ctx.principal.actor || now - session.lastActivity < touchEveryMs) return;
  ctx.touches.touch(`session:${session.id}`, (db) => markActivity(db, session.id, now));
}

/** Access to the project of the active session. @throws HubError `conflict` when none is active */
export function requireActiveSession(who: Who, permission: "read" | "write"): void {
  requireActiveId(who, permission);
}

/** The active session of a caller who may read its project. @throws HubError `conflict` */
export function activeSessionRecord(ctx: Ctx): SessionRecord {
  const session = requireActive(ctx, "read");
  touchSession(ctx, session);
  return session;
}

/** Notes that the active session is at work, when there is one. */
export function touchActiveSession(ctx: Ctx): void {
  const active = activeSession(ctx, ctx.db);
  const session = active === undefined ? undefined : findSession(ctx.db, active.id);
  if (session !== undefined) touchSession(ctx, session);
}
