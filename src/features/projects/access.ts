// The one decider (architecture.md 14, mcp-tools.md 6): who may read and write which project, and what a caller is told
// when it may not. Missing and denied are one answer to an agent; nobody else decides that.
import type { Principal } from "../../kernel/ctx.ts";
import type { Access, Who } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { findProject, hasGrant } from "./store.ts";

export type Permission = "read" | "write";

/** The one answer an agent gets for a thing that is missing and for one it may not reach. Names nothing. */
function sharedDenial(): HubError {
  return new HubError("forbidden", "not found or not permitted");
}

/** What a caller is told of a thing that is not there: agents the shared denial, the operator its name. */
export function missing(principal: Principal, what: string): HubError {
  return principal.kind === "agent" ? sharedDenial() : new HubError("not_found", `there is no ${what}`);
}

export function can(who: Pick<Who, "db" | "principal">, permission: Permission, projectId: string): boolean {
  const project = findProject(who.db, projectId);
  if (project === undefined) return false;
  if (who.principal.kind === "stranger") return false;
  if (who.principal.kind === "operator") return true;
  const owns = project.ownerAgent === who.principal.actor;
  if (permission === "write" && project.ownerAgent !== null) return owns;
  return !project.isConfidential || owns || hasGrant(who.db, who.principal.actor, projectId);
}

/** @throws HubError the shared denial for an agent, `not_found` for the operator */
export function requireProject(who: Pick<Who, "db" | "principal">, permission: Permission, projectId: string): void {
  if (!can(who, permission, projectId)) throw missing(who.principal, `project ${JSON.stringify(projectId)}`);
}

export const readsProject: Access<{ project_id: string }> = (who, input) =>
  requireProject(who, "read", input.project_id);
export const writesProject: Access<{ project_id: string }> = (who, input) =>
  requireProject(who, "write", input.project_id);

export const anyone: Access<unknown> = () => undefined;

/** Operator only. Over HTTP the token check comes first; this holds for every other way in. */
export const operatorOnly: Access<unknown> = (who) => {
  if (who.principal.kind !== "operator") throw sharedDenial();
};
