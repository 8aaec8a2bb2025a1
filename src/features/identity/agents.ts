// Agents as other features make and remove them, inside their own write jobs.
import { randomBytes } from "node:crypto";
import type { Tx } from "../../kernel/ctx.ts";
import { HubError } from "../../shared/errors.ts";
import { personalSpacePrefix } from "../../shared/ids.ts";
import { insertProject, removeProject } from "../projects/index.ts";
import { tokenHash } from "./authenticate.ts";
import {
  type AgentRecord,
  deleteAgent,
  findListedAgent,
  insertAgent,
  insertToken,
  type ListedAgent,
  revokeLiveToken,
} from "./store.ts";

const tokenBytes = 32;

/** An agent with its personal space. The id is checked and free. */
export function addAgent(
  tx: Tx,
  agent: Pick<AgentRecord, "id" | "displayName" | "state">,
): Pick<AgentRecord, "id" | "personalProjectId"> {
  const personalProjectId = personalSpacePrefix + tx.id();
  insertProject(tx.db, {
    id: personalProjectId,
    displayName: `${agent.displayName} (personal)`,
    ownerAgent: agent.id,
    isConfidential: false,
    createdAt: tx.now,
  });
  insertAgent(tx.db, { ...agent, personalProjectId, createdAt: tx.now });
  return { id: agent.id, personalProjectId };
}

/** A new live token in place of the one before; the plaintext exists only in what is returned. */
export function addToken(tx: Tx, agentId: string): { token: string; createdAt: number } {
  revokeLiveToken(tx.db, agentId, tx.now);
  const token = randomBytes(tokenBytes).toString("hex");
  insertToken(tx.db, { id: tx.id(), agentId, hash: tokenHash(token), createdAt: tx.now });
  return { token, createdAt: tx.now };
}

/** Removes an agent with its tokens and its personal space; the id is free again. */
export function removeAgent(tx: Tx, agentId: string, personalProjectId: string): void {
  deleteAgent(tx.db, agentId);
  removeProject(tx, personalProjectId);
}

/** @throws HubError `not_found` */
export function readListedAgent(tx: Tx, id: string): ListedAgent {
  const agent = findListedAgent(tx.db, id, tx.now - tx.config.activeWindowSecs * 1000);
  if (agent === undefined) throw new HubError("not_found", `there is no agent ${JSON.stringify(id)}`);
  return agent;
}
