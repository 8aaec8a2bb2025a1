// Pages as search documents (mcp-tools.md 16): indexed whole.
import type { Services } from "../../kernel/ctx.ts";
import type { DocumentRef, SearchDocument } from "../corpus/index.ts";
import { type ParsedPage, parsePage } from "./page/parsed-page.ts";
import { listPagesFrom } from "./store.ts";

type PageRef = ReturnType<typeof listPagesFrom>[number];

export function pageRef(projectId: string, path: string): DocumentRef {
  return { family: "kb", projectId, refId: path, sessionId: null };
}

export function pageDocument(
  projectId: string,
  path: string,
  page: { content: string; parsed: ParsedPage },
  updatedAt: number,
): SearchDocument {
  const title = page.parsed.fields.title ?? path;
  return {
    ...pageRef(projectId, path),
    title,
    snippet: page.parsed.snippet,
    titleText: title,
    bodyText: page.content,
    updatedAt,
  };
}

/** Every page of the store as documents, in batches; for building the index anew. */
export function* pageDocuments(services: Services, batchSize: number): Generator<SearchDocument[]> {
  let after = 0;
  for (;;) {
    const pages = listPagesFrom(services.db, after, batchSize);
    const last = pages.at(-1);
    if (last === undefined) return;
    yield pages.flatMap((page) => documentOf(services, page));
    after = last.id;
  }
}

// A page whose bytes are damaged, which the read has logged, is not found by a search; the hub starts all the same.
function documentOf(services: Services, page: PageRef): SearchDocument[] {
  try {
    const bytes = services.blobs.read(services.db, page.blob);
    const content = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    const parsed = parsePage(page.path, content);
    return [pageDocument(page.project_id, page.path, { content, parsed }, page.last_write_at)];
  } catch (error) {
    services.log.warn("a page could not be indexed", { path: page.path, cause: String(error) });
    return [];
  }
}
