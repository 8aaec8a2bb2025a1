// Native dialogs: the safe choice has the focus, Escape is that choice, focus goes back to the opener or to the nearest
// survivor. A sheet is the same thing at another edge: bottom on a phone, side on a desktop.
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
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
  // Open before the next key can arrive: an Escape right after the press is meant for it.
  useLayoutEffect(() => {
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
  const leave = (): void => {
    if (canLeave) onClose();
  };
  return (
    // A press on the dialog itself is one beside its content; Escape says the same by keyboard.
    <dialog
      ref={dialog}
      class={`dialog ${shape}`}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        // A browser obeys a second Escape whatever the page says to `cancel`; one that never gets there closes nothing.
        event.preventDefault();
        leave();
      }}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onClose={({ currentTarget }) => {
        // The back gesture of a phone closes it in spite of all: it comes again with its words.
        if (currentTarget.isConnected && !currentTarget.open && !canLeave) currentTarget.showModal();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) leave();
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
