// Taking up a running session whose brain holds 10,000 entries: the whole call, beside the bare copy of its rows.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { type Figure, inTurns, repetitions } from "./figure.ts";
import { callOnce } from "./requests.ts";

const entries = 10_000;
const writersAtOnce = 64;
/** What the call may take, milliseconds. */
const budgetMs = 150;
const name = "large";

export const forkFigure: Figure = {
  name: "fork",
  async measure({ hub, agents, folder }) {
    const [owner, other] = agents;
    if (owner === undefined || other === undefined) return [];
    const project_id = owner.projectId;
    await callOnce(hub.url, owner.token, { name: "session_start", arguments: { project_id, session_name: name } });
    // The store as the hub keeps it, for what only a reader of rows can say: the session's id and owner.
    const store = join(folder, "data", "hub.db");
    const session = findSession(store);
    let next = 0;
    const writer = async (): Promise<void> => {
      while (next < entries) {
        const index = next;
        next += 1;
        await callOnce(hub.url, owner.token, {
          name: "brain_put",
          arguments: {
            session: { session_id: session },
            store: "session",
            path: `/kv/group-${index % 100}/${index}`,
            content: `value ${index} of what the session knows`,
          },
        });
      }
    };
    await Promise.all(Array.from({ length: writersAtOnce }, writer));

    let forks = 0;
    async function fork(): Promise<number> {
      forks += 1;
      const from = { session_id: session };
      const startedAt = performance.now();
      await callOnce(hub.url, other?.token ?? "", {
        name: "session_start",
        arguments: { project_id, session_name: `fork-${forks}`, from },
      });
      return performance.now() - startedAt;
    }
    using bare = openCopy(store, join(folder, "fork-floor.db"));
    const [ofHub = [], ofFloor = []] = await inTurns([fork, async () => copyRows(bare, session)], repetitions);
    const common = { name: "fork of 10,000 entries", unit: "ms", hub: ofHub, ofServers: null };
    const target = { kind: "at most", must: 1, ambitious: null } as const;
    return [
      { ...common, floor: ofHub.map(() => budgetMs), against: "the target, 150 ms", target },
      { ...common, floor: ofFloor, against: "the same rows copied by bare SQL, FULL", target: null },
    ];
  },
};

function findSession(store: string): string {
  using database = new Database(store, { readonly: true, strict: true });
  const row = database.query<{ id: string }, [string]>("SELECT id FROM sessions WHERE name = ?").get(name);
  if (row === null) throw new Error("the session was not started");
  return row.id;
}

function openCopy(store: string, path: string): Database {
  {
    using database = new Database(store, { readonly: true, strict: true });
    database.run("VACUUM INTO ?", [path]);
  }
  const copy = new Database(path, { readwrite: true, strict: true });
  for (const setting of [
    "journal_mode = WAL",
    "synchronous = FULL",
    "cache_size = -65536",
    "wal_autocheckpoint = 4000",
  ]) {
    copy.run(`PRAGMA ${setting}`);
  }
  return copy;
}

let copies = 0;
function copyRows(database: Database, from: string): number {
  copies += 1;
  const to = `copy-${copies}`;
  const startedAt = performance.now();
  database.run("BEGIN IMMEDIATE");
  database.run(
    `INSERT INTO sessions (id, project_id, agent, name, status, created_at, last_activity)
     SELECT ?1, project_id, agent, ?1, status, created_at, last_activity FROM sessions WHERE id = ?2`,
    [to, from],
  );
  database.run(
    `INSERT INTO brain_entries (session_id, path, blob, size, written_at)
     SELECT ?, path, blob, size, written_at FROM brain_entries WHERE session_id = ?`,
    [to, from],
  );
  database.run("COMMIT");
  return performance.now() - startedAt;
}
