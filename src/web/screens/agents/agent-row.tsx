// An agent as a row: its tile, its name, how it stands.
import type { AgentView } from "../../../shared/views.ts";
import { minuteClock } from "../../data/clock.ts";
import { Avatar } from "../../parts/avatar.tsx";
import { Row } from "../../parts/row.tsx";
import { routeText } from "../../shell/route.ts";
import { agentsText } from "../../text/en-agents.ts";
import { AgentState, avatarState } from "./agent-state.tsx";

type AgentRowProps = { agent: AgentView; isShown: boolean; isStop: boolean };

export function AgentRow({ agent, isShown, isStop }: AgentRowProps) {
  const isPending = agent.state === "pending";
  return (
    <Row
      id={agent.id}
      kind="agent"
      itemState={isPending ? "waiting" : avatarState(agent)}
      href={`#${routeText(["agents", agent.id])}`}
      tone={isPending ? "lamp" : undefined}
      leading={<Avatar name={agent.display_name} state={avatarState(agent)} />}
      title={agent.display_name}
      isStrong={isPending}
      isOpen={isShown}
      isStop={isStop}
    >
      <div class="row-meta">
        {agent.id === agent.display_name ? null : <span class="data theirs">{agent.id}</span>}
        <AgentState agent={agent} nowMs={minuteClock.value} />
        {agent.open_items === 0 || isPending ? null : <span>{agentsText.openItems(agent.open_items)}</span>}
      </div>
    </Row>
  );
}
