// The form of a step that makes something by its name: what its id will be, and why it was refused.
import type { Ref } from "preact";
import { nameChars } from "../../../shared/limits.ts";
import { Button } from "../../parts/button.tsx";
import { startText } from "../../text/en-start.ts";
import { Refusal } from "../agents/refusal.tsx";
import { useAct } from "../agents/use-act.ts";

type NameFormProps = {
  /** Of the field. */
  id: string;
  field: Ref<HTMLInputElement>;
  label: string;
  act: string;
  name: string;
  onName: (name: string) => void;
  newId: string;
  create: () => Promise<void>;
};

export function NameForm({ id, field, label, act, name, onName, newId, create }: NameFormProps) {
  const creating = useAct();
  const isMissing = name.trim() === "";
  return (
    <form
      class="field"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isMissing) creating.run(create);
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={field}
        value={name}
        maxLength={nameChars}
        dir="auto"
        autocomplete="off"
        aria-invalid={isMissing || undefined}
        aria-describedby={`${id}-hint ${id}-refusal`}
        onInput={(event) => {
          creating.clear();
          onName(event.currentTarget.value);
        }}
      />
      <p id={`${id}-hint`} class="note faint theirs">
        {startText.idWillBe(newId)}
      </p>
      <Refusal id={`${id}-refusal`} words={isMissing ? startText.nameMissing : creating.refusal} />
      <div>
        <Button type="submit" look="solid" isBusy={creating.isBusy}>
          {act}
        </Button>
      </div>
    </form>
  );
}
