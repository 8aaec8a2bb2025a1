// Ranking (mcp-tools.md 17.33), over all matches while there are at most 5,000 and over the newest 5,000 beyond: whole
// words above prefixes, titles above bodies, words that stand together above words that do not, then the newest. Each
// question is confined to what the caller may read and none uses a statistic of the whole index, so an order never
// tells of a document the caller may not see (a measure like bm25 would). A question is a pass over its words' lists,
// up to all of them where little matches, so none is asked whose answer follows from the others.
import type { Db } from "../../storage/database.ts";
import { expression, nearExpression, type Term } from "./query.ts";
import { countMatches, listMatches, type Range } from "./store.ts";

const ranked = 5000;

/** What a search is confined to: scope tokens as the index reads them, and which texts. */
export type Confinement = { all: readonly string[]; none: readonly string[]; range: Range };

type Columns = "title body" | "title";
/** Ids of the texts that hold all terms, in a form and a place. */
type Ask = (columns: Columns, form: { isWhole: boolean; isNear: boolean }, limit: number, range: Range) => number[];

/** Ids of matching texts, best first: all of them, or more than `wanted`. */
export function rank(db: Db, terms: readonly Term[], confinement: Confinement, wanted: number): number[] {
  const match = (columns: Columns, { isWhole, isNear }: { isWhole: boolean; isNear: boolean }): string =>
    confined((isNear ? nearExpression : expression)(terms, columns, isWhole), confinement);
  const ask: Ask = (columns, form, limit, range) => newest(db, match(columns, form), range, limit);
  const forms = { hasPrefix: terms.some((term) => term.isPrefix), hasNear: terms.length > 1 };
  const { range } = confinement;
  const all = match("title body", { isWhole: false, isNear: false });
  const some = listMatches(db, all, range, "ASC", wanted + 1);
  if (some.length <= wanted) return orderFew(ask, forms, some.reverse(), range);
  const ids = bestOfMany(ask, forms, wanted, range);
  // Nearly always these are among the newest matches; otherwise the choice is made anew from those.
  const from = Math.min(...ids);
  if (countMatches(db, all, { ...range, from }, ranked + 1) <= ranked) return ids;
  const cut = listMatches(db, all, range, "DESC", ranked).at(-1) ?? from;
  return bestOfMany(ask, forms, wanted, { ...range, from: cut });
}

type Forms = { hasPrefix: boolean; hasNear: boolean };

/** The best tiers that hold more than `wanted` together; each is asked for as many more as it may hold of those before. */
function bestOfMany(ask: Ask, { hasPrefix, hasNear }: Forms, wanted: number, range: Range): number[] {
  const ids = new Set<number>();
  for (const isWhole of hasPrefix ? [true, false] : [false]) {
    if (isWhole && ask("title body", { isWhole, isNear: false }, 1, range).length === 0) continue;
    for (const columns of ["title", "title body"] as const) {
      for (const isNear of hasNear ? [true, false] : [false]) {
        for (const id of ask(columns, { isWhole, isNear }, wanted + 1 + ids.size, range)) ids.add(id);
        if (ids.size > wanted) return [...ids];
      }
    }
  }
  return [...ids];
}

/** All that match, newest first as they come, in the order of the same tiers. */
function orderFew(ask: Ask, { hasPrefix, hasNear }: Forms, all: readonly number[], range: Range): number[] {
  const [last] = all;
  const first = all.at(-1);
  if (last === undefined || first === undefined || all.length === 1) return [...all];
  const around = { ...range, from: first, to: last };
  const those = (columns: Columns, isWhole: boolean, isNear: boolean): number[] =>
    ask(columns, { isWhole, isNear }, all.length + 1, around);

  function inForm(members: readonly number[], isWhole: boolean): number[] {
    if (members.length < 2) return [...members];
    const titled = those("title", isWhole, false);
    const nearInTitle = hasNear && titled.length > 0 ? those("title", isWhole, true) : [];
    const isAllTitled = members.every((id) => titled.includes(id));
    const near = hasNear && !isAllTitled ? those("title body", isWhole, true) : [];
    const isMember = new Set(members);
    return [...new Set([...nearInTitle, ...titled, ...near, ...members])].filter((id) => isMember.has(id));
  }

  const whole = hasPrefix ? those("title body", true, false) : [];
  const isWhole = new Set(whole);
  const others = all.filter((id) => !isWhole.has(id));
  return [...inForm(whole, true), ...inForm(others, false)];
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
