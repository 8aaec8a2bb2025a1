// Step 1: a project, by its name.
import { useEffect, useRef } from "preact/hooks";
import { call } from "../../data/call.ts";
import { projectListSpec } from "../../data/projects.ts";
import { resource } from "../../data/resource.ts";
import { startText } from "../../text/en-start.ts";
import { projectIdFrom } from "../../text/project-id.ts";
import { NameForm } from "./name-form.tsx";
import { useProposed } from "./use-start.ts";

export function ProjectStep() {
  const [name, setName] = useProposed(startText.projectUsual);
  const field = useRef<HTMLInputElement>(null);
  const id = projectIdFrom(name.trim());
  useEffect(() => field.current?.select(), []);
  async function create(): Promise<void> {
    await call("createProject", { body: { id, display_name: name.trim() } });
    await resource(projectListSpec).refresh();
  }
  return (
    <>
      <p class="soft">{startText.projectSentence}</p>
      <NameForm
        id="start-project"
        field={field}
        label={startText.projectName}
        act={startText.createProject}
        name={name}
        onName={setName}
        newId={id}
        create={create}
      />
    </>
  );
}
