// Search over the large store, asked over REST one query at a time. A target is for the slowest twentieth of each kind of
// query.
import { Database } from "bun:sqlite";
import { projectToken } from "../../src/features/corpus/index.ts";
import { type Figure, median, type Row, repetitions } from "./figure.ts";
import { largeProject, randomOf, smallProject, startLargeHub, vocabulary, word } from "./million-events.ts";
import { type Taken, timed } from "./timed.ts";

const queriesOfKind = 40;
/** What the slowest twentieth of the queries of a kind may take, milliseconds. */
const budgetMs = 30;

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
  { name: "large project", query: `&project=${largeProject}`, project: largeProject },
  { name: "small project", query: `&project=${smallProject}`, project: smallProject },
];

export const searchFigure: Figure = {
  name: "search",
  async measure(subject) {
    await using hub = await startLargeHub(subject);
    using bare = new Database(hub.storePath, { readonly: true, strict: true });
    bare.run("PRAGMA cache_size = -65536");
    const rows: Row[] = [];
    for (const { name, make } of kinds) {
      for (const scope of scopes) {
        const ask = async (query: string): Promise<void> => {
          const url = `${hub.url}/api/v1/search?q=${encodeURIComponent(query)}${scope.query}`;
          const response = await fetch(url, { headers: { authorization: `Bearer ${hub.adminToken}` } });
          const text = await response.text();
          if (!response.ok) throw new Error(`search of ${query} answered ${response.status}: ${text}`);
        };
        const ofHub: Taken[] = [];
        const ofFloor: Taken[] = [];
        for (let repetition = 0; repetition <= repetitions; repetition += 1) {
          const random = randomOf(repetition + 1);
          const queries = Array.from({ length: Math.ceil(queriesOfKind / repetitions) * 2 }, () => make(random));
          const ofOne = await timed(queries, ask);
          const floor = await timed(queries, async (query) => newest(bare, query, scope.project));
          // The first round fills caches and is thrown away.
          if (repetition > 0) ofHub.push(ofOne);
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
