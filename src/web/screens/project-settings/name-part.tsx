// The name of a project: saved by its button, and nobody leaves an unsaved one without being asked.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ProjectView } from "../../../shared/views.ts";
import { call } from "../../data/call.ts";
import { CallFailed, noAnswer } from "../../data/call-failed.ts";
import { projectSpec } from "../../data/projects.ts";
import { resource } from "../../data/resource.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { note } from "../../parts/toasts.ts";
import { wordsOf } from "../../shell/load-states.tsx";
import { go, guardLeaving } from "../../shell/router.ts";
import { settingsText } from "../../text/en-projects.ts";

export function NamePart({ project }: { project: ProjectView }) {
  const [name, setName] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const [words, setWords] = useState("");
  const [leaving, setLeaving] = useState<string | undefined>(undefined);
  const shown = name ?? project.display_name;
  const isChanged = shown.trim() !== project.display_name;
  const isUnsaved = useRef(false);
  isUnsaved.current = isChanged;

  useLayoutEffect(() => guardLeaving({ isUnsaved: () => isUnsaved.current, ask: setLeaving }), []);

  async function save(): Promise<void> {
    if (isBusy || !isChanged) return;
    if (shown.trim() === "") return setWords(settingsText.nameMissing);
    setBusy(true);
    try {
      const saved = await call("updateProject", { params: { id: project.id }, body: { display_name: shown.trim() } });
      resource(projectSpec(project.id)).patch(() => saved);
      setName(undefined);
      note(settingsText.saved);
    } catch (error) {
      setWords(wordsOf(error instanceof CallFailed ? error : noAnswer(error)));
    }
    setBusy(false);
  }

  return (
    <form
      class="settings-part"
      onSubmit={(event) => {
        event.preventDefault();
        void save(); // tells itself
      }}
    >
      <h2>
        <label for="project-name">{settingsText.name}</label>
      </h2>
      <div class="field">
        <input
          id="project-name"
          dir="auto"
          autocomplete="off"
          value={shown}
          aria-invalid={words === "" ? undefined : true}
          aria-describedby="project-name-refusal"
          onInput={(event) => {
            setName(event.currentTarget.value);
            setWords("");
          }}
        />
      </div>
      <p id="project-name-refusal" role="alert" class="refusal">
        {words}
      </p>
      {isChanged ? (
        <div>
          <Button look="solid" isBusy={isBusy} type="submit">
            {settingsText.save}
          </Button>
        </div>
      ) : null}
      {leaving === undefined ? null : (
        <Dialog
          title={settingsText.leaveAsk}
          onClose={() => setLeaving(undefined)}
          foot={
            <>
              <Button autofocus onClick={() => setLeaving(undefined)}>
                {settingsText.stay}
              </Button>
              <Button
                look="solid"
                onClick={() => {
                  isUnsaved.current = false;
                  go(leaving);
                }}
              >
                {settingsText.leaveDo}
              </Button>
            </>
          }
        >
          <p class="theirs" dir="auto">
            {settingsText.leaveSentence(shown.trim())}
          </p>
        </Dialog>
      )}
    </form>
  );
}
