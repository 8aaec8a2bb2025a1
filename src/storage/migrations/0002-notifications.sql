-- What changes: subscriptions and the cursors of the notification trailer (mcp-tools.md 5). Existing rows: none needed;
-- an actor without a cursor is told of every resolved item of its own. Why: each notification is delivered once.

CREATE TABLE subscriptions (
  id          TEXT PRIMARY KEY,
  actor       TEXT NOT NULL,
  kinds       TEXT NOT NULL,
  project_id  TEXT REFERENCES projects (id) ON DELETE CASCADE,
  of_actor    TEXT,
  exclude_own INTEGER NOT NULL CHECK (exclude_own IN (0, 1)),
  cursor      TEXT NOT NULL,
  created_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX subscriptions_of_actor ON subscriptions (actor, id);
CREATE INDEX subscriptions_on_project ON subscriptions (project_id) WHERE project_id IS NOT NULL;

-- One position a project, so that an event behind a missing grant waits while newer ones elsewhere are delivered.
CREATE TABLE subscription_positions (
  subscription_id TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
  project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  event_id        TEXT NOT NULL,
  PRIMARY KEY (subscription_id, project_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE attention_positions (
  actor        TEXT NOT NULL,
  project_id   TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  effective_id TEXT NOT NULL,
  PRIMARY KEY (actor, project_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX items_resolved ON items (actor, project_id, effective_id) WHERE status = 'resolved';
