// Threads: an event and the answers to it, named by its root's id (mcp-tools.md 8.4).
import { HubError } from "../../shared/errors.ts";
import type { Db } from "../../storage/database.ts";
import { findEvent } from "./store.ts";

/**
 * Checks that `threadId` names a thread root of the project.
 * @throws HubError `not_found` for no event of this project, `invalid_argument` for a reply, naming the thread to use
 */
export function requireThreadRoot(db: Db, projectId: string, threadId: string): void {
  const root = findEvent(db, threadId);
  if (root === undefined || root.projectId !== projectId || root.kind === "system") {
    throw new HubError("not_found", `thread_id ${JSON.stringify(threadId)} is no event of this project`);
  }
  if (root.threadId !== null && root.threadId !== root.id) {
    throw new HubError("invalid_argument", `thread_id names a reply; use its thread ${root.threadId}`, {
      field: "thread_id",
      expected: `the thread's root, ${root.threadId}`,
    });
  }
}
