// Settings of one project: its name, who may enter, what it holds, and its end (web-app.md 6.18).
import type { ProjectView } from "../../../shared/views.ts";
import { projectSpec, projectStatsSpec, storageSpec } from "../../data/projects.ts";
import { useResource } from "../../data/resource.ts";
import { Skeleton } from "../../parts/skeleton.tsx";
import { LoadedContent } from "../../shell/load-states.tsx";
import { routeText } from "../../shell/route.ts";
import { PlainScreen } from "../../shell/screen.tsx";
import type { ScreenProps } from "../../shell/screens.ts";
import { bytes, exactBytes } from "../../text/bytes.ts";
import { count } from "../../text/count.ts";
import { projectsText, settingsText } from "../../text/en-projects.ts";
import { fullStamp } from "../../text/time.ts";
import { listedProjects } from "../projects/project-list.ts";
import { AccessPart } from "./access-part.tsx";
import { DeletePart } from "./delete-part.tsx";
import { NamePart } from "./name-part.tsx";

export function ProjectSettings({ params }: ScreenProps) {
  const id = params["project"] ?? "";
  return <SettingsOf key={id} id={id} />;
}

function SettingsOf({ id }: { id: string }) {
  const project = useResource(projectSpec(id));
  const name = project.value.value?.display_name ?? id;
  return (
    <PlainScreen
      title={settingsText.title(name)}
      heading={settingsText.heading}
      state={project.state.value}
      head={
        <p class="settings-of">
          <a class="theirs" dir="auto" href={`#${routeText(["p", id, "feed"])}`}>
            {name}
          </a>
        </p>
      }
    >
      <LoadedContent
        resource={project}
        what={settingsText.what}
        skeleton={<Skeleton shape="prose" amount={4} />}
        parent={{ words: projectsText.title, to: "/projects" }}
      >
        {(value) => <Sections project={value} />}
      </LoadedContent>
    </PlainScreen>
  );
}

function Sections({ project }: { project: ProjectView }) {
  const stats = useResource(projectStatsSpec(project.id)).value.value;
  const storage = useResource(storageSpec).value.value;
  const size = listedProjects([project], storage)[0]?.bytes ?? stats?.disk_bytes;
  return (
    <div class="settings">
      <NamePart project={project} />
      <section class="settings-part">
        <h2>{settingsText.id}</h2>
        <p>
          <span class="data">{project.id}</span> <span class="note faint">{settingsText.fixed}</span>
        </p>
      </section>
      <AccessPart project={project} />
      <section class="settings-part">
        <h2>{settingsText.holds}</h2>
        <dl class="facts num">
          <Fact name={settingsText.amounts.events} amount={stats?.events} />
          <Fact name={settingsText.amounts.artifacts} amount={stats?.artifacts} />
          <Fact name={settingsText.amounts.sessions} amount={stats?.sessions} />
          <Fact name={settingsText.amounts.pages} amount={stats?.kb_pages} />
          <div>
            <dt>{settingsText.amounts.size}</dt>
            <dd title={size === undefined ? undefined : exactBytes(size)}>
              {size === undefined ? settingsText.unknown : bytes(size)}
            </dd>
          </div>
          <div>
            <dt>{settingsText.created}</dt>
            <dd>
              <time dateTime={project.created_at}>{fullStamp(project.created_at)}</time>
            </dd>
          </div>
          {project.owner_agent === null ? null : (
            <div>
              <dt>{settingsText.owner}</dt>
              <dd class="theirs">{project.owner_agent}</dd>
            </div>
          )}
        </dl>
      </section>
      <DeletePart project={project} stats={stats} size={size} />
    </div>
  );
}

function Fact({ name, amount }: { name: string; amount: number | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{amount === undefined ? settingsText.unknown : count(amount)}</dd>
    </div>
  );
}
