// Sessions as agents and the operator list them (mcp-tools.md 17.3, rest-api.md 8).
import { z } from "zod";
import { anyId } from "../../kernel/fields.ts";
import { invalid } from "../../kernel/input.ts";
import { readOperation, writeOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { brainLevelMax, sessionListDefault } from "../../shared/limits.ts";
import { appendEvent } from "../events/index.ts";
import { findAgent } from "../identity/index.ts";
import { operatorOnly, requireProject, visibleProjects } from "../projects/index.ts";
import { decode } from "./brain.ts";
import { listLevel, listRoots } from "./brain-level.ts";
import { findEntry } from "./brain-store.ts";
import { canonicalListPath, canonicalPath } from "./paths.ts";
import { nameTaken } from "./pickup.ts";
import { ListSessions } from "./schema.ts";
import {
  countSessionEvents,
  findSession,
  findSessionNamed,
  listSessionRows,
  type SessionRecord,
  setOwner,
} from "./store.ts";
import { byId } from "./target.ts";

export const listSessions = readOperation({
  name: "listSessions",
  input: ListSessions,
  access: (who, input) => {
    if (input.project_id !== undefined) requireProject(who, "read", input.project_id);
  },
  run(ctx, input) {
    const limit = input.limit ?? sessionListDefault;
    const projects =
      input.project_id === undefined ? visibleProjects(ctx.principal) : { sql: "?", values: [input.project_id] };
    const sessions = listSessionRows(ctx.db, { projects, status: input.status, agent: input.agent }, limit);
    return { sessions, isTruncated: sessions.length === limit };
  },
});

export type Lineage = { kind: "adopted" | "forked"; sessionId: string; agent: string | null; isPruned: boolean } | null;
export type ListedSession = { session: SessionRecord; lineage: Lineage };

export const listSessionsAsOperator = readOperation({
  name: "listSessionsAsOperator",
  input: z.object({ project: anyId.optional(), agent: anyId.optional() }),
  access: (who, input) => {
    operatorOnly(who, input);
    if (input.project === undefined && input.agent === undefined) {
      throw invalid("project", undefined, "a project, an agent, or both");
    }
    if (input.project !== undefined) requireProject(who, "read", input.project);
    if (input.agent !== undefined && findAgent(who.db, input.agent) === undefined) {
      throw new HubError("not_found", `there is no agent ${JSON.stringify(input.agent)}`);
    }
  },
  run(ctx, input): ListedSession[] {
    const projects =
      input.project === undefined ? visibleProjects(ctx.principal) : { sql: "?", values: [input.project] };
    const sessions = listSessionRows(ctx.db, { projects, agent: input.agent }, Number.MAX_SAFE_INTEGER);
    return sessions.map((session) => ({ session, lineage: lineageOf(ctx.db, session) }));
  },
});

// Lineage ids stay after the session they name is gone.
function lineageOf(db: Parameters<typeof findSession>[0], session: SessionRecord): Lineage {
  const id = session.adoptedFrom ?? session.forkedFrom;
  if (id === null) return null;
  const source = findSession(db, id);
  return {
    kind: session.adoptedFrom === null ? "forked" : "adopted",
    sessionId: id,
    agent: source?.agent ?? null,
    isPruned: source === undefined || source.prunedAt !== null,
  };
}

const SessionId = z.object({ session_id: anyId });

export const getSession = readOperation({
  name: "getSession",
  input: SessionId,
  access: (who, input) => {
    operatorOnly(who, input);
    byId(who, input.session_id, "read");
  },
  run(ctx, input) {
    const session = byId(ctx, input.session_id, "read");
    return { session, lineage: lineageOf(ctx.db, session), ...countSessionEvents(ctx.db, session.id) };
  },
});

export const reassignSession = writeOperation({
  name: "reassignSession",
  input: z.object({ session_id: anyId, agent: anyId }),
  access: operatorOnly,
  run(tx, ctx, input): SessionRecord {
    const session = byId({ ...ctx, db: tx.db }, input.session_id, "write");
    const agent = findAgent(tx.db, input.agent);
    if (agent === undefined || agent.state !== "active") {
      throw new HubError("not_found", `there is no active agent ${JSON.stringify(input.agent)}`);
    }
    if (session.status === "ended") {
      throw new HubError("conflict", `session ${session.name} has ended; any agent can pick it up with session_start`);
    }
    if (session.agent === agent.id) throw new HubError("conflict", `session ${session.name} is ${agent.id}'s already`);
    const holder = findSessionNamed(tx.db, session.projectId, agent.id, session.name);
    if (holder !== undefined) throw nameTaken(holder);
    setOwner(tx.db, session.id, agent.id);
    appendEvent(tx, {
      projectId: session.projectId,
      kind: "session",
      actor: ctx.principal.actor,
      summary: `session ${session.name} reassigned to ${agent.id}`,
      payload: {
        action: "reassigned",
        session_id: session.id,
        session_name: session.name,
        from_agent: session.agent,
        to_agent: agent.id,
      },
      sessionId: session.id,
      ceiling: "exempt",
    });
    tx.wake(`sessions:${session.projectId}`);
    return { ...session, agent: agent.id };
  },
});

const levelExpected = "/, /fs, /fs/<directory>, /kv or /kv/<prefix>";

export const listBrainLevel = readOperation({
  name: "listBrainLevel",
  input: z.object({ session_id: anyId, path: anyId.optional() }),
  access: (who, input) => {
    operatorOnly(who, input);
    byId(who, input.session_id, "read");
  },
  run(ctx, input) {
    const path = input.path ?? "/";
    const canonical = path === "/" ? path : canonicalListPath(path);
    if (canonical === undefined) throw invalid("path", path, levelExpected);
    if (canonical === "/") return { path: "/", entries: listRoots(ctx.db, input.session_id), isTruncated: false };
    const entries = listLevel(ctx.db, input.session_id, canonical, brainLevelMax + 1);
    return { path: canonical, entries: entries.slice(0, brainLevelMax), isTruncated: entries.length > brainLevelMax };
  },
});

export const getBrainEntry = readOperation({
  name: "getBrainEntry",
  input: z.object({ session_id: anyId, path: anyId }),
  access: (who, input) => {
    operatorOnly(who, input);
    byId(who, input.session_id, "read");
  },
  run(ctx, input) {
    const path = canonicalPath(input.path);
    if (path === undefined) throw invalid("path", input.path, "/fs/<path> or /kv/<key>");
    const entry = findEntry(ctx.db, input.session_id, path);
    if (entry === undefined) throw new HubError("not_found", `no brain value at '${path}'`);
    return { ...entry, content: decode(path, ctx.blobs.read(ctx.db, entry.blob)) };
  },
});
