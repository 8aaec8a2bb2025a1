// Every page the caller may read, over all knowledge bases, by project id and then path (mcp-tools.md 18.2). A store that
// is busy or failing fails the walk; what is wrong with one knowledge base alone leaves that one out.
import { z } from "zod";
import type { Ctx } from "../../kernel/ctx.ts";
import { readOperation } from "../../kernel/operation.ts";
import { errorCode, isStoreFault } from "../../storage/store-fault.ts";
import { anyone, visibleProjects } from "../projects/index.ts";
import { pageRoot } from "./page/page-path.ts";
import { listBasesFrom, listPagesAfter, type WalkedBase } from "./walk-store.ts";

const WalkPages = z.object({
  after: z.object({ project_id: z.string(), path: z.string() }).optional(),
  limit: z.int().min(1),
});
type WalkPages = z.infer<typeof WalkPages>;

export type WalkedPage = {
  projectId: string;
  displayName: string;
  path: string;
  sizeBytes: number;
  description: string | null;
};

export const walkPages = readOperation({
  name: "walkPages",
  input: WalkPages,
  access: anyone,
  run(ctx, { after, limit }: WalkPages): { pages: WalkedPage[]; isMore: boolean } {
    const wanted = limit + 1;
    const pages: WalkedPage[] = [];
    for (const base of basesFrom(ctx, after?.project_id ?? "", wanted)) {
      const behind = base.id === after?.project_id ? after.path : "";
      pages.push(...pagesOf(ctx, base, behind, wanted - pages.length));
      if (pages.length === wanted) break;
    }
    return { pages: pages.slice(0, limit), isMore: pages.length > limit };
  },
});

// Each holds a page, but the one the last walk ended in and those left out: seldom more than one query.
function* basesFrom(ctx: Ctx, projectId: string, limit: number): Generator<WalkedBase> {
  const set = visibleProjects(ctx.principal);
  for (let from = projectId, passed: string | undefined; ; passed = from) {
    const bases = listBasesFrom(ctx.db, set, from, limit + 1);
    for (const base of bases) if (base.id !== passed) yield base;
    if (bases.length <= limit) return;
    from = bases.at(-1)?.id ?? from;
  }
}

function pagesOf(ctx: Ctx, base: WalkedBase, behind: string, limit: number): WalkedPage[] {
  try {
    return listPagesAfter(ctx.db, base.id, behind, limit).map(({ path, size, description }) => {
      if (!path.startsWith(`${pageRoot}/`)) throw new Error("a page lies outside its root");
      return { projectId: base.id, displayName: base.display_name, path, sizeBytes: size, description };
    });
  } catch (error) {
    if (isStoreFault(error) && !errorCode(error)?.startsWith("SQLITE_CORRUPT")) throw error;
    ctx.log.warn("a knowledge base is left out of resources/list", { project: base.id, cause: String(error) });
    return [];
  }
}
