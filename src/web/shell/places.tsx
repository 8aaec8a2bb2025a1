// The way between the screens: a bar at the foot of a phone, a column beside everything else (web-app.md 5.1).
import { Glyph } from "../glyphs/glyph.tsx";
import { Badge } from "../parts/badge.tsx";
import { lazily } from "../parts/lazily.tsx";
import { useMedia } from "../parts/use-media.ts";
import { shellText } from "../text/en-shell.ts";
import { waitingCount } from "./lamp.ts";
import { destinationOf, destinations } from "./screens.ts";

/** Room for a column with words. */
const wideScreen = "(min-width: 1024px)";

const Column = lazily(async () => (await import("./column.tsx")).Column);

export function Places({ current }: { current: string }) {
  const isWide = useMedia(wideScreen);
  return (
    <div class="places">
      <nav aria-label={shellText.places}>
        <ul>
          {destinations.map(({ name, word, glyph, to }) => (
            <li key={name}>
              <Place
                word={word}
                glyph={glyph}
                to={to}
                current={currentOf(name, current)}
                waiting={name === "inbox" ? waitingCount() : 0}
              />
            </li>
          ))}
        </ul>
      </nav>
      {isWide ? <Column current={current} /> : null}
    </div>
  );
}

/** A screen that is part of a place is not that page itself. */
function currentOf(name: string, current: string): PlaceProps["current"] {
  if (name === current) return "page";
  return name === destinationOf(current) ? "true" : undefined;
}

type PlaceProps = {
  word: string;
  glyph: Parameters<typeof Glyph>[0]["name"];
  to: string;
  current: "page" | "true" | undefined;
  waiting: number;
};

function Place({ word, glyph, to, current, waiting }: PlaceProps) {
  return (
    <a class="place" href={`#${to}`} aria-current={current}>
      <span class="place-mark">
        <Glyph name={glyph} />
        <Badge amount={waiting} tone="lamp" />
      </span>
      <span class="place-word">{word}</span>
      {waiting === 0 ? null : <span class="unseen-by-eye">{shellText.alsoWaiting(waiting)}</span>}
    </a>
  );
}
