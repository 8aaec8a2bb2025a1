// The operator's live stream (rest-api.md 16): names of what changed, never content. Pending changes of a slow reader
// collapse into one, so no client makes the hub buffer.
import { timestamp } from "../../kernel/clock.ts";
import type { Hub } from "../hub.ts";
import { webFiles } from "./web-files.ts";

const ringSize = 1000;
const commentMs = 15_000;
const retryMs = 2000;
const streamed = /^(?:inbox|projects|agents|storage|hub)$|^(?:feed|artifacts|sessions|kb|artifact):/;

/** One committed change: where it stands in the stream, and the topics it touched. */
type Change = { number: number; topics: readonly string[] };

export type LiveStream = {
  /** Answers one authorised GET. */
  open(request: Request): Response;
  /** Open streams; for tests. */
  size(): number;
};

export function createLiveStream(hub: Hub): LiveStream {
  const { services, bus } = hub.kernel;
  // A cursor names the process too: a restart knows none of the old ones.
  const epoch = crypto.randomUUID();
  const ring: Change[] = [];
  const readers = new Set<Reader>();
  let number = 0;

  const cursorOf = (at: number): string => `${epoch}.${at}`;

  // Lives as long as the hub.
  bus.tap((topics) => {
    const names = topics.filter((topic) => streamed.test(topic));
    if (names.length === 0) return;
    number += 1;
    ring.push({ number, topics: names });
    if (ring.length > ringSize) ring.shift();
    const cursor = cursorOf(number);
    for (const hear of readers) hear(cursor, names);
  });

  // Where a cursor of this process stands; undefined for any other text.
  function placeOf(cursor: string): number | undefined {
    const at = Number(/\.(\d{1,15})$/.exec(cursor)?.[1]);
    return cursor === cursorOf(at) && at <= number ? at : undefined;
  }

  function resumption(lastEventId: string | null): string {
    if (lastEventId === null) return "";
    const at = placeOf(lastEventId);
    const oldest = ring[0]?.number ?? number + 1;
    if (at === undefined || at < oldest - 1) return message("reset", { cursor: cursorOf(number) });
    const topics = new Set(ring.filter((change) => change.number > at).flatMap((change) => change.topics));
    return topics.size === 0 ? "" : message("change", { topics: [...topics] }, cursorOf(number));
  }

  return {
    open(request) {
      const hello = message("hello", {
        cursor: cursorOf(number),
        build: webFiles().build,
        now: timestamp(services.now()),
      });
      const opening = `${hello}${tick}${resumption(request.headers.get("last-event-id"))}`;
      return new Response(openBody(opening, readers, request.signal, services.draining), {
        headers: { "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" },
      });
    },
    size: () => readers.size,
  };
}

const tick = "event: tick\ndata: 1\n\n";

function message(event: string, data: object, id?: string): string {
  return `event: ${event}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
}

/** Takes the topics of one change and the cursor after it. */
type Reader = (cursor: string, topics: readonly string[]) => void;

/** The body of one stream. It hears of changes, as one of `readers`, until its caller is gone or the hub drains. */
function openBody(
  opening: string,
  readers: Set<Reader>,
  gone: AbortSignal,
  draining: AbortSignal,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const pending = new Set<string>();
  let cursor = "";
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isEnded = false;

  function send(text: string): void {
    if (!isEnded) controller?.enqueue(encoder.encode(text));
  }

  // Only a reader that has taken what it was sent gets more.
  function flush(): void {
    if (pending.size === 0 || (controller?.desiredSize ?? 0) <= 0) return;
    const topics = [...pending];
    pending.clear();
    send(`${tick}${message("change", { topics }, cursor)}`);
  }

  function hear(at: string, topics: readonly string[]): void {
    cursor = at;
    for (const topic of topics) pending.add(topic);
    flush();
  }

  function end(): void {
    if (isEnded) return;
    isEnded = true;
    readers.delete(hear);
    clearInterval(comments);
    gone.removeEventListener("abort", end);
    draining.removeEventListener("abort", sayGoodbye);
    try {
      controller?.close();
    } catch {
      // The reader cancelled the stream itself.
    }
  }

  function sayGoodbye(): void {
    send(message("bye", { retry_ms: retryMs }));
    end();
  }

  const comments = setInterval(() => {
    if ((controller?.desiredSize ?? 0) > 0) send(": hb\n\n");
  }, commentMs);
  gone.addEventListener("abort", end, { once: true });
  draining.addEventListener("abort", sayGoodbye, { once: true });
  readers.add(hear);

  return new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
      send(opening);
      if (draining.aborted) sayGoodbye();
      else if (gone.aborted) end();
    },
    pull: flush,
    cancel: end,
  });
}
