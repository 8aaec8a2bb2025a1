// Which projects only granted agents see: on at once, off only when asked, and who may enter each (web-app.md 6.17).
import { useState } from "preact/hooks";
import type { AgentView, ProjectView } from "../../../shared/views.ts";
import { call } from "../../data/call.ts";
import { projectListSpec } from "../../data/projects.ts";
import { useResource } from "../../data/resource.ts";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Switch } from "../../parts/switch.tsx";
import { note } from "../../parts/toasts.ts";
import { LoadedContent } from "../../shell/load-states.tsx";
import { agentsText } from "../../text/en-agents.ts";
import { Ask } from "./ask.tsx";
import { Fold } from "./fold.tsx";
import { Refusal } from "./refusal.tsx";
import { useAct } from "./use-act.ts";

export function ConfidentialPart({ agents }: { agents: readonly AgentView[] }) {
  const projects = useResource(projectListSpec).value.value?.projects.filter((project) => !project.is_personal);
  if (projects === undefined || projects.length === 0) return null;
  return (
    <section class="group" aria-labelledby="confidential-head">
      <div class="group-head">
        <h2 id="confidential-head">{agentsText.confidential}</h2>
      </div>
      <p class="note faint group-note">{agentsText.confidentialHint}</p>
      <ul class="switch-rows">
        {projects.map((project) => (
          <li key={project.id} class="switch-item">
            <ConfidentialSwitch project={project} agents={agents} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ConfidentialSwitch({ project, agents }: { project: ProjectView; agents: readonly AgentView[] }) {
  const [isAsked, setAsked] = useState(false);
  const switching = useAct();
  const projects = useResource(projectListSpec);
  const { id, display_name: name, confidential } = project;
  const admitted = agents.filter(({ state }) => state === "active");

  async function turn(to: boolean): Promise<void> {
    await call("updateProject", { params: { id }, body: { confidential: to } });
    projects.patch((value) => ({
      projects: value.projects.map((each) => (each.id === id ? { ...each, confidential: to } : each)),
    }));
    note(to ? agentsText.madeConfidential(name) : agentsText.opened(name));
    void projects.refresh(); // its state tells
  }

  return (
    <>
      <div class="switch-row">
        <span class="theirs" dir="auto">
          {name}
        </span>
        <Switch
          label={agentsText.confidentialOf(name)}
          isOn={confidential}
          isBusy={switching.isBusy}
          onTurn={(to) => (to ? switching.run(() => turn(true)) : setAsked(true))}
        />
      </div>
      <Refusal words={switching.refusal} />
      {confidential ? (
        <Fold title={agentsText.whoEnters} look="who-enters">
          {() => <WhoEnters project={id} agents={admitted} />}
        </Fold>
      ) : null}
      {isAsked ? (
        <Ask
          title={agentsText.openAsk(name)}
          sentence={agentsText.openSentence(admitted.length)}
          safe={agentsText.keepClosed}
          act={agentsText.openDo}
          run={() => turn(false)}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </>
  );
}

// The hub keeps grants by agent, so each is asked, one after the other.
function WhoEnters({ project, agents }: { project: string; agents: readonly AgentView[] }) {
  const granted = useResource({
    key: `who enters ${project}`,
    concerns: (topic) => topic === "agents",
    load: (signal) => agentsThatEnter(project, agents, signal),
  });
  const names = new Map(agents.map(({ id, display_name }) => [id, display_name]));
  return (
    <LoadedContent resource={granted} what={agentsText.grants} skeleton={<Skeleton shape="prose" amount={1} />}>
      {(ids) => (
        <p class="theirs" dir="auto">
          {ids.length === 0 ? agentsText.nobodyEnters : ids.map((id) => names.get(id) ?? id).join(", ")}
        </p>
      )}
    </LoadedContent>
  );
}

async function agentsThatEnter(project: string, agents: readonly AgentView[], signal: AbortSignal): Promise<string[]> {
  const found: string[] = [];
  for (const { id } of agents) {
    const { grants } = await call("listGrants", { params: { id }, signal });
    if (grants.some(({ project_id }) => project_id === project)) found.push(id);
  }
  return found;
}
