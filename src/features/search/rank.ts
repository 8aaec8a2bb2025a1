// Ranking (mcp-tools.md 17.33), over all matches while there are at most 5,000 and over the newest 5,000 beyond: whole
// words above prefixes, titles above bodies, words that stand together above words that do not, then the newest. Each
// question is confined to what the caller may read and none uses a statistic of the whole index, so an order never
// tells of a document the caller may not see (a measure like bm25 would).
import type { Db } from "../../storage/database.ts";
import { expression, nearExpression, type Term } from "./query.ts";
import { listMatches, type Range } from "./store.ts";

const ranked = 5000;

/** What a search is confined to: scope tokens as the index reads them, and which texts. */
export type Confinement = { all: readonly string[]; none: readonly string[]; range: Range };

/** Ids of matching texts, best first: all of them, or more than `wanted`. */
export function rank(db: Db, terms: readonly Term[], confinement: Confinement, wanted: number): number[] {
  const all = confined(expression(terms, "title body", false), confinement);
  const recent = listMatches(db, all, confinement.range, "DESC", ranked + 1);
  const range = recent.length > ranked ? { ...confinement.range, from: recent[ranked - 1] ?? 0 } : confinement.range;
  const ids = new Set<number>();
  for (const match of tiers(terms)) {
    // A tier may hold all of those before it, so it is asked for as many more.
    const limit = wanted + 1 + ids.size;
    for (const id of newest(db, confined(match, confinement), range, limit)) ids.add(id);
    if (ids.size > wanted) break;
  }
  return [...ids];
}

// Best first. The last holds every match.
function tiers(terms: readonly Term[]): string[] {
  const hasPrefix = terms.some((term) => term.isPrefix);
  const forms = hasPrefix ? [true, false] : [false];
  return forms.flatMap((isWhole) => [
    ...(terms.length > 1 ? [nearExpression(terms, "title", isWhole)] : []),
    expression(terms, "title", isWhole),
    ...(terms.length > 1 ? [nearExpression(terms, "title body", isWhole)] : []),
    expression(terms, "title body", isWhole),
  ]);
}

function confined(match: string, { all, none }: Confinement): string {
  const bounded = [`(${match})`, ...all.map((token) => `scope : "${token}"`)].join(" AND ");
  return none.length === 0 ? bounded : `(${bounded}) NOT scope : (${none.map((token) => `"${token}"`).join(" OR ")})`;
}

// Newest first. Down the lists costs twice what up costs, so that is gone only where matches are many.
function newest(db: Db, match: string, range: Range, limit: number): number[] {
  const oldest = listMatches(db, match, range, "ASC", limit);
  return oldest.length < limit ? oldest.reverse() : listMatches(db, match, range, "DESC", limit);
}
