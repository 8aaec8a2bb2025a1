// A store of 1,000,000 short events, in one large project and many small ones, that figures of large stores share. The
// words follow Zipf's law: the commonest is in most of the events.
import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { putDocument } from "../../src/features/corpus/index.ts";
import { encodeTime } from "../../src/shared/ids.ts";
import type { Db } from "../../src/storage/database.ts";
import { type Server, startServer } from "./programs.ts";
import { environmentOf, type Subject } from "./subject.ts";

const events = 1_000_000;
const eventsAtOnce = 50_000;
export const vocabulary = 30_000;
const projects = 50;
/** Share of the events that lie in the large project. */
const shareOfLarge = 0.6;

/** The large project, and one of the small ones. */
export const largeProject = "p0";
export const smallProject = "p7";

export type LargeHub = AsyncDisposable & { server: Server; url: string; adminToken: string; storePath: string };

/** Starts a hub on the store, which is made once a run. */
export async function startLargeHub({ folder: of, binary }: Subject): Promise<LargeHub> {
  const folder = join(of, "million");
  const dataDir = join(folder, "data");
  const storePath = join(dataDir, "hub.db");
  const serve = () => startServer([binary, "serve"], environmentOf(folder), folder);
  if (!existsSync(dataDir)) {
    await mkdir(dataDir, { recursive: true });
    {
      await using server = await serve();
      const token = await adminTokenIn(dataDir);
      for (let index = 0; index < projects; index += 1) {
        await fetch(`http://127.0.0.1:${server.port}/api/v1/projects`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ id: `p${index}`, display_name: `p${index}` }),
        });
      }
    }
    fill(storePath);
  }
  const server = await serve();
  return {
    server,
    url: `http://127.0.0.1:${server.port}`,
    adminToken: await adminTokenIn(dataDir),
    storePath,
    [Symbol.asyncDispose]: () => server.stop(),
  };
}

/** Numbers that look random and are the same in every run. */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The n-th commonest word: syllables, so that prefixes are shared as in a language. */
export function word(rank: number): string {
  let text = "";
  for (let rest = rank + 37; rest > 0; rest = Math.floor(rest / 80)) {
    text += "bcdfghklmnprstvz".charAt(rest % 16) + "aeiou".charAt(Math.floor(rest / 16) % 5);
  }
  return text;
}

function zipf(random: () => number): () => string {
  const sums: number[] = [];
  let total = 0;
  for (let rank = 1; rank <= vocabulary; rank += 1) {
    total += 1 / rank;
    sums.push(total);
  }
  return () => {
    const point = random() * total;
    let [low, high] = [0, vocabulary - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < point) low = middle + 1;
      else high = middle;
    }
    return word(low);
  };
}

async function adminTokenIn(dataDir: string): Promise<string> {
  return (await Bun.file(join(dataDir, "admin-token")).text()).trim();
}

// Straight into the stopped store, with the hub's own statements for a document and without syncs.
function fill(path: string): void {
  using database = new Database(path, { strict: true });
  for (const setting of ["journal_mode = WAL", "synchronous = OFF", "cache_size = -262144"]) {
    database.run(`PRAGMA ${setting}`);
  }
  const db = statementsOf(database);
  const random = randomOf(42);
  const nextWord = zipf(random);
  // Ids of a past time, in order: below every id the hub will mint.
  const past = encodeTime(Date.now() - 86_400_000);
  for (let from = 0; from < events; from += eventsAtOnce) {
    database.run("BEGIN");
    for (let index = from; index < from + eventsAtOnce; index += 1) {
      const summary = Array.from({ length: 10 + Math.floor(random() * 10) }, nextWord).join(" ");
      const projectId = random() < shareOfLarge ? "p0" : `p${1 + Math.floor(random() * (projects - 1))}`;
      const id = past + String(index).padStart(16, "0");
      db.run(
        "INSERT INTO events (id, project_id, kind, actor, summary, created_at) VALUES (?, ?, 'signal', 'bench', ?, ?)",
        id,
        projectId,
        summary,
        index,
      );
      const event = {
        family: "feed",
        projectId,
        refId: id,
        sessionId: null,
        kind: "signal",
        updatedAt: index,
      } as const;
      putDocument(db, { ...event, title: null, snippet: null, titleText: summary, bodyText: "" });
    }
    database.run("COMMIT");
  }
  // Their search rows are there.
  database.run("INSERT OR REPLACE INTO search_feed_mark (only, event_id) SELECT 1, max(id) FROM events");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

function statementsOf(database: Database): Db {
  const prepared = new Map<string, Statement<unknown, SQLQueryBindings[]>>();
  const statement = (sql: string): Statement<unknown, SQLQueryBindings[]> => {
    const found = prepared.get(sql) ?? database.prepare<unknown, SQLQueryBindings[]>(sql);
    prepared.set(sql, found);
    return found;
  };
  return {
    // The caller names the row, as in the hub.
    get: <Row>(sql: string, ...values: SQLQueryBindings[]) => (statement(sql).get(...values) ?? undefined) as Row,
    all: <Row>(sql: string, ...values: SQLQueryBindings[]) => statement(sql).all(...values) as Row[], // the same
    run: (sql, ...values) => statement(sql).run(...values).changes,
  };
}
