// Where first run stands: from what exists in the hub, so that leaving and coming back resumes at the right step
// (web-app.md 7). The route names the agent, the project and the client.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { type ClientName, clientNames } from "../../../shared/snippets.ts";
import type { AgentView, InboxItemView, ProjectView } from "../../../shared/views.ts";
import { hubSpec } from "../../data/hub.ts";
import { projectListSpec } from "../../data/projects.ts";
import { resource, useResource } from "../../data/resource.ts";
import { agentList } from "../../items/agents.ts";
import { inboxItem } from "../../items/inbox-lists.ts";
import { routeText } from "../../shell/route.ts";
import { replace } from "../../shell/router.ts";
import { forgetToken } from "../agents/fresh-token.ts";
import { type FirstWords, firstWordsSpec, type Progress, progressOf } from "./progress.ts";

const watchMs = 3000;

export type StepName = "project" | "agent" | "address" | "hello" | "done";

export type Start = {
  step: StepName;
  client: ClientName;
  project: ProjectView | undefined;
  agent: AgentView | undefined;
  agents: readonly AgentView[];
  projects: readonly ProjectView[];
  isFirst: boolean;
  /** False for a visit that has nothing to resume. */
  isWanted: boolean;
  /** Whether the route names its agent, who then stays the one it is about. */
  isNamed: boolean;
  goTo(place: { client?: ClientName; agent?: string; project?: string }): void;
};

/** The agent whose token is still on its way; its step lasts until that is there. */
export const beingMade = signal<string | undefined>(undefined);

export function readStart(query: URLSearchParams, known: readonly AgentView[], all: readonly ProjectView[]): Start {
  const agents = known.filter(({ id }) => id !== beingMade.value);
  const projects = all.filter(({ is_personal }) => !is_personal);
  const isNew = query.get("step") === "agent";
  const named = query.get("agent");
  const active = agents.filter(({ state }) => state === "active");
  const found = named === null ? active.findLast(({ first_seen_at }) => first_seen_at === null) : byId(active, named);
  const agent = isNew ? undefined : found;
  const project = byId(projects, query.get("project")) ?? projects[0];
  const client = clientNames.find((name) => name === query.get("client")) ?? "claude-code";
  const isWanted = isNew || named !== null || agent !== undefined || active.length === 0;
  return {
    step: stepOf(project, agent),
    client,
    project,
    agent,
    agents,
    projects,
    isFirst: active.length === 0 || (active.length === 1 && agent !== undefined),
    isWanted,
    isNamed: isNew || named !== null,
    goTo: (place) => replace(routeText(["start"], { project: project?.id, agent: agent?.id, client, ...place })),
  };
}

function byId<T extends { id: string }>(list: readonly T[], id: string | null): T | undefined {
  return list.find((each) => each.id === id);
}

function stepOf(project: ProjectView | undefined, agent: AgentView | undefined): StepName {
  if (agent === undefined) return project === undefined ? "project" : "agent";
  return agent.first_seen_at === null ? "address" : "hello";
}

export type Watched = { words: FirstWords | undefined; question: InboxItemView | undefined; progress: Progress };

/** Follows one agent closely while its first steps are on screen. */
export function useWatch(agent: AgentView): Watched {
  const words = useResource(firstWordsSpec(agent.id)).value.value;
  const questionId = words?.question?.id;
  const item = questionId === undefined ? undefined : inboxItem(questionId);
  useEffect(() => item?.hold(), [item]);
  const question = item?.value.value;
  const progress = progressOf(agent, words, question);
  const { isConnected, isAnswered } = progress;
  useEffect(() => {
    // Once it has called, nobody needs the token here any more.
    if (isConnected) forgetToken();
  }, [isConnected]);
  useEffect(() => {
    if (isAnswered) return;
    const timer = setInterval(() => {
      if (document.hidden) return;
      for (const watched of [agentList(), resource(firstWordsSpec(agent.id)), resource(hubSpec)]) {
        void watched.refresh(); // their states tell
      }
    }, watchMs);
    return () => clearInterval(timer);
  }, [agent.id, isAnswered]);
  return { words, question, progress };
}

/** Lists that first run is read from. */
export function useLists() {
  const agents = agentList();
  useEffect(() => agents.hold(), [agents]);
  return { agents, projects: useResource(projectListSpec) };
}

/** A name that follows what is chosen until it is typed over. */
export function useProposed(proposed: string): [string, (name: string) => void] {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  return [typed ?? proposed, setTyped];
}
