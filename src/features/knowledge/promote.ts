// Copying an entry of a session's brain into a page that cites the session (knowledge-base.md 9.4). The entry stays.
import type { Ctx, Tx } from "../../kernel/ctx.ts";
import { preparedWriteOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { operatorOnly } from "../projects/index.ts";
import {
  activeSessionRecord,
  dropLostSession,
  findBrainEntry,
  requireActiveSession,
  type SessionRecord,
  sessionById,
} from "../sessions/index.ts";
import { projectOf, writesBase } from "./base.ts";
import type { Change } from "./page/frontmatter-patch.ts";
import { decodePage } from "./page-bytes.ts";
import { PromoteEntry } from "./rest-schema.ts";
import { patchPage } from "./review.ts";
import { type PromotedFields, PromoteOwnEntry } from "./schema.ts";
import { signalWrite } from "./signals.ts";
import { type PreparedPage, preparePage, type WrittenPage, writePage } from "./write-page.ts";

type Promotion = PromotedFields & { from_path: string; to_path: string; if_version?: string | undefined };

type PreparedPromotion = Disposable & { page: PreparedPage; session: SessionRecord };

async function prepare(
  ctx: Ctx,
  session: SessionRecord,
  projectId: string,
  input: Promotion,
): Promise<PreparedPromotion> {
  const { from_path: fromPath, to_path: path, if_version: guard } = input;
  const entry = findBrainEntry(ctx.db, session.id, fromPath);
  if (entry === undefined) throw new HubError("not_found", `the session's brain holds no value at '${fromPath}'`);
  const text = patchPage(decodePage(fromPath, ctx.blobs.read(ctx.db, entry.blob)), changesOf(session, input));
  const page = await preparePage(ctx, { projectId, path, guard }, text);
  return { page, session, [Symbol.dispose]: () => page[Symbol.dispose]() };
}

function changesOf(session: SessionRecord, input: Promotion): Change[] {
  const changes: Change[] = [];
  for (const key of ["type", "title", "description", "tags"] as const) {
    const value = input[key];
    if (value !== undefined) changes.push({ key, set: value });
  }
  const name = session.name.replaceAll(/\p{Cc}/gu, " ");
  const record = {
    title: `${name} brain ${input.from_path}`,
    resource: `agenthub://session/${session.id}/brain${input.from_path}`,
  };
  return [...changes, { key: "sources", append: record }];
}

function promote(
  tx: Tx,
  ctx: Ctx,
  projectId: string,
  input: Promotion,
  { page, session }: PreparedPromotion,
): WrittenPage {
  const { from_path: fromPath, to_path: path, if_version: guard } = input;
  const summary = "promoted from a session brain";
  const written = writePage(tx, ctx, { projectId, path, guard, op: "kb.promote", summary, page });
  const payload = { action: "kb_promoted", path, version: written.version, from_session_id: session.id };
  const paths = { from_path: fromPath, to_path: path };
  signalWrite(tx, ctx, projectId, `Promoted ${fromPath} to ${path}`, { ...payload, ...paths });
  return written;
}

/** From the caller's active session. */
export const promoteOwnEntry = preparedWriteOperation({
  name: "promoteOwnEntry",
  input: PromoteOwnEntry,
  access: (who, input) => {
    requireActiveSession(who, "read");
    writesBase(who, input);
  },
  before: (ctx) => dropLostSession(ctx, "read"),
  prepare: (ctx, input) => prepare(ctx, activeSessionRecord(ctx), projectOf(ctx, input), input),
  run: (tx, ctx, input, prepared) => promote(tx, ctx, projectOf({ ...ctx, db: tx.db }, input), input, prepared),
});

/** From any session that is not pruned. */
export const promoteEntry = preparedWriteOperation({
  name: "promoteEntry",
  input: PromoteEntry,
  access: (who, input) => {
    operatorOnly(who, input);
    writesBase(who, input);
    sessionById(who, input.from_session_id, "read");
  },
  prepare: (ctx, input) => prepare(ctx, sessionById(ctx, input.from_session_id, "read"), input.project_id, input),
  run: (tx, ctx, input, prepared) => promote(tx, ctx, input.project_id, input, prepared),
});
