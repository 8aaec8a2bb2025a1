// Swipes of a row under a finger (web-app.md 6.3): to the end marks read or opens the snooze menu, to the start uncovers
// controls that are then pressed. A swipe never decides. One row is open at a time; everything here has a control too.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { GlyphName } from "../../glyphs/drawings.ts";
import { Glyph } from "../../glyphs/glyph.tsx";

const edgePx = 24;
const lockPx = 10;
const commitPx = 88;
const commitPxPerMs = 0.5;
const trayPx = 184;
const longPressMs = 500;

/** Id of the row whose controls are uncovered. */
const uncoveredRow = signal<string | undefined>(undefined);

/** A touch anywhere but on the uncovered controls puts them back. */
function closeUncovered(target: EventTarget | null): void {
  if (uncoveredRow.value === undefined) return;
  const isOwn =
    target instanceof Element && target.closest(`[data-swipe-id="${CSS.escape(uncoveredRow.value)}"]`) !== null;
  if (!isOwn) uncoveredRow.value = undefined;
}

export type TrayAct = { words: string; glyph: GlyphName; onPress: () => void };

type SwipeRowProps = {
  id: string;
  /** What a swipe to the end does; the glyph under the row says it. */
  toEnd: { glyph: GlyphName; words: string; onCommit: (row: HTMLElement) => void } | undefined;
  /** At most two. */
  tray: readonly TrayAct[];
  onLongPress: () => void;
  children: ComponentChildren;
};

type Track = { id: number; x: number; y: number; atMs: number; axis: "none" | "row" | "list"; from: number };

export function SwipeRow({ id, toEnd, tray, onLongPress, children }: SwipeRowProps) {
  const box = useRef<HTMLDivElement>(null);
  const face = useRef<HTMLDivElement>(null);
  const track = useRef<Track | undefined>(undefined);
  const press = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isUncovered = uncoveredRow.value === id;
  // As soon as the controls are drawn: the touch that puts them back may follow at once.
  useLayoutEffect(() => {
    shift(face.current, isUncovered ? -trayPx : 0);
    if (!isUncovered) return;
    const close = (event: Event): void => closeUncovered(event.target);
    document.addEventListener("pointerdown", close, true);
    return () => document.removeEventListener("pointerdown", close, true);
  }, [isUncovered]);
  useEffect(() => () => clearTimeout(press.current), []);

  function start(event: PointerEvent): void {
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    if (event.clientX < edgePx || event.clientX > innerWidth - edgePx) return;
    const from = uncoveredRow.peek() === id ? -trayPx : 0;
    track.current = {
      id: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      atMs: event.timeStamp,
      axis: "none",
      from,
    };
    press.current = setTimeout(() => {
      track.current = undefined;
      onLongPress();
    }, longPressMs);
  }

  function move(event: PointerEvent): void {
    const now = track.current;
    if (now === undefined || now.id !== event.pointerId) return;
    const across = along(event.clientX - now.x, box.current);
    if (now.axis === "none" && Math.hypot(event.clientX - now.x, event.clientY - now.y) >= lockPx) {
      clearTimeout(press.current);
      now.axis = Math.abs(across) > Math.abs(event.clientY - now.y) ? "row" : "list";
      if (now.axis === "row") box.current?.setPointerCapture(event.pointerId);
    }
    if (now.axis !== "row") return;
    const least = tray.length === 0 ? 0 : -trayPx;
    const most = toEnd === undefined ? 0 : commitPx * 1.4;
    shift(face.current, Math.min(most, Math.max(least, now.from + across)));
    box.current?.setAttribute("data-swipe", now.from + across > 0 ? "end" : "start");
  }

  function end(event: PointerEvent): void {
    clearTimeout(press.current);
    const now = track.current;
    track.current = undefined;
    if (now?.axis !== "row") return;
    const across = along(event.clientX - now.x, box.current);
    const speed = across / Math.max(1, event.timeStamp - now.atMs);
    const isFar = Math.abs(across) >= commitPx || Math.abs(speed) >= commitPxPerMs;
    box.current?.removeAttribute("data-swipe");
    if (now.from === 0 && isFar && across < 0 && tray.length > 0 && event.type === "pointerup") {
      uncoveredRow.value = id;
      shift(face.current, -trayPx);
      return;
    }
    if (uncoveredRow.peek() === id) uncoveredRow.value = undefined;
    shift(face.current, 0);
    if (now.from === 0 && isFar && across > 0 && box.current !== null && event.type === "pointerup") {
      toEnd?.onCommit(box.current);
    }
  }

  return (
    <div
      ref={box}
      class="swipe"
      data-swipe-id={id}
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onClickCapture={(event) => {
        // A press on an uncovered row puts it back and does nothing else.
        const inTray = event.target instanceof Element && event.target.closest(".swipe-tray") !== null;
        if (!isUncovered || inTray) return;
        event.preventDefault();
        event.stopPropagation();
        uncoveredRow.value = undefined;
      }}
    >
      {toEnd === undefined ? null : (
        <span class="swipe-end" aria-hidden="true">
          <Glyph name={toEnd.glyph} />
          {toEnd.words}
        </span>
      )}
      <div class="swipe-tray" hidden={!isUncovered}>
        {tray.map((act) => (
          <button
            key={act.words}
            type="button"
            onClick={() => {
              uncoveredRow.value = undefined;
              act.onPress();
            }}
          >
            <Glyph name={act.glyph} />
            {act.words}
          </button>
        ))}
      </div>
      <div ref={face} class="swipe-face">
        {children}
      </div>
    </div>
  );
}

/** Towards the end of the line is positive, wherever text begins. */
function along(px: number, element: Element | null): number {
  return element !== null && getComputedStyle(element).direction === "rtl" ? -px : px;
}

function shift(face: HTMLElement | null, px: number): void {
  face?.style.setProperty("--shift", `${px}px`);
}
