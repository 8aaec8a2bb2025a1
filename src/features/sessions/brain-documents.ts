// Brain values as search documents (mcp-tools.md 16): the first 1 MiB of a value is searched.
import type { Services } from "../../kernel/ctx.ts";
import { byteLength } from "../../shared/json.ts";
import { indexedBrainBytes, searchSnippetChars } from "../../shared/limits.ts";
import type { DocumentRef, SearchDocument } from "../corpus/index.ts";
import { findEntry, listEntryKeys } from "./brain-store.ts";
import { findSession } from "./store.ts";

type Owner = { id: string; projectId: string };

export function brainRef(session: Owner, path: string): DocumentRef {
  return { family: "brain", projectId: session.projectId, refId: path, sessionId: session.id };
}

export function brainDocument(session: Owner, path: string, content: string, updatedAt: number): SearchDocument {
  const indexed = firstBytes(content, indexedBrainBytes);
  return {
    ...brainRef(session, path),
    title: path,
    // One more than a hit shows tells that it was cut.
    snippet: [...indexed.slice(0, (searchSnippetChars + 1) * 2)].slice(0, searchSnippetChars + 1).join(""),
    titleText: path,
    bodyText: indexed,
    updatedAt,
  };
}

// A character that would be cut in two becomes a sign that is in no word.
function firstBytes(text: string, limit: number): string {
  if (byteLength(text) <= limit) return text;
  return Buffer.from(text.slice(0, limit), "utf8").subarray(0, limit).toString("utf8");
}

/** A value of the store for the index, read when it is asked for; undefined when its bytes are damaged. */
export type StoredDocument = { writtenAt: number; read(): SearchDocument | undefined };

/** Every brain value in the order they were written; for building the index anew. */
export function* brainDocuments(services: Services): Generator<StoredDocument> {
  for (const key of listEntryKeys(services.db)) {
    yield { writtenAt: key.written_at, read: () => readBrainDocument(services, key.session_id, key.path) };
  }
}

/** A value as it is stored now; undefined when there is none, or its bytes are damaged. */
export function readBrainDocument(services: Services, sessionId: string, path: string): SearchDocument | undefined {
  const session = findSession(services.db, sessionId);
  const entry = findEntry(services.db, sessionId, path);
  if (session === undefined || entry === undefined) return undefined;
  try {
    const content = new TextDecoder("utf-8", { ignoreBOM: true }).decode(services.blobs.read(services.db, entry.blob));
    return brainDocument(session, path, content, entry.written_at);
  } catch (error) {
    services.log.warn("a brain value cannot be read and is not searched", { session: sessionId, cause: String(error) });
    return undefined;
  }
}
