// Reads the operator's live stream as a client does: events, comments, and the bytes they came in.
import { within } from "./processes.ts";

const boundMs = 20_000;

export type StreamEvent = { event: string; id: string | undefined; data: unknown };

export type LiveStreamReader = AsyncDisposable & {
  readonly response: Response;
  /** All bytes so far, as text. */
  text(): string;
  /** The next event that was not handed out yet. Rejects when the stream ends first, or none comes in time. */
  next(timeoutMs?: number): Promise<StreamEvent>;
  /** Reads on until an event of this name, and returns it with those before it. */
  until(event: string): Promise<{ found: StreamEvent; before: StreamEvent[] }>;
  /** Resolves when a text has arrived. */
  has(text: string, timeoutMs?: number): Promise<void>;
  /** Resolves when the stream has ended, cut or closed. */
  readonly ended: Promise<void>;
};

export type StreamOptions = { token: string; lastEventId?: string; path?: string };

/** Opens the stream of a hub, or whatever stands before it. */
export async function openLiveStream(url: string, options: StreamOptions): Promise<LiveStreamReader> {
  const leaving = new AbortController();
  const response = await fetch(`${url}${options.path ?? ""}/api/v1/stream`, {
    signal: leaving.signal,
    headers: {
      authorization: `Bearer ${options.token}`,
      ...(options.lastEventId === undefined ? {} : { "last-event-id": options.lastEventId }),
    },
  });
  return readLiveStream(response, () => leaving.abort());
}

/** The same for a response that is there already. */
export function readLiveStream(response: Response, leave: () => void): LiveStreamReader {
  let text = "";
  let handedOut = 0;
  let isEnded = false;
  let changed = Promise.withResolvers<void>();

  async function read(): Promise<void> {
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        changed.resolve();
        changed = Promise.withResolvers();
      }
    } catch {
      // Cut off: an end like any other.
    } finally {
      isEnded = true;
      changed.resolve();
    }
  }

  async function wait<T>(what: string, timeoutMs: number, look: () => T | undefined): Promise<T> {
    async function found(): Promise<T> {
      for (;;) {
        const value = look();
        if (value !== undefined) return value;
        if (isEnded) throw new Error(`the stream ended before ${what}; it said:\n${text}`);
        await changed.promise;
      }
    }
    return within(timeoutMs, what, found());
  }

  const ended = read();
  const next = (timeoutMs = boundMs): Promise<StreamEvent> =>
    wait("another event", timeoutMs, () => {
      const events = eventsOf(text);
      const event = events[handedOut];
      if (event !== undefined) handedOut += 1;
      return event;
    });

  return {
    response,
    text: () => text,
    next,
    async until(name) {
      const before: StreamEvent[] = [];
      for (let count = 0; count < 100_000; count += 1) {
        const event = await next();
        if (event.event === name) return { found: event, before };
        before.push(event);
      }
      throw new Error(`no ${name} among 100,000 events`);
    },
    has: (wanted, timeoutMs = boundMs) =>
      wait(JSON.stringify(wanted), timeoutMs, () => (text.includes(wanted) ? true : undefined)).then(() => undefined),
    ended,
    async [Symbol.asyncDispose]() {
      leave();
      await ended;
    },
  };
}

/** Whole events only; comments are none. */
export function eventsOf(text: string): StreamEvent[] {
  const blocks = text.split("\n\n").slice(0, -1);
  return blocks
    .filter((block) => !block.startsWith(":"))
    .map((block) => {
      const fields = new Map(
        block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      return {
        event: fields.get("event") ?? "message",
        id: fields.get("id"),
        data: JSON.parse(fields.get("data") ?? "null"),
      };
    });
}

/** Topics a `change` names. */
export function topicsOf(event: StreamEvent): string[] {
  // The shape of the contract.
  return (event.data as { topics: string[] }).topics;
}
