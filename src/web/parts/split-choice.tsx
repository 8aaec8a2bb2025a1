// One of two to four, set side by side: radio semantics, arrow keys.
import { useId } from "preact/hooks";

type SplitChoiceProps<T extends string> = {
  label: string;
  value: T;
  choices: readonly { value: T; words: string }[];
  onChoose: (value: T) => void;
};

export function SplitChoice<T extends string>({ label, value, choices, onChoose }: SplitChoiceProps<T>) {
  const name = useId();
  return (
    <fieldset class="split-choice" aria-label={label}>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            class="unseen-by-eye"
            name={name}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          <span>{choice.words}</span>
        </label>
      ))}
    </fieldset>
  );
}
