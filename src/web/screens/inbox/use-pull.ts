// Pulling the list down at its top asks the hub again; the Refresh control does the same.
import { useEffect, useRef, useState } from "preact/hooks";
import { scrollerOf } from "../../parts/windowed-rows.tsx";

const pullPx = 80;

/** @returns how far it is pulled, 0 to 1 and beyond */
export function usePull(list: { current: HTMLElement | null }, onPull: () => void): number {
  const [share, setShare] = useState(0);
  // A pull lasts through many renders, each with an `onPull` of its own.
  const pulled = useRef(onPull);
  pulled.current = onPull;
  useEffect(() => {
    const element = list.current;
    if (element === null) return;
    let from: { x: number; y: number } | undefined;
    let last = 0;
    const start = (event: TouchEvent): void => {
      const [touch] = event.touches;
      const isTop = (scrollerOf(element)?.scrollTop ?? 0) <= 0 && scrollY <= 0;
      from =
        isTop && touch !== undefined && event.touches.length === 1 ? { x: touch.clientX, y: touch.clientY } : undefined;
      element.dataset["touched"] = "true";
    };
    const move = (event: TouchEvent): void => {
      const [touch] = event.touches;
      if (from === undefined || touch === undefined) return;
      const down = touch.clientY - from.y;
      last = down > Math.abs(touch.clientX - from.x) ? down / pullPx : 0;
      setShare(Math.max(0, last));
    };
    const end = (): void => {
      delete element.dataset["touched"];
      if (from !== undefined && last >= 1) pulled.current();
      from = undefined;
      last = 0;
      setShare(0);
    };
    const options = { passive: true };
    element.addEventListener("touchstart", start, options);
    element.addEventListener("touchmove", move, options);
    element.addEventListener("touchend", end, options);
    element.addEventListener("touchcancel", end, options);
    return () => {
      element.removeEventListener("touchstart", start);
      element.removeEventListener("touchmove", move);
      element.removeEventListener("touchend", end);
      element.removeEventListener("touchcancel", end);
    };
  }, []);
  return share;
}
