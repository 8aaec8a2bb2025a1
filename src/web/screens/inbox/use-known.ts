// Projects and agents that were seen in the inbox, for its filters: those of the hidden rows too, so that choosing one
// does not take the others off the list.
import { useRef } from "preact/hooks";
import { nameOfActor } from "../../items/agents.ts";
import { projectName } from "../../text/names.ts";
import type { Known } from "./filter-bar.tsx";
import type { View } from "./inbox-filter.ts";
import type { Group } from "./use-group.ts";

export type KnownNames = { projects: readonly Known[]; agents: readonly Known[] };

export function useKnown(groups: readonly Group[], view: View): KnownNames {
  const projects = useRef(new Map<string, string>()).current;
  const agents = useRef(new Set<string>()).current;
  for (const group of groups) {
    for (const item of group.resource.value.value?.items ?? []) {
      projects.set(item.project_id, projectName(item));
      agents.add(item.actor);
    }
  }
  if (view.project !== undefined && !projects.has(view.project)) projects.set(view.project, view.project);
  if (view.agent !== undefined) agents.add(view.agent);
  const byName = (one: Known, other: Known): number => one.name.localeCompare(other.name);
  return {
    projects: [...projects].map(([id, name]) => ({ id, name })).toSorted(byName),
    agents: [...agents].map((id) => ({ id, name: nameOfActor(id) })).toSorted(byName),
  };
}
