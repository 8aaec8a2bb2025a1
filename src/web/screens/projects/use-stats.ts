// Amounts of a project, asked for once its row is looked at, a few at a time.
import { useEffect, useRef, useState } from "preact/hooks";
import type { ProjectStatsView } from "../../../shared/views.ts";
import { projectStatsSpec } from "../../data/projects.ts";
import { resource } from "../../data/resource.ts";

/** Calls at once; a list of forty projects is no reason for forty. */
const parallel = 3;

const queue: (() => Promise<void>)[] = [];
let running = 0;

/** `place` is the row; its amounts are undefined until they are known. */
export function useStats(id: string): { place: { current: HTMLElement | null }; stats: ProjectStatsView | undefined } {
  const place = useRef<HTMLElement>(null);
  const [isSeen, setSeen] = useState(false);
  const found = resource(projectStatsSpec(id));
  useEffect(() => {
    if (isSeen || place.current === null) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [isSeen]);
  useEffect(() => {
    if (!isSeen) return;
    let letGo: (() => void) | undefined;
    let isGone = false;
    queue.push(async () => {
      if (isGone) return;
      // Begun before it is held: holding what was never read would read it as well.
      const done = found.refresh();
      letGo = found.hold();
      await done;
    });
    next();
    return () => {
      isGone = true;
      letGo?.();
    };
  }, [isSeen, found]);
  return { place, stats: found.value.value };
}

function next(): void {
  while (running < parallel) {
    const job = queue.shift();
    if (job === undefined) return;
    running += 1;
    void job().finally(() => {
      running -= 1;
      next();
    }); // its outcome is the resource's state
  }
}
