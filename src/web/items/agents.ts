// Agents as items need them: their names, and the three facts that make a request to join (web-app.md 6.5).
import type { AgentView, InboxItemView } from "../../shared/views.ts";
import { call } from "../data/call.ts";
import { type Resource, resource } from "../data/resource.ts";
import { actorName } from "../text/names.ts";

export function agentList(): Resource<{ agents: AgentView[] }> {
  return resource({
    key: "agents",
    concerns: (topic) => topic === "agents",
    isKept: true,
    load: (signal) => call("listAgents", { signal }),
  });
}

/** Display name of an actor, as far as it is known. */
export function nameOfActor(actor: string): string {
  const agent = agentList().value.value?.agents.find(({ id }) => id === actor);
  return agent?.display_name ?? actorName(actor);
}

/** `unknown` until the agents were read: then neither Admit nor a warning may stand there. */
export type JoinClaim = { kind: "none" | "unknown" | "false" } | { kind: "true"; agent: AgentView };

/** Never by the payload alone: any agent can write one. */
export function joinClaimOf(item: InboxItemView, claims: boolean): JoinClaim {
  if (item.kind !== "approval" || item.status === "resolved") return { kind: "none" };
  const agents = agentList().value.value?.agents;
  if (agents === undefined) return { kind: claims ? "unknown" : "none" };
  const agent = agents.find(({ id }) => id === item.actor);
  const isTrue = agent?.state === "pending" && agent.personal_project_id === item.project_id;
  if (isTrue) return { kind: "true", agent };
  return { kind: claims ? "false" : "none" };
}
