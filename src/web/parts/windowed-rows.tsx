// A long list drawn in pages of fifty: only those near the screen have rows, the others keep their measured height, so
// the scroll position never jumps and at most a few hundred rows are in the document.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const pageRows = 50;
/** Above and below the screen, in CSS pixels: about one page of rows. */
const margin = 1600;
/** Of a page nobody has seen yet. */
const guessedRowPx = 64;

type WindowedRowsProps<T> = {
  entries: readonly T[];
  keyOf: (entry: T) => string;
  draw: (entry: T, index: number) => ComponentChildren;
  /** The end is near: the next page is wanted. */
  onEnd?: (() => void) | undefined;
};

export function WindowedRows<T>({ entries, keyOf, draw, onEnd }: WindowedRowsProps<T>) {
  const pages: (readonly T[])[] = [];
  for (let start = 0; start < entries.length; start += pageRows) pages.push(entries.slice(start, start + pageRows));
  return (
    <>
      {pages.map((page, index) => {
        const start = index * pageRows;
        return (
          // Pages are places in the list, not things of their own.
          <Page key={start} rows={page.length} isFirst={index === 0}>
            {() => page.map((entry, place) => <Keyed key={keyOf(entry)}>{draw(entry, start + place)}</Keyed>)}
          </Page>
        );
      })}
      {onEnd === undefined ? null : <End key={entries.length} onEnd={onEnd} />}
    </>
  );
}

function Keyed({ children }: { children: ComponentChildren }) {
  return <>{children}</>;
}

function Page({ rows, isFirst, children }: { rows: number; isFirst: boolean; children: () => ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(rows * guessedRowPx);
  const [isNear, setNear] = useState(isFirst);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (seen) => {
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
    if (isNear && box.current !== null) height.current = box.current.offsetHeight;
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
