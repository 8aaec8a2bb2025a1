// Events as search documents, and the whole index built anew when the store's has another version than this binary's
// (architecture.md 9).
import type { Services } from "../../kernel/ctx.ts";
import { isObject, type Json } from "../../shared/json.ts";
import { artifactDocuments } from "../artifacts/index.ts";
import {
  dropAllDocuments,
  findIndexVersion,
  indexVersion,
  putDocuments,
  type SearchDocument,
  setFeedMark,
  setIndexVersion,
} from "../corpus/index.ts";
import type { EventRecord } from "../events/index.ts";
import { listEventsFrom } from "../events/index.ts";
import { pageDocuments } from "../knowledge/index.ts";
import { brainDocuments } from "../sessions/index.ts";

const batchSize = 500;
const batchCharacters = 4_194_304;
// A page is up to 1 MiB, and a batch of them is in memory at once.
const pageBatchSize = 20;
// An artifact up to 50.
const artifactBatchSize = 1;

export function eventDocument(event: EventRecord): SearchDocument {
  return {
    family: "feed",
    projectId: event.projectId,
    refId: event.id,
    sessionId: event.kind === "session" ? toldSession(event) : null,
    kind: event.kind,
    title: null,
    snippet: null,
    titleText: event.summary,
    bodyText: textOf(event.payload),
    updatedAt: event.createdAt,
  };
}

function toldSession(event: EventRecord): string | null {
  const id = isObject(event.payload) ? event.payload["session_id"] : undefined;
  return typeof id === "string" ? id : null;
}

/**
 * Builds the index anew when its version is another; in batches, so that no transaction grows with the store. What was
 * written first is indexed first, since the newest matches are those that were indexed last.
 */
export async function rebuildIfStale(services: Services): Promise<void> {
  if (findIndexVersion(services.db) === indexVersion) return;
  await services.write((tx) => dropAllDocuments(tx.db));
  let newest = "";
  const documents = inOrder(services, (event) => {
    newest = event.id;
  });
  for (const batch of batches(documents)) await putAll(services, batch);
  for (const batch of pageDocuments(services, pageBatchSize)) await putAll(services, batch);
  for (const batch of artifactDocuments(services, artifactBatchSize)) await putAll(services, batch);
  await services.write((tx) => {
    setFeedMark(tx.db, newest);
    setIndexVersion(tx.db, indexVersion);
  });
}

function putAll(services: Services, documents: readonly SearchDocument[]): Promise<void> {
  return services.write((tx) => putDocuments(tx.db, documents));
}

function* batches(documents: Iterable<SearchDocument>): Generator<SearchDocument[]> {
  let batch: SearchDocument[] = [];
  let characters = 0;
  for (const document of documents) {
    batch.push(document);
    characters += document.bodyText.length;
    if (batch.length < batchSize && characters < batchCharacters) continue;
    yield batch;
    batch = [];
    characters = 0;
  }
  yield batch;
}

function* inOrder(services: Services, pass: (event: EventRecord) => void): Generator<SearchDocument> {
  const values = brainDocuments(services);
  let value = values.next();
  const valuesBefore = function* (time: number): Generator<SearchDocument> {
    for (; !value.done && value.value.writtenAt < time; value = values.next()) {
      const document = value.value.read();
      if (document !== undefined) yield document;
    }
  };
  for (const event of allEvents(services)) {
    yield* valuesBefore(event.createdAt);
    pass(event);
    if (event.kind !== "system") yield eventDocument(event);
  }
  yield* valuesBefore(Number.POSITIVE_INFINITY);
}

function* allEvents(services: Services): Generator<EventRecord> {
  let after = "";
  for (;;) {
    const events = listEventsFrom(services.db, after, batchSize);
    yield* events;
    const last = events.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Keys and values of a payload as text, so that an escape of its serialised form cuts no word. */
function textOf(value: Json): string {
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  if (typeof value !== "object" || value === null) return value === null ? "" : String(value);
  return Object.entries(value)
    .map(([key, member]) => `${key}\n${textOf(member)}`)
    .join("\n");
}
