// Where an agent may go: everywhere ordinary, and into the confidential projects it was granted.
import { useRef, useState } from "preact/hooks";
import type { AgentView, GrantView, ProjectView } from "../../../shared/views.ts";
import { call } from "../../data/call.ts";
import { projectListSpec } from "../../data/projects.ts";
import { type Resource, type ResourceSpec, useResource } from "../../data/resource.ts";
import { Button } from "../../parts/button.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { note } from "../../parts/toasts.ts";
import { LoadedContent } from "../../shell/load-states.tsx";
import { agentsText } from "../../text/en-agents.ts";
import { Ask } from "./ask.tsx";
import { Refusal } from "./refusal.tsx";
import { useAct } from "./use-act.ts";
import { useFocusHeir } from "./use-focus-heir.ts";

type Grants = Resource<{ grants: GrantView[] }>;

function grantsSpec(agent: string): ResourceSpec<{ grants: GrantView[] }> {
  return {
    key: `grants ${agent}`,
    concerns: (topic) => topic === "agents",
    load: (signal) => call("listGrants", { params: { id: agent }, signal }),
  };
}

export function AccessPart({ agent }: { agent: AgentView }) {
  const grants = useResource(grantsSpec(agent.id));
  const projects = useResource(projectListSpec).value.value?.projects ?? [];
  return (
    <>
      <p class="soft">{agentsText.accessSentence}</p>
      <h4 class="small-head">{agentsText.mayEnter}</h4>
      <LoadedContent resource={grants} what={agentsText.grants} skeleton={<Skeleton shape="prose" amount={1} />}>
        {(value) => <GrantList agent={agent} granted={value.grants} projects={projects} grants={grants} />}
      </LoadedContent>
    </>
  );
}

type GrantListProps = {
  agent: AgentView;
  granted: readonly GrantView[];
  projects: readonly ProjectView[];
  grants: Grants;
};

function GrantList({ agent, granted, projects, grants }: GrantListProps) {
  const [removing, setRemoving] = useState<ProjectView | undefined>(undefined);
  const part = useRef<HTMLDivElement>(null);
  useFocusHeir(part, granted.length);
  const held = new Set(granted.map((grant) => grant.project_id));
  // A grant on an ordinary project opens nothing that is not open.
  const confidential = projects.filter((project) => project.confidential && !project.is_personal);
  const entered = confidential.filter((project) => held.has(project.id));
  const others = confidential.filter((project) => !held.has(project.id));
  async function remove(project: ProjectView): Promise<void> {
    await call("deleteGrant", { params: { id: agent.id, project_id: project.id } });
    note(agentsText.removed(agent.display_name, project.display_name));
    void grants.refresh(); // its state tells
  }
  return (
    <div ref={part} class="grant-list">
      {entered.length === 0 ? <p class="faint">{agentsText.mayEnterNone}</p> : null}
      <ul class="plain-list">
        {entered.map((project) => (
          <li key={project.id}>
            <span class="theirs" dir="auto">
              {project.display_name}
            </span>
            <Button
              look="quiet"
              aria-label={agentsText.removeOf(project.display_name)}
              aria-haspopup="dialog"
              onClick={() => setRemoving(project)}
            >
              {agentsText.remove}
            </Button>
          </li>
        ))}
      </ul>
      {others.length === 0 ? null : <GrantPicker agent={agent} projects={others} grants={grants} />}
      {removing === undefined ? null : (
        <Ask
          title={agentsText.removeAsk(agent.display_name, removing.display_name)}
          sentence={agentsText.removeSentence}
          safe={agentsText.keepToken}
          act={agentsText.removeDo}
          run={() => remove(removing)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </div>
  );
}

type GrantPickerProps = { agent: AgentView; projects: readonly ProjectView[]; grants: Grants };

function GrantPicker({ agent, projects, grants }: GrantPickerProps) {
  const [chosen, setChosen] = useState("");
  const granting = useAct();
  const project = projects.find(({ id }) => id === chosen);
  async function grant(): Promise<void> {
    if (project === undefined) return;
    await call("createGrant", { params: { id: agent.id }, body: { project_id: project.id } });
    setChosen("");
    note(agentsText.granted(agent.display_name, project.display_name));
    void grants.refresh(); // its state tells
  }
  return (
    <>
      <div class="field field-line">
        <select
          aria-label={agentsText.grantPick}
          value={project?.id ?? ""}
          onChange={(event) => {
            granting.clear();
            setChosen(event.currentTarget.value);
          }}
        >
          <option value="">{agentsText.grantChoose}</option>
          {projects.map(({ id, display_name }) => (
            <option key={id} value={id}>
              {display_name}
            </option>
          ))}
        </select>
        <Button
          glyph="grant"
          isBusy={granting.isBusy}
          reason={project === undefined ? agentsText.grantChoose : undefined}
          onClick={() => granting.run(grant)}
        >
          {agentsText.grant}
        </Button>
      </div>
      <Refusal words={granting.refusal} />
    </>
  );
}
