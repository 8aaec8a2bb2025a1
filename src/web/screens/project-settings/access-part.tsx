// Whether a project is confidential: closing it is done at once, opening it to every agent is asked first.
import { useEffect, useState } from "preact/hooks";
import type { ProjectView } from "../../../shared/views.ts";
import { call } from "../../data/call.ts";
import { CallFailed, noAnswer } from "../../data/call-failed.ts";
import { projectSpec } from "../../data/projects.ts";
import { resource } from "../../data/resource.ts";
import { agentList } from "../../items/agents.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { note } from "../../parts/toasts.ts";
import { wordsOf } from "../../shell/load-states.tsx";
import { useReach } from "../../shell/reach.tsx";
import { projectsText, settingsText } from "../../text/en-projects.ts";

export function AccessPart({ project }: { project: ProjectView }) {
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [words, setWords] = useState("");
  const canReach = useReach();
  const list = agentList();
  useEffect(() => list.hold(), [list]);
  const agents = list.value.value?.agents.filter(({ state }) => state === "active").length;

  async function set(confidential: boolean): Promise<void> {
    setBusy(true);
    setWords("");
    try {
      const saved = await call("updateProject", { params: { id: project.id }, body: { confidential } });
      resource(projectSpec(project.id)).patch(() => saved);
      note(confidential ? settingsText.nowConfidential : settingsText.nowOpen);
    } catch (error) {
      setWords(wordsOf(error instanceof CallFailed ? error : noAnswer(error)));
    }
    setBusy(false);
    setAsking(false);
  }

  return (
    <section class="settings-part">
      <h2>{settingsText.access}</h2>
      <label class="check">
        <input
          type="checkbox"
          checked={project.confidential}
          aria-disabled={isBusy || undefined}
          aria-describedby="project-access"
          onClick={(event) => {
            // What is shown is what the hub says, and changes when the hub has changed it.
            event.preventDefault();
            if (isBusy) return;
            if (project.confidential) setAsking(true);
            else void set(true); // tells itself
          }}
        />
        {projectsText.confidentialLabel}
      </label>
      <p id="project-access" class="note faint check-meaning">
        {project.confidential ? projectsText.confidentialMeans : projectsText.openMeans}
      </p>
      {canReach("/agents") ? <a href="#/agents">{settingsText.agentsLink}</a> : null}
      <p role="alert" class="refusal">
        {words}
      </p>
      {isAsking ? (
        <Dialog
          title={settingsText.openAsk(project.display_name)}
          isBusy={isBusy}
          onClose={() => setAsking(false)}
          foot={
            <>
              <Button autofocus onClick={() => setAsking(false)}>
                {settingsText.keepConfidential}
              </Button>
              <Button look="destroy" isBusy={isBusy} onClick={() => void set(false) /* tells itself */}>
                {settingsText.openDo}
              </Button>
            </>
          }
        >
          <p>{settingsText.openSentence(agents)}</p>
        </Dialog>
      ) : null}
    </section>
  );
}
