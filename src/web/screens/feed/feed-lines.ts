// A feed as it is laid out: days, in them chunks that are drawn or put away at once, in those events, bursts folded to
// one, and the line between what is new and what was seen.
import { isObject } from "../../../shared/json.ts";
import type { EventView } from "../../../shared/views.ts";

/** Artifacts of one agent that follow each other within this are one burst. */
const burstMs = 2 * 60_000;
const burstMin = 2;

/** Events that were read together, newest first; drawn or put away at once. */
export type Batch = { key: string; events: readonly EventView[] };

export type FeedLine =
  | { kind: "event"; event: EventView; position: number }
  /** Stands for its events while it is folded, and above them once it is not. */
  | { kind: "burst"; id: string; events: readonly EventView[]; isOpen: boolean; position: number }
  | { kind: "seen"; amount: number };

/** `of` are the events it was laid out from: the same ones make the same lines. */
export type FeedChunk = { key: string; of: readonly EventView[]; lines: FeedLine[] };
export type FeedDay = { startMs: number; amount: number; chunks: FeedChunk[] };

type LayOut = {
  /** Only what this says is drawn. */
  isDrawn: (event: EventView) => boolean;
  /** Bursts, by the id of their newest event, that are shown one by one. */
  unfolded: ReadonlySet<string>;
  isUnseen: (event: EventView) => boolean;
};

export function layOutFeed(batches: readonly Batch[], { isDrawn, unfolded, isUnseen }: LayOut): FeedDay[] {
  const days: FeedDay[] = [];
  let day: FeedDay | undefined;
  let chunk: FeedChunk | undefined;
  let position = 0;
  let unseen = 0;
  for (const batch of batches) {
    chunk = undefined;
    const events = batch.events.filter(isDrawn);
    for (let at = 0; at < events.length; ) {
      const event = events[at];
      if (event === undefined) break;
      const atMs = Date.parse(event.created_at);
      if (day === undefined || atMs < day.startMs) {
        day = { startMs: new Date(atMs).setHours(0, 0, 0, 0), amount: 0, chunks: [] };
        days.push(day);
        chunk = undefined;
      }
      if (chunk === undefined) {
        chunk = { key: batch.key, of: batch.events, lines: [] };
        day.chunks.push(chunk);
      }
      if (isUnseen(event)) unseen += 1;
      else if (unseen > 0) {
        chunk.lines.push({ kind: "seen", amount: unseen });
        unseen = 0;
      }
      const together = events.slice(at, at + burstAt(events, at, day.startMs));
      day.amount += together.length;
      at += together.length;
      unseen += together.slice(1).filter(isUnseen).length;
      if (together.length >= burstMin) {
        const isOpen = unfolded.has(event.id);
        position += 1;
        chunk.lines.push({ kind: "burst", id: event.id, events: together, isOpen, position });
        if (!isOpen) continue;
      }
      for (const one of together) {
        position += 1;
        chunk.lines.push({ kind: "event", event: one, position });
      }
    }
  }
  return days;
}

/** How many artifacts of one agent follow each other here. */
function burstAt(events: readonly EventView[], at: number, dayStartMs: number): number {
  const first = events[at];
  if (first === undefined || first.kind !== "artifact") return 1;
  let amount = 1;
  let lastMs = Date.parse(first.created_at);
  for (const event of events.slice(at + 1)) {
    const atMs = Date.parse(event.created_at);
    if (event.kind !== "artifact" || event.actor !== first.actor || lastMs - atMs > burstMs || atMs < dayStartMs) break;
    amount += 1;
    lastMs = atMs;
  }
  return amount;
}

export type FeedTarget = { kind: "artifact" | "session" | "page"; id: string };

/** What an event leads to; nothing for what is no longer there. */
export function targetOf(event: EventView, deleted: ReadonlySet<string>): FeedTarget | undefined {
  const said: Record<string, unknown> = isObject(event.payload) ? event.payload : {};
  const text = (key: string): string | undefined => (typeof said[key] === "string" ? said[key] : undefined);
  if (event.kind === "artifact") {
    const id = text("artifact_id");
    return id === undefined || deleted.has(id) ? undefined : { kind: "artifact", id };
  }
  if (event.kind === "session") {
    const id = text("session_id");
    return id === undefined ? undefined : { kind: "session", id };
  }
  const page = text("store") === "project" && said["action"] !== "kb_deleted" ? text("path") : undefined;
  return page === undefined ? undefined : { kind: "page", id: page };
}

/** Artifacts of which the feed says that they were deleted. */
export function deletedArtifacts(batches: readonly Batch[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { events } of batches) {
    for (const { kind, payload } of events) {
      if (kind !== "artifact" || !isObject(payload) || payload["action"] !== "deleted") continue;
      if (typeof payload["artifact_id"] === "string") ids.add(payload["artifact_id"]);
    }
  }
  return ids;
}

/** The answer of each item, by the item's id. */
export function answersByItem(batches: readonly Batch[]): ReadonlyMap<string, EventView> {
  const answers = new Map<string, EventView>();
  for (const { events } of batches) {
    for (const event of events) {
      if (event.kind === "answer" && event.thread_id !== null) answers.set(event.thread_id, event);
    }
  }
  return answers;
}

/** A burst is a row of its own, beside the row of its newest event. */
export function burstRowId(id: string): string {
  return `burst ${id}`;
}
