-- What changes: the search index. Existing rows: the hub indexes them when it opens a store whose index has another
-- version than its own (src/features/search). Why: search over everything that was said and kept.
-- Text comes in folded and cut into words already, so the tokenizer only splits at spaces. `scope` holds tokens of the
-- project, the family and the kind, which makes a scoped query read short lists. No second copy of a text is kept.

CREATE VIRTUAL TABLE search_texts USING fts5(
  title, body, scope,
  content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3'
);

-- One row a document. `text_id` names the indexed text; a forked session's documents share the texts of their source.
-- Of an event title and snippet are read from the event itself.
CREATE TABLE search_docs (
  id         INTEGER PRIMARY KEY,
  text_id    INTEGER NOT NULL,
  family     TEXT NOT NULL CHECK (family IN ('feed', 'artifact', 'brain', 'kb')),
  project_id TEXT NOT NULL,
  ref_id     TEXT NOT NULL,
  session_id TEXT,
  title      TEXT,
  snippet    TEXT,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX search_docs_by_ref ON search_docs (ref_id, session_id) WHERE family <> 'feed';
CREATE INDEX search_docs_of_session ON search_docs (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX search_docs_sharing ON search_docs (text_id) WHERE text_id <> id;
