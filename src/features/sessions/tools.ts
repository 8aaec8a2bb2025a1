import { timestamp } from "../../kernel/clock.ts";
import { type Tool, tool } from "../../kernel/tool.ts";
import { codePoints } from "../../shared/json.ts";
import { listedHandoffChars } from "../../shared/limits.ts";
import { listSessions } from "./listing.ts";
import { endSession, recoveryPath, startSession } from "./operations.ts";
import type { Pickup } from "./pickup.ts";
import type { SessionRecord } from "./store.ts";

function viewPickup(pickup: Pickup): object {
  return {
    mode: pickup.mode,
    from_session_id: pickup.fromSessionId,
    from_agent: pickup.fromAgent,
    handoff: pickup.handoff,
    source_active: pickup.mode === "fork",
    ...(pickup.note === undefined ? {} : { note: pickup.note }),
  };
}

function viewListed(session: SessionRecord): object {
  const isCut = session.handoff !== null && codePoints(session.handoff) > listedHandoffChars;
  return {
    session_id: session.id,
    project_id: session.projectId,
    session_name: session.name,
    agent: session.agent,
    status: session.status,
    created_at: timestamp(session.createdAt),
    last_activity: timestamp(session.lastActivity),
    handoff: isCut ? [...(session.handoff ?? "")].slice(0, listedHandoffChars).join("") : session.handoff,
    handoff_truncated: isCut,
    forked_from: session.forkedFrom,
    adopted_from: session.adoptedFrom,
    brain_bytes: session.brainBytes,
  };
}

export const sessionTools: readonly Tool[] = [
  tool({
    name: "session_start",
    description:
      "Open or resume your session; one name, one brain. from takes up another: adopts an ended one, forks a running one. After bound: true, calls here may omit session.",
    operation: startSession,
    core: true,
    present: ({ session, isResumed, isBound, pickup }) => ({
      session_id: session.id,
      project_id: session.projectId,
      agent: session.agent,
      session_name: session.name,
      status: session.status,
      resumed: isResumed,
      pickup: pickup === null ? null : viewPickup(pickup),
      namespaces: { kv: "/kv", fs: "/fs" },
      recovery_path: recoveryPath,
      handoff: pickup === null ? session.handoff : pickup.handoff,
      brain_bytes: session.brainBytes,
      bound: isBound,
    }),
  }),
  tool({
    name: "session_end",
    description: "End your session, with a handoff note for whoever takes over. Its brain stays.",
    operation: endSession,
    core: true,
    present: () => ({ ok: true }),
  }),
  tool({
    name: "session_list",
    description: "List sessions, whose work you could take up.",
    operation: listSessions,
    core: true,
    hints: { readOnlyHint: true },
    present: ({ sessions, isTruncated }) => ({ sessions: sessions.map(viewListed), truncated: isTruncated }),
  }),
];
