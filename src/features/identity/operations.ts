// Agents, their one live token, and their grants (rest-api.md 9, mcp-tools.md 6).
import { z } from "zod";
import type { Ctx, Services, Tx } from "../../kernel/ctx.ts";
import { readOperation, writeOperation } from "../../kernel/operation.ts";
import { version } from "../../shared/build.ts";
import { HubError } from "../../shared/errors.ts";
import { hubActor, isReservedAgentId } from "../../shared/ids.ts";
import { appendAudit } from "../events/index.ts";
import {
  anyone,
  deleteGrantRow,
  findProject,
  type GrantRecord,
  GrantRef,
  listGrantRows,
  operatorOnly,
  upsertGrant,
} from "../projects/index.ts";
import { addAgent, addToken, readListedAgent } from "./agents.ts";
import { AgentRef, CreateAgent, UpdateAgent } from "./schema.ts";
import { type AgentRecord, findAgent, listAgentRows, revokeLiveToken, updateDisplayName } from "./store.ts";

export const listAgents = readOperation({
  name: "listAgents",
  input: z.object({}),
  access: operatorOnly,
  run: (ctx) => listAgentRows(ctx.db, ctx.now() - ctx.config.activeWindowSecs * 1000),
});

export const createAgent = writeOperation({
  name: "createAgent",
  input: CreateAgent,
  access: operatorOnly,
  run(tx, _ctx, input) {
    if (findAgent(tx.db, input.id) !== undefined) {
      throw new HubError("conflict", `agent ${JSON.stringify(input.id)} exists already; choose another id`);
    }
    const { personalProjectId } = addAgent(tx, { id: input.id, displayName: input.display_name, state: "active" });
    appendAudit(tx, personalProjectId, { action: "agent_created", agent_id: input.id });
    tx.wake("agents", "projects");
    return readListedAgent(tx, input.id);
  },
});

export const updateAgent = writeOperation({
  name: "updateAgent",
  input: UpdateAgent,
  access: operatorOnly,
  run(tx, _ctx, input) {
    const agent = requireAgent(tx, input.agent_id);
    updateDisplayName(tx.db, agent.id, input.display_name);
    tx.wake("agents");
    return readListedAgent(tx, agent.id);
  },
});

export const issueToken = writeOperation({
  name: "issueToken",
  input: AgentRef,
  access: operatorOnly,
  run(tx, _ctx, input) {
    if (isReservedAgentId(input.agent_id)) {
      throw new HubError("invalid_argument", `${input.agent_id} is reserved and gets no token; create another agent`, {
        field: "agent_id",
        expected: "an agent that may hold a token",
      });
    }
    const agent = requireAgent(tx, input.agent_id);
    if (agent.state === "pending") {
      throw new HubError("conflict", `agent ${JSON.stringify(agent.id)} is still pending; admit it first`);
    }
    const issued = addToken(tx, agent.id);
    recordTokenChange(tx, agent, "token_issued");
    return issued;
  },
});

export const revokeToken = writeOperation({
  name: "revokeToken",
  input: AgentRef,
  access: operatorOnly,
  run(tx, _ctx, input) {
    revoke(tx, requireAgent(tx, input.agent_id));
  },
});

export const listGrants = readOperation({
  name: "listGrants",
  input: AgentRef,
  access: operatorOnly,
  run(ctx, input): GrantRecord[] {
    requireAgent(ctx, input.agent_id);
    return listGrantRows(ctx.db, input.agent_id);
  },
});

export const createGrant = writeOperation({
  name: "createGrant",
  input: GrantRef,
  access: operatorOnly,
  run(tx, _ctx, input): GrantRecord {
    requireAgent(tx, input.agent_id);
    if (findProject(tx.db, input.project_id) === undefined) {
      throw new HubError("not_found", `there is no project ${JSON.stringify(input.project_id)}`);
    }
    const grant = { agentId: input.agent_id, projectId: input.project_id, createdAt: tx.now };
    upsertGrant(tx.db, grant);
    recordGrant(tx, grant, "grant_set");
    return grant;
  },
});

export const deleteGrant = writeOperation({
  name: "deleteGrant",
  input: GrantRef,
  access: operatorOnly,
  run(tx, _ctx, input) {
    const grant = { agentId: input.agent_id, projectId: input.project_id };
    if (!deleteGrantRow(tx.db, grant.agentId, grant.projectId)) {
      throw new HubError("not_found", `agent ${JSON.stringify(grant.agentId)} holds no grant on ${grant.projectId}`);
    }
    recordGrant(tx, grant, "grant_removed");
  },
});

export const whoami = readOperation({
  name: "whoami",
  input: z.object({}),
  access: anyone,
  run: (ctx) => ({
    actor: ctx.principal.actor,
    isAdmin: ctx.principal.kind === "operator",
    // The operator of a standalone hub may act under an agent's name; the space is the agent's all the same.
    personalProjectId:
      ctx.principal.kind === "operator" ? null : (findAgent(ctx.db, ctx.principal.actor)?.personalProjectId ?? null),
    skillUrl: `${ctx.origin}/bootstrap/SKILL.md`,
  }),
});

export const readVersion = readOperation({
  name: "readVersion",
  input: z.object({}),
  access: anyone,
  run: () => version,
});

/** A store from before `hub` was reserved may hold an agent of that name: its token goes (operations.md 3, step 8). */
export async function revokeReservedAgent(services: Services): Promise<void> {
  if (findAgent(services.db, hubActor) === undefined) return;
  await services.write((tx) => revoke(tx, requireAgent(tx, hubActor)));
}

function revoke(tx: Tx, agent: AgentRecord): void {
  if (revokeLiveToken(tx.db, agent.id, tx.now)) recordTokenChange(tx, agent, "token_revoked");
}

function recordTokenChange(tx: Tx, agent: AgentRecord, action: string): void {
  appendAudit(tx, agent.personalProjectId, { action, agent_id: agent.id });
  tx.wake("agents");
}

function recordGrant(tx: Tx, grant: { agentId: string; projectId: string }, action: string): void {
  appendAudit(tx, grant.projectId, { action, agent_id: grant.agentId, project_id: grant.projectId });
  // A grant makes events above the agent's cursors readable, so its waits look again.
  tx.wake("agents", `actor:${grant.agentId}`);
}

function requireAgent(from: Pick<Ctx, "db">, id: string): AgentRecord {
  const agent = findAgent(from.db, id);
  if (agent === undefined) throw new HubError("not_found", `there is no agent ${JSON.stringify(id)}`);
  return agent;
}
