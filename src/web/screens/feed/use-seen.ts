// How far the operator has seen a feed: told to the hub once the newest of an unfiltered feed was on screen for a second,
// and never from a page nobody looks at (web-app.md 6.7).
import { useEffect } from "preact/hooks";
import { call } from "../../data/call.ts";
import { homeSpec } from "../../data/home.ts";
import { resource } from "../../data/resource.ts";

const lookMs = 1000;

/** By project: what this app told the hub, which a page read earlier does not know of. */
const told = new Map<string, string>();

/** Where the hub's last word and what was told since are furthest. */
export function seenHere(project: string, lastSeen: string | null): string | null {
  const own = told.get(project);
  return own !== undefined && (lastSeen === null || own > lastSeen) ? own : lastSeen;
}

/** @param newest undefined while nothing may be told */
export function usePostSeen(project: string, newest: string | undefined): void {
  useEffect(() => {
    if (newest === undefined || (told.get(project) ?? "") >= newest) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (): void => {
      clearTimeout(timer);
      if (!document.hidden) timer = setTimeout(tell, lookMs, project, newest);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [project, newest]);
}

async function tell(project: string, newest: string): Promise<void> {
  if ((told.get(project) ?? "") >= newest) return;
  try {
    await call("markFeedSeen", { params: { id: project }, body: { event_id: newest } });
    told.set(project, newest);
    // Home was read before; where the operator goes back to it, the project is no news any more.
    resource(homeSpec).patch((home) => ({
      ...home,
      unseen: home.unseen.filter(({ project_id }) => project_id !== project),
    }));
  } catch {
    // The next visit tells it.
  }
}
