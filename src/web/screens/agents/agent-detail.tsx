// One agent: how it stands, how it connects, its token, what it may enter, what it did (web-app.md 6.17).
import type { ComponentChildren } from "preact";
import type { AgentView } from "../../../shared/views.ts";
import { minuteClock } from "../../data/clock.ts";
import { Avatar } from "../../parts/avatar.tsx";
import { routeText } from "../../shell/route.ts";
import { agentsText } from "../../text/en-agents.ts";
import { AccessPart } from "./access-part.tsx";
import { AgentState, avatarState } from "./agent-state.tsx";
import { ConnectIt } from "./connect-it.tsx";
import { Fold } from "./fold.tsx";
import { tokenOf } from "./fresh-token.ts";
import { EventsPart, SessionsPart } from "./history-part.tsx";
import { NamePart } from "./name-part.tsx";
import { TokenPart } from "./token-part.tsx";

export function AgentDetail({ agent }: { agent: AgentView }) {
  const isPending = agent.state === "pending";
  return (
    <div class="agent-view" data-agent={agent.id}>
      <header>
        <Avatar name={agent.display_name} state={avatarState(agent)} />
        <div>
          <h2 class="theirs" dir="auto" tabIndex={-1}>
            {agent.display_name}
          </h2>
          <p class="row-meta">
            <span class="data theirs">{agent.id}</span>
            <AgentState agent={agent} nowMs={minuteClock.value} />
            {agent.open_items === 0 ? null : (
              <a href={`#${routeText(["inbox"], { agent: agent.id })}`}>{agentsText.openItems(agent.open_items)}</a>
            )}
          </p>
        </div>
      </header>
      {isPending ? (
        <p>
          <a href={`#${routeText(["inbox"], { agent: agent.id })}`}>{agentsText.openRequest}</a>
        </p>
      ) : (
        <Admitted agent={agent} />
      )}
    </div>
  );
}

function Admitted({ agent }: { agent: AgentView }) {
  const mustConnect = agent.first_seen_at === null || tokenOf(agent.id) !== undefined;
  return (
    <>
      <Part title={agentsText.token}>
        <TokenPart agent={agent} />
      </Part>
      {mustConnect ? (
        <Part title={agentsText.connect}>
          <ConnectIt agent={agent} />
        </Part>
      ) : (
        <Fold title={agentsText.connect}>{() => <ConnectIt agent={agent} />}</Fold>
      )}
      <Part title={agentsText.access}>
        <AccessPart agent={agent} />
      </Part>
      <Part title={agentsText.sessions}>
        <SessionsPart agent={agent.id} />
      </Part>
      <Part title={agentsText.events}>
        <EventsPart agent={agent.id} />
      </Part>
      <Part title={agentsText.facts}>
        <NamePart agent={agent} />
      </Part>
    </>
  );
}

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="agent-part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}
