// One observer for all that is watched in one scroller: a feed of ten thousand events has hundreds of chunks.
import { scrollerOf } from "../../parts/windowed-rows.tsx";

/** Above and below what is seen, in CSS pixels. */
const marginPx = 1200;

type Told = (isNear: boolean, heightPx: number) => void;
type Watch = { observer: IntersectionObserver; told: WeakMap<Element, Told> };

const watches = new WeakMap<Element | Document, Watch>();

export function watchNear(element: Element, tell: Told): () => void {
  const scroller = scrollerOf(element);
  const watch = watches.get(scroller ?? document) ?? begin(scroller);
  watch.told.set(element, tell);
  watch.observer.observe(element);
  return () => {
    watch.observer.unobserve(element);
    watch.told.delete(element);
  };
}

function begin(scroller: HTMLElement | null): Watch {
  const told = new WeakMap<Element, Told>();
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) told.get(entry.target)?.(entry.isIntersecting, entry.boundingClientRect.height);
    },
    { root: scroller, rootMargin: `${marginPx}px 0px` },
  );
  const watch = { observer, told };
  watches.set(scroller ?? document, watch);
  return watch;
}
