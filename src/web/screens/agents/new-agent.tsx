// A new agent: a name, the id made from it, the confidential projects it may enter; its token comes with it.
import { useState } from "preact/hooks";
import { nameChars } from "../../../shared/limits.ts";
import { call } from "../../data/call.ts";
import { projectListSpec } from "../../data/projects.ts";
import { useResource } from "../../data/resource.ts";
import { agentList } from "../../items/agents.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { note } from "../../parts/toasts.ts";
import { agentIdFrom } from "../../text/agent-id.ts";
import { agentsText } from "../../text/en-agents.ts";
import { makeToken } from "./fresh-token.ts";
import { Refusal } from "./refusal.tsx";
import { useAct } from "./use-act.ts";

type NewAgentProps = { onMade: (id: string) => void; onClose: () => void };

export function NewAgent({ onMade, onClose }: NewAgentProps) {
  const [name, setName] = useState("");
  const [open, setOpen] = useState<readonly string[]>([]);
  const [isMissing, setMissing] = useState(false);
  const creating = useAct();
  const taken = new Set(agentList().value.value?.agents.map(({ id }) => id));
  const projects = useResource(projectListSpec).value.value?.projects ?? [];
  const confidential = projects.filter((project) => project.confidential && !project.is_personal);
  const words = name.trim();
  const id = agentIdFrom(words, taken);

  async function create(): Promise<void> {
    await call("createAgent", { body: { id, display_name: words } });
    // From here on it exists: what is refused next is told on its own page.
    onMade(id);
    note(agentsText.made(words));
    for (const project_id of open) await call("createGrant", { params: { id }, body: { project_id } });
    await makeToken(id);
    void agentList().refresh(); // its state tells
  }

  function submit(event: Event): void {
    event.preventDefault();
    setMissing(words === "");
    if (words !== "") creating.run(create);
  }

  return (
    <Dialog
      title={agentsText.newTitle}
      shape="sheet"
      isBusy={creating.isBusy}
      holdsWords={words !== ""}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{agentsText.cancel}</Button>
          <Button type="submit" form="new-agent" look="solid" isBusy={creating.isBusy} onClick={submit}>
            {agentsText.create}
          </Button>
        </>
      }
    >
      <form id="new-agent" class="field" onSubmit={submit}>
        <label for="new-agent-name">{agentsText.name}</label>
        <input
          id="new-agent-name"
          autofocus
          value={name}
          maxLength={nameChars}
          dir="auto"
          autocomplete="off"
          aria-invalid={isMissing || undefined}
          aria-describedby="new-agent-hint new-agent-refusal"
          onInput={(event) => {
            setMissing(false);
            creating.clear();
            setName(event.currentTarget.value);
          }}
        />
        <p id="new-agent-hint" class="note faint theirs">
          {words === "" ? agentsText.nameHint : agentsText.idWillBe(id)}
        </p>
        <Refusal id="new-agent-refusal" words={isMissing ? agentsText.nameMissing : creating.refusal} />
      </form>
      {confidential.length === 0 ? null : (
        <fieldset class="checks">
          <legend>{agentsText.openProjects}</legend>
          {confidential.map((project) => (
            <label key={project.id}>
              <input
                type="checkbox"
                checked={open.includes(project.id)}
                onChange={({ currentTarget }) =>
                  setOpen(currentTarget.checked ? [...open, project.id] : open.filter((other) => other !== project.id))
                }
              />
              <span class="theirs" dir="auto">
                {project.display_name}
              </span>
            </label>
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}
