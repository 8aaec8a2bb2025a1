// Buttons: solid for the one act a place is about, outline and quiet for the others, destroy only inside a dialog that
// destroys. One that cannot act stays focusable and says why.
import type { ButtonHTMLAttributes, ComponentChildren, Ref } from "preact";
import { useId } from "preact/hooks";
import type { GlyphName } from "../glyphs/drawings.ts";
import { Glyph } from "../glyphs/glyph.tsx";
import { partsText } from "../text/en-parts.ts";
import { Kbd } from "./kbd.tsx";

type Common = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class" | "className" | "disabled" | "label" | "ref"> & {
  /** Why it cannot act now; a press then goes to `onRefused` and nowhere else. */
  reason?: string | undefined;
  onRefused?: (() => void) | undefined;
  isBusy?: boolean;
  buttonRef?: Ref<HTMLButtonElement>;
};

type ButtonProps = Common & {
  look?: "solid" | "outline" | "quiet" | "destroy";
  glyph?: GlyphName | undefined;
  /** The key that does the same, shown where a keyboard is likely. */
  keys?: string | undefined;
  /** As wide as its place. */
  isWide?: boolean;
  children: ComponentChildren;
};

export function Button(props: ButtonProps) {
  const { look = "outline", glyph, keys, isWide = false, isBusy = false, reason, onRefused, ...rest } = props;
  const { children, onClick, buttonRef, ...attributes } = rest;
  const reasonId = useId();
  return (
    <button
      type="button"
      {...attributes}
      {...(buttonRef === undefined ? {} : { ref: buttonRef })}
      class={`button ${look}${isWide ? " wide" : ""}`}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || reason !== undefined || undefined}
      aria-describedby={reason === undefined ? undefined : reasonId}
      onClick={pressOf(onClick, isBusy, reason, onRefused)}
    >
      {glyph === undefined ? null : <Glyph name={glyph} size={18} />}
      <span class="button-words">{children}</span>
      {isBusy ? <BusyMark /> : null}
      {keys === undefined ? null : <Kbd>{keys}</Kbd>}
      {reason === undefined ? null : (
        <span id={reasonId} class="unseen-by-eye">
          {reason}
        </span>
      )}
    </button>
  );
}

type IconButtonProps = Common & {
  glyph: GlyphName;
  /** Names the act and its object: "Snooze: Ship release 2.4?". */
  label: string;
  /** Shown on hover where the whole label would be too long. */
  hint?: string;
};

export function IconButton(props: IconButtonProps) {
  const { glyph, label, hint, isBusy = false, reason, onRefused, onClick, buttonRef, ...attributes } = props;
  return (
    <button
      type="button"
      {...attributes}
      {...(buttonRef === undefined ? {} : { ref: buttonRef })}
      class="button icon"
      aria-label={label}
      title={reason ?? hint ?? label}
      aria-busy={isBusy || undefined}
      aria-disabled={isBusy || reason !== undefined || undefined}
      onClick={pressOf(onClick, isBusy, reason, onRefused)}
    >
      <Glyph name={glyph} />
    </button>
  );
}

type Press = ButtonHTMLAttributes<HTMLButtonElement>["onClick"];

function pressOf(
  onClick: Press,
  isBusy: boolean,
  reason: string | undefined,
  onRefused: (() => void) | undefined,
): Press {
  if (isBusy) return () => undefined;
  if (reason !== undefined) return () => onRefused?.();
  return onClick;
}

function BusyMark() {
  return (
    <span class="busy-mark">
      <span aria-hidden="true">•••</span>
      <span class="unseen-by-eye">{partsText.working}</span>
    </span>
  );
}
