// An event as a row of a feed or of Home.
import type { ComponentChildren } from "preact";
import type { EventView } from "../../shared/views.ts";
import { kindWords } from "../../shared/words.ts";
import { minuteClock } from "../data/clock.ts";
import { Glyph } from "../glyphs/glyph.tsx";
import { Row, type RowTone } from "../parts/row.tsx";
import { Time } from "../parts/time.tsx";
import { eventText } from "../text/en-events.ts";
import { nameOfActor } from "./agents.ts";
import { eventPreview, eventWords } from "./event-words.ts";

type EventRowProps = {
  event: EventView;
  href: string;
  /** `unseen`, `seen`, or the state of what waits. */
  state?: string;
  tone?: RowTone | undefined;
  isUnseen?: boolean;
  isShown?: boolean;
  isStop?: boolean;
  place?: { position: number; total: number } | undefined;
  onOpen?: (event: MouseEvent) => void;
  /** Small words under the lines. */
  meta?: ComponentChildren;
  actions?: ComponentChildren;
  /** Lines between the preview and the small words. */
  children?: ComponentChildren;
};

export function EventRow(props: EventRowProps) {
  const { event, href, isUnseen = false, tone, isShown = false, isStop = true, place, onOpen, meta, actions } = props;
  const preview = eventPreview(event);
  return (
    <Row
      id={event.id}
      kind={event.kind}
      itemState={props.state ?? (isUnseen ? "unseen" : "seen")}
      href={href}
      tone={tone ?? (isUnseen ? "new" : undefined)}
      leading={<Glyph name={event.kind} label={kindWords[event.kind]} />}
      title={<EventTitle event={event} />}
      isStrong={isUnseen || tone === "lamp"}
      hiddenWord={isUnseen ? eventText.unseen : undefined}
      time={<Time at={event.created_at} nowMs={minuteClock.value} />}
      isOpen={isShown}
      isStop={isStop}
      place={place}
      actions={actions}
      {...(onOpen === undefined ? {} : { onOpen })}
    >
      {preview === undefined ? null : (
        <p class="row-preview theirs" dir="auto">
          {preview}
        </p>
      )}
      {props.children}
      {meta === undefined ? null : <div class="row-meta">{meta}</div>}
    </Row>
  );
}

/** "**deployer** finished: Nightly backup verified" */
function EventTitle({ event }: { event: EventView }) {
  const { verb, object, rest } = eventWords(event, nameOfActor);
  return (
    <>
      <bdi class="event-actor">{nameOfActor(event.actor)}</bdi>
      <span class="event-verb">{verb === "" ? ": " : ` ${verb} `}</span>
      <bdi>{object}</bdi>
      {rest === undefined ? null : ` ${rest}`}
    </>
  );
}
