// Connect it: the client, what to paste into it, and whether its first call has come.
import { useMemo, useState } from "preact/hooks";
import { type ClientName, clientNames } from "../../../shared/snippets.ts";
import type { AgentView } from "../../../shared/views.ts";
import { minuteClock } from "../../data/clock.ts";
import { useKeys } from "../../shell/keys.ts";
import { agentsText } from "../../text/en-agents.ts";
import { AgentState } from "./agent-state.tsx";
import { ClientTiles } from "./client-tiles.tsx";
import { noteCopied, tokenOf } from "./fresh-token.ts";
import { SnippetsView } from "./snippets-view.tsx";

export function ConnectIt({ agent }: { agent: AgentView }) {
  const [client, setClient] = useState<ClientName>("claude-code");
  useKeys(useMemo(() => clientKeys(setClient), []));
  return (
    <>
      <p class="soft">{agentsText.connectHint}</p>
      <ClientTiles value={client} onChoose={setClient} />
      <SnippetsView client={client} token={tokenOf(agent.id)} onCopied={noteCopied} />
      <p class="row-meta" role="status">
        {agent.first_seen_at === null ? agentsText.waitingCall : <AgentState agent={agent} nowMs={minuteClock.value} />}
      </p>
    </>
  );
}

function clientKeys(choose: (client: ClientName) => void) {
  return clientNames.slice(0, 6).map((client, index) => ({
    keys: String(index + 1),
    words: agentsText.clientKey(agentsText.clients[client]),
    run: () => choose(client),
  }));
}
