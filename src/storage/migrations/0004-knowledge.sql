-- What changes: the knowledge base of each project. Existing rows: none needed; a project without a row here has no pages.
-- Why: pages every agent of a project shares, with every version kept (knowledge-base.md).

-- Counted where it is written, so that no figure ever walks the pages. `writes` is the ordinal of the newest log row,
-- `bytes` the current pages, `kept_bytes` every kept version once, the current ones among them.
CREATE TABLE knowledge_bases (
  project_id          TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  writes              INTEGER NOT NULL DEFAULT 0,
  pages               INTEGER NOT NULL DEFAULT 0,
  bytes               INTEGER NOT NULL DEFAULT 0,
  kept_bytes          INTEGER NOT NULL DEFAULT 0,
  unverified          INTEGER NOT NULL DEFAULT 0,
  human_reviewed      INTEGER NOT NULL DEFAULT 0,
  machine_confirmed   INTEGER NOT NULL DEFAULT 0,
  edited_since_review INTEGER NOT NULL DEFAULT 0,
  changed_at          INTEGER,
  changed_by          TEXT
) STRICT, WITHOUT ROWID;

-- One row a path that was ever written; a deleted page keeps its row, and so its history, without a blob. What listings
-- show is written with the page. `blob` is not declared as a reference: the version is among `page_versions` as well.
CREATE TABLE pages (
  id                INTEGER PRIMARY KEY,
  project_id        TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  path              TEXT NOT NULL,
  parent            TEXT NOT NULL,
  blob              TEXT,
  size              INTEGER,
  layout            TEXT,
  has_version       INTEGER,
  page_type         TEXT,
  title             TEXT,
  description       TEXT,
  status            TEXT,
  tags              TEXT,
  stale_after       TEXT,
  stale_on          TEXT,
  trust             TEXT CHECK (trust IN ('unverified', 'human_reviewed', 'machine_confirmed', 'edited_since_review')),
  verified_by       TEXT,
  verified_at       TEXT,
  writes            INTEGER NOT NULL DEFAULT 0,
  last_ordinal      INTEGER,
  last_write_at     INTEGER,
  last_write_by     TEXT,
  forgotten_through INTEGER,
  UNIQUE (project_id, path)
) STRICT;
-- Holds all that a level shows, so that a level reads no row of a page.
CREATE INDEX pages_in_directory ON pages (project_id, parent, path, size) WHERE size IS NOT NULL;
CREATE INDEX pages_stale ON pages (project_id, stale_on) WHERE stale_on IS NOT NULL;

-- Directories are implied by pages; this only counts what lies directly in each, so that a level is listed without
-- reading what lies below it. A row goes with its last entry.
CREATE TABLE page_directories (
  project_id  TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  path        TEXT NOT NULL,
  parent      TEXT NOT NULL,
  files       INTEGER NOT NULL,
  directories INTEGER NOT NULL,
  bytes       INTEGER NOT NULL,
  PRIMARY KEY (project_id, parent, path)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX page_directories_by_path ON page_directories (project_id, path);

-- The log of a knowledge base. `ordinal` counts from 1 in each project; `verifies` marks a write that brought in the
-- page's newest verification. `blob` only names what was stored; a forgotten version keeps its row here.
CREATE TABLE page_writes (
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  ordinal    INTEGER NOT NULL,
  page_id    INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  op         TEXT NOT NULL CHECK (op IN ('kb.put', 'kb.delete', 'kb.review', 'kb.promote', 'kb.revert')),
  actor      TEXT NOT NULL,
  blob       TEXT,
  size       INTEGER,
  summary    TEXT NOT NULL,
  verifies   INTEGER NOT NULL CHECK (verifies IN (0, 1)),
  at         INTEGER NOT NULL,
  PRIMARY KEY (project_id, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX page_writes_of_page ON page_writes (page_id, ordinal);
CREATE INDEX page_writes_of_version ON page_writes (page_id, blob, ordinal);
CREATE INDEX page_writes_verifying ON page_writes (page_id, ordinal) WHERE verifies = 1;

-- The kept versions of a page, equal bytes once; what a forget removes.
CREATE TABLE page_versions (
  page_id INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  blob    TEXT NOT NULL REFERENCES blobs (hash),
  size    INTEGER NOT NULL,
  PRIMARY KEY (page_id, blob)
) STRICT, WITHOUT ROWID;
CREATE INDEX page_versions_of_blob ON page_versions (blob);

-- Links between pages, in page order. `target` is null for one that climbs above the root; `decoded` is tried when no
-- page is at `target`.
CREATE TABLE page_links (
  page_id    INTEGER NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
  place      INTEGER NOT NULL,
  project_id TEXT NOT NULL,
  line       INTEGER NOT NULL,
  target     TEXT,
  decoded    TEXT,
  PRIMARY KEY (page_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX page_links_to ON page_links (project_id, target) WHERE target IS NOT NULL;
CREATE INDEX page_links_to_decoded ON page_links (project_id, decoded) WHERE decoded IS NOT NULL;

-- Remarks on a page, by path: they survive edits and deletes of it and go with the project.
CREATE TABLE page_comments (
  id         TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  path       TEXT NOT NULL,
  author     TEXT NOT NULL,
  body       TEXT NOT NULL,
  anchor     TEXT,
  done       INTEGER NOT NULL CHECK (done IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX page_comments_on ON page_comments (project_id, path, id);
