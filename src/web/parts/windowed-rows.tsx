// A long list drawn in pages of fifty: only those near the screen have rows, the others keep their measured height, so
// the scroll position never jumps and at most a few hundred rows are in the document.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type NoteDrawn, useDrawn, useNoteDrawn } from "./use-drawn.ts";

const pageRows = 50;
/** Above and below the screen, in CSS pixels: about one page of rows. */
const margin = 1600;
/** Of a page nobody has seen yet. */
const guessedRowPx = 64;

type WindowedRowsProps<T> = {
  /** Makes a feed of it, whose rows say their place. */
  feedLabel?: string | undefined;
  entries: readonly T[];
  keyOf: (entry: T) => string;
  draw: (entry: T, index: number) => ComponentChildren;
  /** The end is near: the next page is wanted. */
  onEnd?: (() => void) | undefined;
};

export function WindowedRows<T>({ feedLabel, entries, keyOf, draw, onEnd }: WindowedRowsProps<T>) {
  const { isAnyDrawn, noteDrawn } = useDrawn();
  const pages: (readonly T[])[] = [];
  for (let start = 0; start < entries.length; start += pageRows) pages.push(entries.slice(start, start + pageRows));
  return (
    <div
      class="rows"
      {...(feedLabel === undefined ? {} : { role: "feed", "aria-label": feedLabel, "aria-busy": !isAnyDrawn })}
    >
      {pages.map((page, index) => {
        const start = index * pageRows;
        return (
          // Pages are places in the list, not things of their own.
          <Page key={start} place={start} rows={page.length} isFirst={index === 0} noteDrawn={noteDrawn}>
            {() => page.map((entry, place) => <Keyed key={keyOf(entry)}>{draw(entry, start + place)}</Keyed>)}
          </Page>
        );
      })}
      {onEnd === undefined ? null : <End key={entries.length} onEnd={onEnd} />}
    </div>
  );
}

function Keyed({ children }: { children: ComponentChildren }) {
  return <>{children}</>;
}

type PageProps = {
  place: number;
  rows: number;
  isFirst: boolean;
  noteDrawn: NoteDrawn;
  children: () => ComponentChildren;
};

function Page({ place, rows, isFirst, noteDrawn, children }: PageProps) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(rows * guessedRowPx);
  const [isNear, setNear] = useState(isFirst);
  useNoteDrawn(noteDrawn, place, isNear);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (seen) => {
        // A list behind an open item is not looked at, and stays as it is.
        if (!element.checkVisibility()) return;
        const isSeen = seen.at(-1)?.isIntersecting === true;
        // A page that holds the focus stays: nobody is thrown out of the list by scrolling.
        setNear((was) => isSeen || (was && element.contains(document.activeElement)));
      },
      { root: scrollerOf(element), rootMargin: `${margin}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (isNear && box.current?.checkVisibility() === true) height.current = box.current.offsetHeight;
  });
  return (
    <div ref={box} style={isNear ? { blockSize: "auto" } : { blockSize: `${height.current}px` }}>
      {isNear ? children() : null}
    </div>
  );
}

function End({ onEnd }: { onEnd: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some((entry) => entry.isIntersecting)) onEnd();
      },
      { root: scrollerOf(element), rootMargin: `${margin}px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [onEnd]);
  return <div ref={box} aria-hidden="true" class="list-end" />;
}

/** What scrolls the list: the list pane on a wide screen, the page on a narrow one. */
export function scrollerOf(element: Element): HTMLElement | null {
  for (let above = element.parentElement; above !== null; above = above.parentElement) {
    if (/^(auto|scroll)$/.test(getComputedStyle(above).overflowY)) return above;
  }
  return null;
}
