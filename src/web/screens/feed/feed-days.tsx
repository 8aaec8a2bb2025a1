// The days of a feed. Only chunks near the screen have rows; the others keep the height they had.
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { minuteClock } from "../../data/clock.ts";
import { Button } from "../../parts/button.tsx";
import { type NoteDrawn, useDrawn, useNoteDrawn } from "../../parts/use-drawn.ts";
import { feedText } from "../../text/en-feed.ts";
import { dayWords } from "../../text/time.ts";
import { FeedLineView } from "./feed-line.tsx";
import type { FeedChunk, FeedDay } from "./feed-lines.ts";
import { watchNear } from "./near.ts";
import type { FeedModel } from "./use-feed.ts";
import { usePages } from "./use-pages.ts";

/** Chunks at the top that are drawn at once. */
const atOnce = 4;
const guessedRowPx = 68;

export function FeedDays({ model }: { model: FeedModel }) {
  const { days, anchor } = model;
  const pages = usePages(model);
  const nowMs = minuteClock.value;
  let chunks = 0;
  // All that a row's look hangs on besides its own event.
  const { answers, deleted, items, openId, stopId, unfolded, resource } = model;
  const looks = [answers.size, deleted.size, items.byId, openId, stopId, unfolded, resource];
  return (
    <>
      {model.hasNewer ? <PageEdge words={feedText.loadNewer} load={pages.newer} /> : null}
      {days.map((day) => (
        <Day key={day.startMs} day={day} nowMs={nowMs}>
          {(noteDrawn) =>
            day.chunks.map((chunk) => {
              chunks += 1;
              const isFirst = chunks <= atOnce || holds(chunk, anchor);
              return (
                <Chunk
                  key={chunk.key}
                  name={`${day.startMs} ${chunk.key}`}
                  rows={chunk.lines.length}
                  noteDrawn={noteDrawn}
                  isFirst={isFirst}
                  drawnFrom={[chunk.of, chunk.lines.length, firstPosition(chunk), ...looks]}
                >
                  {() => chunk.lines.map((line) => <FeedLineView key={keyOf(line)} line={line} model={model} />)}
                </Chunk>
              );
            })
          }
        </Day>
      ))}
      {model.hasOlder ? (
        <PageEdge words={feedText.loadOlder} load={pages.older} />
      ) : (
        <p class="feed-end note faint" tabIndex={-1}>
          {feedText.beginning}
        </p>
      )}
    </>
  );
}

type DayProps = { day: FeedDay; nowMs: number; children: (noteDrawn: NoteDrawn) => ComponentChildren };

function Day({ day, nowMs, children }: DayProps) {
  const { isAnyDrawn, noteDrawn } = useDrawn();
  const name = dayWords(day.startMs, nowMs);
  return (
    <section class="day" data-day={new Date(day.startMs).toDateString()}>
      <h2 tabIndex={-1}>{name}</h2>
      <div class="rows" role="feed" aria-label={feedText.dayOf(name, day.amount)} aria-busy={!isAnyDrawn}>
        {children(noteDrawn)}
      </div>
    </section>
  );
}

/** Heights of chunks as they were drawn last, so that a feed one comes back to is as long as it was. */
const heights = new Map<string, number>();
const heightsMax = 4000;

type ChunkProps = {
  name: string;
  rows: number;
  isFirst: boolean;
  noteDrawn: NoteDrawn;
  /** While these stay the same, so do its rows: a page more is no reason to draw the others again. */
  drawnFrom: readonly unknown[];
  children: () => ComponentChildren;
};

function Chunk({ name, rows, isFirst, noteDrawn, drawnFrom, children }: ChunkProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(isFirst);
  useNoteDrawn(noteDrawn, name, isNear);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    return watchNear(element, (isSeen, heightPx) => {
      if (!isSeen && heightPx === 0) return; // a list behind an open event is not looked at, and stays as it is
      if (heights.size > heightsMax) heights.clear();
      setNear((was) => {
        if (was && !isSeen) heights.set(name, heightPx);
        // A chunk that holds the focus stays: nobody is thrown out of the list by scrolling.
        return isSeen || (was && element.contains(document.activeElement));
      });
    });
  }, []);
  const drawn = useMemo(() => (isNear ? children() : null), [isNear, ...drawnFrom]);
  const height = heights.get(name) ?? rows * guessedRowPx;
  return (
    <div ref={box} class="chunk" style={isNear ? { blockSize: "auto" } : { blockSize: `${height}px` }}>
      {drawn}
    </div>
  );
}

type PageEdgeProps = { words: string; load: () => Promise<void> };

/** Loads when it comes near, and by a press for those who do not scroll. */
function PageEdge({ words, load }: PageEdgeProps) {
  const box = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<"waiting" | "loading" | "failed">("waiting");
  const isBusy = state === "loading";
  const begin = useCallback(() => {
    setState("loading");
    // After a failure only a press tries again.
    load().then(
      () => setState("waiting"),
      () => setState("failed"),
    );
  }, [load]);
  // The last page takes the button away; the focus stays where it was, or goes back to the rows.
  useLayoutEffect(() => {
    const edge = box.current;
    const feed = edge?.closest(".feed");
    return () => {
      if (edge?.contains(document.activeElement) !== true) return;
      queueMicrotask(() => {
        const row = feed?.querySelector<HTMLElement>("[data-row-link][tabindex='0']");
        (feed?.querySelector<HTMLElement>(".feed-end") ?? row)?.focus({ preventScroll: true });
      });
    };
  }, []);
  useEffect(() => {
    const element = box.current;
    if (element === null || state !== "waiting") return;
    return watchNear(element, (isSeen) => {
      if (isSeen) begin();
    });
  }, [state, begin]);
  return (
    <div ref={box} class="load-older">
      <Button look="quiet" isBusy={isBusy} onClick={begin}>
        {words}
      </Button>
    </div>
  );
}

function firstPosition({ lines }: FeedChunk): number | undefined {
  return lines.find((line) => line.kind !== "seen")?.position;
}

function holds(chunk: FeedChunk, id: string | undefined): boolean {
  return id !== undefined && chunk.lines.some((line) => line.kind === "event" && line.event.id === id);
}

function keyOf(line: FeedChunk["lines"][number]): string {
  if (line.kind === "event") return line.event.id;
  return line.kind === "burst" ? `burst ${line.id}` : "seen";
}
