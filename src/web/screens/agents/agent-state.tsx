// How an agent stands, in words: the same on its row, on its page and in first run.
import type { AgentView } from "../../../shared/views.ts";
import { agentsText } from "../../text/en-agents.ts";
import { ago } from "../../text/time.ts";

/** The hub writes the last call down this seldom, so nothing finer is said. */
const seenWithinMs = 5 * 60_000;

export function avatarState(agent: AgentView): "live" | "idle" | "never" {
  if (agent.at_work) return "live";
  return agent.last_seen_at === null ? "never" : "idle";
}

export function AgentState({ agent, nowMs }: { agent: AgentView; nowMs: number }) {
  if (agent.state === "pending") return <strong class="state lamp">{agentsText.pending}</strong>;
  if (agent.at_work) return <strong class="state live">{agentsText.atWork}</strong>;
  if (agent.token_live) return <span>{seenWords(agent, nowMs)}</span>;
  return (
    <>
      {agent.last_seen_at === null ? null : <span>{seenWords(agent, nowMs)}</span>}
      <strong class="state">{agentsText.noToken}</strong>
    </>
  );
}

function seenWords({ last_seen_at }: AgentView, nowMs: number): string {
  if (last_seen_at === null) return agentsText.neverConnected;
  return nowMs - Date.parse(last_seen_at) < seenWithinMs
    ? agentsText.seenNow
    : agentsText.seen(ago(last_seen_at, nowMs));
}
