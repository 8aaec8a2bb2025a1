// Stands where content is about to be, in its own geometry; the region around it says that it is busy.
import { type Signal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext, useLayoutEffect } from "preact/hooks";

/** How many stand in the region around. */
export const StandingSkeletons = createContext<Signal<number>>(signal(0));

export function Skeleton({ shape, amount = 3 }: { shape: "row" | "card" | "prose"; amount?: number }) {
  const standing = useContext(StandingSkeletons);
  useLayoutEffect(() => {
    standing.value += 1;
    return () => {
      standing.value -= 1;
    };
  }, [standing]);
  return (
    <div class={`skeleton ${shape}`} aria-hidden="true">
      {Array.from({ length: amount }, (_, index) => (
        <div class="blank" key={index}>
          <i />
          <b />
          <b />
        </div>
      ))}
    </div>
  );
}
