// SQL of agents and their tokens. Only hashes of tokens are ever stored.
import type { Db } from "../../storage/database.ts";

export type AgentRecord = {
  id: string;
  displayName: string;
  personalProjectId: string;
  state: "active" | "pending";
  createdAt: number;
  firstSeenAt: number | null;
  lastSeenAt: number | null;
  firstCallAt: number | null;
  lastRefusedAt: number | null;
  /** What it said when it asked to join, and from where; null for one the operator made. */
  enrolNote: string | null;
  enrolSource: string | null;
};

/** An agent with what its row in a listing shows besides. */
export type ListedAgent = AgentRecord & { isTokenLive: boolean; isAtWork: boolean; openItems: number };

type AgentRow = {
  id: string;
  display_name: string;
  personal_project_id: string;
  state: "active" | "pending";
  created_at: number;
  first_seen_at: number | null;
  last_seen_at: number | null;
  first_call_at: number | null;
  last_refused_at: number | null;
  enrol_note: string | null;
  enrol_source: string | null;
};

const columns =
  "a.id, a.display_name, a.personal_project_id, a.state, a.created_at, a.first_seen_at, a.last_seen_at, a.first_call_at, a.last_refused_at, a.enrol_note, a.enrol_source";

function toRecord(row: AgentRow): AgentRecord {
  return {
    id: row.id,
    displayName: row.display_name,
    personalProjectId: row.personal_project_id,
    state: row.state,
    createdAt: row.created_at,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
    firstCallAt: row.first_call_at,
    lastRefusedAt: row.last_refused_at,
    enrolNote: row.enrol_note,
    enrolSource: row.enrol_source,
  };
}

export function insertAgent(
  db: Db,
  agent: Pick<AgentRecord, "id" | "displayName" | "personalProjectId" | "state" | "createdAt">,
): void {
  db.run(
    "INSERT INTO agents (id, display_name, personal_project_id, state, created_at) VALUES (?, ?, ?, ?, ?)",
    agent.id,
    agent.displayName,
    agent.personalProjectId,
    agent.state,
    agent.createdAt,
  );
}

/** Tokens and grants go with it. */
export function deleteAgent(db: Db, id: string): void {
  db.run("DELETE FROM agents WHERE id = ?", id);
}

export function updateDisplayName(db: Db, id: string, displayName: string): void {
  db.run("UPDATE agents SET display_name = ? WHERE id = ?", displayName, id);
}

export function findAgent(db: Db, id: string): AgentRecord | undefined {
  const row = db.get<AgentRow>(`SELECT ${columns} FROM agents a WHERE a.id = ?`, id);
  return row === undefined ? undefined : toRecord(row);
}

type ListedRow = AgentRow & { token_live: number; at_work: number; open_items: number };

const listedSql = `SELECT ${columns},
    EXISTS (SELECT 1 FROM tokens t WHERE t.agent_id = a.id AND t.revoked_at IS NULL) AS token_live,
    EXISTS (SELECT 1 FROM sessions s WHERE s.agent = a.id AND s.last_activity >= ? AND s.pruned_at IS NULL) AS at_work,
    (SELECT count(*) FROM items i WHERE i.actor = a.id AND i.status IN ('action', 'waiting')) AS open_items
  FROM agents a`;

function toListed(row: ListedRow): ListedAgent {
  return {
    ...toRecord(row),
    isTokenLive: row.token_live === 1,
    isAtWork: row.at_work === 1,
    openItems: row.open_items,
  };
}

/** Every agent, oldest first. `activeSince` in milliseconds: whose sessions count as at work. */
export function listAgentRows(db: Db, activeSince: number): ListedAgent[] {
  return db.all<ListedRow>(`${listedSql} ORDER BY a.created_at, a.id`, activeSince).map(toListed);
}

export function findListedAgent(db: Db, id: string, activeSince: number): ListedAgent | undefined {
  const row = db.get<ListedRow>(`${listedSql} WHERE a.id = ?`, activeSince, id);
  return row === undefined ? undefined : toListed(row);
}

export function insertToken(db: Db, token: { id: string; agentId: string; hash: string; createdAt: number }): void {
  db.run(
    "INSERT INTO tokens (id, agent_id, hash, created_at) VALUES (?, ?, ?, ?)",
    token.id,
    token.agentId,
    token.hash,
    token.createdAt,
  );
}

/** True when a token was live. */
export function revokeLiveToken(db: Db, agentId: string, now: number): boolean {
  return db.run("UPDATE tokens SET revoked_at = ? WHERE agent_id = ? AND revoked_at IS NULL", now, agentId) > 0;
}

export type TokenHolder = {
  token_id: string;
  agent_id: string;
  state: "active" | "pending";
  revoked_at: number | null;
  last_used_at: number | null;
  first_call_at: number | null;
};

export function findTokenHolder(db: Db, hash: string): TokenHolder | undefined {
  // Every request asks this: two look-ups by key take a third of the time of a join.
  const token = db.get<Omit<TokenHolder, "state" | "first_call_at">>(
    "SELECT id AS token_id, agent_id, revoked_at, last_used_at FROM tokens WHERE hash = ?",
    hash,
  );
  if (token === undefined) return undefined;
  const agent = db.get<Pick<TokenHolder, "state" | "first_call_at">>(
    "SELECT state, first_call_at FROM agents WHERE id = ?",
    token.agent_id,
  );
  return agent && { ...token, ...agent };
}

export function markTokenUsed(db: Db, tokenId: string, agentId: string, now: number): void {
  db.run("UPDATE tokens SET last_used_at = ? WHERE id = ?", now, tokenId);
  db.run(
    "UPDATE agents SET last_seen_at = ?, first_seen_at = coalesce(first_seen_at, ?) WHERE id = ?",
    now,
    now,
    agentId,
  );
}

export function markFirstCall(db: Db, agentId: string, now: number): void {
  db.run("UPDATE agents SET first_call_at = ? WHERE id = ? AND first_call_at IS NULL", now, agentId);
}

export function markRefused(db: Db, agentId: string, now: number): void {
  db.run("UPDATE agents SET last_refused_at = ? WHERE id = ?", now, agentId);
}
