// Step 1: a project, by its name.
import { useEffect, useRef } from "preact/hooks";
import { nameChars } from "../../../shared/limits.ts";
import { call } from "../../data/call.ts";
import { projectListSpec } from "../../data/projects.ts";
import { resource } from "../../data/resource.ts";
import { Button } from "../../parts/button.tsx";
import { startText } from "../../text/en-start.ts";
import { projectIdFrom } from "../../text/project-id.ts";
import { Refusal } from "../agents/refusal.tsx";
import { useAct } from "../agents/use-act.ts";
import { useProposed } from "./use-start.ts";

export function ProjectStep() {
  const [name, setName] = useProposed(startText.projectUsual);
  const field = useRef<HTMLInputElement>(null);
  const creating = useAct();
  const words = name.trim();
  const id = projectIdFrom(words);
  useEffect(() => field.current?.select(), []);
  async function create(): Promise<void> {
    await call("createProject", { body: { id, display_name: words } });
    await resource(projectListSpec).refresh();
  }
  return (
    <>
      <p class="soft">{startText.projectSentence}</p>
      <form
        class="field"
        onSubmit={(event) => {
          event.preventDefault();
          if (words !== "") creating.run(create);
        }}
      >
        <label for="start-project">{startText.projectName}</label>
        <input
          id="start-project"
          ref={field}
          value={name}
          maxLength={nameChars}
          dir="auto"
          autocomplete="off"
          aria-invalid={words === "" || undefined}
          aria-describedby="start-project-hint start-project-refusal"
          onInput={(event) => {
            creating.clear();
            setName(event.currentTarget.value);
          }}
        />
        <p id="start-project-hint" class="note faint theirs">
          {startText.idWillBe(id)}
        </p>
        <Refusal id="start-project-refusal" words={words === "" ? startText.nameMissing : creating.refusal} />
        <div>
          <Button type="submit" look="solid" isBusy={creating.isBusy}>
            {startText.createProject}
          </Button>
        </div>
      </form>
    </>
  );
}
