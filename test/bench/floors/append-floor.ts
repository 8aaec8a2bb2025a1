// Floor of a durable append: a bare Bun.serve that looks the bearer up by its SHA-256, parses the JSON and inserts one
// row of the hub's own table with the hub's own indexes, in group commit with synchronous=FULL. No rules, no protocol.
// With `search` as second argument it also writes the rows the hub's search needs of an event, with the hub's own words.
import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { putDocument } from "../../../src/features/corpus/index.ts";
import type { Db } from "../../../src/storage/database.ts";

type Call = { params: { arguments: { project_id: string; kind: string; summary: string; payload: { body: string } } } };
type Job = { write: () => void; done: () => void };

const [path = "", mode] = process.argv.slice(2);
const database = new Database(path, { readwrite: true, strict: true });
for (const setting of [
  "journal_mode = WAL",
  "synchronous = FULL",
  "cache_size = -65536",
  "wal_autocheckpoint = 4000",
  "journal_size_limit = 67108864",
]) {
  database.run(`PRAGMA ${setting}`);
}
const holder = database.prepare<{ agent_id: string }, [string]>("SELECT agent_id FROM tokens WHERE hash = ?");
const insert = database.prepare<undefined, (string | number)[]>(
  "INSERT INTO events (id, project_id, kind, actor, summary, payload, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
);
const begin = database.prepare("BEGIN IMMEDIATE");
const commit = database.prepare("COMMIT");
let waiting: Job[] = [];
let count = 0;

// As much of the hub's statements as writing a document asks for.
const statements = new Map<string, Statement<unknown, SQLQueryBindings[]>>();
function statement(sql: string): Statement<unknown, SQLQueryBindings[]> {
  const found = statements.get(sql) ?? database.prepare<unknown, SQLQueryBindings[]>(sql);
  statements.set(sql, found);
  return found;
}
const db: Db = {
  // The caller names the row, as in the hub.
  get: <Row>(sql: string, ...values: SQLQueryBindings[]) => (statement(sql).get(...values) ?? undefined) as Row,
  all: <Row>(sql: string, ...values: SQLQueryBindings[]) => statement(sql).all(...values) as Row[], // the same
  run: (sql, ...values) => statement(sql).run(...values).changes,
};

function drain(): void {
  const batch = waiting;
  waiting = [];
  begin.run();
  for (const { write } of batch) write();
  commit.run();
  for (const { done } of batch) done();
}

function inGroup(write: () => void): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(drain);
    waiting.push({ write, done: resolve });
  });
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const token = (request.headers.get("authorization") ?? "").slice("Bearer ".length);
    const agent = holder.get(Bun.SHA256.hash(token, "hex"));
    if (agent === null) return new Response(null, { status: 401 });
    // Only the benchmark asks.
    const { project_id, kind, summary, payload } = ((await request.json()) as Call).params.arguments;
    count += 1;
    // As long as a ULID, and above every one of them.
    const id = `7ZZZZZZZZZ${String(count).padStart(16, "0")}`;
    const now = Date.now();
    await inGroup(() => {
      insert.run(id, project_id, kind, agent.agent_id, summary, JSON.stringify(payload), now);
      if (mode !== "search") return;
      const texts = { titleText: summary, bodyText: `body\n${payload.body}`, title: null, snippet: null };
      putDocument(db, {
        family: "feed",
        projectId: project_id,
        refId: id,
        sessionId: null,
        kind,
        ...texts,
        updatedAt: now,
      });
    });
    return Response.json({ event_id: id });
  },
});
process.stderr.write(`listening on http://127.0.0.1:${server.port}\n`);
