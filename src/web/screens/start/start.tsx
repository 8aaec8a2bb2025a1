// First run: from nothing to an agent at work (web-app.md 7). Nothing is created before its own button is pressed.
import { useEffect, useRef, useState } from "preact/hooks";
import type { AgentView } from "../../../shared/views.ts";
import { finishedStart } from "../../data/preferences.ts";
import { Button } from "../../parts/button.tsx";
import { CodeBlock } from "../../parts/copy-field.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { LoadedContent } from "../../shell/load-states.tsx";
import { replace, route } from "../../shell/router.ts";
import { PlainScreen } from "../../shell/screen.tsx";
import type { ScreenProps } from "../../shell/screens.ts";
import { startText } from "../../text/en-start.ts";
import { forgetToken } from "../agents/fresh-token.ts";
import { AddressStep } from "./address-step.tsx";
import { AgentStep } from "./agent-step.tsx";
import { LiveCard } from "./live-card.tsx";
import { ProjectStep } from "./project-step.tsx";
import { Step, stepCount } from "./step.tsx";
import { readStart, type Start as StartState, type StepName, useLists, useWatch } from "./use-start.ts";

const order: readonly StepName[] = ["project", "agent", "address", "hello", "done"];

export function Start({ query }: ScreenProps) {
  const { agents, projects } = useLists();
  useEffect(() => forgetToken, []);
  return (
    <PlainScreen
      title={startText.title}
      state={agents.state.value === "ready" ? projects.state.value : agents.state.value}
      head={
        <a class="button quiet start-skip" href="#/">
          {startText.skip}
        </a>
      }
    >
      <LoadedContent resource={agents} what={startText.what} skeleton={<Skeleton shape="card" />}>
        {(known) => (
          <LoadedContent resource={projects} what={startText.what} skeleton={<Skeleton shape="card" />}>
            {(listed) => <Steps start={readStart(query, known.agents, listed.projects)} />}
          </LoadedContent>
        )}
      </LoadedContent>
    </PlainScreen>
  );
}

function Steps({ start }: { start: StartState }) {
  const { isWanted, isNamed, agent } = start;
  const shown = useRef<StepName | undefined>(undefined);
  useEffect(() => {
    // Agents are at work already: nothing is to be begun here.
    if (!isWanted) replace("/");
    else if (agent !== undefined && !isNamed) start.goTo({});
  }, [isWanted, isNamed, agent?.id]);
  if (!isWanted) return null;
  return agent === undefined ? (
    <StepList start={start} step={start.step} shown={shown} />
  ) : (
    <Watching start={start} agent={agent} shown={shown} />
  );
}

/** The step that was on screen last, if any. */
type Shown = { current: StepName | undefined };

function Watching({ start, agent, shown }: { start: StartState; agent: AgentView; shown: Shown }) {
  const watched = useWatch(agent);
  const { isAnswered } = watched.progress;
  const step = isAnswered ? "done" : start.step;
  useEffect(() => {
    // Home leads here again until it is dismissed there.
    if (isAnswered && finishedStart.peek() === "") finishedStart.value = route.peek().text;
  }, [isAnswered]);
  return (
    <div class="start-pair">
      <StepList start={start} step={step} shown={shown} />
      <LiveCard key={agent.id} agent={agent} watched={watched} />
    </div>
  );
}

function StepList({ start, step, shown }: { start: StartState; step: StepName; shown: Shown }) {
  const { project, agent } = start;
  const list = useRef<HTMLDivElement>(null);
  const number = Math.min(order.indexOf(step) + 1, stepCount);
  const stateOf = (name: StepName) => {
    const place = order.indexOf(name) - order.indexOf(step);
    if (place === 0) return "current";
    return place < 0 ? "done" : "coming";
  };
  useFocusKept(list, step, shown);
  return (
    <div ref={list} class="start-main">
      {step === "done" ? null : <p class="start-progress note faint">{startText.progress(number, stepCount)}</p>}
      <ol class={`start-steps ${step}`}>
        <Step number={1} title={startText.project} state={stateOf("project")} outcome={project?.display_name}>
          <ProjectStep />
        </Step>
        <Step
          number={2}
          title={start.isFirst ? startText.agent : startText.anotherAgent}
          state={stateOf("agent")}
          outcome={agent?.display_name}
        >
          <AgentStep start={start} />
        </Step>
        <Step
          number={3}
          title={startText.address}
          state={stateOf("address")}
          outcome={agent === undefined ? undefined : <AddressAgain start={start} agent={agent} />}
        >
          {agent === undefined ? null : <AddressStep start={start} agent={agent} />}
        </Step>
        <Step number={4} title={startText.hello} state={stateOf("hello")}>
          <p class="soft">{startText.helloSentence}</p>
          <CodeBlock
            isMain
            label={startText.helloLabel}
            text={startText.helloWords(project?.id ?? "main")}
            language="text"
          />
        </Step>
      </ol>
    </div>
  );
}

/** The address of a step that is over, without its token. */
function AddressAgain({ start, agent }: { start: StartState; agent: AgentView }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <Button look="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? startText.hideAgain : startText.showAgain}
      </Button>
      {isShown ? <AddressStep start={start} agent={agent} /> : null}
    </>
  );
}

/** What had the focus may go with its step; then the heading of the one that came takes it. */
function useFocusKept(list: { current: HTMLElement | null }, step: StepName, shown: Shown): void {
  useEffect(() => {
    // Where a visit begins nothing had the focus.
    const isNew = shown.current !== undefined && shown.current !== step;
    shown.current = step;
    if (!isNew || document.activeElement !== document.body) return;
    list.current?.querySelector<HTMLElement>("[aria-current=step] h2")?.focus({ preventScroll: true });
  }, [step]);
}
