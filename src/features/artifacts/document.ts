// Artifacts as search documents (mcp-tools.md 16): the current sealed version, of a protected one its title alone.
import type { Services } from "../../kernel/ctx.ts";
import { LargeText } from "../../kernel/large-text.ts";
import type { Db } from "../../storage/database.ts";
import { type DocumentRef, dropDocument, putDocument, type SearchDocument } from "../corpus/index.ts";
import { type ArtifactRecord, listArtifactsFrom } from "./store.ts";
import { searchedText } from "./text.ts";

function documentRef(artifact: Pick<ArtifactRecord, "id" | "projectId">): DocumentRef {
  return { family: "artifact", projectId: artifact.projectId, refId: artifact.id, sessionId: null };
}

type Indexed = Pick<ArtifactRecord, "id" | "projectId" | "title" | "current" | "updatedAt">;

function artifactDocument(artifact: Indexed, searched: string): SearchDocument {
  const isPlain = artifact.current.envelope === null;
  return {
    ...documentRef(artifact),
    title: artifact.title,
    snippet: isPlain ? artifact.current.excerpt : null,
    titleText: artifact.title,
    bodyText: isPlain ? searched : "",
    updatedAt: artifact.updatedAt,
  };
}

/** @param searched what of the content is searched; nothing of a protected one is */
export function indexArtifact(db: Db, artifact: Indexed, searched: string): void {
  putDocument(db, artifactDocument(artifact, searched));
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
function documentOf({ db, blobs, log }: Services, artifact: ArtifactRecord): SearchDocument[] {
  const { kind, current } = artifact;
  if (current.envelope !== null) return [artifactDocument(artifact, "")];
  try {
    return [artifactDocument(artifact, searchedText(kind, new LargeText(blobs.read(db, current.blob))))];
  } catch (error) {
    log.warn("an artifact could not be indexed", { artifact: artifact.id, cause: String(error) });
    return [];
  }
}
