// Projects as every screen reads them: the list, one of them, its amounts, and what the store weighs.
import type { ProjectStatsView, ProjectView, StorageView } from "../../shared/views.ts";
import { call } from "./call.ts";
import type { ResourceSpec } from "./resource.ts";

/** Beside every wide screen, so its requests leave the second of a change to what is read there. */
const listGatherMs = 1500;

export const projectListSpec: ResourceSpec<{ projects: ProjectView[] }> = {
  key: "projects",
  concerns: (topic) => topic === "projects" || topic.startsWith("feed:"),
  isKept: true,
  gatherMs: listGatherMs,
  load: (signal) => call("listProjects", { signal }),
};

export const storageSpec: ResourceSpec<StorageView> = {
  key: "storage",
  concerns: (topic) => topic === "storage" || topic === "projects",
  load: (signal) => call("getStorage", { signal }),
};

export function projectSpec(id: string): ResourceSpec<ProjectView> {
  return {
    key: `project ${id}`,
    concerns: (topic) => topic === "projects",
    load: (signal) => call("getProject", { params: { id }, signal }),
  };
}

export function projectStatsSpec(id: string): ResourceSpec<ProjectStatsView> {
  const topics = new Set(["feed", "artifacts", "sessions", "kb"].map((name) => `${name}:${id}`));
  return {
    key: `project stats ${id}`,
    concerns: (topic) => topics.has(topic),
    load: (signal) => call("getProjectStats", { params: { id }, signal }),
  };
}
