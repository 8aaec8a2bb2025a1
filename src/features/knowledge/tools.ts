import { timestamp } from "../../kernel/clock.ts";
import { choosingTool, type Tool, tool, variant } from "../../kernel/tool.ts";
import { deleteBrain, getBrain, listBrain, putBrain } from "../sessions/index.ts";
import { listPageVersions, revertPage } from "./history.ts";
import { deletePage, getPage, listPages, putPage } from "./operations.ts";
import { promoteOwnEntry } from "./promote.ts";
import { viewVersions, viewWritten } from "./views.ts";

// A write names its store, since one that lands in the wrong store is silent; a read that looks in the wrong one is told.
const readStore = {
  argument: "store",
  fallback: "session",
};
const writeStore = { argument: "store" };

export const brainTools: readonly Tool[] = [
  choosingTool({
    name: "brain_get",
    description:
      "Read /fs/<path> or /kv/<key> of a session's brain (the default store), or /fs/<path> of the project's knowledge base.",
    core: true,
    hints: { readOnlyHint: true },
    choice: readStore,
    variants: {
      session: variant(getBrain, (value) => ({
        path: value.path,
        store: "session",
        content: value.content,
        version: value.version,
        size_bytes: value.sizeBytes,
      })),
      project: variant(getPage, ({ path, content, version, sizeBytes, ofVersion }) => ({
        path,
        store: "project",
        content,
        version,
        size_bytes: sizeBytes,
        ...(ofVersion === null
          ? {}
          : { current: ofVersion.isCurrent, at: timestamp(ofVersion.at), actor: ofVersion.actor }),
      })),
    },
  }),
  choosingTool({
    name: "brain_put",
    description:
      "Write /fs/<path> or /kv/<key> of your session's brain, or a markdown page /fs/<path> that the whole project shares.",
    core: true,
    choice: writeStore,
    variants: {
      session: variant(putBrain, (written) => ({
        ok: true,
        path: written.path,
        store: "session",
        version: written.version,
        size_bytes: written.sizeBytes,
        lint: [],
        warnings: written.warnings,
      })),
      project: variant(putPage, (written) => ({ ...viewWritten(written), store: "project" })),
    },
  }),
  choosingTool({
    name: "brain_list",
    description: "List one level of a store: /fs/<directory> or /kv/<prefix>.",
    core: true,
    hints: { readOnlyHint: true },
    choice: readStore,
    variants: {
      session: variant(listBrain, (entries) => ({
        store: "session",
        entries: entries.map(({ path, type, size }) => ({ path, type, size_bytes: size })),
      })),
      project: variant(listPages, (entries) => ({
        store: "project",
        entries: entries.map(({ path, size, children }) => ({
          path,
          type: children === null ? "file" : "dir",
          size_bytes: size,
        })),
      })),
    },
  }),
  choosingTool({
    name: "brain_delete",
    description: "Remove a value of your session's brain, or a page; brain_revert brings a page back.",
    hints: { destructiveHint: true },
    choice: writeStore,
    variants: {
      session: variant(deleteBrain, ({ path }) => ({ ok: true, path, store: "session" })),
      project: variant(deletePage, ({ path }) => ({ ok: true, path, store: "project" })),
    },
  }),
  tool({
    name: "brain_promote",
    description:
      "Copy an entry of your active session's brain into a knowledge base page that cites the session. The entry stays.",
    operation: promoteOwnEntry,
    present: ({ path, version, lint }) => ({ ok: true, path, store: "project", version, lint }),
  }),
  tool({
    name: "brain_history",
    description: "List one page's versions, newest first, deleted pages included. brain_get with version reads one.",
    operation: listPageVersions,
    hints: { readOnlyHint: true },
    present: viewVersions,
  }),
  tool({
    name: "brain_revert",
    description: "Write an earlier version of a page back as a new write; restores a deleted page the same way.",
    operation: revertPage,
    present: (reverted) => ({ ...viewWritten(reverted), store: "project", changed: reverted.isChanged }),
  }),
];
