// Projects as the list shows them: in one of three orders, found by their words, own spaces of agents apart.
import type { ProjectView, StorageView } from "../../../shared/views.ts";

export const orders = ["recent", "name", "size"] as const;
export type Order = (typeof orders)[number];

export type ListedProject = {
  project: ProjectView;
  lastWrite: string | undefined;
  /** Undefined while unknown. */
  bytes: number | undefined;
};

export function listedProjects(projects: readonly ProjectView[], storage: StorageView | undefined): ListedProject[] {
  const weights = new Map(storage?.projects.map((weight) => [weight.project_id, weight]));
  return projects.map((project) => {
    const weight = weights.get(project.id);
    const sum = (weight?.events_bytes ?? 0) + (weight?.artifact_bytes ?? 0);
    return {
      project,
      lastWrite: weight?.last_write,
      bytes: weight === undefined ? undefined : sum + weight.session_bytes + weight.kb_bytes,
    };
  });
}

export function ordered(projects: readonly ListedProject[], order: Order): ListedProject[] {
  return projects.toSorted((one, other) => compare(one, other, order) || byName(one, other));
}

export function matching(projects: readonly ListedProject[], words: string): ListedProject[] {
  const wanted = words.trim().toLocaleLowerCase();
  return projects.filter(({ project }) => `${project.display_name} ${project.id}`.toLocaleLowerCase().includes(wanted));
}

function compare(one: ListedProject, other: ListedProject, order: Order): number {
  if (order === "size") return (other.bytes ?? -1) - (one.bytes ?? -1);
  if (order === "recent") return lastOf(other).localeCompare(lastOf(one));
  return 0;
}

function lastOf({ lastWrite, project }: ListedProject): string {
  return lastWrite ?? project.created_at;
}

function byName(one: ListedProject, other: ListedProject): number {
  return one.project.display_name.localeCompare(other.project.display_name);
}
