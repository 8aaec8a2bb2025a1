// SQL of projects and grants. Other nouns' tables are only read in joins.
import type { Principal } from "../../kernel/ctx.ts";
import type { Db } from "../../storage/database.ts";

export type ProjectRecord = {
  id: string;
  displayName: string;
  ownerAgent: string | null;
  isConfidential: boolean;
  createdAt: number;
};

/** A project with what its row in a listing shows besides. */
export type ListedProject = ProjectRecord & { unseenEvents: number; agentsActive: number };

export type GrantRecord = { agentId: string; projectId: string; createdAt: number };

type ProjectRow = {
  id: string;
  display_name: string;
  owner_agent: string | null;
  confidential: number;
  created_at: number;
};

function toRecord(row: ProjectRow): ProjectRecord {
  return {
    id: row.id,
    displayName: row.display_name,
    ownerAgent: row.owner_agent,
    isConfidential: row.confidential === 1,
    createdAt: row.created_at,
  };
}

const columns = "p.id, p.display_name, p.owner_agent, p.confidential, p.created_at";

export function insertProject(db: Db, project: ProjectRecord): void {
  db.run(
    "INSERT INTO projects (id, display_name, owner_agent, confidential, created_at) VALUES (?, ?, ?, ?, ?)",
    project.id,
    project.displayName,
    project.ownerAgent,
    project.isConfidential ? 1 : 0,
    project.createdAt,
  );
}

export function updateProjectRow(db: Db, id: string, displayName: string, isConfidential: boolean): void {
  db.run(
    "UPDATE projects SET display_name = ?, confidential = ? WHERE id = ?",
    displayName,
    isConfidential ? 1 : 0,
    id,
  );
}

export function deleteProjectRow(db: Db, id: string): void {
  db.run("DELETE FROM projects WHERE id = ?", id);
}

export function findProject(db: Db, id: string): ProjectRecord | undefined {
  const row = db.get<ProjectRow>(`SELECT ${columns} FROM projects p WHERE p.id = ?`, id);
  return row === undefined ? undefined : toRecord(row);
}

/** A set of project ids as a subquery with its values. */
export type ProjectSet = { sql: string; values: string[] };

/** The projects the principal may read, for `project_id IN (...)`: its visible set (mcp-tools.md 6.2). */
export function visibleProjects(principal: Principal): ProjectSet {
  if (principal.kind === "operator") return { sql: "SELECT id FROM projects", values: [] };
  return {
    sql: "SELECT id FROM projects WHERE confidential = 0 OR owner_agent = ? UNION ALL SELECT project_id FROM grants WHERE agent_id = ?",
    values: [principal.actor, principal.actor],
  };
}

const listedSql = `SELECT ${columns},
    max(coalesce(t.events, 0) - coalesce(s.seen, 0), 0) AS unseen,
    (SELECT count(DISTINCT w.agent) FROM sessions w
      WHERE w.project_id = p.id AND w.last_activity >= ? AND w.pruned_at IS NULL) AS active
  FROM projects p
  LEFT JOIN event_totals t ON t.project_id = p.id
  LEFT JOIN seen_cursors s ON s.project_id = p.id`;

type ListedRow = ProjectRow & { unseen: number; active: number };

function toListed(row: ListedRow): ListedProject {
  return { ...toRecord(row), unseenEvents: row.unseen, agentsActive: row.active };
}

/** The projects of a set, oldest first. `activeSince` in milliseconds: whose sessions count as at work. */
export function listProjectRows(db: Db, set: ProjectSet, activeSince: number): ListedProject[] {
  return db
    .all<ListedRow>(`${listedSql} WHERE p.id IN (${set.sql}) ORDER BY p.created_at, p.id`, activeSince, ...set.values)
    .map(toListed);
}

export function findListedProject(db: Db, id: string, activeSince: number): ListedProject | undefined {
  const row = db.get<ListedRow>(`${listedSql} WHERE p.id = ?`, activeSince, id);
  return row === undefined ? undefined : toListed(row);
}

export function hasGrant(db: Db, agentId: string, projectId: string): boolean {
  return db.get("SELECT 1 FROM grants WHERE agent_id = ? AND project_id = ?", agentId, projectId) !== undefined;
}

export function upsertGrant(db: Db, grant: GrantRecord): void {
  db.run(
    "INSERT INTO grants (agent_id, project_id, created_at) VALUES (?, ?, ?) ON CONFLICT (agent_id, project_id) DO UPDATE SET created_at = excluded.created_at",
    grant.agentId,
    grant.projectId,
    grant.createdAt,
  );
}

/** True when there was one. */
export function deleteGrantRow(db: Db, agentId: string, projectId: string): boolean {
  return db.run("DELETE FROM grants WHERE agent_id = ? AND project_id = ?", agentId, projectId) > 0;
}

export function listGrantRows(db: Db, agentId: string): GrantRecord[] {
  return db
    .all<{ agent_id: string; project_id: string; created_at: number }>(
      "SELECT agent_id, project_id, created_at FROM grants WHERE agent_id = ? ORDER BY created_at, project_id",
      agentId,
    )
    .map((row) => ({ agentId: row.agent_id, projectId: row.project_id, createdAt: row.created_at }));
}
