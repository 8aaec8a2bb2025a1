// What Hub leads to besides itself: a menu on its screen, and in the column where there is one.
import { Glyph } from "../glyphs/glyph.tsx";
import { shellText } from "../text/en-shell.ts";
import { useReach } from "./reach.tsx";

const house = [
  { name: "agents", to: "/agents", words: shellText.agents, glyph: "agent" },
  { name: "storage", to: "/storage", words: shellText.storage, glyph: "folder" },
  { name: "settings", to: "/settings", words: shellText.settings, glyph: "system" },
] as const;

type HouseLinksProps = {
  /** `data-screen` of what is shown. */
  current?: string;
  /** Class of a link. */
  look?: string;
};

export function HouseLinks({ current, look }: HouseLinksProps) {
  const canReach = useReach();
  return house
    .filter(({ to }) => canReach(to))
    .map(({ name, to, words, glyph }) => (
      <li key={to}>
        <a class={look} href={`#${to}`} aria-current={name === current ? "page" : undefined}>
          <Glyph name={glyph} />
          <span>{words}</span>
        </a>
      </li>
    ));
}
