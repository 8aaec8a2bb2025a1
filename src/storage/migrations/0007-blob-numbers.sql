-- What changes: blobs get numbers, by which brain entries name them; marks of released blobs become rows of their own; what
-- the search index does not hold yet stands in tables of its own. Existing rows: taken over. Why: forking and writing brains
-- by the thousand (mcp-tools.md 14).

CREATE TABLE blobs_numbered (
  id         INTEGER PRIMARY KEY,
  hash       TEXT NOT NULL UNIQUE,
  size       INTEGER NOT NULL,
  bytes      BLOB,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO blobs_numbered (hash, size, bytes, created_at)
  SELECT hash, size, bytes, created_at FROM blobs ORDER BY rowid;

-- Blobs that lost a name, by number and with the time. Beside their rows, or every mark would write the bytes of a row
-- anew; and no reference to them, since it names nothing that has to be kept.
CREATE TABLE released_blobs (
  blob        INTEGER PRIMARY KEY,
  released_at INTEGER NOT NULL
) STRICT;
CREATE INDEX released_blobs_by_time ON released_blobs (released_at);
INSERT INTO released_blobs (blob, released_at)
  SELECT n.id, b.unreferenced_at FROM blobs b JOIN blobs_numbered n ON n.hash = b.hash WHERE b.unreferenced_at IS NOT NULL;

-- Rows that come by the thousand name a blob by its number, which keeps their index small and what is copied together
-- close together in it; the others by its hash.
CREATE TABLE brain_entries_numbered (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  path       TEXT NOT NULL,
  blob       INTEGER NOT NULL REFERENCES blobs (id),
  size       INTEGER NOT NULL,
  written_at INTEGER NOT NULL,
  PRIMARY KEY (session_id, path)
) STRICT, WITHOUT ROWID;
INSERT INTO brain_entries_numbered (session_id, path, blob, size, written_at)
  SELECT e.session_id, e.path, n.id, e.size, e.written_at FROM brain_entries e JOIN blobs_numbered n ON n.hash = e.blob;
DROP TABLE brain_entries;
DROP TABLE blobs;
ALTER TABLE blobs_numbered RENAME TO blobs;
ALTER TABLE brain_entries_numbered RENAME TO brain_entries;
CREATE INDEX brain_entries_of_blob ON brain_entries (blob);

CREATE INDEX sessions_of_agent_here ON sessions (project_id, agent, last_activity);

-- What the index does not hold yet: events after the one named here, brain values, and the rest of a forked brain from a
-- path on. Writing them to the index is cheaper for many at once, and for a value that is written again not needed.
CREATE TABLE search_feed_mark (
  only     INTEGER PRIMARY KEY CHECK (only = 1),
  event_id TEXT NOT NULL
) STRICT;
-- Until now every event was added with its own write.
INSERT INTO search_feed_mark (only, event_id) SELECT 1, id FROM events ORDER BY id DESC LIMIT 1;
-- `id` is minted with the write, so events and values are indexed in the order of their commits.
CREATE TABLE search_pending (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  path       TEXT NOT NULL,
  id         TEXT NOT NULL,
  PRIMARY KEY (session_id, path)
) STRICT, WITHOUT ROWID;
CREATE TABLE search_forks (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  after_path TEXT NOT NULL
) STRICT, WITHOUT ROWID;
