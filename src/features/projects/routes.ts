import { timestamp } from "../../kernel/clock.ts";
import { type Route, route } from "../../kernel/route.ts";
import type { ProjectStatsView, ProjectView } from "../../shared/views.ts";
import {
  createProject,
  deleteProject,
  getProject,
  listProjects,
  readProjectStats,
  updateProject,
} from "./operations.ts";
import type { ProjectStats } from "./stats-store.ts";
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

function viewStats(stats: ProjectStats): ProjectStatsView {
  return {
    project_id: stats.projectId,
    events: stats.events,
    artifacts: stats.artifacts,
    sessions: stats.sessions,
    kb_pages: stats.pages,
    agents_active: stats.agentsActive,
    events_by_kind: stats.eventsByKind,
    waiting: stats.waiting,
    live_sessions: stats.liveSessions,
    threads: stats.threads,
    agents_written: stats.writers,
    disk_bytes: stats.diskBytes,
  };
}

const byId = { id: "project_id" };

export const projectRoutes: readonly Route[] = [
  route("listProjects", { operation: listProjects, present: (projects) => ({ projects: projects.map(view) }) }),
  route("createProject", { operation: createProject, present: view }),
  route("getProject", { operation: getProject, rename: byId, present: view }),
  route("getProjectStats", { operation: readProjectStats, rename: byId, present: viewStats }),
  route("updateProject", { operation: updateProject, rename: byId, present: view }),
  route("deleteProject", { operation: deleteProject, rename: byId, present: () => undefined }),
];
