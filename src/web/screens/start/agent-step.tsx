// Step 2: an agent, by what it runs in and its name; its token is made with it.
import { useEffect, useRef } from "preact/hooks";
import { call } from "../../data/call.ts";
import { agentList } from "../../items/agents.ts";
import { agentIdFrom } from "../../text/agent-id.ts";
import { startText } from "../../text/en-start.ts";
import { ClientTiles } from "../agents/client-tiles.tsx";
import { makeToken } from "../agents/fresh-token.ts";
import { NameForm } from "./name-form.tsx";
import { beingMade, type Start, useProposed } from "./use-start.ts";

export function AgentStep({ start }: { start: Start }) {
  const taken = new Set(start.agents.map(({ id }) => id));
  const [name, setName] = useProposed(agentIdFrom(startText.usualNames[start.client], taken));
  const field = useRef<HTMLInputElement>(null);
  const id = agentIdFrom(name.trim(), taken);
  useEffect(() => field.current?.focus(), []);
  async function create(): Promise<void> {
    beingMade.value = id;
    try {
      await call("createAgent", { body: { id, display_name: name.trim() } });
      // Without a token the next step offers to make one.
      await makeToken(id).finally(() => agentList().refresh());
    } finally {
      beingMade.value = undefined;
    }
    start.goTo({ agent: id });
  }
  return (
    <>
      <p class="soft">{startText.agentSentence}</p>
      <ClientTiles value={start.client} onChoose={(client) => start.goTo({ client })} />
      <NameForm
        id="start-agent"
        field={field}
        label={startText.agentName}
        act={startText.createAgent}
        name={name}
        onName={setName}
        newId={id}
        create={create}
      />
    </>
  );
}
