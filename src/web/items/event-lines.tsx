// Events as short lines, one under the other: a conversation, or what came before.
import type { EventView } from "../../shared/views.ts";
import { kindWords } from "../../shared/words.ts";
import { minuteClock } from "../data/clock.ts";
import { Glyph } from "../glyphs/glyph.tsx";
import { Time } from "../parts/time.tsx";
import { nameOfActor } from "./agents.ts";
import { eventWords } from "./event-words.ts";

type EventLinesProps = {
  events: readonly EventView[];
  /** Id of the one that is open. */
  current?: string;
  hrefOf: (id: string) => string;
  wordsOf: (event: EventView) => string;
  onOpen?: (id: string, press: MouseEvent) => void;
};

export function EventLines({ events, current, hrefOf, wordsOf, onOpen }: EventLinesProps) {
  return (
    <ol class="event-lines">
      {events.map((event) => (
        <li key={event.id} aria-current={event.id === current ? "true" : undefined}>
          <Glyph name={event.kind} size={18} label={kindWords[event.kind]} />
          <div>
            <p class="line-head">
              <a
                href={hrefOf(event.id)}
                class="theirs"
                dir="auto"
                onClick={onOpen === undefined ? undefined : (press) => onOpen(event.id, press)}
              >
                <bdi class="event-actor">{nameOfActor(event.actor)}</bdi>
                {` ${eventWords(event).verb.replace(/:$/, "")}`}
              </a>
              <Time at={event.created_at} nowMs={minuteClock.value} />
            </p>
            <p class="theirs line-words" dir="auto">
              {wordsOf(event)}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
