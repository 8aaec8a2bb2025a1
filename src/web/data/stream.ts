// One connection to the hub's stream (web-app.md 2.8): read by `fetch`, since the browser's own reader cannot send a
// token. It ends for a reason, and never tries again by itself.

import { noteBuild } from "./app-version.ts";
import { noteHubTime } from "./clock.ts";
import { eventReader, type StreamEvent } from "./event-lines.ts";
import { addressOf } from "./scope.ts";

/** Nothing at all by then: something between holds the answer back. The hub speaks at once. */
const firstByteMs = 5000;
/** The hub says something every 15 s. */
const silenceMs = 45_000;

export type Topics = ReadonlySet<string> | "everything";

export type StreamEnd =
  | { why: "refused" }
  /** Something between us and the hub holds back what it sends. */
  | { why: "buffered" }
  | { why: "lost"; wasOpen: boolean }
  | { why: "bye"; retryMs: number }
  | { why: "stopped" };

export type StreamOptions = {
  token: string;
  /** Of the last change that was heard. */
  cursor: string | undefined;
  signal: AbortSignal;
  onOpen(): void;
  onChange(topics: Topics, cursor: string | undefined): void;
};

export async function readStream(options: StreamOptions): Promise<StreamEnd> {
  const { signal } = options;
  const ending = new AbortController();
  const stop = (): void => ending.abort("stopped");
  signal.addEventListener("abort", stop, { once: true });
  let timer = setTimeout(() => ending.abort("buffered"), firstByteMs);
  function hear(): void {
    clearTimeout(timer);
    timer = setTimeout(() => ending.abort("silent"), silenceMs);
  }

  let wasOpen = false;
  let end: StreamEnd | undefined;
  const read = eventReader(
    hubEvents(options, (given) => {
      end = given;
      ending.abort("ended");
    }),
  );
  try {
    const response = await fetch(addressOf("api/v1/stream"), {
      headers: {
        authorization: `Bearer ${options.token}`,
        ...(options.cursor === undefined ? {} : { "last-event-id": options.cursor }),
      },
      cache: "no-store",
      signal: ending.signal,
    });
    noteBuild(response.headers.get("x-hub-build"));
    if (response.status === 401) return { why: "refused" };
    if (!response.ok || response.body === null) return { why: "lost", wasOpen };
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      hear();
      if (!wasOpen) options.onOpen();
      wasOpen = true;
      read(decoder.decode(chunk.value, { stream: true }));
    }
  } catch {
    // The reason is in the signal, or the connection broke.
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
  if (end !== undefined) return end;
  if (signal.aborted) return { why: "stopped" };
  return ending.signal.reason === "buffered" ? { why: "buffered" } : { why: "lost", wasOpen };
}

/** What the hub's events mean; a hub older than topics sends ticks alone, and each of those may mean anything. */
function hubEvents(
  { onChange, cursor: heardLast }: StreamOptions,
  onEnd: (end: StreamEnd) => void,
): (event: StreamEvent) => void {
  let hasTopics = false;
  return ({ event, data, id }) => {
    if (event === "tick") {
      if (!hasTopics) onChange("everything", undefined);
      return;
    }
    const told = parsed(data);
    if (event === "hello") {
      hasTopics = true;
      noteHubTime(textOf(told["now"]) ?? "");
      noteBuild(textOf(told["build"]) ?? null);
      // A first open cannot resume: what is shown may be older than the stream.
      if (heardLast === undefined) onChange("everything", textOf(told["cursor"]));
    } else if (event === "change") {
      const { topics } = told;
      if (Array.isArray(topics)) onChange(new Set(topics.map(String)), id);
    } else if (event === "reset") {
      onChange("everything", textOf(told["cursor"]));
    } else if (event === "bye") {
      const retryMs = told["retry_ms"];
      onEnd({ why: "bye", retryMs: typeof retryMs === "number" ? retryMs : 2000 });
    }
  };
}

function parsed(data: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {}; // not of this hub: means nothing to us
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
