// Keeps the app in step with the hub: one stream per browser, led by one tab, relayed to the others; polling where no
// stream gets through (web-app.md 2.8).
import { type ReadonlySignal, signal } from "@preact/signals";
import { hubNow, noteHubTime } from "./clock.ts";
import { keyOf } from "./scope.ts";
import { readStream, type StreamEnd, type Topics } from "./stream.ts";
import { untilWoken } from "./waking.ts";

const backOffMs = [1000, 2000, 4000, 8000, 15_000, 30_000];
const failuresBeforePolling = 3;
const pollShownMs = 15_000;
const pollHiddenMs = 120_000;
const retryWhilePollingMs = 60_000;

export type Link = {
  kind: "starting" | "live" | "polling" | "reconnecting" | "offline" | "restarting";
  /** Hub time since when it is so. */
  sinceMs: number;
};

type Relayed =
  | { type: "change"; topics: readonly string[] | "everything"; cursor: string | undefined }
  | { type: "link"; kind: Link["kind"]; now: string }
  | { type: "ask" }
  | { type: "refused" };

const state = signal<Link>({ kind: "starting", sinceMs: hubNow() });
const listeners = new Set<(topics: Topics) => void>();
const leading = signal(false);
let cursor: string | undefined;
let channel: BroadcastChannel | undefined;
let reached = new AbortController();

export const link: ReadonlySignal<Link> = state;
/** This tab is the one of this browser that has the stream. */
export const isLeader: ReadonlySignal<boolean> = leading;

/** Hears what changed, until the function it returns is called. In order of arrival; `everything` when nobody knows. */
export function onChange(listener: (topics: Topics) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export type LiveOptions = {
  token: string;
  signal: AbortSignal;
  onRefused(): void;
};

/** Runs until the signal ends it. */
export async function startLive(options: LiveOptions): Promise<void> {
  cursor = undefined;
  openChannel(options);
  if ("locks" in navigator) {
    // Held as long as this tab leads; the next in line gets it the moment this tab is gone.
    await navigator.locks
      .request(keyOf("stream"), { signal: options.signal }, () => lead(options))
      .catch(() => undefined); // the signal ended the wait
  } else {
    await leadWhileShown(options);
  }
}

function openChannel({ signal: ended, onRefused }: LiveOptions): void {
  if (!("BroadcastChannel" in globalThis)) return;
  const opened = new BroadcastChannel(keyOf("live"));
  channel = opened;
  opened.onmessage = ({ data }: MessageEvent<Relayed>) => {
    if (data.type === "ask") {
      if (leading.peek()) relay({ type: "link", kind: state.value.kind, now: new Date(hubNow()).toISOString() });
    } else if (leading.peek()) {
      return;
    } else if (data.type === "change") {
      hear(data.topics === "everything" ? "everything" : new Set(data.topics), data.cursor);
    } else if (data.type === "link") {
      noteHubTime(data.now);
      setLink(data.kind);
    } else {
      onRefused();
    }
  };
  relay({ type: "ask" });
  ended.addEventListener("abort", () => opened.close(), { once: true });
}

async function lead(options: LiveOptions): Promise<void> {
  leading.value = true;
  let failures = 0;
  try {
    while (!options.signal.aborted) {
      const isPolling = failures >= failuresBeforePolling;
      const trying = new AbortController();
      const stop = (): void => trying.abort();
      options.signal.addEventListener("abort", stop, { once: true });
      const end = await readStream({
        ...options,
        cursor,
        signal: trying.signal,
        onOpen() {
          failures = 0;
          tellLink("live");
        },
        onChange: (topics, at) => {
          hear(topics, at);
          relay({ type: "change", topics: topics === "everything" ? topics : [...topics], cursor: at });
        },
      });
      options.signal.removeEventListener("abort", stop);
      if (options.signal.aborted) return;
      if (end.why === "refused") {
        relay({ type: "refused" });
        return options.onRefused();
      }
      failures = end.why === "buffered" ? failuresBeforePolling : failures + 1;
      await pause(end, failures, isPolling, options.signal);
    }
  } finally {
    leading.value = false;
  }
}

async function pause(end: StreamEnd, failures: number, wasPolling: boolean, ended: AbortSignal): Promise<void> {
  if (end.why === "bye") {
    tellLink("restarting");
    await untilWoken(end.retryMs, ended);
    return;
  }
  if (failures >= failuresBeforePolling)
    return poll(end.why === "buffered" || wasPolling ? "polling" : "offline", ended);
  tellLink(navigator.onLine ? "reconnecting" : "offline");
  const base = backOffMs[Math.min(failures - 1, backOffMs.length - 1)] ?? 1000;
  // Apart from each other, so that a restarted hub is not met by all at once.
  await untilWoken(base * (0.8 + Math.random() * 0.4), ended);
}

// No stream for now: every open list is asked for again, until it is time to try the stream anew.
async function poll(first: "polling" | "offline", ended: AbortSignal): Promise<void> {
  tellLink(navigator.onLine ? first : "offline");
  const until = Date.now() + retryWhilePollingMs;
  reached = new AbortController();
  const over = AbortSignal.any([ended, reached.signal]);
  while (!ended.aborted && Date.now() < until) {
    hear("everything", undefined);
    relay({ type: "change", topics: "everything", cursor: undefined });
    const wokenBy = await untilWoken(document.hidden ? pollHiddenMs : pollShownMs, over);
    if (wokenBy !== "time") return;
  }
}

/** Whether the last answer came: a hub that is back is tried at once, one that is gone is said to be. */
export function noteReach(isReached: boolean): void {
  if (!leading.peek()) return;
  if (isReached && state.value.kind === "offline") reached.abort();
  if (!isReached && state.value.kind === "polling") tellLink("offline");
}

// Without Web Locks nobody can tell who leads, so only the tab that is looked at has a stream.
async function leadWhileShown(options: LiveOptions): Promise<void> {
  while (!options.signal.aborted) {
    const shown = new AbortController();
    const check = (): void => {
      if (document.hidden || options.signal.aborted) shown.abort();
    };
    document.addEventListener("visibilitychange", check);
    options.signal.addEventListener("abort", check);
    check();
    if (!shown.signal.aborted) await lead({ ...options, signal: shown.signal });
    document.removeEventListener("visibilitychange", check);
    options.signal.removeEventListener("abort", check);
    if (!options.signal.aborted) await untilWoken(pollHiddenMs, options.signal);
  }
}

function hear(topics: Topics, at: string | undefined): void {
  if (at !== undefined) cursor = at;
  for (const listener of listeners) listener(topics);
}

function tellLink(kind: Link["kind"]): void {
  setLink(kind);
  relay({ type: "link", kind, now: new Date(hubNow()).toISOString() });
}

function setLink(kind: Link["kind"]): void {
  if (state.value.kind !== kind) state.value = { kind, sinceMs: hubNow() };
}

function relay(message: Relayed): void {
  try {
    channel?.postMessage(message);
  } catch {
    // Closed by a sign-out a moment ago: nobody is left to tell.
  }
}
