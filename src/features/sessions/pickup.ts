// Taking up another session: an ended one is adopted, a running one is forked (mcp-tools.md 13.4). The hub decides from
// the source's state inside one transaction, so a lost race to adopt ends in a fork and never in an error.
import type { Ctx, Tx } from "../../kernel/ctx.ts";
import type { Who } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import type { JsonObject } from "../../shared/json.ts";
import { deferFork } from "../corpus/index.ts";
import { appendEvent } from "../events/index.ts";
import { can, missing, requireProject } from "../projects/index.ts";
import { copyEntries } from "./brain-store.ts";
import type { SessionRef, StartSession } from "./schema.ts";
import { findSession, findSessionNamed, insertSession, markAdopted, type SessionRecord } from "./store.ts";

export type Pickup = {
  mode: "adopt" | "fork";
  fromSessionId: string;
  fromAgent: string;
  handoff: string | null;
  note?: string;
};

/**
 * The session to pick up, which may be pruned.
 * @throws HubError the shared denial, `not_found` by name, `invalid_argument` when it lies in another project
 */
export function findSource(who: Who, input: StartSession & { from: SessionRef }): SessionRecord {
  const source = resolve(who, input.from, input.project_id);
  if (source.projectId !== input.project_id) {
    throw new HubError(
      "invalid_argument",
      `from lies in another project; a session is picked up in its own; from_project_id=${source.projectId}`,
      { from_project_id: source.projectId },
    );
  }
  return source;
}

function resolve(who: Who, ref: SessionRef, defaultProjectId: string): SessionRecord {
  if (ref.session_id !== undefined) {
    const session = findSession(who.db, ref.session_id);
    if (session === undefined || !can(who, "read", session.projectId)) {
      throw missing(who.principal, `session ${JSON.stringify(ref.session_id)}`);
    }
    return session;
  }
  const projectId = ref.project_id ?? defaultProjectId;
  requireProject(who, "read", projectId);
  const session = findSessionNamed(who.db, projectId, ref.agent ?? "", ref.name ?? "");
  if (session === undefined) {
    throw new HubError("not_found", `${ref.agent} has no session ${JSON.stringify(ref.name)} in this project`);
  }
  return session;
}

/** Adopts or forks the source under the caller's name. The source is not the caller's own of that name. */
export function pickUp(
  tx: Tx,
  ctx: Ctx,
  source: SessionRecord,
  name: string,
): { session: SessionRecord; pickup: Pickup } {
  if (source.prunedAt !== null) {
    throw new HubError("conflict", `the session to pick up was pruned; session_id=${source.id}`, {
      session_id: source.id,
    });
  }
  const owner = ctx.principal.actor;
  const holder = findSessionNamed(tx.db, source.projectId, owner, name);
  if (holder !== undefined && holder.id !== source.id) throw nameTaken(holder);
  return source.status === "ended" ? adopt(tx, source, owner, name) : fork(tx, source, owner, name);
}

/** Why a name cannot be taken; also for one held by a pruned session (mcp-tools.md 13.1). */
export function nameTaken(holder: SessionRecord): HubError {
  if (holder.prunedAt !== null) {
    return new HubError(
      "conflict",
      `the name is held by a pruned session until its prune is final; choose another name; pruned_session_id=${holder.id}`,
      { pruned_session_id: holder.id },
    );
  }
  return new HubError(
    "conflict",
    `you hold a session of this name already; choose another name; existing_session_id=${holder.id}`,
    { existing_session_id: holder.id },
  );
}

function adopt(tx: Tx, source: SessionRecord, owner: string, name: string): { session: SessionRecord; pickup: Pickup } {
  const adoptedFrom = source.agent === owner ? null : source.id;
  markAdopted(tx.db, source.id, { agent: owner, name, adoptedFrom, now: tx.now });
  const pickup = pickupOf("adopt", source);
  announce(tx, source, owner, `session ${name} picked up from ${source.agent}`, {
    action: "adopted",
    session_id: source.id,
    session_name: name,
    from_session_id: source.id,
    from_agent: source.agent,
    handoff: source.handoff,
  });
  const session: SessionRecord = { ...source, agent: owner, name, adoptedFrom, status: "active", lastActivity: tx.now };
  return { session, pickup };
}

function fork(tx: Tx, source: SessionRecord, owner: string, name: string): { session: SessionRecord; pickup: Pickup } {
  const session: SessionRecord = {
    ...source,
    id: tx.id(),
    agent: owner,
    name,
    createdAt: tx.now,
    lastActivity: tx.now,
    forkedFrom: source.id,
    adoptedFrom: null,
  };
  insertSession(tx.db, session);
  copyEntries(tx.db, source.id, session.id, tx.now);
  deferFork(tx.db, session.id);
  announce(tx, session, owner, `session ${name} forked from ${source.agent}`, {
    action: "forked",
    session_id: session.id,
    session_name: name,
    from_session_id: source.id,
    from_agent: source.agent,
  });
  const pickup = { ...pickupOf("fork", source), note: `${source.agent} still works the original, ${source.name}` };
  return { session, pickup };
}

function announce(
  tx: Tx,
  session: Pick<SessionRecord, "id" | "projectId">,
  actor: string,
  summary: string,
  payload: JsonObject,
): void {
  appendEvent(tx, {
    projectId: session.projectId,
    kind: "session",
    actor,
    summary,
    payload,
    sessionId: session.id,
    ceiling: "exempt",
  });
}

function pickupOf(mode: Pickup["mode"], source: SessionRecord): Pickup {
  return { mode, fromSessionId: source.id, fromAgent: source.agent, handoff: source.handoff };
}
