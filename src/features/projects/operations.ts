// Projects: who sees them, who makes them, how they close and go (rest-api.md 4).
import { z } from "zod";
import type { Ctx, Tx } from "../../kernel/ctx.ts";
import { defineFact } from "../../kernel/facts.ts";
import { readOperation, writeOperation } from "../../kernel/operation.ts";
import { HubError } from "../../shared/errors.ts";
import { appendAudit, appendEvent, hasRoom } from "../events/index.ts";
import { anyone, missing, operatorOnly, readsProject, requireProject } from "./access.ts";
import { CreateProject, ProjectRef, UpdateProject } from "./schema.ts";
import { countProject } from "./stats-store.ts";
import {
  deleteProjectRow,
  findListedProject,
  findProject,
  insertProject,
  type ListedProject,
  listProjectRows,
  updateProjectRow,
  upsertGrant,
  visibleProjects,
} from "./store.ts";

/** A project is about to go with all its rows; said before they are removed. */
export const projectDeleted = defineFact<{ projectId: string }>("project_deleted");

function activeSince(ctx: Pick<Ctx, "config">, now: number): number {
  return now - ctx.config.activeWindowSecs * 1000;
}

export const listProjects = readOperation({
  name: "listProjects",
  input: z.object({}),
  access: anyone,
  run: (ctx) => listProjectRows(ctx.db, visibleProjects(ctx.principal), activeSince(ctx, ctx.now())),
});

export const getProject = readOperation({
  name: "getProject",
  input: ProjectRef,
  access: readsProject,
  run: (ctx, input) => listed(ctx, input.project_id, ctx.now()),
});

export const readProjectStats = readOperation({
  name: "readProjectStats",
  input: ProjectRef,
  access: readsProject,
  run: (ctx, input) =>
    countProject(ctx.db, input.project_id, { now: ctx.now(), activeSince: activeSince(ctx, ctx.now()) }),
});

export const createProject = writeOperation({
  name: "createProject",
  input: CreateProject,
  access: anyone,
  run(tx, ctx, input) {
    if (findProject(tx.db, input.id) !== undefined) {
      throw new HubError("conflict", `project ${JSON.stringify(input.id)} exists already; choose another id`);
    }
    const isConfidential = input.confidential ?? false;
    insertProject(tx.db, {
      id: input.id,
      displayName: input.display_name,
      ownerAgent: null,
      isConfidential,
      createdAt: tx.now,
    });
    if (isConfidential && ctx.principal.kind === "agent") grantOwn(tx, ctx.principal.actor, input.id);
    tx.wake("projects");
    return listed({ ...ctx, db: tx.db }, input.id, tx.now);
  },
});

export const updateProject = writeOperation({
  name: "updateProject",
  input: UpdateProject,
  access(who, input) {
    if (who.principal.kind === "agent") requireTightening(input);
    requireProject(who, "write", input.project_id);
  },
  run(tx, ctx, input) {
    const project = findProject(tx.db, input.project_id);
    if (project === undefined) throw missing(ctx.principal, `project ${JSON.stringify(input.project_id)}`);
    const isConfidential = input.confidential ?? project.isConfidential;
    const displayName = input.display_name ?? project.displayName;
    if (isConfidential !== project.isConfidential || displayName !== project.displayName) {
      updateProjectRow(tx.db, project.id, displayName, isConfidential);
      tx.wake("projects");
      // What it holds is news to everybody who could not read it; their waits look again.
      if (project.isConfidential && !isConfidential) tx.wake("access");
      if (ctx.principal.kind === "agent") announceTightening(tx, ctx, project.id, project.ownerAgent);
    }
    return listed({ ...ctx, db: tx.db }, project.id, tx.now);
  },
});

export const deleteProject = writeOperation({
  name: "deleteProject",
  input: ProjectRef,
  access: operatorOnly,
  run(tx, ctx, input) {
    const project = findProject(tx.db, input.project_id);
    if (project === undefined) throw missing(ctx.principal, `project ${JSON.stringify(input.project_id)}`);
    if (project.ownerAgent !== null) {
      throw new HubError(
        "conflict",
        `${project.id} is the personal space of ${project.ownerAgent}; it stays with its agent`,
      );
    }
    removeProject(tx, project.id);
    // Its items, feed and sessions went along, and what they weighed.
    tx.wake("projects", "inbox", "storage", `feed:${project.id}`, `sessions:${project.id}`, `project:${project.id}`);
    tx.afterCommit(() => ctx.log.info("project deleted", { project: project.id }));
  },
});

// What an agent may ask for at all, whatever the project: a fault of the request, so it comes before access.
function requireTightening(input: UpdateProject): void {
  if (input.display_name === undefined && input.confidential === true) return;
  throw new HubError("invalid_argument", "an agent may only make a project confidential; send confidential: true", {
    field: "confidential",
    expected: "true, and nothing else",
  });
}

/** Removes a project with everything in it, inside a write job. */
export function removeProject(tx: Tx, projectId: string): void {
  tx.emit(projectDeleted, { projectId });
  deleteProjectRow(tx.db, projectId);
}

/** Gives an agent access to a project, with its audit record. */
export function setGrant(tx: Tx, grant: { agentId: string; projectId: string }): void {
  upsertGrant(tx.db, { ...grant, createdAt: tx.now });
  appendAudit(tx, grant.projectId, { action: "grant_set", agent_id: grant.agentId, project_id: grant.projectId });
}

function listed(ctx: Pick<Ctx, "db" | "config" | "principal">, id: string, now: number): ListedProject {
  const project = findListedProject(ctx.db, id, activeSince(ctx, now));
  if (project === undefined) throw missing(ctx.principal, `project ${JSON.stringify(id)}`);
  return project;
}

// The agent that closes a project to others keeps its own access (rest-api.md 4).
function grantOwn(tx: Tx, agentId: string, projectId: string): void {
  upsertGrant(tx.db, { agentId, projectId, createdAt: tx.now });
  appendAudit(tx, projectId, { action: "grant_set", agent_id: agentId, project_id: projectId }, agentId);
}

function announceTightening(tx: Tx, ctx: Ctx, projectId: string, ownerAgent: string | null): void {
  const agentId = ctx.principal.actor;
  if (ownerAgent === null) grantOwn(tx, agentId, projectId);
  if (!hasRoom(tx, projectId)) {
    tx.afterCommit(() => ctx.log.warn("signal dropped at the event ceiling", { project: projectId }));
    return;
  }
  appendEvent(tx, {
    projectId,
    kind: "signal",
    actor: agentId,
    summary: "Project made confidential",
    payload: { action: "project_confidential", project_id: projectId, confidential: true },
    ceiling: "exempt",
  });
}
