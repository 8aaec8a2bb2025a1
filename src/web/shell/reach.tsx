// Which places there are: a link leads only to a screen of this build; what would lead elsewhere is plain words.
import { type ComponentChildren, createContext } from "preact";
import { useContext } from "preact/hooks";

/** Whether a route, `/storage`, leads to a screen. */
export const Reach = createContext<(to: string) => boolean>(() => false);

export function useReach(): (to: string) => boolean {
  return useContext(Reach);
}

type PlaceLinkProps = { to: string; look?: string; children: ComponentChildren };

export function PlaceLink({ to, look, children }: PlaceLinkProps) {
  const canReach = useReach();
  return canReach(to) ? (
    <a class={look} dir="auto" href={`#${to}`}>
      {children}
    </a>
  ) : (
    <span class={look} dir="auto">
      {children}
    </span>
  );
}
