// Something failed: our words, the hub's own sentence, its code, and a way to try again.
import { partsText } from "../text/en-parts.ts";
import { Button } from "./button.tsx";

type ProblemProps = {
  /** `inline` under a control, `block` in the place of content. */
  look?: "inline" | "block";
  words: string;
  detail?: string | undefined;
  code?: string | undefined;
  onRetry?: (() => void) | undefined;
};

export function Problem({ look = "block", words, detail, code, onRetry }: ProblemProps) {
  return (
    <div class={`problem ${look}`} role="alert">
      <p class="problem-words">{words}</p>
      {detail === undefined || detail === words ? null : (
        <p class="theirs" dir="auto">
          {detail}
        </p>
      )}
      {code === undefined ? null : <code class="faint">{code}</code>}
      {onRetry === undefined ? null : <Button onClick={onRetry}>{partsText.retry}</Button>}
    </div>
  );
}
