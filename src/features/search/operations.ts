// Search over what was said and kept, confined to what the caller may read (mcp-tools.md 16, 17.33).
import type { Ctx } from "../../kernel/ctx.ts";
import { readOperation, type Who } from "../../kernel/operation.ts";
import { searchHitsDefault } from "../../shared/limits.ts";
import { familyToken, projectToken } from "../corpus/index.ts";
import { can, operatorOnly, requireProject } from "../projects/index.ts";
import { parseQuery } from "./query.ts";
import { type Confinement, rank } from "./rank.ts";
import { Search, SearchQuery } from "./schema.ts";
import { settleIndex } from "./settle.ts";
import {
  findSearchedSession,
  type HitRow,
  listHiddenProjects,
  listHits,
  rangeOfSession,
  rangeUnpruned,
} from "./store.ts";

export type SearchResult = { hits: HitRow[]; isTruncated: boolean; tookMs: number };

const nothing: SearchResult = { hits: [], isTruncated: false, tookMs: 0 };

function run(ctx: Ctx, input: Search): SearchResult {
  const started = performance.now();
  const terms = parseQuery(input.query);
  const confinement = confine(ctx, input);
  if (terms.length === 0 || confinement === undefined) return nothing;
  const limit = input.limit ?? searchHitsDefault;
  const sessionId = input.session_id ?? null;
  const ids = rank(ctx.db, terms, confinement, limit);
  // Every text has a document to show, so one more than the limit tells whether there are more.
  const hits = listHits(ctx.db, ids.slice(0, limit + 1), sessionId, limit + 1);
  return {
    hits: hits.slice(0, limit),
    isTruncated: hits.length > limit,
    tookMs: Math.round((performance.now() - started) * 100) / 100,
  };
}

// Undefined when nothing can be found there, or by this caller.
function confine(ctx: Ctx, input: Search): Confinement | undefined {
  const projectId = input.scope === "global" ? undefined : input.project_id;
  const families = input.type === undefined ? [] : [familyToken(input.type)];
  if (input.session_id !== undefined) {
    const session = findSearchedSession(ctx.db, input.session_id);
    if (session === undefined || !can(ctx, "read", session.projectId)) return undefined;
    if (projectId !== undefined && projectId !== session.projectId) return undefined;
    const all = [...families, familyToken("brain"), projectToken(session.projectId)];
    return { all, none: [], range: rangeOfSession(ctx.db, session) };
  }
  const range = rangeUnpruned(ctx.db);
  if (projectId !== undefined) return { all: [...families, projectToken(projectId)], none: [], range };
  const hidden = ctx.principal.kind === "operator" ? [] : listHiddenProjects(ctx.db, ctx.principal.actor);
  return { all: families, none: hidden.map(projectToken), range };
}

function readsScope(who: Who, input: Search): void {
  if (input.project_id !== undefined && input.scope !== "global") requireProject(who, "read", input.project_id);
}

// A store that takes no writes is searched as far as its index goes.
async function before(ctx: Ctx): Promise<void> {
  try {
    await settleIndex(ctx);
  } catch (error) {
    ctx.log.warn("a search did not find the newest writes", { cause: String(error) });
  }
}

export const search = readOperation({ name: "search", input: Search, access: readsScope, before, run });

export const searchAsOperator = readOperation({
  name: "searchAsOperator",
  input: SearchQuery,
  access: (who, input) => {
    operatorOnly(who, input);
    readsScope(who, input);
  },
  before,
  run,
});
