import { timestamp } from "../../kernel/clock.ts";
import { type Route, route } from "../../kernel/route.ts";
import { commit } from "../../shared/build.ts";
import type { AgentView, GrantView } from "../../shared/views.ts";
import type { GrantRecord } from "../projects/index.ts";
import {
  createAgent,
  createGrant,
  deleteGrant,
  issueToken,
  listAgents,
  listGrants,
  readVersion,
  revokeToken,
  updateAgent,
} from "./operations.ts";
import type { ListedAgent } from "./store.ts";

const orNull = (ms: number | null): string | null => (ms === null ? null : timestamp(ms));

export function viewAgent(agent: ListedAgent): AgentView {
  return {
    id: agent.id,
    display_name: agent.displayName,
    personal_project_id: agent.personalProjectId,
    created_at: timestamp(agent.createdAt),
    last_seen_at: orNull(agent.lastSeenAt),
    state: agent.state,
    first_seen_at: orNull(agent.firstSeenAt),
    first_call_at: orNull(agent.firstCallAt),
    token_live: agent.isTokenLive,
    at_work: agent.isAtWork,
    open_items: agent.openItems,
    last_refused_at: orNull(agent.lastRefusedAt),
    ...(agent.enrolNote === null ? {} : { enrol_note: agent.enrolNote }),
    ...(agent.enrolSource === null ? {} : { enrol_source: agent.enrolSource }),
  };
}

function viewGrant(grant: GrantRecord): GrantView {
  return { agent_id: grant.agentId, project_id: grant.projectId, created_at: timestamp(grant.createdAt) };
}

const byId = { id: "agent_id" };

export const identityRoutes: readonly Route[] = [
  route("listAgents", { operation: listAgents, present: (agents) => ({ agents: agents.map(viewAgent) }) }),
  route("createAgent", { operation: createAgent, present: viewAgent }),
  route("updateAgent", { operation: updateAgent, rename: byId, present: viewAgent }),
  route("issueToken", {
    operation: issueToken,
    rename: byId,
    present: (issued) => ({ token: issued.token, created_at: timestamp(issued.createdAt) }),
  }),
  route("revokeToken", { operation: revokeToken, rename: byId, present: () => undefined }),
  route("listGrants", {
    operation: listGrants,
    rename: byId,
    present: (grants) => ({ grants: grants.map(viewGrant) }),
  }),
  route("createGrant", { operation: createGrant, rename: byId, present: viewGrant }),
  route("deleteGrant", { operation: deleteGrant, rename: byId, present: () => undefined }),
  route("getVersion", {
    operation: readVersion,
    present: (version) => ({ version, commit: commit === "unknown" ? null : commit }),
  }),
];
