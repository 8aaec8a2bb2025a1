// The operator's review of a page (knowledge-base.md 9.3): one entry under `verified`, and no other byte.
import { timestamp } from "../../kernel/clock.ts";
import type { Ctx } from "../../kernel/ctx.ts";
import { preparedWriteOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { operatorActor } from "../../shared/ids.ts";
import { operatorOnly } from "../projects/index.ts";
import { writesBase } from "./base.ts";
import { noPageAt } from "./operations.ts";
import { type Change, patchFrontmatter } from "./page/frontmatter-patch.ts";
import { decodePage, versionOf } from "./page-bytes.ts";
import { ReviewPage } from "./rest-schema.ts";
import { signalWrite } from "./signals.ts";
import { findPage } from "./store.ts";
import { preparePage, writePage } from "./write-page.ts";

export const reviewPage = preparedWriteOperation({
  name: "reviewPage",
  input: ReviewPage,
  access: (who, input) => {
    operatorOnly(who, input);
    writesBase(who, input);
  },
  async prepare(ctx, { project_id: projectId, path, if_version }) {
    const page = findPage(ctx.db, projectId, path);
    if (page === undefined) throw noPageAt(path);
    const text = decodePage(path, ctx.blobs.read(ctx.db, page.blob));
    const entry = { by: operatorActor, at: timestamp(ctx.now()) };
    const patched = patchPage(text, [{ key: "verified", append: entry }]);
    // Without a guard of the caller's, an edit between this reading and the write is a conflict all the same.
    const guard = if_version ?? versionOf(page.blob);
    const prepared = await preparePage(ctx, { projectId, path, guard }, patched);
    return { prepared, guard, [Symbol.dispose]: () => prepared[Symbol.dispose]() };
  },
  run(tx, ctx, { project_id: projectId, path }, { prepared, guard }) {
    const written = writePage(tx, ctx, {
      projectId,
      path,
      guard,
      op: "kb.review",
      summary: "reviewed",
      page: prepared,
    });
    const payload = { action: "kb_reviewed", path, version: written.version, verified_by: operatorActor };
    signalWrite(tx, reviewer(ctx), projectId, `Reviewed knowledge base page ${path}`, payload);
    return written;
  },
});

// A review is the operator's own act, never part of a session.
function reviewer(ctx: Ctx): Ctx {
  return { ...ctx, connection: null };
}

/** @throws HubError `invalid_argument` when the frontmatter cannot be changed safely; names the key or line */
export function patchPage(page: string, changes: readonly Change[]): string {
  const result = patchFrontmatter(page, changes);
  if ("page" in result) return result.page;
  const { code, at } = result.refused;
  throw new HubError(
    "invalid_argument",
    `the frontmatter cannot be changed safely at ${at} (${code.replaceAll("_", " ")}); rewrite that part with a put first`,
    { field: "frontmatter", expected: "a block of plain keys and values" },
  );
}
