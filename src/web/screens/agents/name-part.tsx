// Who it is: its name, which may change, its id, which may not, and since when it is known.
import { useEffect, useRef, useState } from "preact/hooks";
import { nameChars } from "../../../shared/limits.ts";
import type { AgentView } from "../../../shared/views.ts";
import { call } from "../../data/call.ts";
import { agentList } from "../../items/agents.ts";
import { Button } from "../../parts/button.tsx";
import { note } from "../../parts/toasts.ts";
import { agentsText } from "../../text/en-agents.ts";
import { fullStamp } from "../../text/time.ts";
import { Refusal } from "./refusal.tsx";
import { useAct } from "./use-act.ts";
import { useFocusHeir } from "./use-focus-heir.ts";

export function NamePart({ agent }: { agent: AgentView }) {
  const [name, setName] = useState(agent.display_name);
  const saving = useAct();
  useEffect(() => setName(agent.display_name), [agent.id, agent.display_name]);
  const form = useRef<HTMLFormElement>(null);
  useFocusHeir(form, agent.display_name);
  const words = name.trim();
  async function save(): Promise<void> {
    await call("updateAgent", { params: { id: agent.id }, body: { display_name: words } });
    note(agentsText.renamed);
    await agentList().refresh();
  }
  return (
    <>
      <form
        ref={form}
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          if (words !== "" && words !== agent.display_name) saving.run(save);
        }}
      >
        <label for="agent-name">{agentsText.name}</label>
        <div class="field-line">
          <input
            id="agent-name"
            value={name}
            maxLength={nameChars}
            dir="auto"
            autocomplete="off"
            aria-invalid={words === "" || undefined}
            aria-describedby="agent-name-refusal"
            onInput={(event) => {
              saving.clear();
              setName(event.currentTarget.value);
            }}
          />
          {words === agent.display_name ? null : (
            <Button
              type="submit"
              look="solid"
              isBusy={saving.isBusy}
              reason={words === "" ? agentsText.nameMissing : undefined}
            >
              {agentsText.save}
            </Button>
          )}
        </div>
        <Refusal id="agent-name-refusal" words={words === "" ? agentsText.nameMissing : saving.refusal} />
      </form>
      <dl class="facts">
        <dt>{agentsText.id}</dt>
        <dd>
          <span class="data theirs">{agent.id}</span> <span class="faint note">{agentsText.fixed}</span>
        </dd>
        <dt>{agentsText.space}</dt>
        <dd class="data theirs">{agent.personal_project_id}</dd>
        <dt>{agentsText.since}</dt>
        <dd class="num">{fullStamp(agent.created_at)}</dd>
        {agent.first_seen_at === null ? null : (
          <>
            <dt>{agentsText.firstSeen}</dt>
            <dd class="num">{fullStamp(agent.first_seen_at)}</dd>
          </>
        )}
      </dl>
      <p class="note faint">{agentsText.retire}</p>
    </>
  );
}
