// The next pages of a feed at both ends. Newer rows come in above what is read, which stays where it is.
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import { scrollerOf } from "../../parts/windowed-rows.tsx";
import { rowElement, rowLinks } from "../inbox/row-focus.ts";
import type { FeedModel } from "./use-feed.ts";

export function usePages(model: FeedModel) {
  const { list, days } = model;
  const kept = useRef<{ id: string; top: number } | undefined>(undefined);

  // A browser holds the place by itself, except at the very top.
  useLayoutEffect(() => {
    const place = kept.current;
    if (place === undefined || list.current === null) return;
    kept.current = undefined;
    const row = rowElement(list.current, place.id);
    if (row === undefined) return;
    const scroller = scrollerOf(list.current) ?? document.documentElement;
    scroller.scrollTop += row.getBoundingClientRect().top - place.top;
  }, [days]);

  const older = useCallback(() => model.older(), [model.resource]);
  const newer = useCallback(async () => {
    const scroller = list.current === null ? null : (scrollerOf(list.current) ?? document.documentElement);
    const first = rowLinks(list.current)[0];
    const id = first?.closest<HTMLElement>("[data-id]")?.dataset["id"];
    if (scroller !== null && scroller.scrollTop < 1 && first !== undefined && id !== undefined) {
      kept.current = { id, top: first.getBoundingClientRect().top };
    }
    await model.newer();
  }, [model.resource]);

  return { older, newer };
}
