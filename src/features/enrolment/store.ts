// SQL of what an agent said when it asked to join. The agent's own row is the identity feature's; these columns of it
// are this feature's.
import type { Db } from "../../storage/database.ts";

export type Enrolment = {
  agentId: string;
  displayName: string;
  personalProjectId: string;
  state: "active" | "pending";
  createdAt: number;
  /** The client keeps the token itself; null until decided. */
  shares: boolean | null;
};

type Row = {
  id: string;
  display_name: string;
  personal_project_id: string;
  state: "active" | "pending";
  created_at: number;
  enrol_share: number | null;
};

const columns = "id, display_name, personal_project_id, state, created_at, enrol_share";

function toEnrolment(row: Row): Enrolment {
  return {
    agentId: row.id,
    displayName: row.display_name,
    personalProjectId: row.personal_project_id,
    state: row.state,
    createdAt: row.created_at,
    shares: row.enrol_share === null ? null : row.enrol_share === 1,
  };
}

export function setEnrolNote(db: Db, agentId: string, note: string, source: string): void {
  db.run("UPDATE agents SET enrol_note = ?, enrol_source = ? WHERE id = ?", note, source, agentId);
}

export function setAdmitted(db: Db, agentId: string, displayName: string, shares: boolean): void {
  db.run(
    "UPDATE agents SET state = 'active', display_name = ?, enrol_share = ? WHERE id = ?",
    displayName,
    shares ? 1 : 0,
    agentId,
  );
}

export function findEnrolment(db: Db, agentId: string): Enrolment | undefined {
  const row = db.get<Row>(`SELECT ${columns} FROM agents WHERE id = ?`, agentId);
  return row === undefined ? undefined : toEnrolment(row);
}

/** The agent that holds a token, which is not revoked. */
export function findByToken(db: Db, tokenId: string): Enrolment | undefined {
  const row = db.get<Row>(
    `SELECT ${columns} FROM agents WHERE id = (SELECT agent_id FROM tokens WHERE id = ? AND revoked_at IS NULL)`,
    tokenId,
  );
  return row === undefined ? undefined : toEnrolment(row);
}

export function countPending(db: Db): number {
  return db.get<{ n: number }>("SELECT count(*) AS n FROM agents WHERE state = 'pending'")?.n ?? 0;
}

export function hasPendingFrom(db: Db, source: string): boolean {
  return db.get("SELECT 1 FROM agents WHERE state = 'pending' AND enrol_source = ? LIMIT 1", source) !== undefined;
}

/** Requests older than a time, in milliseconds; the oldest first. */
export function listAbandoned(db: Db, createdBefore: number): string[] {
  return db
    .all<{ id: string }>(
      "SELECT id FROM agents WHERE state = 'pending' AND created_at <= ? ORDER BY created_at",
      createdBefore,
    )
    .map((row) => row.id);
}

/** The event by which the agent asked. */
export function findRequestEvent(db: Db, agentId: string): string | undefined {
  return db.get<{ event_id: string }>(
    "SELECT event_id FROM items WHERE subject_kind = 'enrolment' AND subject_id = ? AND status IN ('action', 'waiting')",
    agentId,
  )?.event_id;
}
