// What a project holds: its sessions and its artifacts.
import type { ArtifactView } from "../../shared/artifacts.ts";
import type { ListedSessionView } from "../../shared/views.ts";
import { call } from "./call.ts";
import type { ResourceSpec } from "./resource.ts";

export function projectSessionsSpec(id: string): ResourceSpec<{ sessions: ListedSessionView[] }> {
  return {
    key: `sessions of ${id}`,
    concerns: (topic) => topic === `sessions:${id}`,
    load: (signal) => call("listSessions", { query: { project: id }, signal }),
  };
}

export function artifactsSpec(id: string): ResourceSpec<{ artifacts: ArtifactView[] }> {
  return {
    key: `artifacts of ${id}`,
    concerns: (topic) => topic === `artifacts:${id}`,
    load: (signal) => call("listArtifacts", { params: { id }, signal }),
  };
}
