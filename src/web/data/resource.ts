// What the app shows of the hub, each thing once: a key, a loader and its state (web-app.md 2.9). Whoever shows it holds
// it; what nobody shows is not asked for, and its answer is dropped.
import { type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { CallFailed, noAnswer } from "./call-failed.ts";
import { hubNow } from "./clock.ts";
import { link, noteReach, onChange } from "./live.ts";
import { loseSession } from "./session.ts";
import { readSnapshot, writeSnapshot } from "./snapshot.ts";
import type { Topics } from "./stream.ts";

/** Changes that come together are one refetch. */
const coalesceMs = 150;
/** How often a page that nobody looks at asks for the one number it shows. */
const hiddenMs = 120_000;
/** Of what is kept after nobody shows it. */
const keptUnheld = 40;

export type LoadState = "idle" | "loading" | "ready" | "stale" | "error" | "offline" | "refused" | "gone";

export type Resource<T> = {
  readonly key: string;
  readonly value: ReadonlySignal<T | undefined>;
  readonly state: ReadonlySignal<LoadState>;
  /** Of the last load, when it did not succeed. */
  readonly failure: ReadonlySignal<CallFailed | undefined>;
  /** Hub time at which the shown value was true. */
  readonly asOfMs: ReadonlySignal<number | undefined>;
  refresh(): Promise<void>;
  /** Gives up waiting for the answer. */
  stop(): void;
  /** Shows a change before the hub knows of it; the answer takes it back, unless something newer came. */
  patch(change: (value: T) => T): () => void;
  /** Drops it when the last one that holds it lets go. */
  hold(): () => void;
  /** Shows what is kept of it, where nothing is shown yet; the hub is not asked. */
  recall(): void;
};

export type ResourceSpec<T> = {
  /** Names it among all: the call and what it is about. */
  key: string;
  /** Whether a change of this topic can change it. */
  concerns(topic: string): boolean;
  load(signal: AbortSignal): Promise<T>;
  /** Readable without the hub, from the last good load. */
  isKept?: boolean;
  /** Asked for by a hidden page too, seldom. */
  isForHidden?: boolean;
  /** How long changes are gathered before it is asked for again, when that may be later than for what is read now. */
  gatherMs?: number;
};

type Held = Resource<unknown> & { change(topics: Topics): void; holders(): number };

const held = new Map<string, Held>();

/** False for a tab that was opened behind another, until somebody comes to it. */
let wasLookedAt = !document.hidden;
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) wasLookedAt = true;
});

/** The one resource of a key; the first spec of a key counts. */
export function resource<T>(spec: ResourceSpec<T>): Resource<T> {
  const known = held.get(spec.key);
  // A key names a call and its answer, so whoever gives the same key means the same type.
  if (known !== undefined) return known as Resource<unknown> as Resource<T>;
  const made = create(spec);
  held.set(spec.key, made as Held); // read again only through its key, as above
  forgetOldest();
  return made;
}

/** Holds a resource while the component is there. */
export function useResource<T>(spec: ResourceSpec<T>): Resource<T> {
  const found = resource(spec);
  useEffect(() => found.hold(), [found]);
  return found;
}

/**
 * Holds what the first paint of a screen does without: what is kept of it stands in until the hub has spoken, and only
 * then the hub is asked.
 */
export function useLater<T>(found: Resource<T>): Resource<T> {
  const hasSpoken = link.value.kind !== "starting";
  useEffect(() => (hasSpoken ? found.hold() : found.recall()), [found, hasSpoken]);
  return found;
}

export function forgetResources(): void {
  held.clear();
}

onChange((topics) => {
  for (const one of held.values()) one.change(topics);
});

function forgetOldest(): void {
  const unheld = [...held.values()].filter((one) => one.holders() === 0);
  for (const one of unheld.slice(0, Math.max(0, unheld.length - keptUnheld))) held.delete(one.key);
}

function create<T>(spec: ResourceSpec<T>): Resource<T> & Pick<Held, "change" | "holders"> {
  const value: Signal<T | undefined> = signal(undefined);
  const state = signal<LoadState>("idle");
  const failure = signal<CallFailed | undefined>(undefined);
  const asOfMs = signal<number | undefined>(undefined);
  let holders = 0;
  let running: { aborter: AbortController; done: Promise<void> } | undefined;
  let isOutdated = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let loadedAt = 0;

  function settle(failed: CallFailed): void {
    if (failed.kind === "aborted") {
      if (value.value === undefined) state.value = "idle";
      return;
    }
    failure.value = failed;
    if (failed.kind === "network") {
      noteReach(false);
      state.value = "offline";
    } else if (failed.status === 401) {
      state.value = "refused";
      loseSession();
    } else if (failed.status === 404) {
      state.value = "gone";
    } else {
      state.value = "error";
    }
  }

  async function run(aborter: AbortController): Promise<void> {
    isOutdated = false;
    if (value.value === undefined) {
      state.value = "loading";
      if (spec.isKept === true) void showSnapshot();
    }
    try {
      const loaded = await spec.load(aborter.signal);
      if (aborter.signal.aborted) return;
      value.value = loaded;
      asOfMs.value = hubNow();
      failure.value = undefined;
      state.value = "ready";
      loadedAt = Date.now();
      noteReach(true);
      if (spec.isKept === true) void writeSnapshot(spec.key, loaded, hubNow()); // nothing waits for it
    } catch (error) {
      settle(error instanceof CallFailed ? error : noAnswer(error));
    }
  }

  async function showSnapshot(): Promise<void> {
    const kept = await readSnapshot(spec.key);
    if (kept === undefined || value.value !== undefined) return;
    value.value = kept.value as T; // written by this build or an older one under the same key
    asOfMs.value = kept.atMs;
    if (state.value === "loading") state.value = "stale";
  }

  function load(): Promise<void> {
    if (running !== undefined) {
      isOutdated = true;
      return running.done;
    }
    const aborter = new AbortController();
    const done = run(aborter).finally(() => {
      running = undefined;
      if (isOutdated && holders > 0) schedule();
    });
    running = { aborter, done };
    return done;
  }

  function schedule(): void {
    if (timer !== undefined) return;
    const { gatherMs = coalesceMs } = spec;
    const waitMs = document.hidden ? Math.max(gatherMs, loadedAt + hiddenMs - Date.now()) : gatherMs;
    timer = setTimeout(() => {
      timer = undefined;
      if (holders > 0 && isAsked()) void load();
    }, waitMs);
  }

  /** A page that is hidden asks for the rest when it is looked at again. */
  function isAsked(): boolean {
    return !document.hidden || spec.isForHidden === true;
  }

  // A page that is looked at again shows what it missed.
  function look(): void {
    if (document.hidden || !isOutdated) return;
    clearTimeout(timer);
    timer = undefined;
    schedule();
  }

  return {
    key: spec.key,
    value,
    state,
    failure,
    asOfMs,
    refresh: load,
    stop: () => running?.aborter.abort(),
    patch(change) {
      const before = value.value;
      if (before === undefined) return () => undefined;
      const after = change(before);
      value.value = after;
      return () => {
        if (value.value === after) value.value = before;
      };
    },
    hold() {
      holders += 1;
      if (holders === 1) {
        document.addEventListener("visibilitychange", look);
      }
      // Whoever comes to look at what failed has it tried again.
      const isWanted = failure.value !== undefined || (holders === 1 && isOutdated);
      // A tab that was opened behind another is ready when somebody comes to it.
      if (running === undefined && isWanted && (isAsked() || !wasLookedAt)) void load();
      return () => {
        holders -= 1;
        if (holders > 0) return;
        document.removeEventListener("visibilitychange", look);
        clearTimeout(timer);
        timer = undefined;
        if (running === undefined) return;
        isOutdated = true;
        running.aborter.abort();
      };
    },
    recall() {
      if (spec.isKept === true && value.value === undefined) void showSnapshot(); // shown when it is there
    },
    holders: () => holders,
    change(topics) {
      if (topics !== "everything" && ![...topics].some((topic) => spec.concerns(topic))) return;
      isOutdated = true;
      if (holders > 0 && isAsked()) schedule();
    },
  };
}
