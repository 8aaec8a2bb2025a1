// A field for words that must not be lost: grows from two lines to ten, Ctrl+Enter sends, Enter is a new line. What was
// typed stays until it is sent or discarded by name; a refusal stands under it until the next key.
import type { TargetedKeyboardEvent } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { codePoints } from "../../shared/json.ts";
import { count } from "../text/count.ts";
import { partsText } from "../text/en-parts.ts";
import { Button } from "./button.tsx";

type ComposerProps = {
  label: string;
  value: string;
  onInput: (text: string) => void;
  /** Absent: the field only holds words, and another control sends them. */
  onSend?: (() => void) | undefined;
  sendWords?: string;
  /** In characters. */
  limit?: number | undefined;
  /** Why the last try was refused. */
  refusal?: string | undefined;
  /** Why nothing can be sent now. */
  reason?: string | undefined;
  isSending?: boolean;
  isReadOnly?: boolean;
  doesFocus?: boolean;
  /** Words kept from before: when, and how to drop them. */
  draft?: { time: string; onDiscard: () => void } | undefined;
};

const countFrom = 0.9;

export function Composer(props: ComposerProps) {
  const { label, value, onInput, onSend, sendWords, limit, refusal, reason, isSending = false, draft } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const length = codePoints(value);
  const isOver = limit !== undefined && length > limit;
  // Before the next key: what is typed right after the press that opened it belongs in it.
  useLayoutEffect(() => {
    if (props.doesFocus === true) field.current?.focus();
  }, [props.doesFocus]);
  useEffect(() => grow(field.current), [value]);

  function press(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === "Escape") {
      event.stopPropagation();
      leave(event.currentTarget);
      return;
    }
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    event.preventDefault();
    if (!isOver && reason === undefined) onSend?.();
  }

  const notes = [refusal === undefined ? undefined : `${id}-refusal`, limit === undefined ? undefined : `${id}-count`];
  const described = notes.filter((note) => note !== undefined).join(" ");
  return (
    <div class="composer">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        rows={2}
        dir="auto"
        value={value}
        readOnly={props.isReadOnly === true || isSending}
        aria-invalid={isOver || refusal !== undefined || undefined}
        aria-describedby={described === "" ? undefined : described}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={press}
      />
      {refusal === undefined ? null : (
        <p id={`${id}-refusal`} class="refusal" role="alert">
          {refusal}
        </p>
      )}
      <div class="composer-foot">
        {draft === undefined || value === "" ? null : (
          <span class="note faint">
            {`${partsText.draftFrom(draft.time)} `}
            <button type="button" class="text-button" onClick={draft.onDiscard}>
              {partsText.discard}
            </button>
          </span>
        )}
        {limit === undefined ? null : (
          <span id={`${id}-count`} class={`note num${isOver ? " refusal" : " faint"}`} aria-live="polite">
            {counter(length, limit)}
          </span>
        )}
        {onSend === undefined || sendWords === undefined ? null : (
          <Button
            look="solid"
            isBusy={isSending}
            reason={isOver && limit !== undefined ? partsText.over(length - limit) : reason}
            keys={partsText.sendKeys}
            onClick={onSend}
          >
            {sendWords}
          </Button>
        )}
      </div>
    </div>
  );
}

function counter(length: number, limit: number): string {
  if (length > limit) return partsText.over(length - limit);
  return length >= countFrom * limit ? `${partsText.left(limit - length)} / ${count(limit)}` : "";
}

/** Out of the field to the nearest thing that can hold the focus, so that keys reach the screen again. */
function leave(field: HTMLElement): void {
  const holder = field.closest<HTMLElement>("[tabindex='-1']");
  field.blur();
  holder?.focus();
}

function grow(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  field.style.blockSize = "auto";
  field.style.blockSize = `${field.scrollHeight + 2}px`;
}
