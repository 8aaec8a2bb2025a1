// Which knowledge base a call means: that of the project it names, else of the active session's (mcp-tools.md 13.2).
import type { Ctx } from "../../kernel/ctx.ts";
import { invalid } from "../../kernel/input.ts";
import type { Access, Who } from "../../kernel/operation.ts";
import { activeSession } from "../connections/index.ts";
import { requireProject } from "../projects/index.ts";
import { touchActiveSession } from "../sessions/index.ts";

type BaseRef = { project_id?: string | undefined };

export function projectOf(who: Who, input: BaseRef): string {
  const projectId = input.project_id ?? activeSession(who, who.db)?.projectId;
  if (projectId !== undefined) return projectId;
  throw invalid("project_id", undefined, "a project, since no session is active to take it from");
}

/** The same for a call that is let in; a session that was asked for its project is at work. */
export function resolveBase(ctx: Ctx, input: BaseRef): string {
  if (input.project_id === undefined) touchActiveSession(ctx);
  return projectOf(ctx, input);
}

export const readsBase: Access<BaseRef> = (who, input) => requireProject(who, "read", projectOf(who, input));
export const writesBase: Access<BaseRef> = (who, input) => requireProject(who, "write", projectOf(who, input));
