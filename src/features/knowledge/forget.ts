// Dropping the kept bytes of a page for good, the operator's alone (knowledge-base.md 9.7): audit event, removal and mark
// commit together or not at all.

import { defineFact } from "../../kernel/facts.ts";
import { writeOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { purgeDroppedTexts, requestPurge } from "../corpus/index.ts";
import { appendAudit } from "../events/index.ts";
import { operatorOnly } from "../projects/index.ts";
import { readsBase } from "./base.ts";
import { addKeptBytes, deleteKeptBesides, listKeptBesides } from "./log-store.ts";
import { ForgetVersions } from "./rest-schema.ts";
import { findPath, markForgotten } from "./store.ts";

/** Versions of a page are kept no longer; said in the job that drops them. What nothing else names can go at once. */
export const versionsForgotten = defineFact<{ projectId: string; blobs: readonly string[] }>("versions_forgotten");

export const forgetVersions = writeOperation({
  name: "forgetVersions",
  input: ForgetVersions,
  access: (who, input) => {
    operatorOnly(who, input);
    readsBase(who, input);
  },
  run(tx, ctx, { project_id: projectId, path, plan }) {
    const page = findPath(tx.db, projectId, path);
    if (page === undefined) throw new HubError("not_found", `nothing was ever written at '${path}'`);
    const forgotten = listKeptBesides(tx.db, page.id, page.blob);
    const bytes = forgotten.reduce((sum, { size }) => sum + size, 0);
    const result = { path, versions: forgotten.length, bytes };
    if (plan === true) return result;
    deleteKeptBesides(tx.db, page.id, page.blob);
    addKeptBytes(tx.db, projectId, -bytes);
    markForgotten(tx.db, page.id);
    tx.emit(versionsForgotten, { projectId, blobs: forgotten.map(({ blob }) => blob) });
    appendAudit(tx, projectId, {
      action: "kb_history_forgotten",
      store: "project",
      path,
      versions: forgotten.length,
      bytes,
      unreferenced_versions: 0,
      unreferenced_bytes: 0,
    });
    requestPurge(tx.db);
    tx.wake(`kb:${projectId}`, "storage");
    // It catches its own failures; what is left undone, the sweep does.
    tx.afterCommit(() => void purgeDroppedTexts(ctx));
    return result;
  },
});
