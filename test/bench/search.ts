// Search over 1,000,000 short events of a hub of its own, in one large project and many small ones, asked over REST one
// query at a time. The words follow Zipf's law: the commonest is in most of the events. A target is for the slowest
// twentieth of each kind of query.
import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { projectToken, putDocument } from "../../src/features/corpus/index.ts";
import { encodeTime } from "../../src/shared/ids.ts";
import type { Db } from "../../src/storage/database.ts";
import { type Figure, median, type Row, repetitions } from "./figure.ts";
import { startServer } from "./programs.ts";
import { environmentOf } from "./subject.ts";

const events = 1_000_000;
const eventsAtOnce = 50_000;
const vocabulary = 30_000;
const projects = 50;
/** Share of the events that lie in the large project. */
const shareOfLarge = 0.6;
const queriesOfKind = 40;
/** What the slowest twentieth of the queries of a kind may take, milliseconds. */
const budgetMs = 30;

/** Numbers that look random and are the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The n-th commonest word: syllables, so that prefixes are shared as in a language. */
function word(rank: number): string {
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

type Kind = { name: string; make: (random: () => number) => string };
const between = (random: () => number, low: number, high: number): string =>
  word(low + Math.floor(random() * (high - low)));
const kinds: Kind[] = [
  { name: "a rare word", make: (random) => between(random, 5000, vocabulary) },
  { name: "a middling word", make: (random) => between(random, 100, 1000) },
  { name: "a common word", make: (random) => `"${between(random, 0, 5)}"` },
  { name: "two middling words", make: (random) => `${between(random, 100, 1000)} ${between(random, 100, 1000)}` },
  { name: "common and middling", make: (random) => `${between(random, 0, 5)} ${between(random, 100, 1000)}` },
  { name: "two common words", make: (random) => `${between(random, 0, 5)} ${between(random, 0, 5)}` },
  { name: "a prefix of 1 letter", make: (random) => between(random, 100, 1000).slice(0, 1) },
  { name: "a prefix of 2 letters", make: (random) => between(random, 100, 1000).slice(0, 2) },
  { name: "a prefix of 3 letters", make: (random) => between(random, 100, 1000).slice(0, 3) },
  { name: "a phrase", make: (random) => `"${between(random, 0, 20)} ${between(random, 0, 200)}"` },
  { name: "a phrase of common words", make: (random) => `"${between(random, 0, 5)} ${between(random, 0, 5)}"` },
];
const scopes = [
  { name: "everywhere", query: "", project: null },
  { name: "large project", query: "&project=p0", project: "p0" },
  { name: "small project", query: "&project=p7", project: "p7" },
];

export const searchFigure: Figure = {
  name: "search",
  async measure({ folder: of, binary }) {
    const folder = join(of, "search");
    const dataDir = join(folder, "data");
    await mkdir(dataDir, { recursive: true });
    const serve = () => startServer([binary, "serve"], environmentOf(folder), folder);
    {
      await using server = await serve();
      const token = await adminToken(dataDir);
      for (let index = 0; index < projects; index += 1) {
        await fetch(`http://127.0.0.1:${server.port}/api/v1/projects`, {
          method: "POST",
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          body: JSON.stringify({ id: `p${index}`, display_name: `p${index}` }),
        });
      }
    }
    fill(join(dataDir, "hub.db"));
    await using server = await serve();
    const token = await adminToken(dataDir);
    using bare = new Database(join(dataDir, "hub.db"), { readonly: true, strict: true });
    bare.run("PRAGMA cache_size = -65536");
    const rows: Row[] = [];
    for (const { name, make } of kinds) {
      for (const scope of scopes) {
        const ask = async (query: string): Promise<void> => {
          const url = `http://127.0.0.1:${server.port}/api/v1/search?q=${encodeURIComponent(query)}${scope.query}`;
          const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
          const text = await response.text();
          if (!response.ok) throw new Error(`search of ${query} answered ${response.status}: ${text}`);
        };
        const ofHub: Taken[] = [];
        const ofFloor: Taken[] = [];
        for (let repetition = 0; repetition <= repetitions; repetition += 1) {
          const random = randomOf(repetition + 1);
          const queries = Array.from({ length: Math.ceil(queriesOfKind / repetitions) * 2 }, () => make(random));
          const hub = await timed(queries, ask);
          const floor = await timed(queries, async (query) => newest(bare, query, scope.project));
          // The first round fills caches and is thrown away.
          if (repetition > 0) ofHub.push(hub);
          if (repetition > 0) ofFloor.push(floor);
        }
        const p50 = median(ofHub.map((taken) => taken.p50)).toFixed(1);
        rows.push({
          name: `search: ${name}, ${scope.name}: p95 (p50 ${p50}, bare newest p95 ${median(ofFloor.map((taken) => taken.p95)).toFixed(1)})`,
          unit: "ms",
          hub: ofHub.map((taken) => taken.p95),
          floor: ofHub.map(() => budgetMs),
          against: "the target, 30 ms",
          target: { kind: "at most", must: 1, ambitious: 0.5 },
          ofServers: null,
        });
      }
    }
    return rows;
  },
};

type Taken = { p50: number; p95: number };
async function timed(queries: readonly string[], ask: (query: string) => Promise<unknown>): Promise<Taken> {
  const taken: number[] = [];
  for (const query of queries) {
    const startedAt = performance.now();
    await ask(query);
    taken.push(performance.now() - startedAt);
  }
  taken.sort((a, b) => a - b);
  const at = (share: number): number => taken[Math.floor((taken.length - 1) * share)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95) };
}

// What the index alone takes to find the newest 50: no ranking, no rows.
function newest(database: Database, query: string, project: string | null): unknown {
  const words = query.startsWith('"')
    ? query
    : query
        .split(" ")
        .map((one) => `"${one}"`)
        .join(" AND ");
  const match = `{title body} : (${query.startsWith('"') ? words : `${words}*`})`;
  return database
    .query("SELECT rowid FROM search_texts WHERE search_texts MATCH ? ORDER BY rowid DESC LIMIT 50")
    .all(project === null ? match : `(${match}) AND scope : "${projectToken(project)}"`);
}

async function adminToken(dataDir: string): Promise<string> {
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
