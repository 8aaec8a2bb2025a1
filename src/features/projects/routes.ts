import { timestamp } from "../../kernel/clock.ts";
import { type Route, route } from "../../kernel/route.ts";
import type { ProjectView } from "../../shared/api.ts";
import { createProject, deleteProject, getProject, listProjects, updateProject } from "./operations.ts";
import type { ListedProject } from "./store.ts";

function view(project: ListedProject): ProjectView {
  return {
    id: project.id,
    display_name: project.displayName,
    owner_agent: project.ownerAgent,
    is_personal: project.ownerAgent !== null,
    confidential: project.isConfidential,
    created_at: timestamp(project.createdAt),
    unseen_events: project.unseenEvents,
    agents_active: project.agentsActive,
  };
}

const byId = { id: "project_id" };

export const projectRoutes: readonly Route[] = [
  route("listProjects", { operation: listProjects, present: (projects) => ({ projects: projects.map(view) }) }),
  route("createProject", { operation: createProject, present: view }),
  route("getProject", { operation: getProject, rename: byId, present: view }),
  route("updateProject", { operation: updateProject, rename: byId, present: view }),
  route("deleteProject", { operation: deleteProject, rename: byId, present: () => undefined }),
];
