// Native dialogs: the safe choice has the focus, Escape is that choice, focus goes back to the opener or to the nearest
// survivor. A sheet is the same thing at another edge: bottom on a phone, side on a desktop.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { partsText } from "../text/en-parts.ts";
import { IconButton } from "./button.tsx";

type DialogProps = {
  title: string;
  shape?: "ask" | "sheet";
  /** Words were typed: Escape and a press beside the dialog then leave it open. */
  holdsWords?: boolean;
  /** Runs something that must not be left half-way: nothing closes it. */
  isBusy?: boolean;
  onClose: () => void;
  children: ComponentChildren;
  /** Buttons at the end; give the safe one `autofocus`. */
  foot?: ComponentChildren;
};

export function Dialog(props: DialogProps) {
  const { title, shape = "ask", holdsWords = false, isBusy = false, onClose, children, foot } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (element === null) return;
    const opener = document.activeElement;
    element.showModal();
    (element.querySelector<HTMLElement>("[autofocus]") ?? element.querySelector<HTMLElement>("h2"))?.focus();
    return () => {
      element.close();
      focusAgain(opener);
    };
  }, []);
  const canLeave = !holdsWords && !isBusy;
  return (
    // A press on the dialog itself is one beside its content; Escape says the same by keyboard.
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <dialog
      ref={dialog}
      class={`dialog ${shape}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (canLeave) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current && canLeave) onClose();
      }}
    >
      <div class="dialog-box">
        <header>
          <h2 id={titleId} tabIndex={-1}>
            {title}
          </h2>
          {shape === "sheet" ? (
            <IconButton
              glyph="close"
              label={partsText.close}
              onClick={() => {
                if (!isBusy) onClose();
              }}
            />
          ) : null}
        </header>
        <div class="dialog-body">{children}</div>
        {foot === undefined ? null : <footer>{foot}</footer>}
      </div>
    </dialog>
  );
}

/** Back to the opener; to the screen's heading when it is gone. Never to the body. */
function focusAgain(opener: Element | null): void {
  const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  const target = isThere ? opener : document.querySelector<HTMLElement>("main [data-row-link][tabindex='0'], main h1");
  target?.focus();
}
