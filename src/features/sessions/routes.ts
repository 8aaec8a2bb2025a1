import { timestamp } from "../../kernel/clock.ts";
import { type Route, route } from "../../kernel/route.ts";
import type { ListedSessionView, PrunedSessionsView, SessionView } from "../../shared/views.ts";
import { versionOf } from "./brain.ts";
import {
  getBrainEntry,
  getSession,
  type ListedSession,
  listBrainLevel,
  listSessionsAsOperator,
  reassignSession,
} from "./listing.ts";
import { endSession } from "./operations.ts";
import { type PrunedSession, pruneSession, pruneSessions, undoPrune } from "./prune.ts";
import type { SessionRecord } from "./store.ts";

function view(session: SessionRecord): SessionView {
  return {
    id: session.id,
    project_id: session.projectId,
    session_name: session.name,
    agent: session.agent,
    status: session.status,
    created_at: timestamp(session.createdAt),
    last_activity: timestamp(session.lastActivity),
    forked_from: session.forkedFrom,
    adopted_from: session.adoptedFrom,
    handoff: session.handoff,
  };
}

function viewListed({ session, lineage }: ListedSession): ListedSessionView {
  return {
    ...view(session),
    lineage:
      lineage === null
        ? null
        : { kind: lineage.kind, session_id: lineage.sessionId, agent: lineage.agent, pruned: lineage.isPruned },
    brain_bytes: session.brainBytes,
  };
}

function viewPruned(pruned: { sessions: readonly PrunedSession[]; undoExpiresAt: number }): PrunedSessionsView {
  return {
    sessions: pruned.sessions.map(({ sessionId, undoToken }) => ({ session_id: sessionId, undo_token: undoToken })),
    undo_expires_at: timestamp(pruned.undoExpiresAt),
  };
}

const byId = { id: "session_id" };

export const sessionRoutes: readonly Route[] = [
  route("listSessions", {
    operation: listSessionsAsOperator,
    present: (sessions) => ({ sessions: sessions.map(viewListed) }),
  }),
  route("getSession", {
    operation: getSession,
    rename: byId,
    present: ({ events, lastEvent, ...listed }) => ({
      ...viewListed(listed),
      events,
      last_event:
        lastEvent === null ? null : { at: timestamp(lastEvent.at), actor: lastEvent.actor, summary: lastEvent.summary },
    }),
  }),
  route("endSession", { operation: endSession, rename: byId, present: () => ({ ok: true }) }),
  route("reassignSession", { operation: reassignSession, rename: byId, present: view }),
  route("listBrain", {
    operation: listBrainLevel,
    rename: byId,
    present: ({ path, entries, isTruncated }) => ({
      entries: entries.map((entry) => ({ path: entry.path, type: entry.type, size_bytes: entry.size })),
      path,
      truncated: isTruncated,
    }),
  }),
  route("getBrainEntry", {
    operation: getBrainEntry,
    rename: byId,
    present: (entry) => ({
      path: entry.path,
      type: entry.path.startsWith("/kv/") ? "key" : "file",
      size_bytes: entry.size,
      version: versionOf(entry.blob),
      content: entry.content,
      written_at: timestamp(entry.written_at),
    }),
  }),
  route("pruneSession", {
    operation: pruneSession,
    rename: byId,
    present: (pruned) => ({ undo_token: pruned.undoToken, undo_expires_at: timestamp(pruned.undoExpiresAt) }),
  }),
  route("pruneSessions", { operation: pruneSessions, present: viewPruned }),
  route("pruneProjectSessions", { operation: pruneSessions, rename: { id: "project_id" }, present: viewPruned }),
  route("undoPrune", { operation: undoPrune, rename: { token: "undo_token" }, present: () => ({ ok: true }) }),
];
