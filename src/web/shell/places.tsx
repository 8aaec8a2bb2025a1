// The way between the screens: a bar at the foot of a phone, a column beside everything else (web-app.md 5.1).
import { Glyph } from "../glyphs/glyph.tsx";
import { Badge } from "../parts/badge.tsx";
import { shellText } from "../text/en-shell.ts";
import { ConnectionLine } from "./connection.tsx";
import { HubMenu } from "./hub-menu.tsx";
import { waitingCount } from "./lamp.ts";
import { destinationOf, destinations } from "./screens.ts";

export function Places({ current }: { current: string }) {
  return (
    <nav class="places" aria-label={shellText.places}>
      <ul>
        {destinations.map(({ name, word, glyph, to }) => (
          <li key={name}>
            <Place
              word={word}
              glyph={glyph}
              to={to}
              isCurrent={name === destinationOf(current)}
              waiting={name === "inbox" ? waitingCount() : 0}
            />
          </li>
        ))}
      </ul>
      <div class="places-foot">
        <HubMenu />
        <ConnectionLine />
      </div>
    </nav>
  );
}

type PlaceProps = {
  word: string;
  glyph: Parameters<typeof Glyph>[0]["name"];
  to: string;
  isCurrent: boolean;
  waiting: number;
};

function Place({ word, glyph, to, isCurrent, waiting }: PlaceProps) {
  return (
    <a class="place" href={`#${to}`} aria-current={isCurrent ? "page" : undefined}>
      <span class="place-mark">
        <Glyph name={glyph} />
        <Badge amount={waiting} tone="lamp" />
      </span>
      <span class="place-word">{word}</span>
      {waiting === 0 ? null : <span class="unseen-by-eye">{shellText.alsoWaiting(waiting)}</span>}
    </a>
  );
}
