// SQL of the search rows and the index: writing and dropping a document. Reading them is the search feature's.
import type { Db } from "../../storage/database.ts";
import { familyToken, kindToken, projectToken } from "./scope.ts";
import { textToIndex } from "./words.ts";

export type Family = "feed" | "artifact" | "brain" | "kb";

export type SearchDocument = {
  family: Family;
  projectId: string;
  /** Event id, artifact id, or path. */
  refId: string;
  /** Of a brain entry its session; of a `session` event the session it tells of, with which it goes. */
  sessionId: string | null;
  /** Of a feed event its kind. */
  kind?: string;
  /** Shown with a hit; null where the hit reads it from its own row. */
  title: string | null;
  snippet: string | null;
  /** Searched, and never shown as such. */
  titleText: string;
  bodyText: string;
  updatedAt: number;
};

/** Writes a document's rows, in place of what the same reference had. A feed event is only ever written once. */
export function putDocument(db: Db, document: SearchDocument): void {
  putDocuments(db, [document]);
}

/**
 * The same for several, each reference once. The index keeps texts in memory until a savepoint or a deletion makes it
 * write itself out, which costs nearly the same for one as for hundreds: so all texts come last, in a row.
 */
export function putDocuments(db: Db, documents: readonly SearchDocument[]): void {
  for (const document of documents) if (document.family !== "feed") dropDocument(db, document);
  // The greatest id is always that of a document, so a text that outlives its own is never taken for another's.
  const greatest = db.get<{ id: number | null }>("SELECT max(id) AS id FROM search_docs")?.id ?? 0;
  for (const [index, document] of documents.entries()) insertRow(db, greatest + 1 + index, document);
  for (const [index, document] of documents.entries()) insertText(db, greatest + 1 + index, document);
}

function insertRow(db: Db, id: number, document: SearchDocument): void {
  db.run(
    `INSERT INTO search_docs (id, text_id, family, project_id, ref_id, session_id, title, snippet, updated_at)
     VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
    id,
    document.family,
    document.projectId,
    document.refId,
    document.sessionId,
    document.title,
    document.snippet,
    document.updatedAt,
  );
}

function insertText(db: Db, id: number, document: SearchDocument): void {
  const scope = [projectToken(document.projectId), familyToken(document.family)];
  if (document.kind !== undefined) scope.push(kindToken(document.kind));
  db.run(
    "INSERT INTO search_texts (rowid, title, body, scope) VALUES (?, ?, ?, ?)",
    id,
    textToIndex(document.titleText),
    textToIndex(document.bodyText),
    scope.join(" "),
  );
}

export type DocumentRef = Pick<SearchDocument, "family" | "projectId" | "refId" | "sessionId">;

export function dropDocument(db: Db, ref: DocumentRef): void {
  const rows = db.all<{ id: number; text_id: number }>(
    `SELECT id, text_id FROM search_docs
     WHERE ref_id = ? AND session_id IS ? AND family = ? AND project_id = ? AND family <> 'feed'`,
    ref.refId,
    ref.sessionId,
    ref.family,
    ref.projectId,
  );
  for (const row of rows) {
    db.run("DELETE FROM search_docs WHERE id = ?", row.id);
    dropTextUnlessShared(db, row.text_id);
  }
}

function dropTextUnlessShared(db: Db, textId: number): void {
  const isShared =
    db.get("SELECT 1 FROM search_docs WHERE id = ?1 AND text_id = ?1", textId) !== undefined ||
    db.get("SELECT 1 FROM search_docs WHERE text_id = ? AND text_id <> id LIMIT 1", textId) !== undefined;
  if (!isShared) db.run("DELETE FROM search_texts WHERE rowid = ?", textId);
}

/** Some of what hangs on a session: its brain's documents and those of its own `session` events. How many went. */
export function dropSomeSessionDocuments(db: Db, sessionId: string, limit: number): number {
  const rows = db.all<{ text_id: number }>(
    `DELETE FROM search_docs WHERE id IN (SELECT id FROM search_docs WHERE session_id = ? LIMIT ?) RETURNING text_id`,
    sessionId,
    limit,
  );
  for (const { text_id } of rows) dropTextUnlessShared(db, text_id);
  return rows.length;
}

/** Every document of a project. They are found through the index: the rows themselves have none on their project. */
export function dropProjectDocuments(db: Db, projectId: string): void {
  const texts = "SELECT rowid FROM search_texts WHERE search_texts MATCH ?1";
  const match = `scope : "${projectToken(projectId)}"`;
  db.run(`DELETE FROM search_docs WHERE text_id <> id AND text_id IN (${texts})`, match);
  db.run(`DELETE FROM search_docs WHERE text_id = id AND id IN (${texts})`, match);
  db.run(`DELETE FROM search_texts WHERE rowid IN (${texts})`, match);
}

/** Drops the whole index and what was to be added to it, before it is built anew. */
export function dropAllDocuments(db: Db): void {
  for (const table of ["search_docs", "search_feed_mark", "search_pending", "search_forks"]) {
    db.run(`DELETE FROM ${table}`);
  }
  db.run("INSERT INTO search_texts (search_texts) VALUES ('delete-all')");
}

/** One step of merging the index, which leaves out what was dropped; true when nothing is left to merge. */
export function mergeTexts(db: Db, pages: number): boolean {
  const changes = (): number => db.get<{ n: number }>("SELECT total_changes() AS n")?.n ?? 0;
  const before = changes();
  db.run("INSERT INTO search_texts (search_texts, rank) VALUES ('merge', ?)", pages);
  // The command itself counts as one change.
  return changes() - before < 2;
}

/** Version of the folding the index was built with; undefined for one that was never built. */
export function findIndexVersion(db: Db): number | undefined {
  return db.get<{ value: number }>("SELECT value FROM marks WHERE name = 'search_index_version'")?.value;
}

export function setIndexVersion(db: Db, version: number): void {
  db.run(
    "INSERT INTO marks (name, value) VALUES ('search_index_version', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    version,
  );
}
