-- What changes: artifacts with their versions, comments and share links. Existing rows: none needed. Why: titled documents
-- that agents publish and the operator reads (artifacts.md).

-- `version` is the current sealed one; `live_*` is the pointer at the one being written. Counted where it is written:
-- `bytes` over all versions, `comments` and `comments_open` over all comments. `session_id` outlives its session.
CREATE TABLE artifacts (
  id            TEXT PRIMARY KEY,
  project_id    TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  session_id    TEXT,
  actor         TEXT,
  kind          TEXT NOT NULL CHECK (kind IN ('html', 'markdown')),
  title         TEXT NOT NULL,
  description   TEXT NOT NULL,
  version       INTEGER NOT NULL,
  live_version  INTEGER,
  live_rev      INTEGER NOT NULL DEFAULT 0,
  live_session  TEXT,
  bytes         INTEGER NOT NULL,
  comments      INTEGER NOT NULL DEFAULT 0,
  comments_open INTEGER NOT NULL DEFAULT 0,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX artifacts_in_project ON artifacts (project_id, updated_at, id, bytes);
CREATE INDEX artifacts_of_session ON artifacts (session_id, updated_at) WHERE session_id IS NOT NULL;
CREATE INDEX artifacts_live ON artifacts (id) WHERE live_session IS NOT NULL;

-- One row above the artifact's `version` at most: the live one, or one that was abandoned. `excerpt` holds the opening
-- words of a plain text.
CREATE TABLE artifact_versions (
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  version     INTEGER NOT NULL,
  label       TEXT,
  envelope    TEXT,
  blob        TEXT NOT NULL REFERENCES blobs (hash),
  size        INTEGER NOT NULL,
  excerpt     TEXT,
  actor       TEXT,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (artifact_id, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX artifact_versions_of_blob ON artifact_versions (blob);

-- `token_hash` is the SHA-256 of the token that deletes the comment; the operator's have none.
CREATE TABLE artifact_comments (
  id             TEXT PRIMARY KEY,
  artifact_id    TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  author         TEXT NOT NULL,
  body           TEXT NOT NULL,
  anchor         TEXT,
  anchor_version INTEGER NOT NULL,
  done           INTEGER NOT NULL CHECK (done IN (0, 1)),
  token_hash     TEXT,
  created_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX artifact_comments_on ON artifact_comments (artifact_id, id);

-- At most one link an artifact; the token is kept as it is, so that the operator can copy it again.
CREATE TABLE artifact_shares (
  artifact_id TEXT PRIMARY KEY REFERENCES artifacts (id) ON DELETE CASCADE,
  token       TEXT NOT NULL UNIQUE,
  version     INTEGER NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
