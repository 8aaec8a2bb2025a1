// One setting: its name in a column of its own, its control, and a word about it.
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { isTimeOfDay, type OffOn } from "../../data/preferences.ts";
import { Switch } from "../../parts/switch.tsx";

type SettingProps = { name: string; hint?: string; children: ComponentChildren };

export function Setting({ name, hint, children }: SettingProps) {
  return (
    <div class="setting">
      <p class="setting-name">{name}</p>
      <div class="setting-control">
        {children}
        {hint === undefined ? null : <p class="note faint">{hint}</p>}
      </div>
    </div>
  );
}

type SwitchSettingProps = { name: string; hint: string; choice: Signal<OffOn>; children?: ComponentChildren };

export function SwitchSetting({ name, hint, choice, children }: SwitchSettingProps) {
  return (
    <Setting name={name} hint={hint}>
      <Switch
        label={name}
        isOn={choice.value === "on"}
        onTurn={(to) => {
          choice.value = to ? "on" : "off";
        }}
      />
      {children}
    </Setting>
  );
}

/** A time of the day; one that is half typed is none yet. */
export function TimeField({ label, choice }: { label: string; choice: Signal<string> }) {
  return (
    <label class="field time-field">
      {label}
      <input
        type="time"
        value={choice.value}
        onChange={({ currentTarget }) => {
          if (isTimeOfDay(currentTarget.value)) choice.value = currentTarget.value;
        }}
      />
    </label>
  );
}

type ChoiceSettingProps<T extends string> = {
  name: string;
  hint?: string;
  value: T;
  choices: readonly { value: T; words: string }[];
  onChoose: (value: T) => void;
};

/** More choices than fit side by side. */
export function SelectSetting<T extends string>({ name, hint, value, choices, onChoose }: ChoiceSettingProps<T>) {
  const id = useId();
  return (
    <div class="setting">
      <label class="setting-name" for={id}>
        {name}
      </label>
      <div class="setting-control field">
        <select
          id={id}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = choices.find((choice) => choice.value === currentTarget.value);
            if (chosen !== undefined) onChoose(chosen.value);
          }}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.words}
            </option>
          ))}
        </select>
        {hint === undefined ? null : <p class="note faint">{hint}</p>}
      </div>
    </div>
  );
}
