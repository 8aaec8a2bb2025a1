import { timestamp } from "../../kernel/clock.ts";
import { noInput } from "../../kernel/fields.ts";
import { readOperation } from "../../kernel/operation.ts";
import { type Route, route } from "../../kernel/route.ts";
import { operatorOnly } from "../projects/index.ts";
import type { Backups } from "./backups.ts";
import { listProjectWeights, type ProjectWeight } from "./store.ts";

const readStorage = readOperation({
  name: "readStorage",
  input: noInput,
  access: operatorOnly,
  run: (ctx) => listProjectWeights(ctx.db),
});

function sum(projects: readonly ProjectWeight[], pick: (project: ProjectWeight) => number): number {
  return projects.reduce((total, project) => total + pick(project), 0);
}

function lastWrite(project: ProjectWeight): { last_write?: string } {
  const at = Math.max(project.last_event ?? 0, project.last_activity ?? 0);
  return at === 0 ? {} : { last_write: timestamp(at) };
}

// Nothing of the store's rows changes, and a repeated call is a second backup.
const takeBackup = (backups: Backups): Route =>
  route("takeBackup", {
    operation: readOperation({
      name: "takeBackup",
      input: noInput,
      access: operatorOnly,
      run: (ctx) => backups.take(ctx),
    }),
    present: (taken) => taken,
  });

export const upkeepRoutes = (backups: Backups): readonly Route[] => [
  takeBackup(backups),
  route("getStorage", {
    operation: readStorage,
    present: (projects, ctx) => {
      const usage = ctx.usage();
      const sessionBytes = sum(projects, (project) => project.session_bytes);
      const knowledgeBytes = sum(projects, (project) => project.kb_bytes);
      const artifactBytes = sum(projects, (project) => project.artifact_bytes);
      const eventsBytes = sum(projects, (project) => project.events_bytes);
      // The file was measured up to some seconds ago; what its rows hold by now is in it.
      const storeBytes = Math.max(usage.storeBytes, eventsBytes);
      return {
        total_bytes: sessionBytes + artifactBytes + knowledgeBytes,
        used_bytes: usage.usedBytes,
        capacity_bytes: usage.capacityBytes,
        free_bytes: usage.freeBytes,
        data_path: ctx.dataDir.path,
        node: { host: ctx.config.nodeName, mode: "local" },
        by_kind: {
          events: storeBytes,
          sessions: sessionBytes,
          artifacts: artifactBytes,
          knowledge: knowledgeBytes,
        },
        events_shared_bytes: storeBytes - eventsBytes,
        prunable: {
          sessions: sum(projects, (project) => project.prunable_sessions),
          bytes: sum(projects, (project) => project.prunable_bytes),
        },
        projects: projects.map((project) => ({
          project_id: project.project_id,
          project_display_name: project.display_name,
          events_bytes: project.events_bytes,
          artifact_bytes: project.artifact_bytes,
          session_bytes: project.session_bytes,
          kb_bytes: project.kb_bytes,
          prunable_sessions: project.prunable_sessions,
          prunable_bytes: project.prunable_bytes,
          ...lastWrite(project),
        })),
      };
    },
  }),
];
