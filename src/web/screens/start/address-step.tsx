// Step 3: what to paste into the client, with the token in it while it is known.
import { useState } from "preact/hooks";
import { isLoopback } from "../../../shared/snippets.ts";
import type { AgentView } from "../../../shared/views.ts";
import { agentAddresses, hubSpec } from "../../data/hub.ts";
import { useResource } from "../../data/resource.ts";
import { hubAddress } from "../../data/scope.ts";
import { agentList } from "../../items/agents.ts";
import { Button } from "../../parts/button.tsx";
import { agentsText } from "../../text/en-agents.ts";
import { startText } from "../../text/en-start.ts";
import { Ask } from "../agents/ask.tsx";
import { ClientTiles } from "../agents/client-tiles.tsx";
import { Fold } from "../agents/fold.tsx";
import { makeToken, noteCopied, tokenOf } from "../agents/fresh-token.ts";
import { Refusal } from "../agents/refusal.tsx";
import { SnippetsView } from "../agents/snippets-view.tsx";
import { useAct } from "../agents/use-act.ts";
import type { Start } from "./use-start.ts";

export function AddressStep({ start, agent }: { start: Start; agent: AgentView }) {
  const { client } = start;
  const token = tokenOf(agent.id);
  return (
    <>
      <p class="soft">
        {client === "other" ? startText.otherAddressSentence : startText.addressSentence(agentsText.clients[client])}
      </p>
      <FarLocal />
      {token === undefined ? <NewToken agent={agent} /> : null}
      <SnippetsView client={client} token={token} isGoneSaid onCopied={noteCopied} />
      <Fold title={startText.anotherClient} look="another-client">
        {() => <ClientTiles value={client} onChoose={(chosen) => start.goTo({ client: chosen })} />}
      </Fold>
    </>
  );
}

/** The token of a former visit: it is live, or nobody ever got one. */
function NewToken({ agent }: { agent: AgentView }) {
  const [isAsked, setAsked] = useState(false);
  const making = useAct();
  async function make(): Promise<void> {
    await makeToken(agent.id);
    await agentList().refresh();
  }
  return (
    <div class="notice">
      <p>{startText.tokenGone}</p>
      <div>
        <Button
          glyph="key"
          isBusy={making.isBusy}
          onClick={() => (agent.token_live ? setAsked(true) : making.run(make))}
        >
          {startText.newToken}
        </Button>
      </div>
      <Refusal words={making.refusal} />
      {isAsked ? (
        <Ask
          title={agentsText.replaceAsk(agent.display_name)}
          sentence={startText.newTokenSentence}
          safe={agentsText.keepToken}
          act={startText.newToken}
          run={make}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </div>
  );
}

/** The configured address is of no use where this app is open. */
function FarLocal() {
  const hub = useResource(hubSpec).value.value;
  const isFar = isLoopback(agentAddresses(hub).mcp) && !isLoopback(hubAddress);
  return isFar ? <p class="notice">{startText.farLocal(`${hubAddress}mcp`)}</p> : null;
}
