// A new project: its name, the id that follows from it, and who may find it.
import { useState } from "preact/hooks";
import { personalSpacePrefix, projectIdPattern } from "../../../shared/ids.ts";
import { call } from "../../data/call.ts";
import { CallFailed, noAnswer } from "../../data/call-failed.ts";
import { projectListSpec } from "../../data/projects.ts";
import { resource } from "../../data/resource.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { wordsOf } from "../../shell/load-states.tsx";
import { routeText } from "../../shell/route.ts";
import { go } from "../../shell/router.ts";
import { projectsText } from "../../text/en-projects.ts";
import { freeIdBeside, projectIdFrom } from "../../text/project-id.ts";

type Refusal = { field: "name" | "id" | "all"; words: string; free?: string };

export function NewProject({ taken, onClose }: { taken: ReadonlySet<string>; onClose: () => void }) {
  const [name, setName] = useState("");
  const [ownId, setOwnId] = useState<string | undefined>(undefined);
  const [isConfidential, setConfidential] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal | undefined>(undefined);
  const id = ownId ?? (name.trim() === "" ? "" : projectIdFrom(name));

  async function create(): Promise<void> {
    if (isBusy) return;
    const fault = faultOf(name, id);
    setRefusal(fault);
    if (fault !== undefined) return;
    setBusy(true);
    try {
      const body = { id, display_name: name.trim(), confidential: isConfidential };
      const made = await call("createProject", { body });
      resource(projectListSpec).patch(({ projects }) => ({ projects: [...projects, made] }));
      onClose();
      go(routeText(["p", made.id, "feed"]));
    } catch (error) {
      setBusy(false);
      const failed = error instanceof CallFailed ? error : noAnswer(error);
      setRefusal(
        failed.code === "conflict"
          ? { field: "id", words: projectsText.taken(id), free: freeIdBeside(id, taken) }
          : { field: "all", words: wordsOf(failed) },
      );
    }
  }

  return (
    <Dialog
      title={projectsText.new}
      shape="sheet"
      holdsWords={name.trim() !== ""}
      isBusy={isBusy}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{projectsText.cancel}</Button>
          <Button look="solid" isBusy={isBusy} data-create onClick={() => void create() /* tells itself */}>
            {projectsText.create}
          </Button>
        </>
      }
    >
      <form
        class="new-project"
        onSubmit={(event) => {
          event.preventDefault();
          void create(); // tells itself
        }}
      >
        <div class="field">
          <label for="new-project-name">{projectsText.name}</label>
          <input
            id="new-project-name"
            dir="auto"
            autofocus
            autocomplete="off"
            value={name}
            aria-invalid={refusal?.field === "name" ? true : undefined}
            aria-describedby="new-project-refusal"
            onInput={(event) => {
              setName(event.currentTarget.value);
              setRefusal(undefined);
            }}
          />
        </div>
        {ownId === undefined ? (
          <p class="id-line note">
            <span class="faint">{projectsText.id}</span>
            <span class="data" data-derived>
              {id}
            </span>
            <button type="button" class="text-button" onClick={() => setOwnId(id)}>
              {projectsText.changeId}
            </button>
          </p>
        ) : (
          <div class="field">
            <label for="new-project-id">{projectsText.id}</label>
            <input
              id="new-project-id"
              class="data"
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              value={ownId}
              aria-invalid={refusal?.field === "id" ? true : undefined}
              aria-describedby="new-project-help new-project-refusal"
              onInput={(event) => {
                setOwnId(event.currentTarget.value);
                setRefusal(undefined);
              }}
            />
            <p id="new-project-help" class="note faint">
              {projectsText.idHelp}
            </p>
          </div>
        )}
        <div>
          <label class="check">
            <input
              type="checkbox"
              checked={isConfidential}
              aria-describedby="new-project-meaning"
              onChange={(event) => setConfidential(event.currentTarget.checked)}
            />
            {projectsText.confidentialLabel}
          </label>
          <p id="new-project-meaning" class="note faint check-meaning">
            {isConfidential ? projectsText.confidentialMeans : projectsText.openMeans}
          </p>
        </div>
        <div id="new-project-refusal" role="alert" class="refusal refusal-offer">
          {refusal === undefined ? null : <p>{refusal.words}</p>}
          {refusal?.free === undefined ? null : (
            <Button
              onClick={() => {
                setOwnId(refusal.free);
                setRefusal(undefined);
              }}
            >
              {projectsText.useFree(refusal.free)}
            </Button>
          )}
        </div>
        {/* Enter in a field sends the form; the button that is seen stands in the foot. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

/** What is wrong before the hub is asked. */
function faultOf(name: string, id: string): Refusal | undefined {
  if (name.trim() === "") return { field: "name", words: projectsText.nameMissing };
  if (id.startsWith(personalSpacePrefix)) return { field: "id", words: projectsText.idReserved };
  return projectIdPattern.test(id) ? undefined : { field: "id", words: projectsText.idMalformed };
}
