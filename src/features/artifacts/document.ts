// Artifacts as search documents (mcp-tools.md 16): the current sealed version, of a protected one its title alone.
import type { Services } from "../../kernel/ctx.ts";
import type { Db } from "../../storage/database.ts";
import { type DocumentRef, dropDocument, putDocument, type SearchDocument } from "../corpus/index.ts";
import { readContent } from "./content.ts";
import { type ArtifactRecord, listArtifactsFrom } from "./store.ts";

function documentRef(artifact: Pick<ArtifactRecord, "id" | "projectId">): DocumentRef {
  return { family: "artifact", projectId: artifact.projectId, refId: artifact.id, sessionId: null };
}

type Indexed = Pick<ArtifactRecord, "id" | "projectId" | "title" | "current" | "updatedAt">;

function artifactDocument(artifact: Indexed, content: string): SearchDocument {
  const isPlain = artifact.current.envelope === null;
  return {
    ...documentRef(artifact),
    title: artifact.title,
    snippet: isPlain ? artifact.current.excerpt : null,
    titleText: artifact.title,
    bodyText: isPlain ? content : "",
    updatedAt: artifact.updatedAt,
  };
}

export function indexArtifact(db: Db, artifact: Indexed, content: string): void {
  putDocument(db, artifactDocument(artifact, content));
}

export function dropFromIndex(db: Db, artifact: Pick<ArtifactRecord, "id" | "projectId">): void {
  dropDocument(db, documentRef(artifact));
}

/** Every artifact of the store as a document, in batches; for building the index anew. */
export function* artifactDocuments(services: Services, batchSize: number): Generator<SearchDocument[]> {
  let after = "";
  for (;;) {
    const artifacts = listArtifactsFrom(services.db, after, batchSize);
    const last = artifacts.at(-1);
    if (last === undefined) return;
    yield artifacts.flatMap((artifact) => documentOf(services, artifact));
    after = last.id;
  }
}

// One whose bytes are damaged, which the read has logged, is not found by a search; the hub starts all the same.
function documentOf(services: Services, artifact: ArtifactRecord): SearchDocument[] {
  try {
    const isPlain = artifact.current.envelope === null;
    const content = isPlain
      ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(readContent(services, artifact.current))
      : "";
    return [artifactDocument(artifact, content)];
  } catch {
    return [];
  }
}
