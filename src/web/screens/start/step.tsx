// One step: its number and title, its content while it is its turn, one line once it is done.
import type { ComponentChildren } from "preact";
import { Glyph } from "../../glyphs/glyph.tsx";
import { startText } from "../../text/en-start.ts";

export const stepCount = 4;

type StepProps = {
  number: number;
  title: string;
  state: "done" | "current" | "coming";
  /** What became of it. */
  outcome?: ComponentChildren;
  children?: ComponentChildren;
};

export function Step({ number, title, state, outcome, children }: StepProps) {
  return (
    <li class={`start-step ${state}`} aria-current={state === "current" ? "step" : undefined} data-step={number}>
      <span class="step-mark" aria-hidden="true">
        {state === "done" ? <Glyph name="check" size={16} /> : number}
      </span>
      <div class="step-body">
        <h2 tabIndex={-1}>
          {title}
          {state === "done" ? <span class="unseen-by-eye">{`, ${startText.done}`}</span> : null}
        </h2>
        {state === "done" && outcome !== undefined ? <div class="step-outcome">{outcome}</div> : null}
        {state === "current" ? children : null}
      </div>
    </li>
  );
}
