// Step 2: an agent, by what it runs in and its name; its token is made with it.
import { useEffect, useRef } from "preact/hooks";
import { nameChars } from "../../../shared/limits.ts";
import { call } from "../../data/call.ts";
import { agentList } from "../../items/agents.ts";
import { Button } from "../../parts/button.tsx";
import { agentIdFrom } from "../../text/agent-id.ts";
import { startText } from "../../text/en-start.ts";
import { ClientTiles } from "../agents/client-tiles.tsx";
import { makeToken } from "../agents/fresh-token.ts";
import { Refusal } from "../agents/refusal.tsx";
import { useAct } from "../agents/use-act.ts";
import { type Start, useProposed } from "./use-start.ts";

export function AgentStep({ start }: { start: Start }) {
  const taken = new Set(start.agents.map(({ id }) => id));
  const [name, setName] = useProposed(agentIdFrom(startText.usualNames[start.client], taken));
  const field = useRef<HTMLInputElement>(null);
  const creating = useAct();
  const words = name.trim();
  const id = agentIdFrom(words, taken);
  useEffect(() => field.current?.focus(), []);
  async function create(): Promise<void> {
    await call("createAgent", { body: { id, display_name: words } });
    // Without a token the next step offers to make one.
    await makeToken(id).finally(() => agentList().refresh());
    start.goTo({ agent: id });
  }
  return (
    <>
      <p class="soft">{startText.agentSentence}</p>
      <ClientTiles value={start.client} onChoose={(client) => start.goTo({ client })} />
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          if (words !== "") creating.run(create);
        }}
      >
        <label for="start-agent">{startText.agentName}</label>
        <input
          id="start-agent"
          ref={field}
          value={name}
          maxLength={nameChars}
          dir="auto"
          autocomplete="off"
          aria-invalid={words === "" || undefined}
          aria-describedby="start-agent-hint start-agent-refusal"
          onInput={(event) => {
            creating.clear();
            setName(event.currentTarget.value);
          }}
        />
        <p id="start-agent-hint" class="note faint theirs">
          {startText.idWillBe(id)}
        </p>
        <Refusal id="start-agent-refusal" words={words === "" ? startText.nameMissing : creating.refusal} />
        <div>
          <Button type="submit" look="solid" isBusy={creating.isBusy}>
            {startText.createAgent}
          </Button>
        </div>
      </form>
    </>
  );
}
