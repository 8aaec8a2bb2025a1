// Every project and where things happen: rows on a phone, a table with the same facts on a desktop (web-app.md 6.6).
import { useMemo, useRef, useState } from "preact/hooks";
import { projectListSpec, storageSpec } from "../../data/projects.ts";
import { useResource } from "../../data/resource.ts";
import { moveKeys } from "../../items/item-keys.ts";
import { Button } from "../../parts/button.tsx";
import { Empty } from "../../parts/empty.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { SplitChoice } from "../../parts/split-choice.tsx";
import { useMedia } from "../../parts/use-media.ts";
import { useKeys } from "../../shell/keys.ts";
import { LoadedContent } from "../../shell/load-states.tsx";
import { routeText } from "../../shell/route.ts";
import { replace } from "../../shell/router.ts";
import { PlainScreen } from "../../shell/screen.tsx";
import type { ScreenProps } from "../../shell/screens.ts";
import { projectsText } from "../../text/en-projects.ts";
import { moveFocus, rowIdOf } from "../inbox/row-focus.ts";
import { NewProject } from "./new-project.tsx";
import { type ListedProject, listedProjects, matching, type Order, ordered, orders } from "./project-list.ts";
import { ProjectRows, ProjectTable } from "./project-rows.tsx";

/** From so many on there is a field to find one. */
const filterFrom = 9;

export function Projects({ query }: ScreenProps) {
  const projects = useResource(projectListSpec);
  const storage = useResource(storageSpec);
  const list = useRef<HTMLDivElement>(null);
  const [words, setWords] = useState("");
  const [stop, setStop] = useState<string | undefined>(undefined);
  const [isMaking, setMaking] = useState(false);
  const order = orders.find((each) => each === query.get("sort")) ?? "recent";
  const chooseOrder = (to: Order): void => replace(routeText(["projects"], { sort: to === "recent" ? undefined : to }));
  const isWide = useMedia("(min-width: 1024px)");
  const bindings = useMemo(
    () => [
      ...moveKeys((by) => moveFocus(list.current, stop, by)),
      { keys: "n", words: projectsText.keyNew, run: () => setMaking(true) },
      { keys: "/", words: projectsText.filter, run: () => list.current?.querySelector<HTMLElement>("input")?.focus() },
    ],
    [stop],
  );
  useKeys(bindings);
  // Order and size come with the weights; a list that is sorted anew under the eye is worse than one that waits.
  const isWeighed = storage.value.value !== undefined || storage.failure.value !== undefined;
  const draw = (rows: readonly ListedProject[]) => {
    const firstId = rows[0]?.project.id;
    const stopId = rows.some(({ project }) => project.id === stop) ? stop : firstId;
    return isWide ? (
      <ProjectTable rows={rows} stop={stopId} order={order} onOrder={chooseOrder} />
    ) : (
      <ProjectRows rows={rows} stop={stopId} />
    );
  };
  return (
    <PlainScreen
      title={projectsText.title}
      state={projects.state.value}
      head={
        <Button glyph="plus" data-new onClick={() => setMaking(true)}>
          {projectsText.new}
        </Button>
      }
    >
      <LoadedContent resource={projects} what={projectsText.what} skeleton={<Skeleton shape="row" amount={5} />}>
        {(value) => {
          if (!isWeighed) return <Skeleton shape="row" amount={Math.max(1, Math.min(8, value.projects.length))} />;
          const all = listedProjects(value.projects, storage.value.value);
          const ordinary = all.filter(({ project }) => !project.is_personal);
          const personal = ordered(
            all.filter(({ project }) => project.is_personal),
            order,
          );
          const found = ordered(matching(ordinary, words), order);
          return (
            <div
              ref={list}
              class="projects"
              onFocusIn={(event) => {
                const id = rowIdOf(event.target);
                if (id !== undefined) setStop(id);
              }}
            >
              {ordinary.length < 2 ? null : (
                <div class="projects-tools">
                  {ordinary.length < filterFrom ? null : (
                    <input
                      type="search"
                      class="filter-field"
                      aria-label={projectsText.filter}
                      placeholder={projectsText.filter}
                      value={words}
                      onInput={(event) => setWords(event.currentTarget.value)}
                    />
                  )}
                  {isWide ? null : (
                    <SplitChoice
                      label={projectsText.sort}
                      value={order}
                      choices={orders.map((each) => ({ value: each, words: projectsText.sorts[each] }))}
                      onChoose={chooseOrder}
                    />
                  )}
                </div>
              )}
              {ordinary.length === 0 ? (
                <Empty
                  glyph="projects"
                  title={projectsText.empty}
                  sentence={projectsText.emptySentence}
                  action={
                    <Button look="solid" onClick={() => setMaking(true)}>
                      {projectsText.new}
                    </Button>
                  }
                />
              ) : null}
              {ordinary.length > 0 && found.length === 0 ? (
                <p class="nothing faint" role="status">
                  {projectsText.noMatch}
                </p>
              ) : null}
              {found.length === 0 ? null : draw(found)}
              {personal.length === 0 ? null : (
                <details class="personal">
                  <summary>{projectsText.personal(personal.length)}</summary>
                  {draw(personal)}
                </details>
              )}
            </div>
          );
        }}
      </LoadedContent>
      {isMaking ? (
        <NewProject
          taken={new Set(projects.value.value?.projects.map(({ id }) => id))}
          onClose={() => setMaking(false)}
        />
      ) : null}
    </PlainScreen>
  );
}
