// The end of a project: named with everything that goes, and done only after its id was typed.
import { useState } from "preact/hooks";
import type { ProjectStatsView, ProjectView } from "../../../shared/views.ts";
import { call } from "../../data/call.ts";
import { CallFailed, noAnswer } from "../../data/call-failed.ts";
import { projectListSpec } from "../../data/projects.ts";
import { resource } from "../../data/resource.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { note } from "../../parts/toasts.ts";
import { wordsOf } from "../../shell/load-states.tsx";
import { go } from "../../shell/router.ts";
import { settingsText } from "../../text/en-projects.ts";

type DeletePartProps = { project: ProjectView; stats: ProjectStatsView | undefined; size: number | undefined };

export function DeletePart(props: DeletePartProps) {
  const { project } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <section class="settings-part end-part">
      <h2>{settingsText.delete}</h2>
      {project.owner_agent === null ? (
        <>
          <p>{settingsText.deleteWords}</p>
          <div>
            <Button data-delete onClick={() => setAsking(true)}>
              {settingsText.deletePress}
            </Button>
          </div>
        </>
      ) : (
        <p>{settingsText.personal(project.owner_agent)}</p>
      )}
      {isAsking ? <DeleteDialog {...props} onClose={() => setAsking(false)} /> : null}
    </section>
  );
}

function DeleteDialog({ project, stats, size, onClose }: DeletePartProps & { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [words, setWords] = useState("");
  const isSame = typed.trim() === project.id;

  async function remove(): Promise<void> {
    setBusy(true);
    try {
      await call("deleteProject", { params: { id: project.id } });
      // Where it goes now no list names it any more.
      resource(projectListSpec).patch(({ projects }) => ({ projects: projects.filter(({ id }) => id !== project.id) }));
      go("/projects");
      note(settingsText.deleted(project.display_name));
    } catch (error) {
      setBusy(false);
      setWords(wordsOf(error instanceof CallFailed ? error : noAnswer(error)));
    }
  }

  return (
    <Dialog
      title={settingsText.deleteAsk(project.display_name)}
      holdsWords={typed.trim() !== ""}
      isBusy={isBusy}
      onClose={onClose}
      foot={
        <>
          <Button
            autofocus
            onClick={() => {
              if (!isBusy) onClose();
            }}
          >
            {settingsText.keep}
          </Button>
          <Button
            look="destroy"
            isBusy={isBusy}
            reason={isSame ? undefined : `${settingsText.type} ${project.id} ${settingsText.typeId}`}
            data-destroy
            onClick={() => void remove() /* tells itself */}
          >
            {settingsText.deleteDo}
          </Button>
        </>
      }
    >
      <p>
        {stats === undefined
          ? settingsText.deleteUnknown
          : settingsText.deleteAmounts({ ...stats, pages: stats.kb_pages, bytes: size })}{" "}
        {stats === undefined || stats.waiting === 0 ? null : `${settingsText.deleteWaiting(stats.waiting)} `}
        {settingsText.cantUndo}
      </p>
      <div class="field">
        <label for="typed-id">
          {settingsText.type} <strong class="data">{project.id}</strong> {settingsText.typeId}
        </label>
        <input
          id="typed-id"
          class="data"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={typed}
          aria-describedby="typed-refusal"
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setWords("");
          }}
        />
      </div>
      <p id="typed-refusal" role="alert" class="refusal">
        {words}
      </p>
    </Dialog>
  );
}
