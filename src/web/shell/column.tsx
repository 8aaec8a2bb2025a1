// What a wide screen has room for under the places: the projects, the rest of the house, the hub's own line
// (web-app.md 5.1).
import { useEffect } from "preact/hooks";
import type { InboxItemView } from "../../shared/views.ts";
import { homeSpec } from "../data/home.ts";
import { projectListSpec } from "../data/projects.ts";
import { resource, useLater, useResource } from "../data/resource.ts";
import { isOpen } from "../items/deadline.ts";
import { inboxList } from "../items/inbox-lists.ts";
import { Badge, Dot } from "../parts/badge.tsx";
import { count } from "../text/count.ts";
import { placeText } from "../text/en-places.ts";
import { shellText } from "../text/en-shell.ts";
import { type ColumnProject, columnProjects } from "./column-projects.ts";
import { ConnectionLine } from "./connection.tsx";
import { HouseLinks } from "./house.tsx";
import { hubName } from "./lamp.ts";
import { routeText } from "./route.ts";
import { route } from "./router.ts";

export function Column({ current }: { current: string }) {
  return (
    <>
      <ProjectPlaces />
      <HubPlaces current={current} />
    </>
  );
}

function ProjectPlaces() {
  const projects = useLater(resource(projectListSpec)).value.value?.projects;
  const waiting = useWaitingByProject();
  if (projects === undefined) return null;
  const [area, current] = route.value.segments;
  const { shown, more } = columnProjects(projects, waiting, area === "p" ? current : undefined);
  if (shown.length === 0) return null;
  return (
    <nav class="project-places" aria-label={placeText.projects}>
      <ul>
        {shown.map((one) => (
          <li key={one.project.id}>
            <ProjectPlace {...one} isCurrent={area === "p" && one.project.id === current} />
          </li>
        ))}
        {more === 0 ? null : (
          <li>
            <a class="place faint" href="#/projects">
              {shellText.moreProjects(count(more))}
            </a>
          </li>
        )}
      </ul>
    </nav>
  );
}

function ProjectPlace({ project, waiting, isCurrent }: ColumnProject & { isCurrent: boolean }) {
  const { id, display_name: name, agents_active: atWork, unseen_events: unseen } = project;
  return (
    <a
      class={`place${waiting > 0 || unseen > 0 ? " strong" : ""}`}
      href={`#${routeText(["p", id, "feed"])}`}
      aria-current={isCurrent ? "true" : undefined}
      data-project={id}
    >
      <span class="place-word">
        <bdi>{name}</bdi>
        <span class="unseen-by-eye">
          {waiting === 0 ? null : shellText.alsoWaiting(waiting)}
          {waiting > 0 || unseen === 0 ? null : shellText.alsoNew(unseen)}
          {atWork === 0 ? null : shellText.alsoAtWork(atWork)}
        </span>
      </span>
      {atWork === 0 ? null : <Dot tone="live" />}
      {waiting > 0 ? <Badge amount={waiting} tone="lamp" /> : null}
      {waiting === 0 && unseen > 0 ? <Dot tone="new" /> : null}
    </a>
  );
}

/** From what Home carries while that is all of it, else from the inbox; a part of it would be a number that lies. */
function useWaitingByProject(): ReadonlyMap<string, number> | undefined {
  const home = useResource(homeSpec).value.value;
  const isWhole = home === undefined || home.waiting_items.length >= home.waiting;
  const list = inboxList("waiting", {});
  useEffect(() => (isWhole ? undefined : list.hold()), [isWhole, list]);
  if (home === undefined) return undefined;
  const items = isWhole ? home.waiting_items : list.value.value?.items;
  return items === undefined ? undefined : amounts(items.filter((item) => isOpen(item)));
}

function amounts(items: readonly InboxItemView[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { project_id: id } of items) found.set(id, (found.get(id) ?? 0) + 1);
  return found;
}

function HubPlaces({ current }: { current: string }) {
  return (
    <nav class="places-foot" aria-label={shellText.house}>
      <ul>
        <HouseLinks current={current} look="place" />
      </ul>
      <p class="hub-name theirs" dir="auto">
        {hubName()}
      </p>
      <ConnectionLine />
    </nav>
  );
}
