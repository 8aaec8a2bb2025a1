// Words that were typed and not sent, by what they are for: kept over reloads, failures and sign-ins until they are sent
// or discarded by name (web-app.md 2.9).
import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { isObject } from "../../shared/json.ts";
import { clearRecords, readRecord, removeRecord, writeRecord } from "./database.ts";
import { readItem, removeItem, writeItem } from "./device-storage.ts";
import { beforeSignOut } from "./session.ts";

const saveAfterMs = 400;
/** Where words go that were typed in the last moment before the page went: a database takes longer than a page has. */
const hurried = "drafts";

export type Draft = {
  readonly text: ReadonlySignal<string>;
  /** When the words were kept, if they are from before: milliseconds of this device. */
  readonly keptAtMs: ReadonlySignal<number | undefined>;
  write(text: string): void;
  /** Sent, or discarded by name. */
  drop(): void;
};

type Open = Draft & { flush(): void; hurry(): void };

const open = new Map<string, Open>();

/** @param target names the composer: what is answered or noted */
export function useDraft(target: string): Draft {
  const draft = useMemo(() => openDraft(target), [target]);
  useEffect(
    () => () => {
      draft.flush();
      if (draft.text.value === "") open.delete(target);
    },
    [draft, target],
  );
  return draft;
}

/** The words of a composer by its target; for acts that send them from elsewhere. */
export function openDraft(target: string): Open {
  const known = open.get(target);
  if (known !== undefined) return known;
  const text = signal("");
  const keptAtMs = signal<number | undefined>(undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function recover(): Promise<void> {
    const record = await readRecord("drafts", target);
    if (text.value !== "" || !isObject(record)) return;
    if (typeof record["text"] !== "string" || typeof record["atMs"] !== "number") return;
    text.value = record["text"];
    keptAtMs.value = record["atMs"];
  }

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    // Nothing waits for it; a browser that refuses to store keeps the words for the page.
    if (text.value === "") void removeRecord("drafts", target);
    else void writeRecord("drafts", target, { text: text.value, atMs: Date.now() });
  }

  const draft: Open = {
    text,
    keptAtMs,
    write(words) {
      text.value = words;
      keptAtMs.value = undefined;
      clearTimeout(timer);
      timer = setTimeout(save, saveAfterMs);
    },
    drop() {
      text.value = "";
      keptAtMs.value = undefined;
      save();
    },
    flush() {
      if (timer !== undefined) save();
    },
    hurry() {
      if (timer === undefined) return;
      writeItem("session", `${hurried}:${target}`, text.value);
      save();
    },
  };
  open.set(target, draft);
  const last = readItem("session", `${hurried}:${target}`);
  if (last === undefined || last === "") {
    void recover(); // shown when it is there
  } else {
    text.value = last;
    keptAtMs.value = Date.now();
    save();
  }
  removeItem("session", `${hurried}:${target}`);
  return draft;
}

/** All of them, discarded by name. */
export async function clearDrafts(): Promise<void> {
  for (const draft of open.values()) draft.drop();
  await clearRecords("drafts");
}

globalThis.addEventListener("pagehide", () => {
  for (const draft of open.values()) draft.hurry();
});

// Nothing is written after everything was erased.
beforeSignOut(() => {
  for (const draft of open.values()) draft.flush();
  open.clear();
});
