// Which projects stand in the column beside a wide screen, and what each says: ordinary ones, by name, at most a dozen.
import type { ProjectView } from "../../shared/views.ts";

const most = 12;

export type ColumnProject = { project: ProjectView; waiting: number };

/** @param waiting amounts by project id; undefined while they are not known in full */
export function columnProjects(
  projects: readonly ProjectView[],
  waiting: ReadonlyMap<string, number> | undefined,
  current: string | undefined,
): { shown: ColumnProject[]; more: number } {
  const ordinary = projects
    .filter((project) => !project.is_personal)
    .map((project) => ({ project, waiting: waiting?.get(project.id) ?? 0 }));
  const rank = (one: ColumnProject): number[] => [
    Number(one.project.id === current),
    one.waiting,
    Number(one.project.unseen_events > 0),
    one.project.agents_active,
    Date.parse(one.project.created_at),
  ];
  // Those that have something to say are among the dozen; their places are by name, so that none moves by itself.
  const chosen = ordinary.toSorted((one, other) => firstDifference(rank(other), rank(one))).slice(0, most);
  return {
    shown: chosen.toSorted((one, other) => one.project.display_name.localeCompare(other.project.display_name)),
    more: ordinary.length - chosen.length,
  };
}

function firstDifference(one: readonly number[], other: readonly number[]): number {
  return one.map((part, place) => part - (other[place] ?? 0)).find((by) => by !== 0) ?? 0;
}
