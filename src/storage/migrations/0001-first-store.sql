-- What changes: the first store. Existing rows: none. Why: everything the hub keeps besides blob files.
-- Times are integers, milliseconds since 1970 UTC. Ids are ULIDs unless people name the thing.
-- Immediate foreign keys only: a deferred one would fail a whole batch of writes at its commit.

CREATE TABLE marks (
  name  TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
  id           TEXT PRIMARY KEY,
  display_name TEXT NOT NULL,
  owner_agent  TEXT,
  confidential INTEGER NOT NULL DEFAULT 0 CHECK (confidential IN (0, 1)),
  created_at   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX projects_of_owner ON projects (owner_agent) WHERE owner_agent IS NOT NULL;

CREATE TABLE agents (
  id                  TEXT PRIMARY KEY,
  display_name        TEXT NOT NULL,
  personal_project_id TEXT NOT NULL UNIQUE REFERENCES projects (id),
  state               TEXT NOT NULL CHECK (state IN ('active', 'pending')),
  created_at          INTEGER NOT NULL,
  first_seen_at       INTEGER,
  last_seen_at        INTEGER,
  first_call_at       INTEGER,
  last_refused_at     INTEGER
) STRICT;

CREATE TABLE tokens (
  id           TEXT PRIMARY KEY,
  agent_id     TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  hash         TEXT NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT;
CREATE UNIQUE INDEX one_live_token_per_agent ON tokens (agent_id) WHERE revoked_at IS NULL;

CREATE TABLE grants (
  agent_id   TEXT NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (agent_id, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX grants_on_project ON grants (project_id);

-- `seq` follows commit order as `id` does; it keeps the table's own tree narrow.
CREATE TABLE events (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('signal', 'finished', 'question', 'answer', 'approval',
                                           'artifact', 'session', 'idea', 'system')),
  actor      TEXT NOT NULL,
  summary    TEXT NOT NULL,
  payload    TEXT,
  thread_id  TEXT,
  session_id TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX events_in_project ON events (project_id, id);
-- Nearly every event is a signal: a page of other kinds does not walk over them, at no cost to a signal's insert.
CREATE INDEX events_besides_signals ON events (project_id, id) WHERE kind <> 'signal';
CREATE INDEX events_in_thread ON events (thread_id, id) WHERE thread_id IS NOT NULL;
CREATE INDEX events_in_session ON events (session_id, id) WHERE session_id IS NOT NULL;

-- Counted where it is written: events of a project without `system`, the figure its ceiling is compared with, and the
-- bytes of all its summaries and payloads, `system` included.
CREATE TABLE event_totals (
  project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  events     INTEGER NOT NULL,
  bytes      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency_keys (
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  operation  TEXT NOT NULL,
  key        TEXT NOT NULL,
  target     TEXT NOT NULL,
  result     TEXT NOT NULL,
  PRIMARY KEY (project_id, operation, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE connections (
  identity          TEXT NOT NULL,
  id                TEXT NOT NULL,
  client            TEXT,
  protocol          TEXT,
  active_session_id TEXT REFERENCES sessions (id) ON DELETE SET NULL,
  created_at        INTEGER NOT NULL,
  last_used_at      INTEGER NOT NULL,
  PRIMARY KEY (identity, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX connections_of_session ON connections (active_session_id) WHERE active_session_id IS NOT NULL;
CREATE INDEX connections_by_use ON connections (last_used_at);

-- `effective_id`: the greater of the event and the answer that resolved it; what inbox cursors compare.
-- `subject_kind`, `subject_id`: which feature says what deciding, answering and expiring the item mean.
CREATE TABLE items (
  event_id      TEXT PRIMARY KEY REFERENCES events (id) ON DELETE CASCADE,
  project_id    TEXT NOT NULL,
  kind          TEXT NOT NULL CHECK (kind IN ('finished', 'question', 'approval')),
  actor         TEXT NOT NULL,
  subject_kind  TEXT NOT NULL,
  subject_id    TEXT NOT NULL,
  status        TEXT NOT NULL CHECK (status IN ('unread', 'read', 'action', 'waiting', 'resolved')),
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  expires_at    INTEGER,
  on_expiry     TEXT CHECK (on_expiry IN ('approve', 'decline', 'close')),
  answer_id     TEXT,
  effective_id  TEXT NOT NULL,
  snoozed_until INTEGER
) STRICT;
CREATE INDEX items_by_effect ON items (effective_id);
CREATE INDEX items_of_actor ON items (actor, effective_id);
CREATE INDEX items_in_project ON items (project_id, event_id);
CREATE INDEX items_open ON items (project_id, actor) WHERE status IN ('action', 'waiting');
CREATE INDEX items_due ON items (expires_at, event_id) WHERE expires_at IS NOT NULL AND status IN ('action', 'waiting');
CREATE INDEX items_snoozed ON items (snoozed_until) WHERE snoozed_until IS NOT NULL;
CREATE INDEX items_answered ON items (event_id) WHERE status = 'resolved';
CREATE INDEX items_answered_of_actor ON items (actor, event_id) WHERE status = 'resolved';
CREATE INDEX items_unread ON items (event_id) WHERE status = 'unread';
CREATE INDEX items_earlier ON items (updated_at, event_id) WHERE status IN ('read', 'resolved');

CREATE TABLE sessions (
  id            TEXT PRIMARY KEY,
  project_id    TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  agent         TEXT NOT NULL,
  name          TEXT NOT NULL,
  status        TEXT NOT NULL CHECK (status IN ('active', 'ended')),
  created_at    INTEGER NOT NULL,
  last_activity INTEGER NOT NULL,
  handoff       TEXT,
  forked_from   TEXT,
  adopted_from  TEXT,
  brain_bytes   INTEGER NOT NULL DEFAULT 0,
  pruned_at     INTEGER,
  undo_token    TEXT UNIQUE,
  UNIQUE (project_id, agent, name)
) STRICT;
CREATE INDEX sessions_pruned ON sessions (pruned_at) WHERE pruned_at IS NOT NULL;
CREATE INDEX sessions_by_activity ON sessions (project_id, last_activity);
CREATE INDEX sessions_of_agent ON sessions (agent, last_activity);

CREATE TABLE blobs (
  hash       TEXT PRIMARY KEY,
  size       INTEGER NOT NULL,
  bytes      BLOB,
  created_at INTEGER NOT NULL,
  unreferenced_at INTEGER
) STRICT;
CREATE INDEX blobs_unreferenced ON blobs (unreferenced_at) WHERE unreferenced_at IS NOT NULL;

CREATE TABLE brain_entries (
  session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  path       TEXT NOT NULL,
  blob       TEXT NOT NULL REFERENCES blobs (hash),
  size       INTEGER NOT NULL,
  written_at INTEGER NOT NULL,
  PRIMARY KEY (session_id, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX brain_entries_of_blob ON brain_entries (blob);

-- How far an actor has read a project's feed.
CREATE TABLE feed_cursors (
  actor      TEXT NOT NULL,
  project_id TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  event_id   TEXT NOT NULL,
  PRIMARY KEY (actor, project_id)
) STRICT, WITHOUT ROWID;

-- How far the operator has seen a project's feed; `seen` counts the events up to there, so that the number
-- of unseen ones needs no walk.
CREATE TABLE seen_cursors (
  project_id TEXT PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  event_id   TEXT NOT NULL,
  seen       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
