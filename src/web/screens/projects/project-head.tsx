// The head of every screen of one project: whether it is closed, who is at work, its sections, its settings.
import type { ProjectView } from "../../../shared/views.ts";
import { projectStatsSpec } from "../../data/projects.ts";
import { useResource } from "../../data/resource.ts";
import { Glyph } from "../../glyphs/glyph.tsx";
import { Dot } from "../../parts/badge.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useReach } from "../../shell/reach.tsx";
import { routeText } from "../../shell/route.ts";
import { projectsText } from "../../text/en-projects.ts";
import { projectIdFrom } from "../../text/project-id.ts";

type Section = keyof typeof projectsText.tabs;

const places = { feed: "feed", artifacts: "artifacts", sessions: "sessions", knowledge: "kb" } as const;

export function ProjectHead({ project, current }: { project: ProjectView; current: Section }) {
  const stats = useResource(projectStatsSpec(project.id)).value.value;
  const canReach = useReach();
  const amounts = {
    feed: stats?.events,
    artifacts: stats?.artifacts,
    sessions: stats?.sessions,
    knowledge: stats?.kb_pages,
  };
  const tabs = (["feed", "artifacts", "sessions", "knowledge"] as const)
    .map((section) => ({ section, to: routeText(["p", project.id, places[section]]) }))
    .filter(({ to }) => canReach(to))
    .map(({ section, to }) => ({
      href: `#${to}`,
      words: projectsText.tabs[section],
      amount: amounts[section],
      isCurrent: section === current,
    }));
  return (
    <div class="project-head">
      <p class="project-facts note">
        <ProjectFacts project={project} />
      </p>
      <a
        class="button icon"
        href={`#${routeText(["p", project.id, "settings"])}`}
        aria-label={projectsText.settings}
        title={projectsText.settings}
      >
        <Glyph name="system" />
      </a>
      {tabs.length < 2 ? null : <Tabs label={projectsText.sections} tabs={tabs} />}
    </div>
  );
}

/** An id that follows from the name tells nothing that the name does not. */
function isTellingId({ id, display_name: name }: ProjectView): boolean {
  return id !== name && id !== projectIdFrom(name);
}

/** The id where the name is another, the lock with its word, how many are at work. */
export function ProjectFacts({ project }: { project: ProjectView }) {
  return (
    <>
      {isTellingId(project) ? <span class="data">{project.id}</span> : null}
      {project.confidential ? (
        <span class="with-glyph">
          <Glyph name="lock" size={14} />
          {projectsText.confidential}
        </span>
      ) : null}
      {project.agents_active === 0 ? null : (
        <span class="with-glyph">
          <Dot tone="live" />
          {projectsText.atWork(project.agents_active)}
        </span>
      )}
    </>
  );
}
