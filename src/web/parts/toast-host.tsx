// Where messages appear: above the tab bar on a phone, at the bottom start on a desktop. It never takes the focus.
import { useEffect, useRef } from "preact/hooks";
import { partsText } from "../text/en-parts.ts";
import { IconButton } from "./button.tsx";
import { dismiss, passTime, shownToast, type Toast, waitingToasts } from "./toasts.ts";

const tickMs = 250;
const swipePx = 60;

type ToastHostProps = {
  /** Says a new message politely, once. */
  announce: (words: string) => void;
  /** "Undo messages stay" of Settings. */
  doUndosStay?: boolean;
};

export function ToastHost({ announce, doUndosStay = false }: ToastHostProps) {
  const host = useRef<HTMLElement>(null);
  const isPressed = useRef(false);
  const toast = shownToast.value;
  const id = toast?.id;
  useEffect(() => {
    if (toast === undefined) return;
    announce(toast.kind === "undo" ? `${toast.words} ${partsText.toastPressZ}` : toast.words);
    // Once a message: the same one counts down through many renders.
  }, [id]);
  useEffect(() => {
    if (id === undefined) return;
    const timer = setInterval(() => passTime(tickMs, isPressed.current || isHeld(host.current, doUndosStay)), tickMs);
    return () => clearInterval(timer);
  }, [id, doUndosStay]);
  return (
    <section
      ref={host}
      class="toast-host"
      aria-label={partsText.setAside}
      tabIndex={-1}
      data-toasts
      // What is under a finger stays until the press has become a click.
      onPointerDown={() => {
        isPressed.current = true;
        onRelease(() => {
          isPressed.current = false;
        });
      }}
    >
      {toast === undefined ? null : (
        <ToastView key={toast.id} toast={toast} behind={waitingToasts.value} doesStay={doUndosStay} />
      )}
    </section>
  );
}

function ToastView({ toast, behind, doesStay }: { toast: Toast; behind: number; doesStay: boolean }) {
  const isCounting = toast.leftMs !== undefined && (!doesStay || toast.isServerWindow === true);
  const startX = useRef<number | undefined>(undefined);
  return (
    <div
      class={`toast ${toast.kind}`}
      data-toast={toast.kind}
      onPointerDown={(event) => {
        startX.current = event.pointerType === "mouse" ? undefined : event.clientX;
      }}
      onPointerUp={(event) => {
        if (startX.current !== undefined && Math.abs(event.clientX - startX.current) > swipePx) dismiss(toast.id);
      }}
    >
      <p class="theirs" dir="auto">
        {toast.words}
      </p>
      {behind === 0 ? null : <span class="faint note">{partsText.moreToasts(behind)}</span>}
      {toast.undo === undefined ? null : (
        <button
          type="button"
          class="button quiet"
          onClick={() => {
            dismiss(toast.id);
            toast.undo?.();
          }}
        >
          {partsText.undo}
          {!isCounting ? null : (
            <span class="num faint" aria-hidden="true">
              {partsText.seconds(Math.ceil((toast.leftMs ?? 0) / 1000))}
            </span>
          )}
        </button>
      )}
      <IconButton glyph="close" label={partsText.dismiss} onClick={() => dismiss(toast.id)} />
    </div>
  );
}

/** Runs a moment after the pointer is up, wherever it is then. */
function onRelease(work: () => void): void {
  const over = new AbortController();
  const release = (): void => {
    over.abort();
    setTimeout(work, tickMs);
  };
  for (const name of ["pointerup", "pointercancel"] as const) {
    globalThis.addEventListener(name, release, { signal: over.signal });
  }
}

function isHeld(host: HTMLElement | null, doUndosStay: boolean): boolean {
  if (doUndosStay && shownToast.value?.kind === "undo") return true;
  if (document.hidden || document.querySelector("dialog[open]") !== null) return true;
  return host !== null && (host.matches(":hover") || host.contains(document.activeElement));
}
