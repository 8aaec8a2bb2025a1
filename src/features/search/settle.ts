// Adds to the index what was written since it was last asked or swept (mcp-tools.md 16): many at once, in the order of
// their commits, in jobs that hold nobody up. What is to be added stands in the store until it is, so a crash loses none
// of it, and every search begins here, so it finds all that was acknowledged before.
import type { Services, Tx } from "../../kernel/ctx.ts";
import type { Db } from "../../storage/database.ts";
import { isStoreFault } from "../../storage/store-fault.ts";
import {
  type DeferredValue,
  dropDeferred,
  dropDocument,
  findFeedMark,
  findFork,
  forkSome,
  isDeferredUpTo,
  listDeferred,
  putDocuments,
  type SearchDocument,
  setFeedMark,
} from "../corpus/index.ts";
import { type EventRecord, listEventsFrom } from "../events/index.ts";
import { brainRef, readBrainDocument, sessionRecord } from "../sessions/index.ts";
import { eventDocument } from "./indexing.ts";
import { newestWrite } from "./store.ts";

const dueAtOnce = 256;
const valuesAtOnce = 64;
const eventsRead = 16;
const forkedAtOnce = 500;
// Of texts, after which a job takes no more; one of them may be as large as an indexed value.
const charactersAtOnce = 262_144;

/** Adds what was written so far. @throws HubError `unavailable` when the store fails; nothing is lost by that */
export async function settleIndex(services: Services): Promise<void> {
  const upTo = newestWrite(services.db);
  // Each step leaves less up to that id.
  while (isDeferredUpTo(services.db, upTo)) await services.write((tx) => settleSome(tx, services, upTo));
}

function settleSome(tx: Tx, services: Services, upTo: string): void {
  if (settleDue(tx, services, upTo)) return;
  const fork = findFork(tx.db, upTo);
  if (fork !== undefined) forkSome(tx.db, fork, forkedAtOnce);
}

type Due = { event: EventRecord } | { value: DeferredValue };

// Events and values in the order of their ids. Where more values are to come, what is behind the last is left to them.
function* inOrder(db: Db, upTo: string): Generator<Due> {
  const values = listDeferred(db, upTo, valuesAtOnce);
  let next = 0;
  for (const event of eventsUpTo(db, upTo)) {
    for (; next < values.length; next += 1) {
      const value = values[next];
      if (value === undefined || value.id > event.id) break;
      yield { value };
    }
    if (next === valuesAtOnce) return;
    yield { event };
  }
  for (const value of values.slice(next)) yield { value };
}

// A few at a time: payloads are large at times, and few of those fill a job.
function* eventsUpTo(db: Db, upTo: string): Generator<EventRecord> {
  let after = findFeedMark(db);
  for (;;) {
    const events = listEventsFrom(db, after, eventsRead);
    for (const event of events) {
      if (event.id > upTo) return;
      yield event;
      after = event.id;
    }
    if (events.length < eventsRead) return;
  }
}

// False when nothing was due.
function settleDue(tx: Tx, services: Services, upTo: string): boolean {
  const documents: SearchDocument[] = [];
  let taken = 0;
  let characters = 0;
  let mark: string | undefined;
  for (const due of inOrder(tx.db, upTo)) {
    const document = "event" in due ? documentOf(due.event) : settleValue(tx, services, due.value);
    if ("event" in due) mark = due.event.id;
    if (document !== undefined) documents.push(document);
    taken += 1;
    characters += document?.bodyText.length ?? 0;
    if (taken >= dueAtOnce || characters >= charactersAtOnce) break;
  }
  if (mark !== undefined) setFeedMark(tx.db, mark);
  putAll(tx, documents);
  return taken > 0;
}

function documentOf(event: EventRecord): SearchDocument | undefined {
  return event.kind === "system" ? undefined : eventDocument(event);
}

// A value that cannot be read is not found by what it was before.
function settleValue(tx: Tx, services: Services, { sessionId, path }: DeferredValue): SearchDocument | undefined {
  dropDeferred(tx.db, { sessionId, path });
  const document = readBrainDocument(services, sessionId, path);
  const session = sessionRecord(tx.db, sessionId);
  if (document === undefined && session !== undefined) dropDocument(tx.db, brainRef(session, path));
  return document;
}

// What the index refuses is logged and left out, and takes nothing else along; a failing store is tried again later.
function putAll(tx: Tx, documents: readonly SearchDocument[]): void {
  if (documents.length === 0) return;
  let failure: unknown;
  const attempt = (some: readonly SearchDocument[]): void => {
    failure = undefined;
    tx.attempt("indexing", () => {
      try {
        putDocuments(tx.db, some);
      } catch (error) {
        failure = error;
        throw error;
      }
    });
    if (isStoreFault(failure)) throw failure;
  };
  attempt(documents);
  if (failure === undefined || documents.length === 1) return;
  for (const document of documents) attempt([document]);
}
