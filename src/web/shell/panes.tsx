// A list beside what was opened from it, and where the screen is widest what belongs to it; on narrow screens one takes
// the place of the other (web-app.md 5.1).
import type { ComponentChildren, TargetedKeyboardEvent } from "preact";
import { useRef } from "preact/hooks";
import { listWidth } from "../data/preferences.ts";
import { useMedia } from "../parts/use-media.ts";
import { shellText } from "../text/en-shell.ts";

const usual = 380;
const narrowest = 320;
const widest = 480;
const step = 16;
const bigStep = 64;

type PanesProps = {
  list: ComponentChildren;
  /** What is open; without it wide screens show `rest` in its place. */
  detail?: ComponentChildren;
  rest?: ComponentChildren;
  /** Names the reading pane. */
  label: string;
  /** Beside the reading pane where there is room for it, and nowhere else. */
  context?: ComponentChildren;
  contextLabel?: string;
};

/** Room for a third pane. */
export const widestScreen = "(min-width: 1360px)";

export function Panes({ list, detail, rest, label, context, contextLabel }: PanesProps) {
  const hasRoom = useMedia(widestScreen);
  const isOpen = detail !== undefined && detail !== null;
  const width = listWidth.value === 0 ? usual : listWidth.value;
  return (
    <div class={`panes${isOpen ? " is-open" : ""}`} style={{ "--list-width": `${width}px` }}>
      <div class="pane-list" data-scroll="list">
        {list}
      </div>
      <Splitter width={width} />
      <section class="pane-detail" aria-label={label} data-scroll="detail" tabIndex={-1}>
        {isOpen ? detail : rest}
      </section>
      {hasRoom && context !== undefined && context !== null ? (
        <aside class="pane-context" aria-label={contextLabel} data-scroll="context">
          {context}
        </aside>
      ) : null}
    </div>
  );
}

function Splitter({ width }: { width: number }) {
  const from = useRef<{ x: number; width: number } | undefined>(undefined);

  function press(event: TargetedKeyboardEvent<HTMLDivElement>): void {
    const by = event.shiftKey ? bigStep : step;
    if (event.key === "ArrowLeft") setWidth(width - by * wards(event.currentTarget));
    else if (event.key === "ArrowRight") setWidth(width + by * wards(event.currentTarget));
    else if (event.key === "Enter") setWidth(usual);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that is moved is this role; `hr` takes no focus
    <div
      class="splitter"
      role="separator"
      aria-orientation="vertical"
      aria-label={shellText.splitter}
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      onKeyDown={press}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        const { current } = from;
        if (current !== undefined) setWidth(current.width + (event.clientX - current.x) * wards(event.currentTarget));
      }}
      onPointerUp={() => {
        from.current = undefined;
      }}
    />
  );
}

function setWidth(width: number): void {
  const bounded = Math.round(Math.min(widest, Math.max(narrowest, width)));
  listWidth.value = bounded === usual ? 0 : bounded;
}

// To the end of the line is to the left where text runs from the right.
function wards(element: Element): 1 | -1 {
  return getComputedStyle(element).direction === "rtl" ? -1 : 1;
}
