// Beside a feed where there is room for it: who is at work in the project, what was published last, what it weighs and
// what pruning would free (web-app.md 6.7).
import type { ArtifactView } from "../../../shared/artifacts.ts";
import type { ListedSessionView, StorageView } from "../../../shared/views.ts";
import { minuteClock } from "../../data/clock.ts";
import { artifactsSpec, projectSessionsSpec } from "../../data/project-content.ts";
import { storageSpec } from "../../data/projects.ts";
import { useResource } from "../../data/resource.ts";
import { nameOfActor } from "../../items/agents.ts";
import { Avatar } from "../../parts/avatar.tsx";
import { Time } from "../../parts/time.tsx";
import { PlaceLink } from "../../shell/reach.tsx";
import { routeText } from "../../shell/route.ts";
import { bytes } from "../../text/bytes.ts";
import { feedText } from "../../text/en-feed.ts";
import { rowTime } from "../../text/time.ts";
import { PruneProject } from "./prune-project.tsx";

const shown = 5;
/** Without a word for so long, a session is said to be quiet. */
const quietMs = 5 * 60_000;
const { context } = feedText;

export function ProjectContext({ id }: { id: string }) {
  const sessions = useResource(projectSessionsSpec(id)).value.value?.sessions;
  const artifacts = useResource(artifactsSpec(id)).value.value?.artifacts;
  const weights = useResource(storageSpec).value.value?.projects;
  const weight = weights?.find((one) => one.project_id === id);
  return (
    <div class="project-context">
      <AtWork project={id} sessions={sessions?.filter(({ status }) => status === "active") ?? []} />
      <Latest artifacts={artifacts ?? []} />
      {weight === undefined ? null : <Size id={id} weight={weight} />}
    </div>
  );
}

function AtWork({ project, sessions }: { project: string; sessions: readonly ListedSessionView[] }) {
  const nowMs = minuteClock.value;
  if (sessions.length === 0) return null;
  return (
    <section>
      <h2>{context.atWork}</h2>
      <ul class="context-lines">
        {sessions.slice(0, shown).map((session) => {
          const name = nameOfActor(session.agent);
          const isQuiet = nowMs - Date.parse(session.last_activity) >= quietMs;
          return (
            <li key={session.id}>
              <Avatar name={name} state={isQuiet ? "idle" : "live"} />
              <p>
                <a href={`#${routeText(["p", project, "feed"], { session: session.id })}`}>
                  <bdi>{session.session_name}</bdi>
                </a>
                <span class="note faint">
                  <bdi>{name}</bdi>
                  {isQuiet ? ` · ${context.quietFor(rowTime(session.last_activity, nowMs))}` : null}
                </span>
              </p>
              <Time at={session.created_at} nowMs={nowMs} />
            </li>
          );
        })}
      </ul>
      <More amount={sessions.length - shown} />
    </section>
  );
}

function Latest({ artifacts }: { artifacts: readonly ArtifactView[] }) {
  if (artifacts.length === 0) return null;
  return (
    <section>
      <h2>{context.artifacts}</h2>
      <ul class="context-lines">
        {artifacts.slice(0, shown).map((artifact) => (
          <li key={artifact.id}>
            <p>
              <PlaceLink to={routeText(["a", artifact.id])}>{artifact.title}</PlaceLink>
              <span class="note faint num">
                {artifact.actor === null ? null : (
                  <>
                    <bdi>{nameOfActor(artifact.actor)}</bdi>
                    {" · "}
                  </>
                )}
                {context.version(artifact.version)}
              </span>
            </p>
            <Time at={artifact.updated_at} nowMs={minuteClock.value} />
          </li>
        ))}
      </ul>
      <More amount={artifacts.length - shown} />
    </section>
  );
}

function More({ amount }: { amount: number }) {
  return amount <= 0 ? null : <p class="note faint num">{context.more(amount)}</p>;
}

function Size({ id, weight }: { id: string; weight: StorageView["projects"][number] }) {
  const parts = [
    [context.events, weight.events_bytes],
    [context.artifactBytes, weight.artifact_bytes],
    [context.sessions, weight.session_bytes],
    [context.pages, weight.kb_bytes],
  ] as const;
  const sum = parts.reduce((all, [, amount]) => all + amount, 0);
  return (
    <section>
      <h2>{context.size}</h2>
      <dl class="facts num">
        {parts.map(([name, amount]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{bytes(amount)}</dd>
          </div>
        ))}
        <div>
          <dt>{context.together}</dt>
          <dd>{bytes(sum)}</dd>
        </div>
      </dl>
      {weight.prunable_sessions === 0 ? null : (
        <PruneProject id={id} sessions={weight.prunable_sessions} freed={weight.prunable_bytes} />
      )}
    </section>
  );
}
